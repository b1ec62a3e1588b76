//! Spaces: creation, rights to change one, and what is left of a deleted one.

use support::prelude::*;

#[tokio::test]
async fn a_new_space_answers_its_name_and_three_tokens_and_nothing_else() {
    let fixture = SpaceFixture::new().await;
    let made = fixture.post(Caller::Owner, "/api/v1/spaces", json!({ "name": "Träume" })).await.expect(201);
    assert_eq!(made["space"], json!({ "id": made["space"]["id"], "name": "Träume" }));
    assert_eq!(made.as_object().unwrap().len(), 2);
    let tokens = made["tokens"].as_object().unwrap();
    assert_eq!(tokens.len(), 3);
    for (kind, prefix) in [("public", "sbpub_"), ("preview", "sbprev_"), ("private", "sbpriv_")] {
        assert!(tokens[kind].as_str().unwrap().starts_with(prefix), "{kind}");
    }

    let listed = fixture.get(Caller::Owner, "/api/v1/spaces").await.expect(200);
    let names: Vec<&str> = listed["spaces"].as_array().unwrap().iter().map(|l| l["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["First", "Träume"]);
    assert_eq!(fixture.get(Caller::Other, "/api/v1/spaces").await.expect(200), json!({ "spaces": [] }));
    let found = fixture.get(Caller::Owner, "/api/v1/spaces?search=tR%C3%84u").await.expect(200);
    assert_eq!(found["spaces"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn only_a_signed_in_person_with_the_csrf_header_makes_a_space() {
    let fixture = SpaceFixture::new().await;
    let body = json!({ "name": "No" });
    fixture.post(Caller::Anonymous, "/api/v1/spaces", body.clone()).await.expect(401);
    fixture.post(Caller::Token(&fixture.admin), "/api/v1/spaces", body.clone()).await.expect(401);
    assert_eq!(fixture.post(Caller::Unverified, "/api/v1/spaces", body.clone()).await.expect(403)["error"], "emailNotVerified");
    assert_eq!(fixture.post(Caller::OwnerWithoutCsrf, "/api/v1/spaces", body).await.expect(403)["error"], "csrfInvalid");
    for wrong in [json!({}), json!({ "name": "  " }), json!({ "name": "x".repeat(256) })] {
        let refused = fixture.post(Caller::Owner, "/api/v1/spaces", wrong).await.expect(422);
        assert!(refused["fields"]["name"].is_array(), "{refused}");
    }
    let listed = fixture.get(Caller::Owner, "/api/v1/spaces").await.expect(200);
    assert_eq!(listed["spaces"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_space_is_read_in_the_hosted_shape_by_its_tokens_and_its_owner() {
    let fixture = SpaceFixture::new().await;
    let path = fixture.path("");
    let seen = fixture.get(Caller::Owner, &path).await.expect(200);
    for token in [&fixture.admin, &fixture.editor, &fixture.viewer] {
        assert_eq!(fixture.get(Caller::Token(token), &path).await.expect(200), seen);
        let listed = fixture.get(Caller::Raw(token), "/api/v1/spaces").await.expect(200);
        assert_eq!(listed["spaces"], json!([seen["space"]]));
    }
    let space = &seen["space"];
    for (member, value) in [
        ("name", json!("First")),
        ("domain", json!("")),
        ("languages", json!([])),
        ("options", json!({ "languages": [] })),
        ("default_lang_name", Value::Null),
        ("stories_count", json!(0)),
    ] {
        assert_eq!(space[member], value, "{member}");
    }
    assert!(space["version"].is_i64() && space["owner_id"].is_string() && space["created_at"].is_string());
}

#[tokio::test]
async fn a_change_of_languages_moves_cv_and_wrong_ones_change_nothing() {
    let fixture = SpaceFixture::new().await;
    let path = fixture.path("");
    let before = fixture.get(Caller::Owner, &path).await.expect(200)["space"].clone();
    let change = json!({ "space": { "languages": [{ "code": "de", "name": "Deutsch" }, { "code": "pt-br", "name": "Português" }],
                                    "default_lang_name": "English", "domain": "https://example.com/", "id": 99, "plan": "x" } });
    let after = fixture.put(Caller::Owner, &path, change).await.expect(200)["space"].clone();
    assert_eq!(after["languages"], json!([{ "code": "de", "name": "Deutsch" }, { "code": "pt-br", "name": "Português" }]));
    assert_eq!((&after["options"]["languages"], &after["name"]), (&after["languages"], &before["name"]));
    assert_eq!((&after["default_lang_name"], &after["domain"]), (&json!("English"), &json!("https://example.com/")));
    assert!(after["version"].as_i64() > before["version"].as_i64());

    let entries = fixture.audit_count().await;
    for wrong in [
        json!({ "languages": [{ "code": "default", "name": "x" }] }),
        json!({ "languages": [{ "code": "de", "name": "x" }, { "code": "DE", "name": "y" }] }),
        json!({ "languages": [{ "code": "d e", "name": "x" }] }),
        json!({ "languages": [{ "code": "de", "name": "" }] }),
        json!({ "name": "" }),
        json!({ "domain": "javascript:alert(1)" }),
    ] {
        fixture.put(Caller::Token(&fixture.admin), &path, json!({ "space": wrong })).await.expect(422);
    }
    assert_eq!(fixture.get(Caller::Owner, &path).await.expect(200)["space"], after);
    assert_eq!(fixture.audit_count().await, entries);
}

#[tokio::test]
async fn a_deleted_space_is_gone_at_once_with_all_its_tokens() {
    let fixture = SpaceFixture::new().await;
    let path = fixture.path("");
    fixture.get(Caller::Anonymous, &format!("/api/v2/cdn/stories?token={}", fixture.public)).await.expect(200);
    fixture.delete(Caller::Other, &path).await.expect(404);
    fixture.delete(Caller::OwnerWithoutCsrf, &path).await.expect(403);
    let gone = fixture.delete(Caller::Owner, &path).await.expect(200);
    assert_eq!(gone["space"]["name"], "First");

    for token in [&fixture.admin, &fixture.editor, &fixture.viewer] {
        fixture.get(Caller::Token(token), &path).await.expect(401);
    }
    for token in [&fixture.public, &fixture.preview, &fixture.private] {
        fixture.get(Caller::Anonymous, &format!("/api/v2/cdn/stories?token={token}")).await.expect(401);
    }
    fixture.get(Caller::Owner, &path).await.expect(404);
    fixture.delete(Caller::Owner, &path).await.expect(404);
    fixture.post(Caller::Owner, &fixture.path("/tokens"), json!({ "name": "late", "role": "admin" })).await.expect(404);
    assert_eq!(fixture.get(Caller::Owner, "/api/v1/spaces").await.expect(200), json!({ "spaces": [] }));
}
