//! Entries through the Management API.

use super::{datasource, each, entry};
use support::prelude::*;

#[tokio::test]
async fn an_entry_is_written_read_changed_and_deleted() {
    let fixture = SpaceFixture::new().await;
    let source = datasource(&fixture, "labels", &[]).await;
    let body = json!({ "datasource_entry": { "name": "cancel", "value": "Abbrechen", "datasource_id": source["id"] } });
    let made = fixture.editor().post("/datasource_entries", body).await.expect(201)["datasource_entry"].clone();
    let expected = json!({
        "id": made["id"], "name": "cancel", "value": "Abbrechen", "dimension_value": null, "datasource_id": source["id"], "position": 1,
    });
    assert_eq!(made, expected);
    let path = format!("/datasource_entries/{}", made["id"]);
    assert_eq!(fixture.viewer().get(&path).await.expect(200)["datasource_entry"], made);

    for (method, change, name, value, position) in [
        ("PUT", json!({ "value": "Stopp" }), "cancel", "Stopp", 1),
        ("PATCH", json!({ "name": " stop ", "position": -7 }), " stop ", "Stopp", -7),
        ("PUT", json!({ "id": 1, "datasource_id": 0, "value": "", "dimension_value": null }), " stop ", "", -7),
    ] {
        let reply = fixture.editor().json(method, &path, json!({ "datasource_entry": change })).await;
        assert_eq!((reply.status, reply.text.as_str()), (204, ""), "{change}");
        let now = fixture.viewer().get(&path).await.expect(200)["datasource_entry"].clone();
        assert_eq!((&now["name"], &now["value"], &now["position"]), (&json!(name), &json!(value), &json!(position)));
        assert_eq!(now["datasource_id"], source["id"], "an entry stays where it is");
    }

    let reply = fixture.editor().json("DELETE", &path, json!({})).await;
    assert_eq!((reply.status, reply.text.as_str()), (204, ""));
    for method in ["PUT", "DELETE"] {
        fixture.editor().json(method, &path, json!({ "datasource_entry": { "value": "x" } })).await.expect(404);
    }
}

#[tokio::test]
async fn entries_stand_by_position_and_new_ones_behind_the_others() {
    let fixture = SpaceFixture::new().await;
    let source = datasource(&fixture, "labels", &[]).await;
    for (name, position) in [("c", json!(3)), ("a", json!(-1)), ("d", json!(3)), ("z", Value::Null), ("b", json!(0))] {
        let body = json!({ "datasource_entry": { "name": name, "datasource_id": source["id"], "position": position } });
        fixture.editor().post("/datasource_entries", body).await.expect(201);
    }
    let listed = fixture.viewer().get("/datasource_entries?datasource_slug=labels").await.expect(200);
    assert_eq!(each(&listed, "datasource_entries", "name"), ["a", "b", "c", "d", "z"]);
    let read = super::cdn(&fixture, "datasource_entries?datasource=labels").await.expect(200);
    assert_eq!(each(&read, "datasource_entries", "name"), ["a", "b", "c", "d", "z"]);

    let last = json!({ "datasource_entry": { "name": "last", "datasource_id": source["id"], "position": i32::MAX } });
    fixture.editor().post("/datasource_entries", last).await.expect(201);
    entry(&fixture, &source, "behind the end of numbers").await;
}

#[tokio::test]
async fn the_list_is_narrowed_searched_and_paged() {
    let fixture = SpaceFixture::new().await;
    let first = datasource(&fixture, "first", &["de"]).await;
    let second = datasource(&fixture, "second", &["de"]).await;
    let red = entry(&fixture, &first, "red").await;
    entry(&fixture, &second, "blue").await;
    entry(&fixture, &first, "dark_red").await;
    let de = &first["dimensions"][0]["id"];
    let value = json!({ "datasource_entry": { "dimension_value": "rot" } });
    assert_eq!(fixture.editor().put(&format!("/datasource_entries/{red}?dimension_id={de}"), value).await.status, 204);
    for (query, names) in [
        (String::new(), "red dark_red blue"),
        ("datasource_slug=first".into(), "red dark_red"),
        (format!("datasource_id={}", second["id"]), "blue"),
        (format!("datasource_id={}&datasource_slug=first", second["id"]), ""),
        ("datasource_id=999999".into(), ""),
        ("datasource_slug=nothing".into(), ""),
        ("search=RED".into(), "red dark_red"),
        ("search=k_r".into(), "dark_red"),
        ("search=%25".into(), ""),
        ("per_page=1&page=2".into(), "dark_red"),
    ] {
        let body = fixture.viewer().get(&format!("/datasource_entries?{query}")).await.expect(200);
        let found: Vec<_> = each(&body, "datasource_entries", "name").into_iter().map(|e| e.as_str().unwrap()).collect();
        assert_eq!(found.join(" "), names, "{query}");
    }
    let values = async |query: &str| {
        let body = fixture.viewer().get(&format!("/datasource_entries?datasource_slug=first{query}")).await.expect(200);
        each(&body, "datasource_entries", "dimension_value").into_iter().cloned().collect::<Vec<_>>()
    };
    assert_eq!(values("").await, [Value::Null, Value::Null]);
    assert_eq!(values(&format!("&dimension={de}")).await, [json!("rot"), Value::Null]);
    assert_eq!(values(&format!("&dimension={}", second["dimensions"][0]["id"])).await, [Value::Null, Value::Null]);

    let page = fixture.viewer().get("/datasource_entries?per_page=2").await;
    assert_eq!((page.header("total"), page.header("per-page")), ("3", "2"));
    assert_eq!(fixture.viewer().get("/datasource_entries?per_page=5000").await.header("per-page"), "1000");
    for bad in ["datasource_id=x", "dimension=de", "per_page=0", "as_csv=maybe"] {
        fixture.viewer().get(&format!("/datasource_entries?{bad}")).await.expect(422);
    }
}

#[tokio::test]
async fn a_dimensions_value_is_written_replaced_and_taken_away() {
    let fixture = SpaceFixture::new().await;
    let source = datasource(&fixture, "labels", &["de", "fr"]).await;
    let (de, fr) = (&source["dimensions"][0]["id"], &source["dimensions"][1]["id"]);
    let new = json!({ "datasource_entry": { "name": "hello", "value": "Hello", "datasource_id": source["id"], "dimension_value": "Hallo" } });
    let plain =
        json!({ "datasource_entry": { "name": "bye", "value": "Bye", "datasource_id": source["id"], "dimension_value": "" } });
    let bye = fixture.editor().post("/datasource_entries", plain).await.expect(201)["datasource_entry"]["id"].clone();
    assert_eq!(fixture.editor().delete(&format!("/datasource_entries/{bye}")).await.status, 204);
    let made =
        fixture.editor().post(&format!("/datasource_entries?dimension_id={de}"), new).await.expect(201)["datasource_entry"].clone();
    assert_eq!(made["dimension_value"], "Hallo");
    let path = format!("/datasource_entries/{}", made["id"]);
    let shown = async |dimension: &Value| {
        let body = fixture.viewer().get(&format!("/datasource_entries?dimension={dimension}")).await.expect(200);
        let entry = &body["datasource_entries"][0];
        assert_eq!(entry["value"], "Hello", "the default value stays what it is");
        entry["dimension_value"].clone()
    };
    let write = async |dimension: &Value, value: Value| {
        let body = json!({ "datasource_entry": { "name": "hello", "value": "Hello", "dimension_value": value } });
        assert_eq!(fixture.editor().put(&format!("{path}?dimension_id={dimension}"), body).await.status, 204);
    };
    assert_eq!((shown(de).await, shown(fr).await), (json!("Hallo"), Value::Null));
    write(fr, json!("Salut")).await;
    write(de, json!("Servus")).await;
    assert_eq!((shown(de).await, shown(fr).await), (json!("Servus"), json!("Salut")));
    write(de, json!("")).await;
    write(fr, Value::Null).await;
    write(fr, Value::Null).await;
    assert_eq!((shown(de).await, shown(fr).await), (json!(""), Value::Null));
}
