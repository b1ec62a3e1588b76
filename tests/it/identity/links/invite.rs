//! Accepting an invitation. The accounts and the links are made here, so that their age can be anything.

use super::{app, invitation};
use support::prelude::*;

const NEW: &str = "an even quieter port";

/// Creates an account without a password.
pub(crate) async fn invited(app: &TestApp, email: &str) {
    app.sql(&format!(
        "insert into users (id, email, first_name, locale, created_at) values (gen_random_uuid(), '{email}', 'Ann', 'en', now())"
    ))
    .await;
}

async fn accept(person: &Person, token: &str, password: &str) -> Response {
    person.post("/api/auth/accept-invite", &json!({ "token": token, "newPassword": password })).await
}

#[tokio::test]
async fn it_sets_the_first_password_proves_the_address_and_signs_in() {
    let app = app().await;
    invited(&app, "ann@example.org").await;
    let (token, other) = (invitation(&app, "ann@example.org").await, invitation(&app, "ann@example.org").await);
    let ann = Person::at(&app);
    assert_eq!(ann.login("ann@example.org", NEW).await.status, 401);
    for weak in ["short", "password1", "my-lectern-1"] {
        assert_eq!(accept(&ann, &token, weak).await.refusal(), (400, "weakPassword"), "the link is not burned by it");
    }
    let response = accept(&ann, &token, NEW).await;
    assert_eq!(response.status, 200, "{}", response.body);
    assert_eq!((&response.body["user"]["emailVerified"], &response.body["user"]["hasPassword"]), (&json!(true), &json!(true)));
    assert_eq!(response.cookie("csrf_token").as_deref(), response.body["csrfToken"].as_str());
    assert_eq!(ann.get("/api/me").await.body, response.body["user"]);
    assert_eq!(Person::at(&app).login("ann@example.org", NEW).await.status, 200);

    let stranger = Person::at(&app);
    assert_eq!(accept(&stranger, &token, "a harbour of mine").await.refusal(), (400, "alreadyUsed"));
    assert_eq!(accept(&stranger, &other, "a harbour of mine").await.refusal(), (400, "passwordAlreadySet"));
    assert_eq!(stranger.get("/api/me").await.status, 401);
    assert_eq!(app.count("select count(*) from account_audit where event = 'auth.invite.accepted'").await, 1);
    assert_eq!(app.count("select count(*) from former_passwords").await, 0);
}

#[tokio::test]
async fn unknown_and_expired_invitations_are_401() {
    let app = app().await;
    invited(&app, "ann@example.org").await;
    let token = invitation(&app, "ann@example.org").await;
    let ann = Person::at(&app);
    for odd in ["", "x", &token[1..], &"x".repeat(43), &format!("{token}=")] {
        assert_eq!(accept(&ann, odd, NEW).await.refusal(), (401, "invalidToken"), "{odd}");
    }
    app.clock.advance(SignedDuration::from_hours(7 * 24));
    assert_eq!(accept(&ann, &token, NEW).await.refusal(), (401, "invalidToken"));
    for (body, code) in [(json!({ "newPassword": NEW }), "validation"), (json!({ "token": null }), "validation")] {
        assert_eq!(ann.post("/api/auth/accept-invite", &body).await.refusal(), (400, code));
    }
    assert_eq!(app.count("select count(*) from users where password_hash is not null").await, 0);
}

#[tokio::test]
async fn an_invitation_shows_for_whom_it_is() {
    let app = app().await;
    invited(&app, "ann@example.org").await;
    let (token, other) = (invitation(&app, "ann@example.org").await, invitation(&app, "ann@example.org").await);
    let ann = Person::at(&app);
    let read = async |token: &str| ann.get(&format!("/api/auth/invite?token={token}")).await;
    let response = read(&token).await;
    let expected = json!({ "email": "ann@example.org", "firstName": "Ann", "expiresAt": "2026-03-08T12:00:00.000Z" });
    assert_eq!((response.status, &response.body), (200, &expected));
    app.sql("update users set suspended_at = now()").await;
    assert_eq!(read(&token).await.refusal(), (401, "invalidToken"), "a suspended account");
    app.sql("update users set suspended_at = null").await;
    assert_eq!(accept(&ann, &token, NEW).await.status, 200, "to look at it does not use it up");
    for odd in [&token, &other, "x", &"x".repeat(43), ""] {
        assert_eq!(read(odd).await.refusal(), (401, "invalidToken"), "{odd}");
    }
    assert_eq!(ann.get("/api/auth/invite").await.refusal(), (400, "validation"));
}

#[tokio::test]
async fn a_suspended_account_accepts_nothing() {
    let app = app().await;
    invited(&app, "ann@example.org").await;
    let token = invitation(&app, "ann@example.org").await;
    app.sql("update users set suspended_at = now()").await;
    assert_eq!(accept(&Person::at(&app), &token, NEW).await.refusal(), (403, "accountSuspended"));
    app.sql("update users set suspended_at = null").await;
    assert_eq!(accept(&Person::at(&app), &token, NEW).await.status, 200);
}

#[tokio::test]
async fn an_account_that_changes_at_this_moment_keeps_its_invitation() {
    let app = app().await;
    invited(&app, "ann@example.org").await;
    let token = invitation(&app, "ann@example.org").await;
    let ann = Person::at(&app);
    for (change, refusal) in [
        ("update users set token_version = token_version + 1", (409, "accountChanged")),
        ("insert into totp (user_id, secret, enabled_at) select id, 'x', now() from users", (400, "alreadyUsed")),
    ] {
        let response = super::super::meanwhile(&app, change, accept(&ann, &token, NEW)).await;
        assert_eq!((response.refusal(), response.cookie("session")), (refusal, None), "{change}");
        app.sql("delete from totp").await;
    }
    assert_eq!(app.count("select count(*) from users where password_hash is not null").await, 0, "nothing was done by halves");
    assert_eq!(accept(&ann, &token, NEW).await.status, 200);
}

#[tokio::test]
async fn of_fifty_concurrent_acceptances_one_signs_in() {
    let app = Arc::new(app().await);
    invited(&app, "ann@example.org").await;
    let tokens = [invitation(&app, "ann@example.org").await, invitation(&app, "ann@example.org").await];
    let mut crowd = JoinSet::new();
    for number in 0..50_usize {
        let (app, token) = (app.clone(), tokens[number % 2].clone());
        crowd.spawn(async move {
            let response = accept(&Person::at(&app), &token, &format!("a harbour for {number}")).await;
            (response.status, response.cookie("session").is_some(), number)
        });
    }
    let response = crowd.join_all().await;
    let won: Vec<_> = response.iter().filter(|s| s.0 == 200).collect();
    assert_eq!((won.len(), response.iter().filter(|s| s.1).count()), (1, 1), "{response:?}");
    assert!(response.iter().all(|s| s.0 == 200 || s.0 == 400), "{response:?}");
    assert_eq!(Person::at(&app).login("ann@example.org", &format!("a harbour for {}", won[0].2)).await.status, 200);
    assert_eq!(app.count("select count(*) from sessions").await, 2);
}
