//! The metrics of accounts.

use super::{FREE, LIMITED};
use support::prelude::*;

pub(super) const TOKEN: (&str, &str) = ("APP_METRICS_TOKEN", "0123456789abcdef");

/// The value of a series in `/metrics`.
pub(super) async fn measured(app: &TestApp, series: &str) -> String {
    let text = app.get("/metrics").bearer_auth(TOKEN.1).send().await.unwrap().text().await.unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("{series} in {text}")).to_owned()
}

#[tokio::test]
async fn hashing_and_refused_callers_are_measured() {
    let variables = [LIMITED, &[TOKEN, ("APP_RATE_LIMIT_LOGIN_IP", "7/min"), ("APP_RATE_LIMIT_EXPORT_USER", "1/h")]].concat();
    let app = TestApp::with_variables(&variables).await;
    let ann = Person::at(&app);
    ann.register("ann@example.org").await;
    assert_eq!(measured(&app, "svc_password_hash_seconds_count").await, "1");
    assert_eq!(ann.login("ann@example.org", PASSWORD).await.status, 200);
    assert_eq!(measured(&app, "svc_password_hash_seconds_count").await, "2");
    assert_ne!(measured(&app, "svc_password_hash_seconds_sum").await, "0");
    assert_eq!(measured(&app, "svc_hash_queue_length").await, "0");

    let limited = |limit: &str| format!("svc_rate_limited_total{{limit=\"{limit}\"}}");
    for status in [200, 429, 429] {
        assert_eq!(ann.browser.get(app.url("/api/me/export")).send().await.unwrap().status().as_u16(), status);
    }
    assert_eq!(measured(&app, &limited("export_user")).await, "2");
    let stranger = Person::at(&app);
    let statuses = [401, 401, 401, 401, 401, 429, 429];
    for status in statuses {
        assert_eq!(stranger.login("bob@example.org", "not the harbour").await.status, status);
    }
    assert_eq!(measured(&app, &limited("lockout")).await, "1", "the last one was one too many from one place");
    assert_eq!(measured(&app, &limited("login_ip")).await, "1");
    assert_eq!(measured(&app, &limited("login_failures_ip")).await, "0", "who failed is counted and not turned away");
}

#[tokio::test]
async fn living_sessions_are_counted() {
    let variables = [FREE, &[TOKEN]].concat();
    let app = TestApp::with_variables(&variables).await;
    let (ann, bob) = (Person::at(&app), Person::at(&app));
    for (person, email) in [(&ann, "ann@example.org"), (&bob, "bob@example.org")] {
        person.register(email).await;
        person.login(email, PASSWORD).await;
        assert_eq!(Person::at(&app).login(email, PASSWORD).await.status, 200);
    }
    assert_eq!(ann.post("/api/auth/logout", &json!({})).await.status, 200);
    assert_eq!(bob.post("/api/me/sessions/revoke-others", &json!({})).await.status, 200);
    assert_eq!(app.count("select count(*) from sessions").await, 4);
    // A process counts accounts when it starts.
    let next = app.beside(&variables).await;
    let began = Instant::now();
    while measured(&next, "svc_sessions_active").await != "2" {
        assert!(began.elapsed() < Duration::from_mins(2), "Ann's other one and Bob's first");
    }
}
