//! docs/clients.md, with the clients that it shows.

use super::{Desk, blocks};
use support::prelude::*;

/// The clients of all examples as one list.
fn clients() -> Vec<Value> {
    let blocks = blocks::of("docs/clients.md").into_iter().filter(|block| block.language == "json");
    blocks.filter_map(|block| serde_json::from_str::<Vec<Value>>(&block.text).ok()).flatten().collect()
}

/// The version in a row of the table of libraries.
fn version_of(library: &str) -> String {
    let document = tools::text_of("docs/clients.md");
    let row = document.lines().find(|line| line.starts_with(&format!("| {library} "))).unwrap();
    row.split('|').nth(2).unwrap().trim().to_owned()
}

#[test]
fn the_libraries_are_those_that_the_tests_run() {
    let lock: Value = serde_json::from_str(&tools::text_of("tests/package-lock.json")).unwrap();
    assert_eq!(version_of("openid-client"), lock["packages"]["node_modules/openid-client"]["version"]);
    let installed = tools::text_of("tests/relying-party/requirements.txt");
    assert!(installed.contains(&format!("Authlib=={}\n", version_of("Authlib"))), "{installed}");
    let joserfc = installed.lines().find_map(|line| line.strip_prefix("joserfc==")).unwrap();
    assert!(tools::text_of("docs/clients.md").contains(&format!("joserfc {joserfc} ")), "{joserfc}");
    assert_eq!(version_of("mod_auth_openidc"), "not run");
    let tests = ["tests/clients/oidc.test.mjs", "tests/clients/support/relying-party.mjs"].map(tools::text_of);
    assert!(tests.iter().any(|test| test.contains("from 'openid-client'")));
    assert!(tools::text_of("tests/relying-party/test_relying_party.py").contains("from authlib."));
}

#[tokio::test]
async fn a_device_signs_in_and_an_application_sets_roles() {
    let clients = clients();
    assert_eq!(clients.len(), 3, "{clients:?}");
    let configured = Value::from(clients).to_string();
    let mut desk = Desk::of("docs/clients.md", &[("APP_OIDC_CLIENTS_JSON", configured.as_str())]).await;
    let ann = desk.server.person("ann@example.org").await;
    let shell = &mut desk.shell;
    assert_eq!(shell.run("lectern check-config").await.trim(), "the configuration is fine");

    let codes = shell.next("device_authorization").await;
    assert!(codes.contains("user_code") && codes.contains("verification_uri_complete"), "{codes}");
    // 22: curl with a status of 4xx.
    let waiting = shell.next_ending_with(22, "grant-type:device_code").await;
    assert!(waiting.contains("authorization_pending"), "{waiting}");

    let secret = ann.get("/api/admin/clients/web-app/secret").await.body;
    shell.run(&format!("CLIENT_SECRET='{}'", secret["secret"].as_str().unwrap_or_else(|| panic!("{secret}")))).await;
    let roles = shell.next("/api/apps/roles").await;
    assert!(roles.contains("editor"), "{roles}");
    desk.end().await;
}
