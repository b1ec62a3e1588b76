//! A browser without a session.

use serde_json::{Value, json};
use support::{TestApp, browser};

/// A password that satisfies every rule.
pub const PASSWORD: &str = "a quiet harbour";

/// A browser with a CSRF token.
pub struct Visitor {
    origin: String,
    browser: reqwest::Client,
    csrf: String,
}

/// A response whose body was read.
pub struct Response {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub body: Value,
}

impl Visitor {
    pub async fn at(app: &TestApp) -> Self {
        let (origin, browser) = (app.url(""), browser());
        let token: Value = browser.get(format!("{origin}/api/csrf-token")).send().await.unwrap().json().await.unwrap();
        Self { origin, browser, csrf: token["csrfToken"].as_str().unwrap().to_owned() }
    }

    pub async fn post(&self, path: &str, body: &Value) -> Response {
        let request = self.browser.post(format!("{}{path}", self.origin)).header("x-csrf-token", &self.csrf).json(body);
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Response { status, headers, body: response.json().await.unwrap() }
    }

    pub async fn register(&self, email: &str) -> Response {
        self.post("/api/auth/register", &json!({ "email": email, "password": PASSWORD, "firstName": "Ann" })).await
    }
}
