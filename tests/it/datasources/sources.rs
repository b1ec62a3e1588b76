//! Datasources with their dimensions through the Management API.

use super::{datasource, each, entry};
use support::prelude::*;

#[tokio::test]
async fn a_datasource_has_the_hosted_shape_and_is_found_by_number_and_slug() {
    let fixture = SpaceFixture::new().await;
    let made = datasource(&fixture, "labels", &["de", "fr"]).await;
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(keys(&made), "id name slug dimensions created_at updated_at");
    assert_eq!(keys(&made["dimensions"][0]), "id name entry_value datasource_id created_at updated_at");
    assert_eq!((&made["dimensions"][1]["entry_value"], &made["dimensions"][1]["name"]), (&json!("fr"), &json!("FR")));
    assert_eq!(made["dimensions"][0]["datasource_id"], made["id"]);
    assert_eq!(made["dimensions"][0]["created_at"], made["created_at"], "one time, in one form");
    assert_eq!(made["created_at"].as_str().unwrap().len(), "2026-03-01T08:00:00.000Z".len());
    for which in [made["id"].to_string(), "labels".to_owned()] {
        assert_eq!(fixture.viewer().get(&format!("/datasources/{which}")).await.expect(200)["datasource"], made);
    }
    for missing in ["nothing", "0", "Labels"] {
        fixture.viewer().get(&format!("/datasources/{missing}")).await.expect(404);
    }
}

#[tokio::test]
async fn a_slug_that_looks_like_a_number_does_not_hide_that_number_from_writers() {
    let fixture = SpaceFixture::new().await;
    let first = datasource(&fixture, "first", &[]).await;
    let second = datasource(&fixture, &first["id"].to_string(), &[]).await;
    let found = fixture.viewer().get(&format!("/datasources/{}", first["id"])).await.expect(200);
    assert_eq!(found["datasource"]["slug"], "first");
    // Readers ask by slug.
    let found = super::cdn(&fixture, &format!("datasources/{}", first["id"])).await.expect(200);
    assert_eq!(found["datasource"]["id"], second["id"]);
    let numeric = datasource(&fixture, "2026000", &[]).await;
    assert_eq!(fixture.viewer().get("/datasources/2026000").await.expect(200)["datasource"]["id"], numeric["id"]);
}

#[tokio::test]
async fn the_list_is_searched_ordered_and_paged() {
    let fixture = SpaceFixture::new().await;
    let b = datasource(&fixture, "b-colors", &[]).await;
    let c = datasource(&fixture, "c-sizes", &[]).await;
    let a = datasource(&fixture, "a-colors", &["de"]).await;
    fixture.clock.advance(jiff::SignedDuration::from_secs(5));
    fixture.editor().put("/datasources/c-sizes", json!({ "datasource": { "name": "z_100%" } })).await.expect(200);
    for (query, slugs) in [
        (String::new(), "b-colors c-sizes a-colors"),
        ("sort_by=name:asc".into(), "a-colors b-colors c-sizes"),
        ("sort_by=name".into(), "a-colors b-colors c-sizes"),
        ("sort_by=name:desc".into(), "c-sizes b-colors a-colors"),
        ("sort_by=created_at:desc".into(), "b-colors c-sizes a-colors"),
        ("sort_by=updated_at:desc".into(), "c-sizes b-colors a-colors"),
        ("search=COLOR".into(), "b-colors a-colors"),
        ("search=_100%25".into(), "c-sizes"),
        ("search=_".into(), "c-sizes"),
        (format!("by_ids={},{}", a["id"], c["id"]), "c-sizes a-colors"),
        (format!("by_ids={}&search=sizes", b["id"]), ""),
        ("per_page=2&page=2".into(), "a-colors"),
        ("page=9".into(), ""),
    ] {
        let body = fixture.viewer().get(&format!("/datasources?{query}")).await.expect(200);
        let found: Vec<_> = each(&body, "datasources", "slug").into_iter().map(|e| e.as_str().unwrap()).collect();
        assert_eq!(found.join(" "), slugs, "{query}");
    }
    let page = fixture.viewer().get("/datasources?per_page=2&page=2").await;
    assert_eq!((page.header("total"), page.header("per-page")), ("3", "2"));
    assert_eq!(fixture.viewer().get("/datasources?per_page=5000").await.header("per-page"), "1000");
    for bad in ["sort_by=slug", "sort_by=name:up", "page=0", "foo=1"] {
        let refused = fixture.viewer().get(&format!("/datasources?{bad}")).await.expect(422);
        assert!(refused["message"].as_str().unwrap().contains(bad.split('=').next().unwrap()), "{refused}");
    }
}

#[tokio::test]
async fn dimensions_are_added_edited_swapped_and_removed_with_their_values() {
    let fixture = SpaceFixture::new().await;
    let made = datasource(&fixture, "labels", &["de", "fr"]).await;
    let other = datasource(&fixture, "other", &["de", "fr"]).await;
    let (de, fr) = (made["dimensions"][0]["id"].clone(), made["dimensions"][1]["id"].clone());
    let hello = entry(&fixture, &made, "hello").await;
    for (dimension, value) in [(&de, "Hallo"), (&fr, "Bonjour")] {
        let path = format!("/datasource_entries/{hello}?dimension_id={dimension}");
        let body = json!({ "datasource_entry": { "dimension_value": value } });
        assert_eq!(fixture.editor().put(&path, body).await.status, 204);
    }

    fixture.clock.advance(jiff::SignedDuration::from_secs(5));
    let change = json!({ "datasource": { "name": "Texts", "dimensions_attributes": [
        { "id": de, "entry_value": "fr" },
        { "id": fr, "entry_value": "de", "name": "German" },
        { "name": "Italian", "entry_value": "it" },
    ] } });
    let after = fixture.editor().json("PATCH", "/datasources/labels", change).await.expect(200)["datasource"].clone();
    assert_eq!((&after["name"], &after["slug"]), (&json!("Texts"), &json!("labels")));
    let dimensions = after["dimensions"].as_array().unwrap();
    let shown: Vec<_> =
        dimensions.iter().map(|dimension| format!("{} {}", dimension["name"], dimension["entry_value"]).replace('"', "")).collect();
    assert_eq!(shown, ["DE fr", "German de", "Italian it"]);
    assert_eq!(dimensions[0]["created_at"], made["created_at"]);
    assert_eq!(dimensions[0]["updated_at"], after["updated_at"]);
    assert_eq!(fixture.viewer().get("/datasources/labels").await.expect(200)["datasource"], after);
    let read = async |code: &str| {
        let body = super::cdn(&fixture, &format!("datasource_entries?datasource=labels&dimension={code}")).await.expect(200);
        body["datasource_entries"][0]["dimension_value"].clone()
    };
    assert_eq!((read("fr").await, read("de").await, read("it").await), (json!("Hallo"), json!("Bonjour"), Value::Null));

    let change = json!({ "datasource": { "dimensions_attributes": [{ "id": de, "_destroy": true }, { "name": "New", "entry_value": "fr" }] } });
    let after = fixture.editor().put(&format!("/datasources/{}", made["id"]), change).await.expect(200)["datasource"].clone();
    assert_eq!(after["dimensions"].as_array().unwrap().len(), 3);
    assert_eq!(read("fr").await, Value::Null, "the value left with its dimension");
    let again = fixture.editor().put("/datasources/labels", json!({ "datasource": after })).await.expect(200);
    assert_eq!(again["datasource"]["dimensions"], after["dimensions"], "what was read can be written");
    assert_eq!(fixture.viewer().get("/datasources/other").await.expect(200)["datasource"], other, "the same codes elsewhere stay");
}

#[tokio::test]
async fn a_datasource_leaves_with_its_entries() {
    let fixture = SpaceFixture::new().await;
    let made = datasource(&fixture, "labels", &["de"]).await;
    let hello = entry(&fixture, &made, "hello").await;
    let kept = datasource(&fixture, "kept", &[]).await;
    entry(&fixture, &kept, "stays").await;
    let reply = fixture.editor().json("DELETE", "/datasources/labels", json!({})).await;
    assert_eq!((reply.status, reply.text.as_str()), (204, ""));
    fixture.viewer().get(&format!("/datasources/{}", made["id"])).await.expect(404);
    fixture.viewer().get(&format!("/datasource_entries/{hello}")).await.expect(404);
    let left = fixture.viewer().get("/datasource_entries").await.expect(200);
    assert_eq!(each(&left, "datasource_entries", "name"), ["stays"]);
    fixture.editor().json("DELETE", "/datasources/labels", json!({})).await.expect(404);
    datasource(&fixture, "labels", &[]).await;
}

#[tokio::test]
async fn every_change_is_told_by_one_entry_and_moves_cv() {
    let fixture = SpaceFixture::new().await;
    let made = datasource(&fixture, "labels", &["de"]).await;
    assert_eq!(fixture.newest_entry().await, ["datasource.create", "datasource", "labels"]);
    let hello = entry(&fixture, &made, "hello").await;
    let (mut entries, mut version) = (fixture.audit_count().await, fixture.cv().await);
    let value = format!("/datasource_entries/{hello}?dimension_id={}", made["dimensions"][0]["id"]);
    for (method, path, body, told) in [
        (
            "PUT",
            "/datasources/labels".to_owned(),
            json!({ "datasource": { "name": "Texts" } }),
            ["datasource.update", "datasource", "Texts"],
        ),
        (
            "POST",
            "/datasource_entries".into(),
            json!({ "datasource_entry": { "name": "bye", "datasource_id": made["id"] } }),
            ["datasource_entry.create", "datasource_entry", "bye"],
        ),
        (
            "PUT",
            value,
            json!({ "datasource_entry": { "name": "hi", "dimension_value": "Hallo" } }),
            ["datasource_entry.update", "datasource_entry", "hi"],
        ),
        ("DELETE", format!("/datasource_entries/{hello}"), json!({}), ["datasource_entry.delete", "datasource_entry", "hi"]),
        ("DELETE", "/datasources/labels".into(), json!({}), ["datasource.delete", "datasource", "Texts"]),
    ] {
        let reply = fixture.editor().json(method, &path, body).await;
        assert!(reply.status < 300, "{method} {path}: {}", reply.text);
        entries += 1;
        assert_eq!(fixture.audit_count().await, entries, "{method} {path}");
        assert_eq!(fixture.newest_entry().await, told);
        let moved = fixture.cv().await;
        assert!(moved > version, "{method} {path}: readers see it");
        version = moved;
    }
}
