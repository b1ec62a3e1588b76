//! Rights: every endpoint of this part with every sort of credential.

use support::prelude::*;

/// The right that an endpoint requires.
#[derive(Clone, Copy, PartialEq)]
enum Needs {
    AnyToken,
    Admin,
}

/// Method, path below the space, body, required right, and the status with that right. No row has these ids,
/// so that nothing changes.
fn endpoints() -> Vec<(&'static str, &'static str, Option<Value>, Needs, u16)> {
    use Needs::{Admin, AnyToken};
    let nothing = || Some(json!({}));
    vec![
        ("GET", "", None, AnyToken, 200),
        ("PUT", "", nothing(), Admin, 422),
        ("GET", "/api_keys", None, Admin, 200),
        ("POST", "/api_keys", nothing(), Admin, 422),
        ("DELETE", "/api_keys/999999", None, Admin, 404),
        ("GET", "/tokens", None, Admin, 200),
        ("POST", "/tokens", nothing(), Admin, 422),
        ("DELETE", "/tokens/999999", None, Admin, 404),
        ("GET", "/audit_log", None, Admin, 200),
        ("GET", "/components", None, AnyToken, 200),
        ("POST", "/components", nothing(), Admin, 422),
        ("GET", "/components/999999", None, AnyToken, 404),
        ("PUT", "/components/999999", nothing(), Admin, 422),
        ("DELETE", "/components/999999", None, Admin, 404),
        ("GET", "/component_groups", None, AnyToken, 200),
        ("POST", "/component_groups", nothing(), Admin, 422),
        ("GET", "/component_groups/999999", None, AnyToken, 404),
        ("PUT", "/component_groups/999999", nothing(), Admin, 422),
        ("PATCH", "/component_groups/999999", nothing(), Admin, 422),
        ("DELETE", "/component_groups/999999", None, Admin, 404),
        ("GET", "/presets", None, AnyToken, 200),
        ("POST", "/presets", nothing(), Admin, 422),
        ("GET", "/presets/999999", None, AnyToken, 404),
        ("PUT", "/presets/999999", nothing(), Admin, 422),
        ("DELETE", "/presets/999999", None, Admin, 404),
        // Last, because it works.
        ("DELETE", "", None, Admin, 200),
    ]
}

#[tokio::test]
async fn every_endpoint_asks_every_credential_the_same_questions() {
    let fixture = SpaceFixture::new().await;
    let foreign = fixture.another_space().await;
    let dead = fixture.another_space().await;
    fixture.delete(Caller::Token(&dead.admin), &format!("/api/v1/spaces/{}", dead.id)).await.expect(200);
    let made = fixture.post(Caller::Owner, &fixture.path("/tokens"), json!({ "name": "short", "role": "admin" })).await.expect(201);
    let revoked = made["plaintext"].as_str().unwrap();
    fixture.delete(Caller::Owner, &fixture.path(&format!("/tokens/{}", made["token"]["id"]))).await.expect(200);
    let entries = fixture.audit_count().await;

    for (method, path, body, needs, fine) in endpoints() {
        let by_role = |role: &str| if needs == Needs::AnyToken || role == "admin" { fine } else { 403 };
        for (who, caller, status) in [
            ("anonymous", Caller::Anonymous, 401),
            ("garbage", Caller::Token("sbmcp_0000000000000000000000000000000000000000"), 401),
            ("an empty token", Caller::Token(""), 401),
            ("another scheme", Caller::Raw("Basic YTpi"), 401),
            ("a delivery token", Caller::Token(&fixture.private), 401),
            ("a revoked token", Caller::Token(revoked), 401),
            ("the token of a deleted space", Caller::Token(&dead.admin), 401),
            ("an admin of another space", Caller::Token(&foreign.admin), 404),
            ("viewer", Caller::Token(&fixture.viewer), by_role("viewer")),
            ("editor", Caller::Raw(&fixture.editor), by_role("editor")),
            ("admin", Caller::Token(&fixture.admin), by_role("admin")),
        ] {
            if method == "DELETE" && path.is_empty() && who == "admin" {
                assert_eq!(fixture.audit_count().await, entries, "none of it changed anything");
            }
            let reply = match &body {
                Some(body) => fixture.json(caller, method, &fixture.path(path), body.clone()).await,
                None => fixture.send(caller, method, &fixture.path(path), "", Vec::new()).await,
            };
            assert_eq!(reply.status, status, "{who}: {method} {path}: {}", reply.text);
            if status >= 400 {
                let body = reply.body;
                assert!(body["error"].is_string() && body["message"].is_string() && body["requestId"].is_string(), "{body}");
            }
        }
    }
}

#[tokio::test]
async fn a_person_reaches_their_own_spaces_only() {
    let fixture = SpaceFixture::new().await;
    for path in ["", "/tokens", "/api_keys", "/components", "/audit_log"] {
        fixture.get(Caller::Owner, &fixture.path(path)).await.expect(200);
        fixture.get(Caller::Other, &fixture.path(path)).await.expect(404);
    }
    for path in ["/tokens", "/api_keys"] {
        fixture.post(Caller::OwnerWithoutCsrf, &fixture.path(path), json!({ "name": "x", "role": "admin" })).await.expect(403);
        fixture.post(Caller::Other, &fixture.path(path), json!({ "name": "x", "role": "admin" })).await.expect(404);
    }
}

#[tokio::test]
async fn the_audit_log_tells_who_did_what_and_is_read_only() {
    let fixture = SpaceFixture::new().await;
    let admin = Caller::Token(&fixture.admin);
    let made = fixture.create("component", json!({ "name": "page" })).await;
    let path = fixture.path("/audit_log");
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        fixture.json(admin, method, &path, json!({})).await.expect(405);
    }
    let reply = fixture.get(admin, &format!("{path}?per_page=2")).await;
    assert_eq!((reply.header("total"), reply.header("per-page")), ("5", "2"));
    let log = reply.expect(200);
    let entry = &log["audit_log"][0];
    assert_eq!(
        (&entry["id"], &entry["space_id"], &entry["action"]),
        (&json!(5), &json!(fixture.space), &json!("component.create"))
    );
    assert_eq!(entry["target"], json!({ "type": "component", "id": made["id"].to_string(), "label": "page" }));
    assert_eq!((&entry["actor"]["type"], &entry["actor"]["label"]), (&json!("token"), &json!("admin")));
    assert!(entry["ip"].is_string() && entry["request_id"].is_string() && entry["created_at"].is_string());
    assert_eq!(log["audit_log"][1]["actor"]["type"], "user");

    let owner = log["audit_log"][1]["actor"]["id"].as_str().unwrap();
    for (query, count) in [
        ("types=component.create,space.create".to_owned(), 2),
        ("key_like=token".to_owned(), 3),
        ("key_like=%25".to_owned(), 0),
        (format!("by_owner_ids={owner}"), 4),
        ("created_at_gte=2000-01-01".to_owned(), 5),
        ("created_at_lte=2000-01-01T00:00:00Z".to_owned(), 0),
        ("page=2&per_page=3".to_owned(), 2),
    ] {
        let found = fixture.get(admin, &format!("{path}?{query}")).await.expect(200);
        assert_eq!(found["audit_log"].as_array().unwrap().len(), count, "{query}");
    }
    for query in ["created_at_gte=soon", "per_page=0", "foo=1"] {
        fixture.get(admin, &format!("{path}?{query}")).await.expect(422);
    }
}

#[tokio::test]
async fn every_change_is_told_by_one_entry() {
    let fixture = SpaceFixture::new().await;
    let component = fixture.create("component", json!({ "name": "c" })).await["id"].clone();
    let group = fixture.create("component_group", json!({ "name": "g" })).await["id"].clone();
    let preset = fixture.create("preset", json!({ "name": "p", "component_id": component })).await["id"].clone();
    let token = fixture.post(Caller::Owner, &fixture.path("/tokens"), json!({ "name": "t", "role": "viewer" })).await.expect(201);
    let key =
        fixture.post(Caller::Owner, &fixture.path("/api_keys"), json!({ "api_key": { "access": "public", "name": "k" } })).await;
    let (token, key) = (token["token"]["id"].clone(), key.expect(201)["api_key"]["id"].clone());
    let mut entries = fixture.audit_count().await;
    assert_eq!(entries, 9, "the space, three tokens, and these five");

    for (method, path, body, told) in [
        ("POST", "/tokens".to_owned(), json!({ "name": "u", "role": "viewer" }), ["token.create", "token", "u"]),
        ("POST", "/api_keys".to_owned(), json!({ "api_key": { "access": "private" } }), ["api_key.create", "api_key", "Private"]),
        ("POST", "/components".to_owned(), json!({ "component": { "name": "d" } }), ["component.create", "component", "d"]),
        (
            "PUT",
            format!("/components/{component}"),
            json!({ "component": { "icon": "x" } }),
            ["component.update", "component", "c"],
        ),
        ("PUT", format!("/presets/{preset}"), json!({ "preset": { "name": "q" } }), ["preset.update", "preset", "q"]),
        ("DELETE", format!("/presets/{preset}"), json!({}), ["preset.delete", "preset", "q"]),
        (
            "PUT",
            format!("/component_groups/{group}"),
            json!({ "component_group": { "name": "h" } }),
            ["component_group.update", "component_group", "h"],
        ),
        ("DELETE", format!("/component_groups/{group}"), json!({}), ["component_group.delete", "component_group", "h"]),
        ("DELETE", format!("/components/{component}"), json!({}), ["component.delete", "component", "c"]),
        ("DELETE", format!("/tokens/{token}"), json!({}), ["token.revoke", "token", "t"]),
        ("DELETE", format!("/api_keys/{key}"), json!({}), ["api_key.revoke", "api_key", "k"]),
        ("PUT", String::new(), json!({ "space": { "name": "Second" } }), ["space.update", "space", "Second"]),
    ] {
        let reply = fixture.admin().json(method, &path, body).await;
        assert!(reply.status < 300, "{method} {path}: {}", reply.text);
        entries += 1;
        assert_eq!(fixture.audit_count().await, entries, "{method} {path}");
        assert_eq!(fixture.newest_entry().await, told);
    }
}
