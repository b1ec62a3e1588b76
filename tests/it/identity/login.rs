//! Signing in with a password.

use super::{FREE, registered};
use support::prelude::*;

/// What a caller can compare.
fn comparable(response: &Response) -> (u16, Value, Value) {
    (response.status, response.body["error"].clone(), response.body["message"].clone())
}

#[tokio::test]
async fn unknown_accounts_and_wrong_passwords_get_the_same_answer() {
    let (app, ann) = registered().await;
    let wrong = ann.login("ann@example.org", "not the harbour").await;
    assert_eq!(wrong.refusal(), (401, "invalidCredentials"));
    assert_eq!(comparable(&ann.login("nobody@example.org", PASSWORD).await), comparable(&wrong));
    assert_eq!(comparable(&ann.login("ann@example.org", &PASSWORD.to_uppercase()).await), comparable(&wrong));
    assert_eq!(comparable(&ann.login("ann@example.org", &"x".repeat(5000)).await), comparable(&wrong));
    give_passwords_up(&app, "true").await;
    assert_eq!(comparable(&ann.login("ann@example.org", PASSWORD).await), comparable(&wrong));
    assert_eq!(wrong.cookie("session"), None);
    assert_eq!(app.count("select count(*) from account_audit where event = 'auth.login.failure'").await, 5);
}

#[tokio::test]
async fn a_suspension_shows_only_with_the_right_password() {
    let (app, ann) = registered().await;
    app.sql("update users set suspended_at = now()").await;
    assert_eq!(ann.login("ann@example.org", "not the harbour").await.refusal(), (401, "invalidCredentials"));
    assert_eq!(ann.login("ann@example.org", PASSWORD).await.refusal(), (403, "accountSuspended"));
    assert_eq!(app.count("select count(*) from sessions").await, 0);
}

#[tokio::test]
async fn without_mail_no_address_needs_verification() {
    let (app, ann) = registered().await;
    app.sql("update users set email_verified = false").await;
    let response = ann.login("ann@example.org", PASSWORD).await;
    assert_eq!((response.status, &response.body["user"]["emailVerified"]), (200, &json!(false)));
}

#[tokio::test]
async fn remembered_sessions_live_for_two_weeks_and_others_for_a_day() {
    let (app, ann) = registered().await;
    let with = |remember: &Value| json!({ "email": "ann@example.org", "password": PASSWORD, "rememberMe": remember });
    for (remember, is_kept) in [(json!(true), true), (Value::Null, true), (json!(false), false)] {
        let response = ann.post("/api/auth/login", &with(&remember)).await;
        let lines: Vec<_> = response.headers.get_all("set-cookie").iter().map(|g| g.to_str().unwrap()).collect();
        let session = lines.iter().find(|line| line.starts_with("session=")).unwrap();
        assert_eq!(session.ends_with("; Max-Age=1209600"), is_kept, "{remember} {session}");
    }
    let (long, short) = (Person::at(&app), Person::at(&app));
    long.login("ann@example.org", PASSWORD).await;
    short.post("/api/auth/login", &with(&json!(false))).await;

    app.clock.advance(jiff::SignedDuration::from_hours(24) - jiff::SignedDuration::from_secs(1));
    assert_eq!((long.get("/api/me").await.status, short.get("/api/me").await.status), (200, 200));
    app.clock.advance(jiff::SignedDuration::from_secs(1));
    assert_eq!((long.get("/api/me").await.status, short.get("/api/me").await.status), (200, 401));
    app.sql("update sessions set last_seen_at = created_at + interval '13 days'").await;
    app.clock.advance(jiff::SignedDuration::from_hours(13 * 24) - jiff::SignedDuration::from_secs(1));
    assert_eq!(long.get("/api/me").await.status, 200);
    app.clock.advance(jiff::SignedDuration::from_secs(1));
    assert_eq!(long.get("/api/me").await.status, 401);
}

#[tokio::test]
async fn a_hash_with_older_costs_is_replaced_at_login_and_no_session_ends() {
    let (app, ann) = registered().await;
    ann.login("ann@example.org", PASSWORD).await;
    // Made with m=65536, for the password «password».
    let old = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
    app.sql(&format!("update users set password_hash = '{old}'")).await;

    assert_eq!(Person::at(&app).login("ann@example.org", "password").await.status, 200);
    assert_eq!(app.count("select count(*) from users where password_hash like '$argon2id$v=19$m=64,t=1,p=1$%'").await, 1);
    assert_eq!(ann.get("/api/me").await.status, 200);
    assert_eq!(Person::at(&app).login("ann@example.org", "password").await.status, 200);
}

/// An account has a hash of another system. Its owner signs in twice; after the first time the row holds a
/// new hash of this server, and nothing else about the account has changed: its sessions continue.
async fn is_replaced_at_login(imported: &str) {
    let password = "Correct-Horse-7!";
    let (app, ann) = registered().await;
    ann.login("ann@example.org", PASSWORD).await;
    app.sql(&format!("update users set password_hash = '{imported}'")).await;
    let is_ours = "select count(*) from users where password_hash like '$argon2id$v=19$m=64,t=1,p=1$%' and token_version = 0";

    let wrong = Person::at(&app).login("ann@example.org", &format!("{password}x")).await;
    assert_eq!((wrong.refusal(), app.count(is_ours).await), ((401, "invalidCredentials"), 0));
    let told = app.count("select count(*) from account_audit").await;
    assert_eq!(Person::at(&app).login("ann@example.org", password).await.status, 200);
    assert_eq!(app.count(is_ours).await, 1);
    assert_eq!(app.count("select count(*) from account_audit").await, told + 1, "a login, and no change of the password");
    assert_eq!(Person::at(&app).login("ann@example.org", password).await.status, 200);
    assert_eq!(Person::at(&app).login("ann@example.org", &format!("{password}x")).await.status, 401);
    assert_eq!((ann.get("/api/me").await.status, app.count("select count(*) from sessions").await), (200, 3));
}

#[tokio::test]
async fn an_argon2i_hash_is_replaced_at_login() {
    is_replaced_at_login("$argon2i$v=19$m=4096,t=3,p=1$cwvqT/FvIA+5MbBsrgil2g$WxGiUj054tzXjzjncBp7Fa8qSXqmqZwyRLonNi33miw").await;
}

#[tokio::test]
async fn an_argon2id_hash_of_another_system_is_replaced_at_login() {
    is_replaced_at_login("$argon2id$v=16$m=8192,t=2,p=1$zmCbW/O5dKhJB+I3rKMBEg$2VPMAlqpwQSb8ZevWPBzHE9wK/9/KcdbN6gYi5O/oug").await;
}

#[tokio::test]
async fn a_bcrypt_hash_is_replaced_at_login() {
    is_replaced_at_login("$2y$04$QEsqvaJWnvnxzPt23QJcoeCsNrd4mbmocj8fJoioC0rip9q8KXlCm").await;
}

#[tokio::test]
async fn a_pbkdf2_hash_is_replaced_at_login() {
    is_replaced_at_login("$pbkdf2-sha256$1000$LGbj/QfMzE5vYssS.KT3Sw$DXHVc5sKPg1.ha/pnAXuiGGFh6wBCudpfzWEIIPSAEk").await;
}

#[tokio::test]
async fn limits_hold_exactly_when_fifty_try_at_once() {
    let limited = FREE.iter().copied().filter(|(name, _)| *name != "APP_RATE_LIMITS");
    let variables: Vec<_> = limited.chain([("APP_RATE_LIMIT_LOGIN_IP", "40/min")]).collect();
    let app = Arc::new(TestApp::with_variables(&variables).await);
    Person::at(&app).register("ann@example.org").await;

    let tried = join_all((0..50).map(async |number| {
        let email = if number % 2 == 0 { "ann@example.org" } else { "Ann@Example.org" };
        let response = Person::at(&app).login(email, "not the harbour").await;
        let after = response.headers.get("retry-after").map(|header| header.to_str().unwrap().to_owned());
        if response.status == 429 {
            assert_eq!(response.body["retryAfter"].to_string(), after.unwrap());
        }
        response.status
    }))
    .await
    .into_iter()
    .filter(|status| *status == 401)
    .count();
    assert_eq!(tried, 5, "the lockout's");
    assert_eq!(Person::at(&app).login("bob@example.org", PASSWORD).await.refusal(), (429, "rateLimited"), "the address's limit");
    app.clock.advance(jiff::SignedDuration::from_secs(3));
    assert_eq!(Person::at(&app).login("bob@example.org", PASSWORD).await.status, 401, "two each three seconds");
    app.clock.advance(jiff::SignedDuration::from_secs(57));
    assert_eq!(Person::at(&app).login("ann@example.org", PASSWORD).await.status, 200);

    let mut statuses = Vec::new();
    for number in 0..11 {
        statuses.push(Person::at(&app).register(&format!("p{number}@example.org")).await.status);
    }
    assert_eq!((&statuses[..9], &statuses[9..]), (&[201; 9][..], &[429; 2][..]), "ten an hour, one was used before");
}
