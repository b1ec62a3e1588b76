//! Requests that other sites make a browser send.

use super::{FREE, app, registered};
use support::prelude::*;

#[tokio::test]
async fn a_token_that_is_missing_wrong_or_of_another_session_is_refused() {
    let (app, ann) = registered().await;
    ann.login("ann@example.org", PASSWORD).await;
    let own = ann.csrf().await;
    let foreign = Person::at(&app).csrf().await;

    let logout = || ann.browser.post(app.url("/api/auth/logout"));
    for request in [
        logout(),
        logout().header("x-csrf-token", ""),
        logout().header("x-csrf-token", "x"),
        logout().header("x-csrf-token", &foreign),
        logout().header("x-csrf-token", &own).header("sec-fetch-site", "cross-site"),
        logout().header("x-csrf-token", &own).header("origin", "https://evil.example.org"),
        logout().header("x-csrf-token", &own).header("origin", "null"),
    ] {
        assert_eq!(request.answer().await.refusal(), (403, "csrfInvalid"));
    }
    assert_eq!(ann.get("/api/me").await.status, 200, "nothing of it ended the session");

    let same = logout().header("x-csrf-token", &own).header("origin", app.url("")).header("sec-fetch-site", "same-origin");
    assert_eq!(same.answer().await.status, 200);
}

#[tokio::test]
async fn a_token_that_was_planted_with_its_cookie_is_bound_to_another_session() {
    let app = app().await;
    let planted = Person::at(&app).csrf().await;
    let session = session(&app).await;
    for (path, method) in [("/api/auth/logout", "POST"), ("/api/me", "DELETE"), ("/api/me", "PATCH")] {
        let cookies = format!("csrf_token={planted}; {session}");
        let request = browser().request(method.parse().unwrap(), app.url(path)).header("x-csrf-token", &planted);
        let response = request.header("cookie", cookies).json(&json!({})).answer().await;
        assert_eq!(response.refusal(), (403, "csrfInvalid"), "{path}");
    }
    assert_eq!(super::get_with_cookies(&app, "/api/me", &session).await.status, 200);
}

#[tokio::test]
async fn another_site_cannot_sign_a_person_out() {
    let app = app().await;
    // A form of another site: the browser sends no cookies with it, but would obey a `Set-Cookie` of the
    // response.
    let request = browser().post(app.url("/api/auth/logout")).header("sec-fetch-site", "cross-site").body("a=b");
    let response = request.answer().await;
    assert_eq!((response.status, response.headers.get("set-cookie")), (200, None), "{:?}", response.headers);
    // The cookie of a session that is over is deleted.
    let dead = browser().post(app.url("/api/auth/logout")).header("cookie", "session=x");
    assert_eq!(dead.answer().await.cookie("session").as_deref(), Some(""));
}

/// A man in the middle can forge a page of the server's name over clear-text HTTP.
#[tokio::test]
async fn a_page_over_http_is_another_site_than_one_over_https() {
    let app = TestApp::with_variables(&[FREE, &[("APP_BASE_URL", "https://cms.example.com")]].concat()).await;
    let csrf = browser().get(app.url("/api/csrf-token")).answer().await;
    let (token, presession) = (csrf.body["csrfToken"].as_str().unwrap(), csrf.cookie("__Host-presession").unwrap());
    let post = async |host: &str, origin: &str| {
        let cookies = format!("csrf_token={token}; __Host-presession={presession}");
        let request = browser().post(app.url("/api/auth/login")).header("cookie", cookies).header("x-csrf-token", token);
        let request = request.header("host", host).header("origin", origin);
        request.json(&json!({})).answer().await.refusal().1.to_owned()
    };
    for host in ["cms.example.com", "cms.example.com:8080", "inside.example.com"] {
        assert_eq!(post(host, &format!("http://{host}")).await, "csrfInvalid", "{host}");
        assert_eq!(post(host, &format!("https://{host}")).await, "validation", "{host}");
    }
    assert_eq!(post("inside.example.com", "https://cms.example.com").await, "validation");
}

/// The session cookie of a new person.
async fn session(app: &support::TestApp) -> String {
    let bob = Person::at(app);
    bob.register("bob@example.org").await;
    format!("session={}", bob.login("bob@example.org", PASSWORD).await.cookie("session").unwrap())
}

#[tokio::test]
async fn before_login_the_token_is_bound_to_the_browser() {
    let app = app().await;
    let body = json!({ "email": "ann@example.org", "password": PASSWORD, "firstName": "Ann" });
    let foreign = Person::at(&app).csrf().await;
    let stranger = Person::at(&app);
    stranger.csrf().await;
    for request in [
        browser().post(app.url("/api/auth/register")),
        browser().post(app.url("/api/auth/register")).header("x-csrf-token", &foreign),
        browser()
            .post(app.url("/api/auth/register"))
            .header("x-csrf-token", &foreign)
            .header("cookie", format!("csrf_token={foreign}")),
        stranger.browser.post(app.url("/api/auth/register")).header("x-csrf-token", &foreign),
    ] {
        assert_eq!(request.json(&body).answer().await.refusal(), (403, "csrfInvalid"));
    }
    // The CSRF token is checked before the body.
    let request = browser().post(app.url("/api/auth/login")).body("{");
    assert_eq!(request.answer().await.refusal(), (403, "csrfInvalid"));
    assert_eq!(app.count("select count(*) from users").await, 0);
}

/// Two pages of one browser have the same cookies, and each holds the token that it asked for.
#[tokio::test]
async fn a_token_stays_while_its_session_does() {
    let app = app().await;
    let ann = Person::at(&app);
    let before = ann.csrf().await;
    assert_eq!(ann.csrf().await, before, "before a sign-in as well");
    ann.register("ann@example.org").await;
    ann.login("ann@example.org", PASSWORD).await;

    let first = ann.csrf().await;
    assert_ne!(first, before);
    assert_eq!(ann.csrf().await, first, "a second page asks");
    let save = |csrf: &str| ann.browser.patch(app.url("/api/me")).header("x-csrf-token", csrf).json(&json!({ "lastName": "Cee" }));
    assert_eq!(save(&first).answer().await.status, 200, "and the first page saves");

    // A browser that was closed keeps the session's cookie and loses that of the token; then all its pages
    // ask at once.
    let session = format!("session={}", ann.login("ann@example.org", PASSWORD).await.cookie("session").unwrap());
    let one = super::get_with_cookies(&app, "/api/csrf-token", &session).await;
    let other = super::get_with_cookies(&app, "/api/csrf-token", &session).await;
    assert_eq!(one.body["csrfToken"], other.body["csrfToken"]);

    let signed_in = ann.csrf().await;
    assert_ne!(signed_in, first, "a sign-in changes it");
    ann.post("/api/auth/logout", &json!({})).await;
    let after = ann.csrf().await;
    assert!(after != signed_in && after != before, "and so does a sign-out");
}

#[tokio::test]
async fn login_makes_a_new_session_and_a_new_token_and_the_old_ones_end() {
    let (app, ann) = registered().await;
    let before = ann.csrf().await;
    let first = ann.login("ann@example.org", PASSWORD).await;
    let token = first.body["csrfToken"].as_str().unwrap();
    assert_eq!(first.cookie("csrf_token").as_deref(), Some(token));
    assert_eq!(first.cookie("presession").as_deref(), Some(""), "the old binding is gone");

    let logout = |csrf: &str| ann.browser.post(app.url("/api/auth/logout")).header("x-csrf-token", csrf);
    assert_eq!(logout(&before).answer().await.refusal(), (403, "csrfInvalid"));
    let second = ann.login("ann@example.org", PASSWORD).await;
    assert_ne!(first.cookie("session"), second.cookie("session"));
    let fixed = format!("session={}", first.cookie("session").unwrap());
    let request = browser().post(app.url("/api/auth/login")).header("cookie", fixed);
    assert_eq!(request.answer().await.refusal(), (403, "csrfInvalid"), "an earlier session does not help");
    assert_eq!(logout(token).answer().await.refusal(), (403, "csrfInvalid"));
    assert_eq!(app.count("select count(distinct id) from sessions").await, 2);
    assert_eq!(logout(second.body["csrfToken"].as_str().unwrap()).answer().await.status, 200);
}
