//! `/api/me/passkeys…`.

use super::{ANN, SoftKey, app, audit_entries, signed_in, with_a_passkey};
use support::prelude::*;

fn path(passkey: &Value) -> String {
    format!("/api/me/passkeys/{}", passkey["id"].as_str().unwrap())
}

#[tokio::test]
async fn a_passkey_gets_another_name_and_goes() {
    let app = app().await;
    let (ann, _) = with_a_passkey(&app, ANN).await;
    let passkey = ann.passkeys().await[0].clone();
    let response = ann.patch(&path(&passkey), &json!({ "name": " Bag " })).await;
    let mut renamed = passkey.clone();
    renamed["name"] = json!("Bag");
    assert_eq!((response.status, &response.body), (200, &renamed));
    assert_eq!(ann.passkeys().await, [renamed]);
    for odd in [json!({}), json!({ "name": " " }), json!({ "name": "a\nb" }), json!({ "name": "x".repeat(101) })] {
        assert_eq!(ann.patch(&path(&passkey), &odd).await.refusal(), (400, "validation"), "{odd}");
    }

    let response = ann.delete(&path(&passkey), &Value::Null).await;
    assert_eq!((response.status, response.body["message"].is_string()), (200, true), "{}", response.body);
    assert_eq!(ann.delete(&path(&passkey), &Value::Null).await.refusal(), (404, "notFound"));
    assert_eq!(ann.get("/api/me").await.body["passkeyCount"], 0);
    for event in ["auth.passkey.renamed", "auth.passkey.removed"] {
        assert_eq!(audit_entries(&app, event, "success").await, 1, "{event}");
    }
}

#[tokio::test]
async fn names_are_text_and_no_key_is_shown() {
    let app = app().await;
    let (ann, _) = with_a_passkey(&app, ANN).await;
    let name = "<img src=x onerror=alert(1)>'\"&amp;";
    let passkey = ann.passkeys().await[0].clone();
    assert_eq!(ann.patch(&path(&passkey), &json!({ "name": name })).await.body["name"], name);
    let response = ann.get("/api/me/passkeys").await;
    assert_eq!(response.headers["content-type"], "application/json; charset=utf-8");
    assert_eq!(response.headers["x-content-type-options"], "nosniff");
    let members: Vec<&str> = response.body["passkeys"][0].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(members, ["id", "name", "deviceType", "backedUp", "transports", "aaguid", "createdAt", "lastUsedAt"]);
    assert_eq!(response.body["passkeys"][0]["name"], name);
    let keys = "select count(*) from passkeys where position(encode(credential_id, 'hex') in $$KEY$$) > 0";
    assert_eq!(app.count(&keys.replace("KEY", &response.body.to_string())).await, 0);
}

#[tokio::test]
async fn passkeys_of_another_account_are_not_found() {
    let app = app().await;
    let (ann, _) = with_a_passkey(&app, ANN).await;
    let (bob, _) = with_a_passkey(&app, "bob@example.org").await;
    let hers = ann.passkeys().await[0].clone();
    assert_eq!(bob.patch(&path(&hers), &json!({ "name": "mine" })).await.refusal(), (404, "notFound"));
    assert_eq!(bob.delete(&path(&hers), &Value::Null).await.refusal(), (404, "notFound"));
    assert_eq!(bob.delete("/api/me/passkeys/1", &Value::Null).await.status, 404);
    assert_eq!(ann.passkeys().await, std::slice::from_ref(&hers));
    let stranger = Person::at(&app);
    assert_eq!(stranger.get("/api/me/passkeys").await.refusal(), (401, "unauthorized"));
    for method in ["PATCH", "DELETE"] {
        let method: reqwest::Method = method.parse().unwrap();
        let response = stranger.send(method.clone(), &path(&hers), &json!({})).await;
        assert_eq!(response.refusal(), (401, "unauthorized"), "{method}");
        let without = ann.browser.request(method.clone(), ann.url(&path(&hers))).send().await.unwrap();
        assert_eq!(without.status(), 403, "{method}");
    }
}

#[tokio::test]
async fn an_export_tells_of_passkeys_and_not_their_keys() {
    let (app, ann) = signed_in().await;
    ann.add_passkey(&mut SoftKey::synced(&app.url(""))).await;
    let exported = ann.get("/api/me/export").await.body["webauthnCredentials"].clone();
    let id = ann.passkeys().await[0]["id"].clone();
    assert_eq!(
        exported,
        json!([{
            "id": id, "name": "Passkey 1", "createdAt": "2026-03-01T12:00:00.000Z", "lastUsedAt": null,
            "transports": ["nfc", "usb"], "deviceType": "multiDevice", "backedUp": true,
        }])
    );
}
