//! A person who is signed in at a server under test.

use serde_json::{Value, json};
use support::world::Running;

const PASSWORD: &str = "a quiet harbour";
/// Both processes serve one site.
pub const SITE: &[(&str, &str)] = &[
    ("APP_BASE_URL", "http://chaos.example"),
    ("APP_RATE_LIMITS", "off"),
    ("APP_ARGON2_MEMORY_KIB", "64"),
    ("APP_ARGON2_ITERATIONS", "1"),
];

/// A person who is signed in.
pub struct Person {
    pub client: reqwest::Client,
    email: String,
    pub session: String,
    csrf: String,
}

/// The value of a cookie that an answer sets.
pub fn cookie(response: &reqwest::Response, name: &str) -> Option<String> {
    let lines = response.headers().get_all("set-cookie").into_iter().map(|g| g.to_str().unwrap());
    let pairs = lines.map(|line| line.split(';').next().unwrap().split_once('=').unwrap());
    pairs.filter(|(pair, _)| *pair == name).map(|(_, value)| value.to_owned()).next()
}

/// The address of a path of a process.
pub fn url(at: &Running, path: &str) -> String {
    format!("http://{}{path}", at.address)
}

impl Person {
    pub async fn post(&self, at: &Running, path: &str, body: Value) -> reqwest::Response {
        let cookies = format!("session={}; csrf_token={}", self.session, self.csrf);
        let request = self.client.post(url(at, path)).header("cookie", cookies).header("x-csrf-token", &self.csrf);
        request.json(&body).send().await.unwrap()
    }

    /// A request of a browser without cookies.
    async fn anonymous(&self, at: &Running, path: &str, body: Value) -> reqwest::Response {
        let token = self.client.get(url(at, "/api/csrf-token")).send().await.unwrap();
        let (csrf, before) = (cookie(&token, "csrf_token").unwrap(), cookie(&token, "presession").unwrap());
        let cookies = format!("presession={before}; csrf_token={csrf}");
        let request = self.client.post(url(at, path)).header("cookie", cookies).header("x-csrf-token", csrf);
        let response = request.json(&body).send().await.unwrap();
        assert!(response.status().is_success(), "{path}: {}", response.status());
        response
    }

    pub async fn new(at: &Running, email: String) -> Self {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let mut person = Self { client, email, session: String::new(), csrf: String::new() };
        let body = json!({ "email": person.email, "password": PASSWORD, "firstName": "Ann" });
        person.anonymous(at, "/api/auth/register", body).await;
        person.sign_in(at).await;
        person
    }

    pub async fn sign_in(&mut self, at: &Running) {
        let said = self.anonymous(at, "/api/auth/login", json!({ "email": self.email, "password": PASSWORD })).await;
        self.session = cookie(&said, "session").unwrap();
        self.csrf = cookie(&said, "csrf_token").unwrap();
    }
}
