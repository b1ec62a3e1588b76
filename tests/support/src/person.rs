//! A person at a browser: accounts and sessions through the API, and pages as a browser without scripts shows
//! them.

use crate::{Answer, Response, SoftKey, TestApp, browser, browser_called};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

/// A password that satisfies every rule.
pub const PASSWORD: &str = "a quiet harbour";

/// A browser that keeps its cookies, and the server that it is at.
pub struct Person {
    pub origin: String,
    pub browser: reqwest::Client,
}

impl Person {
    /// A new browser.
    pub fn at(app: &TestApp) -> Self {
        Self::at_origin(app.url(""))
    }

    /// The same at a server of this URL.
    pub fn at_origin(origin: String) -> Self {
        Self { origin, browser: browser() }
    }

    /// A browser with this user agent.
    pub fn with_browser(app: &TestApp, user_agent: &str) -> Self {
        Self { browser: browser_called(user_agent), ..Self::at(app) }
    }

    /// A person who has registered and signed in.
    pub async fn signed_in(app: &TestApp, email: &str) -> Self {
        Self::signed_in_at(app.url(""), email).await
    }

    /// The same at a server of this URL.
    pub async fn signed_in_at(origin: String, email: &str) -> Self {
        let person = Self::at_origin(origin);
        person.register(email).await.expect(201);
        person.login(email, PASSWORD).await.expect(200);
        person
    }

    /// A person with an account, in another browser.
    pub async fn elsewhere(app: &TestApp, email: &str) -> Self {
        let person = Self::at(app);
        person.login(email, PASSWORD).await.expect(200);
        person
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// A CSRF token that was just fetched.
    pub async fn csrf(&self) -> String {
        self.get("/api/csrf-token").await.body["csrfToken"].as_str().unwrap().to_owned()
    }

    /// A request with such a token, to be sent.
    pub async fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.browser.request(method, self.url(path)).header("x-csrf-token", self.csrf().await)
    }

    pub async fn get(&self, path: &str) -> Response {
        self.browser.get(self.url(path)).answer().await
    }

    /// Sends JSON.
    pub async fn send(&self, method: Method, path: &str, body: &Value) -> Response {
        self.request(method, path).await.json(body).answer().await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Response {
        self.send(Method::POST, path, body).await
    }

    pub async fn patch(&self, path: &str, body: &Value) -> Response {
        self.send(Method::PATCH, path, body).await
    }

    pub async fn delete(&self, path: &str, body: &Value) -> Response {
        self.send(Method::DELETE, path, body).await
    }

    pub async fn register(&self, email: &str) -> Response {
        let account = json!({ "email": email, "password": PASSWORD, "firstName": "Ann", "lastName": "Bee" });
        self.post("/api/auth/register", &account).await
    }

    pub async fn login(&self, email: &str, password: &str) -> Response {
        self.post("/api/auth/login", &json!({ "email": email, "password": password })).await
    }

    /// The id of the account.
    pub async fn id(&self) -> String {
        self.get("/api/me").await.expect(200)["id"].as_str().unwrap().to_owned()
    }

    /// Whether the browser is signed in.
    pub async fn is_signed_in(&self) -> bool {
        self.get("/api/me").await.status == 200
    }

    /// Starts a ceremony of a passkey. Returns the options for the browser.
    pub async fn options(&self, path: &str) -> Value {
        let body = self.post(path, &json!({})).await.expect(200);
        assert_eq!(body["options"]["challenge"], body["challenge"], "{body}");
        body["options"].clone()
    }

    /// Registers a passkey with a key.
    pub async fn add_passkey(&self, key: &mut SoftKey) -> Response {
        let options = self.options("/api/webauthn/register/start").await;
        let credential = key.create(&options);
        self.post("/api/webauthn/register/finish", &json!({ "challenge": options["challenge"], "credential": credential })).await
    }

    /// Signs in with a key.
    pub async fn sign_in_with(&self, key: &mut SoftKey) -> Response {
        let options = self.options("/api/webauthn/login/start").await;
        self.finish_login(&key.get(&options)).await
    }

    /// Ends a sign-in with a passkey.
    pub async fn finish_login(&self, credential: &Value) -> Response {
        self.post("/api/webauthn/login/finish", &json!({ "credential": credential })).await
    }

    pub async fn passkeys(&self) -> Vec<Value> {
        self.get("/api/me/passkeys").await.body["passkeys"].as_array().unwrap().clone()
    }

    /// Goes to a page.
    pub async fn page(&self, path: &str) -> Response {
        self.browser.get(self.url(path)).header("accept", "text/html").answer().await
    }

    /// Goes to a page, and on to where it redirects on this server. Returns the last path and its page.
    pub async fn follow(&self, path: &str) -> (String, Response) {
        let mut path = path.to_owned();
        for _ in 0..6 {
            let page = self.page(&path).await;
            if !(300..400).contains(&page.status) || !page.location().starts_with('/') {
                return (path, page);
            }
            page.location().clone_into(&mut path);
        }
        panic!("{path}: too many redirects");
    }

    /// A form with these fields, to be sent.
    pub fn form(&self, path: &str, fields: &[(&str, &str)]) -> RequestBuilder {
        Answer::form(self.browser.post(self.url(path)).header("accept", "text/html"), fields)
    }

    /// Sends a form with these fields, as they are.
    pub async fn send_form(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        self.form(path, fields).answer().await
    }

    /// Opens the page of a form and sends it.
    pub async fn fill_in(&self, path: &str, fields: &[(&str, &str)]) -> Response {
        let page = self.page(path).await;
        let token = page.field("csrf_token").unwrap_or_else(|| panic!("{path}: {} {}", page.status, page.text));
        self.send_form(path.split('?').next().unwrap(), &[&[("csrf_token", token.as_str())], fields].concat()).await
    }

    /// Registers on the page.
    pub async fn sign_up(&self, email: &str) -> Response {
        let fields = [("firstName", "Ann"), ("lastName", "Bee"), ("email", email), ("password", PASSWORD)];
        self.fill_in("/register", &fields).await
    }

    /// Signs in on the page, to stay signed in.
    pub async fn sign_in(&self, email: &str, password: &str) -> Response {
        self.fill_in("/login", &[("email", email), ("password", password), ("remember", "on")]).await
    }
}

/// Removes the passwords of some accounts. Each gets a passkey that no authenticator has, because a
/// constraint refuses accounts without a way to sign in.
pub async fn give_passwords_up(app: &TestApp, whose: &str) {
    let passkey = format!(
        "insert into passkeys (id, user_id, credential_id, credential, sign_count, is_synced, is_backed_up, transports, name, created_at)
         select gen_random_uuid(), id, uuid_send(id), '{{}}', 0, false, false, '{{}}', 'Key', created_at from users where {whose}"
    );
    app.sql(&passkey).await;
    app.sql(&format!("update users set password_hash = null where {whose}")).await;
}
