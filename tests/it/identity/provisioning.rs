//! Provisioning through the wire: what another system hands over, and what must not work.

mod access;
mod attacks;
mod batch;
mod hashes;
mod races;
mod single;

use super::FREE;
use support::prelude::*;

const TOKEN: &str = "0123456789abcdef0123456789abcdef";
const OTHER_TOKEN: &str = "fedcba9876543210fedcba9876543210";
const TOKENS: (&str, &str) = (
    "APP_ADMIN_API_TOKENS_JSON",
    r#"[{"id":"importer","token":"0123456789abcdef0123456789abcdef"},{"id":"second","token":"fedcba9876543210fedcba9876543210"}]"#,
);
/// `web` and `back` share the group `shop`; `alone` takes one role only.
const CLIENTS: (&str, &str) = (
    "APP_OIDC_CLIENTS_JSON",
    r#"[{"clientId":"web","redirectUris":["https://a.example/cb"],"roleGroup":"shop","roles":["viewer","editor"]},
        {"clientId":"back","redirectUris":["https://b.example/cb"],"roleGroup":"shop","roles":["admin"]},
        {"clientId":"alone","redirectUris":["https://c.example/cb"],"roles":["x","y"],"roleMode":"single"}]"#,
);
const METRICS: (&str, &str) = ("APP_METRICS_TOKEN", "0123456789abcdef");
/// A UUID as the subject in the other system.
const SUB: &str = "7f0d3f0c-6f0a-4a56-9a0e-2b4f3b2f7a11";
/// The hash of `Correct-Horse-7!`.
const BCRYPT: &str = "$2b$04$QEsqvaJWnvnxzPt23QJcoeCsNrd4mbmocj8fJoioC0rip9q8KXlCm";

/// A server with tokens and clients that does not limit callers.
async fn app() -> TestApp {
    with(&[]).await
}

/// The same with more variables.
async fn with(more: &[(&str, &str)]) -> TestApp {
    TestApp::with_variables(&[FREE, &[TOKENS, CLIENTS, METRICS], more].concat()).await
}

/// Posts below `/api/provisioning` with a token.
async fn post(app: &TestApp, path: &str, body: &Value) -> Response {
    let request = browser().post(app.url(&format!("/api/provisioning{path}"))).bearer_auth(TOKEN).json(body);
    request.answer().await
}

async fn create(app: &TestApp, user: &Value) -> Response {
    post(app, "/users", user).await
}

async fn import(app: &TestApp, users: &[Value]) -> Response {
    post(app, "/users/import", &json!({ "users": users })).await
}

async fn dry_run(app: &TestApp, users: &[Value]) -> Response {
    post(app, "/users/import", &json!({ "users": users, "dryRun": true })).await
}

async fn lookup(app: &TestApp, query: &str) -> Response {
    let request = browser().get(app.url(&format!("/api/provisioning/users/lookup?{query}"))).bearer_auth(TOKEN);
    request.answer().await
}

/// An account with an address and further members.
fn user(email: &str, more: Value) -> Value {
    let mut user = json!({ "email": email, "firstName": "Ann" });
    user.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    user
}

/// Status and code of each row.
fn codes(response: &Response) -> Vec<String> {
    assert_eq!(response.status, 200, "{}", response.body);
    let row = |row: &Value| {
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        format!("{} {}", text("status"), text("code")).trim_end().to_owned()
    };
    response.body["results"].as_array().unwrap().iter().map(row).collect()
}

/// A number of every table that provisioning writes to, as one text.
async fn rows(app: &TestApp) -> Vec<i64> {
    let mut all = Vec::new();
    for table in ["users", "role_assignments", "one_time", "mails", "jobs where queue = 'mail'", "first_admin", "account_audit"] {
        all.push(app.count(&format!("select count(*) from {table}")).await);
    }
    all
}

/// The entries of the audit trail about provisioning, in their order: event, actor, the reason, and whether
/// they are about an account.
async fn entries(app: &TestApp) -> Vec<String> {
    let query = "select event || ' ' || actor_type || ' ' || actor_id || ' ' || coalesce(details ->> 'reason', '-') || ' ' || (user_id is not null)::text as entry
                 from account_audit where event like 'provisioning.%' order by (details ->> 'row')::int, id";
    app.column(query).await
}

/// The value of a series of `svc_provisioning_users_total`.
async fn measured(app: &TestApp, result: &str) -> u64 {
    let text = app.get("/metrics").bearer_auth(METRICS.1).send().await.unwrap().text().await.unwrap();
    let series = format!("svc_provisioning_users_total{{result=\"{result}\"}} ");
    text.lines().find_map(|line| line.strip_prefix(&series)).unwrap_or_else(|| panic!("{series}")).parse().unwrap()
}

/// A second process on the same database.
async fn beside(app: &TestApp, variables: &[(&str, &str)]) -> TestApp {
    TestApp::with(Setup { variables, database: Some(Arc::clone(&app.database)), ..Setup::default() }).await
}
