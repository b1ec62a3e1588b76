//! The load generator's scenarios against a server: each runs for a moment, and nothing may fail.

use std::{ffi::OsString, process};
use support::prelude::*;

const METRICS_TOKEN: &str = "0123456789abcdef";

/// An address of this machine that no other process of these tests takes: the server has to know it before it
/// is listened on.
fn source() -> String {
    let [_, high, middle, low] = process::id().to_be_bytes();
    format!("127.{}.{middle}.{low}:8095", 64 | high)
}

/// Runs a scenario with few turns. Returns its result.
async fn run(app: &TestApp, scenario: &str, source: &str, out: &Path) -> (u8, Value) {
    let url = format!("http://{}", app.address);
    let out_text = out.to_str().unwrap();
    // What has a rate of its own would wait for its turns.
    let rate = if scenario == "everything" { "40" } else { "100" };
    let mut arguments = vec![
        "lectern-load",
        "run",
        scenario,
        "--url",
        &url,
        "--metrics-token",
        METRICS_TOKEN,
        "--source",
        source,
        "--out",
        out_text,
    ];
    arguments.extend(["--quiet", "--ramp", "0", "--seconds", "1", "--stories", "6"]);
    match scenario {
        "overload" => arguments.extend(["--users", "200"]),
        "everything" => arguments.extend(["--users", "2", "--rate", rate]),
        "logins" => arguments.extend(["--users", "4", "--turns", "8", "--rate", rate]),
        // One import takes longer than a second.
        "import" => arguments.extend(["--turns", "2"]),
        _ => arguments.extend(["--users", "2", "--turns", "16"]),
    }
    let code = lectern_load::main(arguments.into_iter().map(OsString::from)).await;
    let text = fs::read_to_string(out.join(format!("{scenario}.json"))).unwrap();
    (code, serde_json::from_str(&text).unwrap())
}

#[tokio::test]
async fn every_scenario_runs_against_a_server_and_nothing_fails() {
    let source = source();
    let source_url = format!("http://{source}");
    let clients = r#"[{"clientId":"load","redirectUris":["https://load.example/cb"],"grantTypes":["authorization_code","refresh_token","client_credentials"],
        "clientSecret":"a-secret-of-the-load-and-of-nothing-else","requirePkce":false,"idTokenSignedResponseAlg":"ES256"}]"#;
    let variables = [
        ("APP_RATE_LIMITS", "off"),
        ("APP_METRICS_TOKEN", METRICS_TOKEN),
        ("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.0/8"),
        ("APP_VENDOR_MAPI_URL", &source_url),
        ("APP_VENDOR_CDN_URL", &source_url),
        ("APP_OIDC_RESOURCE_AUDIENCE", "https://api.example"),
        ("APP_OIDC_CLIENTS_JSON", clients),
    ];
    let app = TestApp::with_variables(&variables).await;
    let out = scratch();
    let scenarios = lectern_load::scenarios();
    assert_eq!(scenarios.len(), 13, "{scenarios:?}");
    for scenario in scenarios {
        let (code, result) = run(&app, &scenario, &source, out.path()).await;
        let operations = result["operations"].as_array().unwrap();
        assert!(!operations.is_empty(), "{scenario}");
        for line in operations {
            assert_eq!(line["failed"], 0, "{scenario}: {line}");
            assert!(line["succeeded"].as_u64() > Some(0), "{scenario}: {line}");
        }
        let findings = result["findings"].as_array().unwrap();
        match scenario.as_str() {
            // How much a debug build on a busy machine answers is not for a test to judge.
            "overload" => assert_eq!(findings.len(), 5, "{findings:?}"),
            "webhooks" | "everything" => {
                assert!(findings.len() == 1 && code == 0, "{scenario}: {findings:?}");
                // What arrives behind the run is in a phase of its own, whose time is in no rate.
                let is_late = |line: &&Value| line["phase"] == "after" && line["name"] != "delivery";
                assert_eq!(operations.iter().find(is_late), None, "{scenario}");
                assert_eq!(result["seconds"].as_array().unwrap().last().unwrap()["phase"], "after", "{scenario}");
            }
            _ => assert_eq!(code, 0, "{scenario}: {result}"),
        }
        assert!(
            result["seconds"].as_array().unwrap().iter().any(|second| second["memory_bytes"].as_f64() > Some(1e6)),
            "{scenario}"
        );
        let page = fs::read_to_string(out.path().join(format!("{scenario}.html"))).unwrap();
        let own = format!("http://{}", app.address);
        for outside in ["//", "<script", "<link", "<img", "url(", "@import"] {
            assert!(!page.replace(&own, "").contains(outside), "{scenario}: {outside}");
        }
        assert!(page.contains("default-src 'none'") && page.contains("<polyline"), "{scenario}");
    }
    let sql = "select count(*) from spaces where deleted_at is null";
    let spaces: i64 = app.value(sql).await;
    assert_eq!(spaces, 0, "the spaces of the runs are deleted");
}
