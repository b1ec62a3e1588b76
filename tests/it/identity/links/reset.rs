//! Forgotten passwords.

use super::{FREE, forgot_password, last_link, last_token, letters, limited_app, mailing_app, reset_password, verified, visit};
use crate::identity::totp;
use support::prelude::*;

const NEW: &str = "an even quieter port";
const OTHER: &str = "the quietest of all bays";

/// Requests a link. Returns its token.
async fn reset_token(app: &support::TestApp, email: &str) -> String {
    assert_eq!(forgot_password(&Person::at(app), email).await.status, 200);
    last_token(app, email).await
}

#[tokio::test]
async fn a_mailed_link_sets_a_new_password_and_starts_no_session() {
    let app = mailing_app().await;
    let ann = verified(&app, "ann@example.org").await;
    ann.login("ann@example.org", PASSWORD).await;
    let token = reset_token(&app, "ann@example.org").await;
    let link = last_link(&app, "ann@example.org").await;
    assert_eq!(link, app.url(&format!("/reset-password?token={token}")));

    let stranger = Person::at(&app);
    let response = reset_password(&stranger, &token, NEW).await;
    assert_eq!((response.status, response.cookie("session")), (200, None), "{}", response.body);
    assert_eq!(stranger.get("/api/me").await.status, 401);
    assert_eq!(ann.get("/api/me").await.status, 401, "the sessions of before are dead");
    assert_eq!(ann.login("ann@example.org", PASSWORD).await.refusal(), (401, "invalidCredentials"));
    assert_eq!(ann.login("ann@example.org", NEW).await.status, 200);
    assert_eq!(app.count("select count(*) from account_audit where event = 'auth.password.reset'").await, 1);
}

#[tokio::test]
async fn a_link_proves_the_address_and_is_no_way_round_a_login() {
    let app = mailing_app().await;
    let ann = Person::at(&app);
    ann.register("ann@example.org").await;
    let verification = last_token(&app, "ann@example.org").await;
    let token = reset_token(&app, "ann@example.org").await;
    assert_eq!(reset_password(&ann, &token, NEW).await.status, 200);
    let (status, _) = visit(&ann, &format!("/api/auth/verify-email?token={verification}")).await;
    assert_eq!((status, ann.get("/api/me").await.status), (302, 401), "neither link signs in");
    assert_eq!(ann.login("ann@example.org", NEW).await.status, 200, "the address is proved");

    // It does not bypass a second factor, which stays and is needed at the next login.
    let (authenticator, _) = totp::enrol(&app, &ann).await;
    let token = reset_token(&app, "ann@example.org").await;
    let stranger = Person::at(&app);
    let response = reset_password(&stranger, &token, OTHER).await;
    assert_eq!(
        (response.status, response.cookie("session"), stranger.get("/api/me").await.status),
        (200, None, 401),
        "{}",
        response.body
    );
    let response = stranger.login("ann@example.org", OTHER).await;
    assert_eq!(
        (response.status, &response.body["method"], response.cookie("session")),
        (200, &json!("totp"), None),
        "{}",
        response.body
    );
    assert_eq!(stranger.get("/api/me").await.status, 401);
    let code = json!({ "code": authenticator.code(app.clock.now()) });
    assert_eq!(stranger.post("/api/auth/verify-totp", &code).await.status, 200);
}

#[tokio::test]
async fn a_request_for_a_reset_link_gets_the_same_response_for_any_address() {
    let app = mailing_app().await;
    verified(&app, "ann@example.org").await;
    let comparable = |response: Response| (response.status, response.body, response.headers.contains_key("set-cookie"));
    let known = comparable(forgot_password(&Person::at(&app), "ann@example.org").await);
    assert_eq!(comparable(forgot_password(&Person::at(&app), "nobody@example.org").await), known);
    assert_eq!(known.0, 200);
    assert_eq!(app.count("select count(*) from mails where template = 'passwordReset'").await, 1);
    assert_eq!(app.count("select count(*) from one_time where kind = 'passwordReset'").await, 1);
    assert_eq!(app.count("select count(*) from account_audit where event = 'auth.password.reset_requested'").await, 2);
}

#[tokio::test]
async fn a_reset_link_works_once_whatever_happens() {
    let app = mailing_app().await;
    let refused = (400, "invalidToken");
    let ann = verified(&app, "ann@example.org").await;

    // After one link was used, neither it nor an earlier one works.
    let (first, second) = (reset_token(&app, "ann@example.org").await, reset_token(&app, "ann@example.org").await);
    assert_ne!(first, second);
    assert_eq!(reset_password(&ann, &second, "a harbour, the first").await.status, 200);
    assert_eq!(reset_password(&ann, &second, "a harbour, the other").await.refusal(), refused);
    assert_eq!(reset_password(&ann, &first, "a harbour, the other").await.refusal(), refused);

    // After the password was changed by other means.
    let token = reset_token(&app, "ann@example.org").await;
    ann.login("ann@example.org", "a harbour, the first").await;
    let body = json!({ "currentPassword": "a harbour, the first", "newPassword": "a harbour, the second" });
    assert_eq!(ann.post("/api/me/password", &body).await.status, 200);
    assert_eq!(reset_password(&ann, &token, "a harbour, the other").await.refusal(), refused);

    // After a suspension: the error says so, and the link is neither used nor changed.
    let token = reset_token(&app, "ann@example.org").await;
    app.sql("update users set suspended_at = now()").await;
    assert_eq!(reset_password(&ann, &token, "a harbour, the third").await.refusal(), (403, "accountSuspended"));
    app.sql("update users set suspended_at = null").await;
    assert_eq!(reset_password(&ann, &token, "a harbour, the third").await.status, 200);

    // After its hour, and after the account was deleted.
    let token = reset_token(&app, "ann@example.org").await;
    app.clock.advance(SignedDuration::from_hours(1));
    assert_eq!(reset_password(&ann, &token, "a harbour, the other").await.refusal(), refused);
    let token = reset_token(&app, "ann@example.org").await;
    app.sql("delete from users").await;
    assert_eq!(reset_password(&ann, &token, "a harbour, the other").await.refusal(), refused);
}

#[tokio::test]
async fn of_fifty_concurrent_uses_of_a_link_one_sets_the_password() {
    let app = Arc::new(mailing_app().await);
    verified(&app, "ann@example.org").await;
    let tokens = [reset_token(&app, "ann@example.org").await, reset_token(&app, "ann@example.org").await];
    let mut crowd = JoinSet::new();
    for number in 0..50_usize {
        let (app, token) = (app.clone(), tokens[number % 2].clone());
        crowd.spawn(
            async move { (reset_password(&Person::at(&app), &token, &format!("a harbour for {number}")).await.status, number) },
        );
    }
    let response = crowd.join_all().await;
    let set: Vec<_> = response.iter().filter(|(status, _)| *status == 200).collect();
    assert_eq!((set.len(), response.iter().filter(|(status, _)| *status == 400).count()), (1, 49), "{response:?}");
    assert_eq!(Person::at(&app).login("ann@example.org", &format!("a harbour for {}", set[0].1)).await.status, 200);
}

#[tokio::test]
async fn a_password_that_is_refused_leaves_the_link_as_it_is() {
    let app = mailing_app().await;
    let ann = verified(&app, "ann@example.org").await;
    let token = reset_token(&app, "ann@example.org").await;
    for (body, code) in [
        (json!({ "token": token, "newPassword": "short" }), "weakPassword"),
        (json!({ "token": token, "newPassword": "my-lectern-1" }), "weakPassword"),
        (json!({ "token": token, "newPassword": PASSWORD }), "passwordReused"),
        (json!({ "token": token }), "validation"),
        (json!({ "newPassword": NEW }), "validation"),
        (json!({ "token": 7, "newPassword": NEW }), "validation"),
        (json!({ "token": "", "newPassword": NEW }), "invalidToken"),
    ] {
        let response = ann.post("/api/auth/password/reset", &body).await;
        assert_eq!(response.refusal(), (400, code), "{}", response.body);
    }
    assert_eq!(reset_password(&ann, &token, NEW).await.status, 200);
}

#[tokio::test]
async fn a_reset_ends_sessions_and_forgets_browsers() {
    let app = mailing_app().await;
    let ann = verified(&app, "ann@example.org").await;
    assert!(ann.login("ann@example.org", PASSWORD).await.cookie("device").is_some());
    verified(&app, "bob@example.org").await.login("bob@example.org", PASSWORD).await;
    let token = reset_token(&app, "ann@example.org").await;
    assert_eq!(reset_password(&Person::at(&app), &token, NEW).await.status, 200);
    assert_eq!(ann.get("/api/me").await.status, 401, "the session");
    let response = ann.login("ann@example.org", NEW).await;
    assert_eq!(response.body["method"], "email", "the browser is a stranger again: {}", response.body);
    assert_eq!(app.count("select count(*) from known_devices").await, 1, "Bob's is not concerned");
}

#[tokio::test]
async fn a_reset_ends_the_lockout_that_wrong_passwords_caused() {
    let app = limited_app().await;
    verified(&app, "ann@example.org").await;
    let stranger = Person::at(&app);
    for _ in 0..5 {
        assert_eq!(stranger.login("ann@example.org", "not the harbour").await.status, 401);
    }
    assert_eq!(stranger.login("ann@example.org", PASSWORD).await.status, 429);
    let token = reset_token(&app, "ann@example.org").await;
    assert_eq!(reset_password(&Person::at(&app), &token, NEW).await.status, 200, "also while it is locked");
    assert_eq!(Person::at(&app).login("ann@example.org", NEW).await.status, 200);
    assert_eq!(app.count("select day_count::bigint from lockout_counters").await, 0, "nor do the failures of the day stay");
}

#[tokio::test]
async fn an_open_link_cannot_be_used_to_keep_the_server_hashing() {
    let app = Arc::new(limited_app().await);
    verified(&app, "ann@example.org").await;
    let token = reset_token(&app, "ann@example.org").await;
    let response =
        join_all((0..50).map(async |_| reset_password(&Person::at(&app), &token, PASSWORD).await.refusal().1.to_owned())).await;
    let [reused, limited] = ["passwordReused", "rateLimited"].map(|code| response.iter().filter(|s| *s == code).count());
    assert_eq!((reused, limited), (10, 40), "{response:?}");
    app.clock.advance(SignedDuration::from_secs(90));
    assert_eq!(reset_password(&Person::at(&app), &token, NEW).await.status, 200, "the link is as good as before");
}

#[tokio::test]
async fn without_mail_a_local_server_tells_the_link_to_its_log_at_debug() {
    for (level, links) in [("debug", 1), ("info", 0)] {
        let data = data_directory();
        let variables = [FREE, &[("APP_LOG_LEVEL", level)]].concat();
        let server = Server::start(data.path(), &variables).await;
        let ann = Person::at_origin(format!("http://{}", server.address));
        ann.register("ann@example.org").await;
        assert_eq!(forgot_password(&ann, "ann@example.org").await.status, 200);
        assert_eq!(forgot_password(&ann, "nobody@example.org").await.status, 200);
        let log = server.stop_and_tell().await;
        let told: Vec<&str> = log.lines().filter(|line| line.contains("/reset-password?token=")).collect();
        assert_eq!(told.len(), links, "{log}");
    }
}

#[tokio::test]
async fn an_address_without_an_account_is_mailed_no_link() {
    let app = mailing_app().await;
    forgot_password(&Person::at(&app), "nobody@example.org").await;
    assert_eq!(letters(&app, "nobody@example.org").await, []);
}
