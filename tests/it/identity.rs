//! Accounts through the wire: registering, sessions, CSRF, limits, and everything that must not work.

mod accounts;
mod addresses;
mod admin;
mod audit_trail;
mod client_notices;
mod csrf;
mod devices;
mod former_session;
mod hashing;
mod input;
mod languages;
pub(crate) mod links;
mod lockout;
mod login;
mod logs;
mod mailed_codes;
mod me;
mod measured;
mod notices;
mod one_time;
mod passkeys;
mod proofs;
mod provisioning;
mod refused_forms;
mod round_trips;
mod second_factor;
mod seen;
mod session;
mod shared_limits;
mod sign_in;
mod strict_bodies;
mod totp;

use futures_util::future;
use serde_json::{Value, json};
use std::{future::Future, time::Duration};
use storage::Executor;
use support::{Setup, TestApp, browser};

/// A password that satisfies every rule.
const PASSWORD: &str = "a quiet harbour";

/// The usual limits, and cheap hashes.
const LIMITED: &[(&str, &str)] = &[("APP_ARGON2_MEMORY_KIB", "64"), ("APP_ARGON2_ITERATIONS", "1")];
/// No limits, and cheap hashes.
const FREE: &[(&str, &str)] = &[("APP_RATE_LIMITS", "off"), LIMITED[0], LIMITED[1]];

/// A server that does not limit callers.
async fn app() -> TestApp {
    TestApp::with(Setup { variables: FREE, ..Setup::default() }).await
}

/// A person at a browser.
struct Person {
    origin: String,
    browser: reqwest::Client,
}

/// A response whose body was read.
struct Response {
    status: u16,
    headers: reqwest::header::HeaderMap,
    body: Value,
}

impl Response {
    async fn of(response: reqwest::Response) -> Self {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await.unwrap();
        Self { status, headers, body: serde_json::from_str(&text).unwrap_or_else(|_| panic!("no JSON: {text:?}")) }
    }

    /// The status and the error code.
    fn refusal(&self) -> (u16, &str) {
        (self.status, self.body["error"].as_str().unwrap_or_default())
    }

    /// The value of a cookie that it sets.
    fn cookie(&self, name: &str) -> Option<String> {
        let lines = self.headers.get_all("set-cookie").into_iter().map(|g| g.to_str().unwrap());
        let pairs = lines.map(|line| line.split(';').next().unwrap().split_once('=').unwrap());
        pairs.filter(|(pair, _)| *pair == name).map(|(_, value)| value.to_owned()).next()
    }
}

impl Person {
    fn at(app: &TestApp) -> Self {
        Self::at_origin(app.url(""))
    }

    fn at_origin(origin: String) -> Self {
        Self { origin, browser: browser() }
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    async fn csrf(&self) -> String {
        let response = Response::of(self.browser.get(self.url("/api/csrf-token")).send().await.unwrap()).await;
        response.body["csrfToken"].as_str().unwrap().to_owned()
    }

    /// Posts with a CSRF token that was just fetched.
    async fn post(&self, path: &str, body: &Value) -> Response {
        let csrf = self.csrf().await;
        let request = self.browser.post(self.url(path)).header("x-csrf-token", csrf).json(body);
        Response::of(request.send().await.unwrap()).await
    }

    async fn get(&self, path: &str) -> Response {
        Response::of(self.browser.get(self.url(path)).send().await.unwrap()).await
    }

    async fn register(&self, email: &str) -> Response {
        self.post("/api/auth/register", &json!({ "email": email, "password": PASSWORD, "firstName": "Ann", "lastName": "Bee" }))
            .await
    }

    async fn login(&self, email: &str, password: &str) -> Response {
        self.post("/api/auth/login", &json!({ "email": email, "password": password })).await
    }
}

/// Sends a request with these cookies and no others.
async fn get_with_cookies(app: &TestApp, path: &str, cookies: &str) -> Response {
    Response::of(browser().get(app.url(path)).header("cookie", cookies).send().await.unwrap()).await
}

/// Runs SQL on the server's database.
async fn sql(app: &TestApp, statement: &str) -> u64 {
    app.database.store.connection("test").await.unwrap().execute(statement, &[]).await.unwrap()
}

/// Removes the passwords of some accounts. Each gets a passkey that no authenticator has, because a constraint refuses accounts without a way to sign in.
async fn give_passwords_up(app: &TestApp, whose: &str) {
    let passkey = format!(
        "insert into passkeys (id, user_id, credential_id, credential, sign_count, is_synced, is_backed_up, transports, name, created_at)
         select gen_random_uuid(), id, uuid_send(id), '{{}}', 0, false, false, '{{}}', 'Key', created_at from users where {whose}"
    );
    sql(app, &passkey).await;
    sql(app, &format!("update users set password_hash = null where {whose}")).await;
}

/// Locks every account, sends a request that waits for the lock, changes something meanwhile, and returns the response.
async fn meanwhile<T>(app: &TestApp, change: &str, request: impl Future<Output = T>) -> T {
    let mut session = app.database.store.connection("test").await.unwrap();
    let tx = session.begin();
    tx.rows("select id from users for update", &[]).await.unwrap();
    let changed = async {
        let waiting = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        while count(app, waiting).await == 0 {
            tokio::task::yield_now().await;
        }
        tx.execute(change, &[]).await.unwrap();
        tx.commit().await.unwrap();
    };
    let both = future::join(request, changed);
    tokio::time::timeout(Duration::from_secs(20), both).await.expect("the request waits for the lock").0
}

/// The number that a query returns.
async fn count(app: &TestApp, query: &str) -> i64 {
    app.database.store.connection("test").await.unwrap().row(query, &[]).await.unwrap().get(0)
}
