//! Recognised browsers, and suspicious sign-ins.

use super::FREE;
use support::{browser_called, prelude::*};

const ANN: &str = "ann@example.org";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0";
const NEWER_FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";
const CHROME: &str = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";

async fn behind_a_proxy() -> TestApp {
    TestApp::with_variables(&[FREE, &[("APP_TRUSTED_PROXIES", "127.0.0.1")]].concat()).await
}

/// A person with a browser of this `User-Agent`.
fn with(app: &TestApp, user_agent: &str) -> Person {
    Person::with_browser(app, user_agent)
}

/// Signs in from an address.
async fn login_from(person: &Person, ip: &str, email: &str, password: &str) -> Response {
    let request = person.request(Method::POST, "/api/auth/login").await.header("x-forwarded-for", ip);
    request.json(&json!({ "email": email, "password": password })).answer().await
}

async fn audit_entries(app: &TestApp, event: &str) -> i64 {
    app.count(&format!("select count(*) from account_audit where event = '{event}'")).await
}

/// The reasons of the newest suspicious sign-in.
async fn reasons(app: &TestApp) -> String {
    let query =
        "select details ->> 'reasons' as reasons from account_audit where event = 'auth.login.suspicious' order by id desc limit 1";
    app.value(query).await
}

#[tokio::test]
async fn a_new_browser_is_notified_and_a_known_one_is_not() {
    let app = behind_a_proxy().await;
    let ann = with(&app, FIREFOX);
    ann.register(ANN).await;
    let response = login_from(&ann, "192.0.2.1", ANN, PASSWORD).await;
    let cookie = response.headers.get_all("set-cookie").iter().map(|g| g.to_str().unwrap()).find(|g| g.starts_with("device="));
    assert!(cookie.unwrap().ends_with("; Path=/; SameSite=Lax; HttpOnly; Max-Age=7776000"), "{cookie:?}");
    assert_eq!(audit_entries(&app, "auth.login.new_device").await, 0, "the first sign-in is expected");

    // The same browser is recognised at any address.
    let again = login_from(&ann, "198.51.100.1", ANN, PASSWORD).await;
    assert_eq!(again.cookie("device"), response.cookie("device"));
    // Another browser of the same kind in a network that is known.
    login_from(&with(&app, NEWER_FIREFOX), "198.51.100.200", ANN, PASSWORD).await;
    assert_eq!((audit_entries(&app, "auth.login.new_device").await, audit_entries(&app, "auth.login.suspicious").await), (0, 0));

    login_from(&with(&app, CHROME), "198.51.100.200", ANN, PASSWORD).await;
    assert_eq!((audit_entries(&app, "auth.login.new_device").await, reasons(&app).await.as_str()), (1, r#"["new_device"]"#));
    login_from(&with(&app, FIREFOX), "203.0.113.9", ANN, PASSWORD).await;
    assert_eq!(audit_entries(&app, "auth.login.new_device").await, 2);
    assert_eq!(reasons(&app).await, r#"["new_device", "new_network"]"#);
    // Ninety days later no browser is recognised any more.
    app.clock.advance(SignedDuration::from_hours(90 * 24));
    login_from(&ann, "192.0.2.1", ANN, PASSWORD).await;
    assert_eq!(audit_entries(&app, "auth.login.new_device").await, 3);
}

#[tokio::test]
async fn a_planted_cookie_makes_no_browser_recognised() {
    let app = behind_a_proxy().await;
    let (ann, eve) = (with(&app, FIREFOX), with(&app, FIREFOX));
    ann.register(ANN).await;
    login_from(&ann, "192.0.2.1", ANN, PASSWORD).await;
    eve.register("eve@example.org").await;
    let planted = login_from(&eve, "203.0.113.1", "eve@example.org", PASSWORD).await.cookie("device").unwrap();

    // Ann signs in at a browser that has Eve's device cookie: the browser gets a new one.
    let request = browser_called(CHROME).get(app.url("/api/csrf-token")).send().await.unwrap();
    let csrf = Response::of(request).await;
    let (token, presession) = (csrf.body["csrfToken"].as_str().unwrap(), csrf.cookie("presession").unwrap());
    let cookies = format!("device={planted}; csrf_token={token}; presession={presession}");
    let request = browser_called(CHROME).post(app.url("/api/auth/login")).header("x-csrf-token", token).header("cookie", cookies);
    let response = request.json(&json!({ "email": ANN, "password": PASSWORD })).answer().await;
    assert_eq!((response.status, audit_entries(&app, "auth.login.new_device").await), (200, 1));
    assert_ne!(response.cookie("device"), Some(planted));
    // So Eve's browser is not recognised if she learns the password.
    login_from(&eve, "203.0.113.1", ANN, PASSWORD).await;
    assert_eq!(audit_entries(&app, "auth.login.new_device").await, 2);
}

#[tokio::test]
async fn many_failures_and_a_common_password_are_suspicious() {
    let app = behind_a_proxy().await;
    let ann = with(&app, FIREFOX);
    ann.register(ANN).await;
    for _ in 0..5 {
        login_from(&ann, "203.0.113.1", ANN, "not the harbour").await;
    }
    assert_eq!(login_from(&ann, "192.0.2.1", ANN, PASSWORD).await.status, 200);
    assert_eq!(reasons(&app).await, r#"["many_failures"]"#);
    app.clock.advance(SignedDuration::from_hours(1));
    login_from(&ann, "192.0.2.1", ANN, PASSWORD).await;
    assert_eq!(audit_entries(&app, "auth.login.suspicious").await, 1);

    // An imported hash of the password «password», which is too common to be chosen here.
    let old = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
    app.sql(&format!("update users set password_hash = '{old}'")).await;
    assert_eq!(login_from(&ann, "192.0.2.1", ANN, "password").await.status, 200);
    assert_eq!(reasons(&app).await, r#"["breached_password"]"#);
}

#[tokio::test]
async fn only_so_many_browsers_of_an_account_are_remembered() {
    let app = behind_a_proxy().await;
    with(&app, FIREFOX).register(ANN).await;
    for _ in 0..52 {
        app.clock.advance(SignedDuration::from_secs(1));
        assert_eq!(login_from(&with(&app, FIREFOX), "192.0.2.1", ANN, PASSWORD).await.status, 200);
    }
    assert_eq!(app.count("select count(*) from known_devices").await, 50);
    let kept =
        "select count(*) from known_devices where first_seen_at > (select min(created_at) from users) + interval '2 seconds'";
    assert_eq!(app.count(kept).await, 50, "the newest");
}
