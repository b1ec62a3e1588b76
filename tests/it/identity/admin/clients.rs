//! The clients of the OpenID provider, as administrators see them.

use super::{FREE, LIMITED, administrator, recorded};
use support::prelude::*;

const CLIENTS: &str = r#"[
    {"clientId":"web-app","name":"Web","redirectUris":["https://a.example/cb"],"roleGroup":"site","roles":["viewer"],"webhookUrl":"https://a.example/hook"},
    {"clientId":"cms","redirectUris":["https://b.example/cb"]},
    {"clientId":"spa","name":"Spa","kind":"public","redirectUris":["https://c.example/cb"],"roleMode":"single"}
]"#;

async fn app(limits: &[(&str, &str)]) -> TestApp {
    let master = ("APP_CLIENT_SECRET_MASTER", "0123456789abcdef0123456789abcdef");
    TestApp::with_variables(&[limits, &[("APP_OIDC_CLIENTS_JSON", CLIENTS), master]].concat()).await
}

fn secret(client: &str) -> String {
    format!("/api/admin/clients/{client}/secret")
}

#[tokio::test]
async fn clients_are_listed_without_their_secrets() {
    let app = app(FREE).await;
    let admin = administrator(&app).await;
    let listed = admin.get("/api/admin/clients").await.body;
    assert_eq!(
        listed[0],
        json!({
            "clientId": "web-app", "name": "Web", "kind": "confidential", "roleGroup": "site", "roles": ["viewer"], "roleMode": "multiple",
            "redirectUris": ["https://a.example/cb"],
        })
    );
    assert_eq!(
        (&listed[1]["roleGroup"], &listed[2]["kind"], &listed[2]["roleMode"]),
        (&json!("cms"), &json!("public"), &json!("single"))
    );
}

/// Attack 157.
#[tokio::test]
async fn the_secret_of_a_confidential_client_is_shown_and_that_is_recorded() {
    let app = app(FREE).await;
    let admin = administrator(&app).await;
    let shown = admin.get(&secret("web-app")).await;
    // Computed with another implementation of HKDF.
    let (derived, webhook) = ("5fMdDkFmFPIFh9FuXPrFqUzrdQa2qlM6XAn8Uno7hfs", "ZMPkRfLtRkPAmhz3Mgs1vJa0TD7paB6manfhWneN-eQ");
    assert_eq!((shown.status, &shown.body), (200, &json!({ "clientId": "web-app", "secret": derived, "webhookSecret": webhook })));
    assert!(shown.headers["cache-control"].to_str().unwrap().contains("no-store"));
    let plain = admin.get(&secret("cms")).await.body;
    assert_eq!(plain, json!({ "clientId": "cms", "secret": "DQmtd2FKO9fAyv4Fik2LKSbKpddjQxhKAZi2yLiNrzI" }));
    assert_eq!(admin.get(&secret("spa")).await.refusal(), (400, "publicClient"));
    for unknown in ["nothing", "web-app%20", "%27", "site"] {
        assert_eq!(admin.get(&secret(unknown)).await.refusal(), (404, "notFound"), "{unknown}");
    }
    let entry = json!(["success", "admin", admin.id().await, null, {}]);
    assert_eq!(recorded(&app, "admin.client.secret_revealed").await, [entry.clone(), entry]);
    let at_clients = "select count(distinct client_id) from account_audit where event = 'admin.client.secret_revealed'";
    assert_eq!(app.count(at_clients).await, 2);
    let leaked = format!("select count(*) from account_audit where details::text like '%{derived}%'");
    assert_eq!(app.count(&leaked).await, 0);
}

#[tokio::test]
async fn an_administrator_is_shown_ten_secrets_a_minute() {
    let app = app(LIMITED).await;
    let admin = administrator(&app).await;
    for _ in 0..10 {
        assert_eq!(admin.get(&secret("cms")).await.status, 200);
    }
    assert_eq!(admin.get(&secret("cms")).await.refusal(), (429, "rateLimited"));
    assert_eq!(recorded(&app, "admin.client.secret_revealed").await.len(), 10);
}
