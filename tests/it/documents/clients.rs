//! docs/clients.md, with the clients that it shows.

use super::{Desk, blocks};
use serde_json::Value;
use support::owner::Owner;

/// The clients of all examples as one list.
fn clients() -> Vec<Value> {
    let blocks = blocks::of("docs/clients.md").into_iter().filter(|block| block.language == "json");
    blocks.filter_map(|block| serde_json::from_str::<Vec<Value>>(&block.text).ok()).flatten().collect()
}

#[tokio::test]
async fn a_device_signs_in_and_an_application_sets_roles() {
    let clients = clients();
    assert_eq!(clients.len(), 3, "{clients:?}");
    let configured = Value::from(clients).to_string();
    let mut desk = Desk::of("docs/clients.md", &[("APP_OIDC_CLIENTS_JSON", configured.as_str())]).await;
    let ann = Owner::new(&desk.server, "ann@example.org").await;
    let shell = &mut desk.shell;
    assert_eq!(shell.run("lectern check-config").await.trim(), "the configuration is fine");

    let codes = shell.next("device_authorization").await;
    assert!(codes.contains("user_code") && codes.contains("verification_uri_complete"), "{codes}");
    // 22: curl with a status of 4xx.
    let waiting = shell.next_ending_with(22, "grant-type:device_code").await;
    assert!(waiting.contains("authorization_pending"), "{waiting}");

    let secret = ann.get("/api/admin/clients/web-app/secret").await;
    shell.run(&format!("CLIENT_SECRET='{}'", secret["secret"].as_str().unwrap_or_else(|| panic!("{secret}")))).await;
    let roles = shell.next("/api/apps/roles").await;
    assert!(roles.contains("editor"), "{roles}");
    desk.end().await;
}
