//! Bad bodies get a clear error and change nothing.

use super::{datasource, entry};
use support::prelude::*;

/// The content of the space, the number of entries of its log, and its `cv`.
async fn everything(fixture: &SpaceFixture) -> (String, String, i64, i64) {
    let (sources, entries) =
        (fixture.viewer().get("/datasources").await.text, fixture.viewer().get("/datasource_entries").await.text);
    (sources, entries, fixture.audit_count().await, fixture.cv().await)
}

#[tokio::test]
async fn a_refused_value_is_named_and_changes_nothing() {
    let fixture = SpaceFixture::new().await;
    let source = datasource(&fixture, "labels", &["de", "fr"]).await;
    let other = datasource(&fixture, "other", &["it"]).await;
    let hello = entry(&fixture, &source, "hello").await;
    entry(&fixture, &source, "bye").await;
    let before = everything(&fixture).await;
    let (id, de, foreign) = (&source["id"], &source["dimensions"][0]["id"], &other["dimensions"][0]["id"]);
    let long = "x".repeat(256);

    for (attributes, field, message) in [
        (json!({ "name": "N" }), "slug", "can't be blank"),
        (json!({ "slug": "n" }), "name", "can't be blank"),
        (json!({ "name": "N", "slug": "labels" }), "slug", "has already been taken"),
        (json!({ "name": "labels", "slug": "n" }), "name", "has already been taken"),
        (json!({ "name": "N", "slug": "a/b" }), "slug", "may not contain slashes or control characters, nor be . or .."),
        (json!({ "name": long, "slug": "n" }), "name", "is too long (maximum is 255 characters)"),
        (
            json!({ "name": "N", "slug": "n", "dimensions_attributes": [{ "name": "A" }] }),
            "dimensions_attributes.entry_value",
            "can't be blank",
        ),
    ] {
        let refused = fixture.editor().post("/datasources", json!({ "datasource": attributes })).await.expect(422);
        assert_eq!(refused["fields"][field][0], message, "{attributes}: {refused}");
    }
    let dimension = |value| json!({ "name": "changed", "dimensions_attributes": [value] });
    for (attributes, field, message) in [
        (json!({ "name": "other" }), "name", "has already been taken"),
        (json!({ "slug": "other" }), "slug", "has already been taken"),
        (json!({ "slug": "" }), "slug", "can't be blank"),
        (dimension(json!({ "id": de, "entry_value": "fr" })), "dimensions_attributes.entry_value", "has already been taken"),
        (dimension(json!({ "name": "A", "entry_value": "fr" })), "dimensions_attributes.entry_value", "has already been taken"),
        (dimension(json!({ "id": de, "name": "" })), "dimensions_attributes.name", "can't be blank"),
        (
            dimension(json!({ "id": foreign, "name": "A" })),
            "dimensions_attributes",
            &format!("has no dimension {foreign} to change"),
        ),
    ] {
        let refused = fixture.editor().put("/datasources/labels", json!({ "datasource": attributes })).await.expect(422);
        assert_eq!(refused["fields"][field][0], message, "{attributes}: {refused}");
    }
    for (attributes, field, message) in [
        (json!({ "name": "n" }), "datasource_id", "can't be blank"),
        (json!({ "name": "n", "datasource_id": 999_999 }), "datasource_id", "does not exist"),
        (json!({ "value": "v", "datasource_id": id }), "name", "can't be blank"),
        (json!({ "name": "hello", "datasource_id": id }), "name", "has already been taken"),
        (
            json!({ "name": "n", "value": "x".repeat(10_001), "datasource_id": id }),
            "value",
            "is too long (maximum is 10000 characters)",
        ),
        (
            json!({ "name": "n", "datasource_id": id, "dimension_value": "x" }),
            "dimension_id",
            "has to name the dimension of dimension_value, in the query",
        ),
    ] {
        let refused = fixture.editor().post("/datasource_entries", json!({ "datasource_entry": attributes })).await.expect(422);
        assert_eq!(refused["fields"][field][0], message, "{refused}");
    }
    let path = format!("/datasource_entries/{hello}");
    for (query, attributes, field) in [
        (String::new(), json!({ "name": "bye" }), "name"),
        (String::new(), json!({ "name": " " }), "name"),
        (String::new(), json!({ "value": "changed", "dimension_value": "x" }), "dimension_id"),
        (format!("?dimension_id={foreign}"), json!({ "value": "changed", "dimension_value": "x" }), "dimension_id"),
        ("?dimension_id=999999".into(), json!({ "value": "changed", "dimension_value": null }), "dimension_id"),
        ("?dimension_id=de".into(), json!({ "value": "changed", "dimension_value": "x" }), "dimension_id"),
        ("?dimension=1".into(), json!({ "value": "changed" }), ""),
    ] {
        let refused = fixture.editor().put(&format!("{path}{query}"), json!({ "datasource_entry": attributes })).await.expect(422);
        assert!(field.is_empty() || refused["fields"][field].is_array(), "{query} {attributes}: {refused}");
    }
    assert_eq!(everything(&fixture).await, before);
}

#[tokio::test]
async fn a_bad_body_is_named_and_changes_nothing() {
    let fixture = SpaceFixture::new().await;
    let source = datasource(&fixture, "labels", &["de"]).await;
    let hello = entry(&fixture, &source, "hello").await;
    let before = everything(&fixture).await;
    for (method, path, key) in [
        ("POST", "/datasources".to_owned(), "datasource"),
        ("PUT", "/datasources/labels".into(), "datasource"),
        ("POST", "/datasource_entries".into(), "datasource_entry"),
        ("PATCH", format!("/datasource_entries/{hello}"), "datasource_entry"),
    ] {
        let wrapped = |inner: &str| format!("{{\"{key}\":{inner}}}");
        for (body, status) in [
            (String::new(), 400),
            ("{".into(), 400),
            ("[]".into(), 400),
            ("{\"other\":{}}".into(), 422),
            (wrapped("{}"), 422),
            (wrapped("7"), 422),
            (wrapped("{\"name\":[1]}"), 422),
            (wrapped("{\"name\":\"a\\u0000\"}"), 400),
            (wrapped("{\"dimensions_attributes\":{},\"position\":\"first\"}"), 422),
            (wrapped(&format!("{{\"name\":\"{}\"}}", "x".repeat(1 << 20))), 413),
        ] {
            let reply = fixture
                .send(Caller::Token(&fixture.editor), method, &fixture.path(&path), "application/json", body.clone().into())
                .await;
            assert_eq!(reply.status, status, "{method} {path} {}: {}", body.chars().take(60).collect::<String>(), reply.text);
            assert!(reply.body["message"].as_str().is_some_and(|value| !value.is_empty()));
        }
    }
    assert_eq!(everything(&fixture).await, before);
}
