//! Endpoints of a person's own account.

mod activity;
mod delete;
mod export;
mod password;
mod profile;
mod referrer;
mod sessions;

use super::{FREE, LIMITED, app, get_with_cookies, registered, signed_in};
use support::prelude::*;

#[tokio::test]
async fn without_a_session_it_is_401_and_without_a_csrf_token_403() {
    let (app, ann) = signed_in().await;
    let session = format!("/api/me/sessions/{}", uuid::Uuid::nil());
    for (method, path) in [
        ("PATCH", "/api/me"),
        ("DELETE", "/api/me"),
        ("POST", "/api/me/password"),
        ("DELETE", "/api/me/password"),
        ("POST", "/api/me/password-reauth"),
        ("POST", "/api/me/sessions/revoke-others"),
        ("DELETE", session.as_str()),
    ] {
        let method: reqwest::Method = method.parse().unwrap();
        let request = |person: &Person| person.browser.request(method.clone(), app.url(path)).body("{");
        let stranger = Person::at(&app);
        assert_eq!(request(&stranger).answer().await.refusal(), (401, "unauthorized"), "{path}");
        assert_eq!(request(&ann).answer().await.refusal(), (403, "csrfInvalid"), "{path}");
    }
    for path in [
        "/api/me/sessions",
        "/api/me/passkeys",
        "/api/me/sessions/last-revoked-others",
        "/api/me/activity",
        "/api/me/export",
        "/api/me/referrer",
    ] {
        assert_eq!(Person::at(&app).get(path).await.refusal(), (401, "unauthorized"), "{path}");
        let response = ann.get(path).await;
        assert_eq!(
            (response.status, response.headers["cache-control"].to_str().unwrap()),
            (200, "no-store"),
            "{path} {}",
            response.body
        );
    }
    assert_eq!(ann.get("/api/me").await.body["displayName"], json!("Ann Bee"), "nothing was changed");
}
