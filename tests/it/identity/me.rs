//! Endpoints of a person's own account.

mod activity;
mod delete;
mod export;
mod password;
mod profile;
mod referrer;
mod sessions;

use super::{FREE, LIMITED, PASSWORD, Person, Response, app, count, get_with_cookies, give_passwords_up, sql};
use serde_json::{Value, json};
use support::TestApp;

impl Person {
    /// Sends a body with a CSRF token that was just fetched.
    pub(super) async fn send(&self, method: reqwest::Method, path: &str, body: &Value) -> Response {
        let csrf = self.csrf().await;
        Response::of(self.browser.request(method, self.url(path)).header("x-csrf-token", csrf).json(body).send().await.unwrap())
            .await
    }

    pub(super) async fn patch(&self, path: &str, body: &Value) -> Response {
        self.send(reqwest::Method::PATCH, path, body).await
    }

    pub(super) async fn delete(&self, path: &str, body: &Value) -> Response {
        self.send(reqwest::Method::DELETE, path, body).await
    }

    /// A person who has registered and signed in.
    pub(super) async fn signed_in(app: &TestApp, email: &str) -> Self {
        let person = Self::at(app);
        assert_eq!(person.register(email).await.status, 201);
        assert_eq!(person.login(email, PASSWORD).await.status, 200);
        person
    }

    /// The same person in another browser.
    pub(super) async fn elsewhere(app: &TestApp, email: &str) -> Self {
        let person = Self::at(app);
        assert_eq!(person.login(email, PASSWORD).await.status, 200);
        person
    }
}

#[tokio::test]
async fn without_a_session_it_is_401_and_without_a_csrf_token_403() {
    let app = app().await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
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
        assert_eq!(Response::of(request(&stranger).send().await.unwrap()).await.refusal(), (401, "unauthorized"), "{path}");
        assert_eq!(Response::of(request(&ann).send().await.unwrap()).await.refusal(), (403, "csrfInvalid"), "{path}");
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
