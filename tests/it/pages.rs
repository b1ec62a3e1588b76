//! The pages through the wire, as a browser without scripts sees them.

mod account;
mod addresses;
mod console;
mod device;
mod forms;
mod headers;
mod interactions;
mod links;
mod proofs;
mod sign_in;

use reqwest::{StatusCode, header};
use support::{Setup, TestApp, browser};

/// A password that satisfies every rule.
const PASSWORD: &str = "a quiet harbour";
const ANN: &str = "ann@example.org";

/// No limits, and cheap hashes.
const FREE: &[(&str, &str)] = &[("APP_RATE_LIMITS", "off"), ("APP_ARGON2_MEMORY_KIB", "64"), ("APP_ARGON2_ITERATIONS", "1")];

/// A server that does not limit callers and sends no mail.
async fn app() -> TestApp {
    app_with(&[]).await
}

/// The same with more variables.
async fn app_with(more: &[(&str, &str)]) -> TestApp {
    TestApp::with(Setup { variables: &[FREE, more].concat(), ..Setup::default() }).await
}

/// A page that was answered.
struct Page {
    status: u16,
    headers: header::HeaderMap,
    html: String,
}

impl Page {
    async fn of(response: reqwest::Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Self { status, headers, html: response.text().await.unwrap() }
    }

    /// Where it redirects to.
    fn location(&self) -> &str {
        let location = self.headers.get(header::LOCATION).map(|value| value.to_str().unwrap());
        location.unwrap_or_else(|| panic!("{} is no redirect: {}", self.status, self.html))
    }

    /// The status and where it redirects to.
    fn redirect(&self) -> (u16, &str) {
        (self.status, self.location())
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The value of the first field with a name.
    fn field(&self, name: &str) -> Option<String> {
        let input = self.html.split("<input").skip(1).find(|input| input.contains(&format!("name=\"{name}\"")))?;
        let value = input.split('>').next()?.split("value=\"").nth(1)?.split('"').next()?;
        Some(value.replace("&amp;", "&").replace("&quot;", "\""))
    }

    /// What is told as wrong, or as done.
    fn message(&self) -> String {
        let message = self.html.split("class=\"message").nth(1).map(|rest| rest.split("</div>").next().unwrap());
        let text = message.unwrap_or_default().split_once('>').map_or("", |(_, rest)| rest);
        text.split('<')
            .map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text))
            .collect::<Vec<_>>()
            .join(" ")
            .trim()
            .to_owned()
    }

    /// The value of a cookie that it sets.
    fn cookie(&self, name: &str) -> Option<String> {
        let lines = self.headers.get_all(header::SET_COOKIE).into_iter().map(|line| line.to_str().unwrap());
        let mut pairs = lines.filter_map(|line| line.split(';').next()?.split_once('='));
        pairs.find(|(known, _)| *known == name).map(|(_, value)| value.to_owned())
    }
}

/// A person at a browser without scripts.
struct Person {
    origin: String,
    browser: reqwest::Client,
}

impl Person {
    fn at(app: &TestApp) -> Self {
        Self { origin: app.url(""), browser: browser() }
    }

    /// A person with an account who is signed in.
    async fn signed_in(app: &TestApp, email: &str) -> Self {
        let person = Self::at(app);
        assert_eq!(person.register(email).await.status, 303);
        assert_eq!(person.sign_in(email, PASSWORD).await.redirect(), (303, "/account"));
        person
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    async fn get(&self, path: &str) -> Page {
        Page::of(self.browser.get(self.url(path)).header(header::ACCEPT, "text/html").send().await.unwrap()).await
    }

    /// Sends a form with these fields, as they are.
    async fn send(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        Page::of(self.form(path, fields).send().await.unwrap()).await
    }

    fn form(&self, path: &str, fields: &[(&str, &str)]) -> reqwest::RequestBuilder {
        let encode = |text: &str| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
        let pairs: Vec<String> = fields.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value))).collect();
        let request = self.browser.post(self.url(path)).header(header::ACCEPT, "text/html");
        request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded").body(pairs.join("&"))
    }

    /// Opens the page of a form and sends it.
    async fn fill_in(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        let page = self.get(path).await;
        let token = page.field("csrf_token").unwrap_or_else(|| panic!("{path}: {} {}", page.status, page.html));
        self.send(path.split('?').next().unwrap(), &[&[("csrf_token", token.as_str())], fields].concat()).await
    }

    async fn register(&self, email: &str) -> Page {
        let fields = [("firstName", "Ann"), ("lastName", "Bee"), ("email", email), ("password", PASSWORD)];
        self.fill_in("/register", &fields).await
    }

    async fn sign_in(&self, email: &str, password: &str) -> Page {
        self.fill_in("/login", &[("email", email), ("password", password), ("remember", "on")]).await
    }

    /// Whether the browser is signed in.
    async fn is_signed_in(&self) -> bool {
        self.browser.get(self.url("/api/me")).send().await.unwrap().status() == StatusCode::OK
    }
}

/// The number that a query returns.
async fn count(app: &TestApp, query: &str) -> i64 {
    use storage::Executor;
    app.database.store.connection("test").await.unwrap().row(query, &[]).await.unwrap().get(0)
}

/// Runs SQL on the server's database.
async fn sql(app: &TestApp, statement: &str) {
    use storage::Executor;
    app.database.store.connection("test").await.unwrap().execute(statement, &[]).await.unwrap();
}
