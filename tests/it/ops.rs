//! Health, readiness, metrics, and the files of `ops/`.

use support::prelude::*;

#[tokio::test]
async fn health_is_ok() {
    let app = TestApp::start().await;
    let response = app.get("/api/health").send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.json::<Value>().await.unwrap(), json!({ "status": "ok" }));
}

#[tokio::test]
async fn ready_tells_of_database_and_configuration() {
    let app = TestApp::start().await;
    let response = app.get("/api/ready").send().await.unwrap();
    assert_eq!(response.status(), 200);
    let body: Value = response.json().await.unwrap();
    assert_eq!(body["status"], "ok");
    assert_eq!(body["database"], true);
    assert_eq!(body["diskFull"], false);
    assert_eq!(body["dataDirectory"], true);
    assert_eq!(body["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(body["oidcConfigured"], false);
    assert_eq!(body["smtpEnabled"], false);
    assert_eq!(body["registrationEnabled"], true);
    assert_eq!(body["cookieSecure"], false);
    let rules = json!({
        "minLength": 8, "maxLength": 256, "requireUppercase": false, "requireLowercase": false, "requireDigit": false,
        "requireSymbol": false, "breachedCheck": true,
    });
    assert_eq!(body["passwordRules"], rules);
}

#[tokio::test]
async fn oidc_is_configured_with_a_client_and_the_identity_service() {
    let clients = ("APP_OIDC_CLIENTS_JSON", r#"[{"clientId":"web","redirectUris":["https://app.example/cb"]}]"#);
    for (variables, configured) in [(&[clients][..], true), (&[clients, ("APP_SERVICES", "content")], false)] {
        let app = TestApp::with_variables(variables).await;
        let body: Value = app.get("/api/ready").send().await.unwrap().json().await.unwrap();
        assert_eq!(body["oidcConfigured"], configured, "{variables:?}");
    }
}

#[tokio::test]
async fn a_server_without_its_database_is_alive_and_not_ready() {
    let app = TestApp::start().await;
    app.database.store.close();
    assert_eq!(app.get("/api/health").send().await.unwrap().status(), 200);
    let response = app.get("/api/ready").send().await.unwrap();
    assert_eq!(response.status(), 503);
    assert_eq!(response.json::<Value>().await.unwrap()["database"], false);
}

#[tokio::test]
async fn a_database_that_answers_every_statement_with_an_error_is_not_ready() {
    let app = TestApp::start().await;
    let connection = app.database.store.connection("test.rename").await.unwrap();
    for (statement, status, database) in
        [("alter schema public rename to elsewhere", 503, false), ("alter schema elsewhere rename to public", 200, true)]
    {
        connection.execute(statement, &[]).await.unwrap();
        let response = app.get("/api/ready").send().await.unwrap();
        assert_eq!(response.status(), status);
        assert_eq!(response.json::<Value>().await.unwrap()["database"], database);
    }
}

#[tokio::test]
async fn a_server_that_is_stopping_is_not_ready() {
    let app = TestApp::start().await;
    app.draining.send_replace(true);
    let response = app.get("/api/ready").send().await.unwrap();
    assert_eq!(response.status(), 503);
    let body: Value = response.json().await.unwrap();
    assert_eq!((&body["status"], &body["database"]), (&json!("error"), &json!(true)));
}

#[tokio::test]
async fn browsers_are_told_to_come_over_https_only_where_cookies_do() {
    for (secure, told) in [("true", Some("max-age=31536000")), ("false", None)] {
        let app = TestApp::with_variables(&[("APP_COOKIE_SECURE", secure)]).await;
        for path in ["/api/health", "/api/me", "/api/v2/cdn/stories", "/api/v1/spaces", "/f/1/a", "/nothing", "/api/csrf-token"] {
            let answer = app.get(path).send().await.unwrap();
            let said = answer.headers().get("strict-transport-security").map(|header| header.to_str().unwrap());
            assert_eq!(said, told, "{path}");
        }
    }
}

#[tokio::test]
async fn metrics_are_not_there_without_a_token() {
    let app = TestApp::start().await;
    assert_eq!(app.get("/metrics").bearer_auth("").send().await.unwrap().status(), 404);
}

#[tokio::test]
async fn metrics_want_their_token_and_count_requests_by_route() {
    let app = TestApp::with_variables(&[("APP_METRICS_TOKEN", "0123456789abcdef")]).await;
    for _ in 0..3 {
        app.get("/api/health").send().await.unwrap();
    }
    app.get("/some/path/that/is/nothing").send().await.unwrap();
    let refused = app.get("/metrics").send().await.unwrap();
    assert_eq!((refused.status().as_u16(), &refused.headers()["www-authenticate"]), (401, &"Bearer".parse().unwrap()));
    assert_eq!(app.get("/metrics").bearer_auth("0123456789abcdeX").send().await.unwrap().status(), 401);
    let response = app.get("/metrics").bearer_auth("0123456789abcdef").send().await.unwrap();
    assert_eq!(response.status(), 200);
    let text = response.text().await.unwrap();
    for line in [
        r#"svc_http_requests_total{method="GET",route="/api/health",status="200"} 3"#,
        r#"svc_http_requests_total{method="GET",route="none",status="404"} 1"#,
        r#"svc_http_requests_total{method="GET",route="/metrics",status="401"} 2"#,
        r#"svc_http_request_duration_seconds_count{route="/api/health"} 3"#,
        "svc_http_connections 1",
        "svc_log_lines_dropped_total 0",
        r#"svc_actor_permits_in_use{kind="spaces"} 0"#,
        "svc_hash_queue_length 0",
        "svc_password_hash_seconds_count 0",
        r#"svc_rate_limited_total{limit="login_ip"} 0"#,
    ] {
        assert!(text.lines().any(|l| l == line), "{line} is missing in\n{text}");
    }
    assert!(text.contains("svc_build_info{version="));
    // The number varies, because the actors use connections too.
    assert!(text.contains(r#"svc_pool_connections{state="busy"} "#));
    assert!(!text.contains("nothing"), "a path is no label");
}

#[tokio::test]
async fn what_is_measured_is_documented() {
    let app = TestApp::with_variables(&[("APP_METRICS_TOKEN", "0123456789abcdef")]).await;
    let text = app.get("/metrics").bearer_auth("0123456789abcdef").send().await.unwrap().text().await.unwrap();
    let page = tools::text_of("docs/operations.md");
    let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("# HELP ")?.split(' ').next()).collect();
    assert!(names.len() > 3, "{text}");
    for name in names {
        assert!(page.contains(&format!("`{name}")), "{name} is missing in docs/operations.md");
    }
}

fn page(path: &str) -> String {
    tools::text_of(path)
}

/// The words of a text that begin with a prefix.
fn words(text: &str, with: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    text.match_indices(with).map(|(at, _)| text[at..].split(|t| !is_part(t)).next().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn the_dashboard_and_the_alerts_ask_for_what_is_measured() {
    let app = TestApp::with_variables(&[("APP_METRICS_TOKEN", "0123456789abcdef")]).await;
    app.get("/api/health").send().await.unwrap();
    let text = app.get("/metrics").bearer_auth("0123456789abcdef").send().await.unwrap().text().await.unwrap();
    let measured: BTreeSet<&str> = text.lines().filter_map(|line| line.strip_prefix("# HELP ")?.split(' ').next()).collect();
    let mut histograms = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.strip_suffix(" histogram"));
    let histograms: BTreeSet<&str> = histograms.by_ref().collect();
    for file in ["ops/alerts.yaml", "ops/grafana-dashboard.json"] {
        let asked = words(&page(file), "svc_");
        assert!(asked.len() > 5, "{file}");
        for name in asked {
            let of_histogram = ["_bucket", "_sum", "_count"].iter().find_map(|value| name.strip_suffix(value));
            assert!(
                measured.contains(name.as_str()) || of_histogram.is_some_and(|of_histogram| histograms.contains(of_histogram)),
                "{file} asks for {name}, which is not measured"
            );
        }
    }
    serde_json::from_str::<Value>(&page("ops/grafana-dashboard.json")).unwrap();
}

#[test]
fn every_alert_leads_to_a_section_that_says_what_to_do() {
    let anchors: BTreeSet<String> = page("docs/operations.md")
        .lines()
        .filter_map(|line| {
            Some(line.trim_start_matches('#').strip_prefix(' ')?.to_lowercase().replace(' ', "-")).filter(|_| line.starts_with('#'))
        })
        .collect();
    let alerts = page("ops/alerts.yaml");
    let runbooks: Vec<&str> =
        alerts.lines().filter_map(|line| line.split_once("docs/operations.md#")?.1.split('"').next()).collect();
    assert_eq!(runbooks.len(), alerts.matches("- alert:").count(), "each alert names one");
    for anchor in runbooks {
        assert!(anchors.contains(anchor), "{anchor} is no section of docs/operations.md");
    }
}
