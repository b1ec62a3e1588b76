//! `POST /api/me/password`.

use super::{LIMITED, app, get_with_cookies, registered, signed_in};
use support::prelude::*;

const OTHER: &str = "an even quieter port";

#[tokio::test]
async fn a_changed_password_ends_every_other_session_and_keeps_this_one() {
    let (app, ann) = registered().await;
    let before = format!("session={}", ann.login("ann@example.org", PASSWORD).await.cookie("session").unwrap());
    let phone = Person::elsewhere(&app, "ann@example.org").await;
    let bob = Person::signed_in(&app, "bob@example.org").await;

    let response = ann.post("/api/me/password", &json!({ "currentPassword": PASSWORD, "newPassword": OTHER })).await;
    assert_eq!(response.status, 200, "{}", response.body);
    assert!(response.cookie("session").is_some(), "a fresh cookie");
    assert_eq!((ann.get("/api/me").await.status, phone.get("/api/me").await.status), (200, 401));
    assert_eq!(get_with_cookies(&app, "/api/me", &before).await.status, 401, "this browser's own old cookie is dead as well");
    assert_eq!(bob.get("/api/me").await.status, 200, "other accounts are not affected");

    assert_eq!(phone.login("ann@example.org", PASSWORD).await.refusal(), (401, "invalidCredentials"));
    assert_eq!(phone.login("ann@example.org", OTHER).await.status, 200);
    assert_eq!(ann.get("/api/me").await.status, 200);
    assert_eq!(
        app.count("select count(*) from account_audit where event = 'auth.password.changed' and status = 'success'").await,
        1
    );
    assert_eq!(app.count("select count(*) from users where password_changed_at is not null").await, 2);
}

#[tokio::test]
async fn what_is_refused_changes_nothing() {
    let (app, ann) = signed_in().await;
    for (body, refusal) in [
        (json!({ "newPassword": OTHER }), (400, "currentPasswordRequired")),
        (json!({ "currentPassword": null, "newPassword": OTHER }), (400, "currentPasswordRequired")),
        (json!({ "currentPassword": PASSWORD }), (400, "validation")),
        (json!({ "currentPassword": PASSWORD, "newPassword": "password1" }), (400, "weakPassword")),
        (json!({ "currentPassword": PASSWORD, "newPassword": 1_234_567_890 }), (400, "validation")),
        (json!({ "currentPassword": PASSWORD, "newPassword": PASSWORD }), (400, "passwordReused")),
        (json!({ "currentPassword": "not the harbour", "newPassword": OTHER }), (403, "invalidPassword")),
        (json!({ "currentPassword": "x".repeat(5000), "newPassword": OTHER }), (403, "invalidPassword")),
    ] {
        let response = ann.post("/api/me/password", &body).await;
        assert_eq!(response.refusal(), refusal, "{}", response.body);
        assert!(!response.body.to_string().contains("1234567890"));
    }
    let weak = ann.post("/api/me/password", &json!({ "currentPassword": PASSWORD, "newPassword": "short" })).await;
    assert_eq!(weak.body["details"][0]["field"], "newPassword");
    assert_eq!(ann.get("/api/me").await.status, 200, "403 is about the password, not about the session");
    assert_eq!(Person::at(&app).login("ann@example.org", PASSWORD).await.status, 200);
    assert_eq!(app.count("select count(*) from former_passwords").await, 0);
    assert_eq!(
        app.count("select count(*) from account_audit where event = 'auth.password.changed' and status = 'failure'").await,
        2
    );
}

#[tokio::test]
async fn the_last_five_passwords_cannot_be_taken_again() {
    let (app, ann) = signed_in().await;
    let password = |number: usize| if number == 0 { PASSWORD.to_owned() } else { format!("a quiet harbour, number {number}") };
    for number in 0..6 {
        let body = json!({ "currentPassword": password(number), "newPassword": password(number + 1) });
        assert_eq!(ann.post("/api/me/password", &body).await.status, 200);
    }
    assert_eq!(app.count("select count(*) from former_passwords").await, 5);
    for number in 1..=6 {
        let body = json!({ "currentPassword": password(6), "newPassword": password(number) });
        assert_eq!(ann.post("/api/me/password", &body).await.refusal(), (400, "passwordReused"), "{number}");
    }
    let body = json!({ "currentPassword": password(6), "newPassword": password(0) });
    assert_eq!(ann.post("/api/me/password", &body).await.status, 200, "the sixth is forgotten");
}

#[tokio::test]
async fn an_account_without_a_password_sets_its_first_one() {
    let (app, ann) = signed_in().await;
    give_passwords_up(&app, "true").await;
    assert_eq!(ann.get("/api/me").await.body["hasPassword"], false);
    assert_eq!(ann.post("/api/me/password", &json!({ "newPassword": OTHER })).await.status, 200);
    assert_eq!((ann.get("/api/me").await.status, ann.get("/api/me").await.body["hasPassword"].clone()), (200, json!(true)));
    assert_eq!(Person::at(&app).login("ann@example.org", OTHER).await.status, 200);
    assert_eq!(app.count("select count(*) from former_passwords").await, 0);
    assert_eq!(app.count("select count(*) from account_audit where event = 'auth.password.set'").await, 1);
}

#[tokio::test]
async fn of_fifty_changes_at_once_one_is_made() {
    let app = Arc::new(app().await);
    let ann = Arc::new(Person::signed_in(&app, "ann@example.org").await);
    let csrf = ann.csrf().await;
    let response = join_all((0..50).map(async |number| {
        let body = json!({ "currentPassword": PASSWORD, "newPassword": format!("a harbour for {number}") });
        let request = ann.browser.post(ann.url("/api/me/password")).header("x-csrf-token", &csrf).json(&body);
        (request.send().await.unwrap().status().as_u16(), number)
    }))
    .await;
    let changed: Vec<_> = response.iter().filter(|(status, _)| *status == 200).collect();
    assert_eq!(changed.len(), 1, "{response:?}");
    assert_eq!(Person::at(&app).login("ann@example.org", &format!("a harbour for {}", changed[0].1)).await.status, 200);
    assert_eq!(app.count("select count(*) from former_passwords").await, 1);
}

#[tokio::test]
async fn a_stranger_at_an_open_browser_cannot_try_passwords_without_limit() {
    let app = TestApp::with_variables(LIMITED).await;
    // Another process on the same database.
    let other = app.beside(LIMITED).await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    let found = Person::elsewhere(&other, "ann@example.org").await;
    let wrong = json!({ "currentPassword": "not the harbour", "newPassword": OTHER });
    let right = json!({ "currentPassword": PASSWORD, "newPassword": OTHER });
    for number in 0..5 {
        let path = if number % 2 == 0 { "/api/me/password" } else { "/api/me" };
        let method = if number % 2 == 0 { reqwest::Method::POST } else { reqwest::Method::DELETE };
        let body = if number % 2 == 0 { wrong.clone() } else { json!({ "password": "not the harbour" }) };
        assert_eq!(found.send(method, path, &body).await.status, 403, "{number}");
    }
    assert_eq!(found.post("/api/me/password", &right).await.refusal(), (429, "rateLimited"));
    assert_eq!(found.delete("/api/me", &json!({ "password": PASSWORD })).await.status, 429, "counted together");
    let cookie = format!("session={}", Person::at(&app).login("ann@example.org", PASSWORD).await.cookie("session").unwrap());
    let csrf = get_with_cookies(&app, "/api/csrf-token", &cookie).await.body["csrfToken"].as_str().unwrap().to_owned();
    let elsewhere = |app: &TestApp| {
        let cookies = format!("{cookie}; csrf_token={csrf}");
        let request = reqwest::Client::new().post(app.url("/api/me/password"));
        request.header("cookie", cookies).header("x-csrf-token", &csrf).json(&wrong)
    };
    for number in 0..5 {
        assert_eq!(
            elsewhere(&app).send().await.unwrap().status(),
            403,
            "a browser that is not known has a count of its own: {number}"
        );
    }
    assert_eq!(elsewhere(&app).send().await.unwrap().status(), 429);
    assert_eq!(ann.post("/api/me/password", &right).await.status, 200, "Ann's own browser is not kept waiting by either");
}

#[tokio::test]
async fn new_passwords_cannot_be_tried_on_and_on() {
    let app = TestApp::with_variables(LIMITED).await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    let reused = json!({ "currentPassword": PASSWORD, "newPassword": PASSWORD });
    for _ in 0..10 {
        assert_eq!(ann.post("/api/me/password", &reused).await.refusal(), (400, "passwordReused"));
    }
    assert_eq!(
        ann.post("/api/me/password", &reused).await.refusal(),
        (429, "rateLimited"),
        "each costs a comparison with all of before"
    );
    app.clock.advance(jiff::SignedDuration::from_secs(90));
    let body = json!({ "currentPassword": PASSWORD, "newPassword": OTHER });
    assert_eq!(ann.post("/api/me/password", &body).await.status, 200);
    assert_eq!(
        app.count("select coalesce(sum(cardinality(recent)), 0)::bigint from lockout_counters").await,
        0,
        "it is no attempt"
    );
}
