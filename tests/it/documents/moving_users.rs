//! docs/moving-users.md, with the realm of `tests/clients/fixtures` as the export.

use super::Shell;
use std::os::unix::fs::symlink;
use support::prelude::*;

/// A client for each role of the realm, under the name that it has there.
const CLIENTS: &str = r#"[{"clientId": "one", "redirectUris": ["https://one.example.com/"], "roles": ["viewer", "editor"]}]"#;

#[tokio::test]
async fn people_move_here() {
    let directory = scratch();
    for (name, path) in [("examples", "examples"), ("realm.json", "tests/clients/fixtures/realm-export.json")] {
        symlink(tools::repository(path), directory.path().join(name)).unwrap();
    }
    let clients = [("APP_OIDC_CLIENTS_JSON", CLIENTS)];
    let mut shell = Shell::of("docs/moving-users.md", directory.path(), &clients);
    let checked = shell.next("openssl rand").await;
    assert_eq!(checked.trim(), "the configuration is fine");
    let tokens = shell.run("printf %s \"$APP_ADMIN_API_TOKENS_JSON\"").await;
    let variables = [clients[0], ("APP_ADMIN_API_TOKENS_JSON", tokens.trim())];
    let server = Server::start(&directory.path().join("data"), &variables).await;
    shell.reads("http://localhost:8080", &server.base_url());
    shell.reads("--clients web,shop", "--clients one");

    let left_out = shell.next("convert.mjs").await;
    assert!(left_out.contains("service account"), "{left_out}");
    // Everybody in the batch could be created.
    assert_eq!(shell.next("dryRun = true").await.trim(), "");
    let report = shell.next("report.jsonl").await;
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report, serde_json::json!({ "created": 8, "skipped": 0, "failed": 0 }));
    shell.end().await;
}
