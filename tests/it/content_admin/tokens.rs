//! Management and delivery tokens: shown once, stored as hashes, revoked at once.

use support::prelude::*;

#[tokio::test]
async fn a_management_token_is_made_by_the_owner_or_an_admin_and_shown_once() {
    let fixture = SpaceFixture::new().await;
    let path = fixture.path("/tokens");
    for (caller, body, prefix, kind, role) in [
        (Caller::Owner, json!({ "name": "ci", "role": "editor" }), "sbmcp_", "role", "editor"),
        (Caller::Token(&fixture.admin), json!({ "name": "old", "kind": "legacy" }), "sbmgmt_", "legacy", "admin"),
        (Caller::Raw(&fixture.admin), json!({ "name": "old", "kind": "legacy", "role": "admin" }), "sbmgmt_", "legacy", "admin"),
    ] {
        let made = fixture.post(caller, &path, body).await.expect(201);
        let plaintext = made["plaintext"].as_str().unwrap();
        assert!(plaintext.starts_with(prefix) && plaintext.len() > 40, "{plaintext}");
        let token = made["token"].as_object().unwrap();
        let keys: Vec<&str> = token.keys().map(String::as_str).collect();
        assert_eq!(keys, ["id", "name", "kind", "role", "created_at", "last_used_at"]);
        assert_eq!((&token["kind"], &token["role"], &token["last_used_at"]), (&json!(kind), &json!(role), &json!(null)));
        fixture.get(Caller::Token(plaintext), &fixture.path("/components")).await.expect(200);
    }
    let listed = fixture.get(Caller::Owner, &path).await.expect(200);
    assert_eq!(listed["tokens"].as_array().unwrap().len(), 6);
    assert!(!listed.to_string().contains("sbm"), "no plaintext in a list");
    assert!(listed["tokens"][3]["last_used_at"].is_string(), "its use was noted");
}

#[tokio::test]
async fn a_token_that_would_be_more_or_less_than_it_says_is_refused() {
    let fixture = SpaceFixture::new().await;
    for body in [
        json!({ "name": "a", "kind": "legacy", "role": "viewer" }),
        json!({ "name": "a" }),
        json!({ "name": "a", "role": "owner" }),
        json!({ "name": "a", "role": "admin", "kind": "super" }),
        json!({ "name": "", "role": "admin" }),
        json!({ "role": "admin" }),
    ] {
        let entries = fixture.audit_count().await;
        fixture.post(Caller::Owner, &fixture.path("/tokens"), body).await.expect(422);
        assert_eq!(fixture.audit_count().await, entries);
    }
}

#[tokio::test]
async fn a_revoked_management_token_opens_nothing_from_the_answer_on() {
    let fixture = SpaceFixture::new().await;
    let made = fixture.post(Caller::Owner, &fixture.path("/tokens"), json!({ "name": "a", "role": "admin" })).await.expect(201);
    let (id, token) = (made["token"]["id"].as_i64().unwrap(), made["plaintext"].as_str().unwrap());
    fixture.get(Caller::Token(token), &fixture.path("")).await.expect(200);
    let path = fixture.path(&format!("/tokens/{id}"));
    fixture.delete(Caller::Other, &path).await.expect(404);
    fixture.delete(Caller::OwnerWithoutCsrf, &path).await.expect(403);
    let ended = fixture.delete(Caller::Owner, &path).await.expect(200);
    assert_eq!(ended["token"]["id"], id);
    fixture.get(Caller::Token(token), &fixture.path("")).await.expect(401);
    fixture.delete(Caller::Owner, &path).await.expect(404);
    let listed = fixture.get(Caller::Owner, &fixture.path("/tokens")).await.expect(200);
    assert!(listed["tokens"].as_array().unwrap().iter().all(|l| l["id"] != id));
}

#[tokio::test]
async fn api_keys_open_delivery_by_their_kind_until_they_are_revoked() {
    let fixture = SpaceFixture::new().await;
    let path = fixture.path("/api_keys");
    for (access, prefix, draft) in [("public", "sbpub_", 401), ("preview", "sbprev_", 200), ("private", "sbpriv_", 200)] {
        let made = fixture.post(Caller::Owner, &path, json!({ "api_key": { "access": access, "name": "Site" } })).await.expect(201);
        let key = &made["api_key"];
        let token = key["token"].as_str().unwrap();
        assert!(token.starts_with(prefix), "{token}");
        assert_eq!((&key["access"], &key["name"], &key["space_id"]), (&json!(access), &json!("Site"), &json!(fixture.space)));

        let stories = |version: &str| format!("/api/v2/cdn/stories?token={token}&version={version}");
        fixture.get(Caller::Anonymous, &stories("published")).await.expect(200);
        fixture.get(Caller::Anonymous, &stories("draft")).await.expect(draft);

        let listed = fixture.get(Caller::Token(&fixture.admin), &path).await.expect(200);
        let same = listed["api_keys"].as_array().unwrap().iter().find(|l| l["id"] == key["id"]).unwrap();
        assert!(same.get("token").is_none() && same["access"] == access);

        let one = format!("{path}/{}", key["id"]);
        fixture.delete(Caller::Token(&fixture.admin), &one).await.expect(200);
        fixture.get(Caller::Anonymous, &stories("published")).await.expect(401);
        fixture.delete(Caller::Token(&fixture.admin), &one).await.expect(404);
    }
    for body in [json!({ "api_key": { "access": "theme" } }), json!({ "api_key": {} }), json!({ "access": "public" })] {
        fixture.post(Caller::Owner, &path, body).await.expect(422);
    }
}

#[tokio::test]
async fn the_database_never_holds_a_secret() {
    let fixture = SpaceFixture::new().await;
    let made = fixture.post(Caller::Owner, &fixture.path("/tokens"), json!({ "name": "a", "role": "admin" })).await.expect(201);
    let rows = fixture.every_row(&["delivery_tokens", "management_tokens", "audit_log", "spaces"]).await;
    assert!(rows.contains("First"));
    for secret in
        [&fixture.public, &fixture.preview, &fixture.private, &fixture.admin, &fixture.editor, made["plaintext"].as_str().unwrap()]
    {
        let (_, random) = secret.split_once('_').unwrap();
        assert!(!rows.contains(random), "{secret}");
    }
}
