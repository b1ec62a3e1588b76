//! Bad bodies get a clear error and change nothing.

use support::prelude::*;

/// The content of the space, and the number of entries of its log.
async fn everything(fixture: &SpaceFixture) -> (Vec<String>, i64) {
    let mut seen = Vec::new();
    for path in ["", "/components", "/component_groups", "/presets", "/tokens", "/api_keys"] {
        let mut body = fixture.get(Caller::Owner, &fixture.path(path)).await;
        if body.status == 401 {
            body = fixture.admin().get(path).await;
        }
        seen.push(body.expect(200)[path.trim_start_matches('/')].to_string());
    }
    (seen, fixture.audit_count().await)
}

#[tokio::test]
async fn a_bad_body_is_named_and_changes_nothing() {
    let fixture = SpaceFixture::new().await;
    let component = fixture.create("component", json!({ "name": "page" })).await;
    let group = fixture.create("component_group", json!({ "name": "Group" })).await;
    let preset = fixture.create("preset", json!({ "name": "P", "component_id": component["id"] })).await;
    // The first use of a token is noted in the list of tokens; it is over now.
    let before = everything(&fixture).await;

    let deep = format!("{{\"component\":{}1{}}}", "[".repeat(200), "]".repeat(200));
    let large = format!("{{\"component\":{{\"name\":\"{}\"}}}}", "x".repeat(1 << 20));
    let targets = [
        ("POST", "/components".to_owned(), "component"),
        ("PUT", format!("/components/{}", component["id"]), "component"),
        ("POST", "/component_groups".to_owned(), "component_group"),
        ("PUT", format!("/component_groups/{}", group["id"]), "component_group"),
        ("POST", "/presets".to_owned(), "preset"),
        ("PUT", format!("/presets/{}", preset["id"]), "preset"),
        ("POST", "/api_keys".to_owned(), "api_key"),
        ("PUT", String::new(), "space"),
    ];
    for (method, path, key) in &targets {
        let wrong_type = format!("{{\"{key}\":{{\"name\":[1]}}}}");
        let no_object = format!("{{\"{key}\":7}}");
        let nul = format!("{{\"{key}\":{{\"name\":\"a\\u0000\"}}}}");
        let list = format!("{{\"{key}\":[\"a\"]}}");
        for (body, status) in [
            (list.as_str(), 422),
            ("", 400),
            ("{", 400),
            ("[]", 400),
            ("null", 400),
            ("{\"other\":{}}", 422),
            (wrong_type.as_str(), 422),
            (no_object.as_str(), 422),
            (nul.as_str(), 400),
            (deep.as_str(), 400),
            (large.as_str(), 413),
        ] {
            let reply =
                fixture.send(Caller::Token(&fixture.admin), method, &fixture.path(path), "application/json", body.into()).await;
            let start: String = body.chars().take(40).collect();
            assert_eq!(reply.status, status, "{method} {path} {start}: {}", reply.text);
            assert!(reply.body["message"].as_str().is_some_and(|value| !value.is_empty()));
        }
        let path = fixture.path(path);
        let form = fixture.send(Caller::Token(&fixture.admin), method, &path, "application/x-www-form-urlencoded", b"a=1".to_vec());
        assert_eq!(form.await.status, 415);
    }
    for (body, status) in [(json!({ "name": [], "role": "admin" }), 422), (json!([]), 400), (json!("x"), 400)] {
        fixture.post(Caller::Owner, &fixture.path("/tokens"), body).await.expect(status);
    }
    for (body, status) in [(json!({ "name": [] }), 422), (json!(7), 400), (Value::Null, 400)] {
        fixture.post(Caller::Owner, "/api/v1/spaces", body).await.expect(status);
    }
    assert_eq!(everything(&fixture).await, before);
}

#[tokio::test]
async fn a_space_or_a_number_that_is_none_is_not_found() {
    let fixture = SpaceFixture::new().await;
    let admin = Caller::Token(&fixture.admin);
    for path in ["/api/v1/spaces/999999", "/api/v1/spaces/x", "/api/v1/spaces/999999/components", "/api/v1/spaces/x/presets"] {
        fixture.get(admin, path).await.expect(404);
    }
    for path in ["/components/x", "/components/99999999999999999999", "/nothing", "/tokens/1/2"] {
        fixture.get(admin, &fixture.path(path)).await.expect(404);
    }
    fixture.get(admin, &fixture.path("/components/")).await.expect(200);
    fixture.json(admin, "PATCH", &fixture.path("/components"), json!({})).await.expect(405);
}
