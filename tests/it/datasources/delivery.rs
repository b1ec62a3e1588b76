//! Datasources and entries as readers see them.

use super::{cdn, datasource, each, entry};
use support::prelude::*;

#[tokio::test]
async fn entries_are_read_in_each_dimension() {
    let fixture = SpaceFixture::new().await;
    let labels = datasource(&fixture, "labels", &["de", "pt-br"]).await;
    let colors = datasource(&fixture, "colors", &["de"]).await;
    let cancel = entry(&fixture, &labels, "cancel").await;
    let save = entry(&fixture, &labels, "save").await;
    let red = entry(&fixture, &colors, "red").await;
    for (entry, source, place, value) in [(cancel, &labels, 0, "Abbrechen"), (save, &labels, 1, "Salvar"), (red, &colors, 0, "Rot")]
    {
        let path = format!("/datasource_entries/{entry}?dimension_id={}", source["dimensions"][place]["id"]);
        let body = json!({ "datasource_entry": { "dimension_value": value } });
        assert_eq!(fixture.editor().put(&path, body).await.status, 204);
    }
    let body = cdn(&fixture, "datasource_entries?datasource=labels&dimension=de").await.expect(200);
    let expected = json!({
        "datasource_entries": [
            { "id": cancel, "name": "cancel", "value": "CANCEL", "dimension_value": "Abbrechen" },
            { "id": save, "name": "save", "value": "SAVE", "dimension_value": null },
        ],
        "cv": fixture.cv().await,
    });
    assert_eq!(body, expected);
    for (query, values) in [
        (String::new(), json!([null, null, null])),
        ("dimension=de".into(), json!(["Abbrechen", null, "Rot"])),
        ("datasource=labels".into(), json!([null, null])),
        ("datasource=labels&dimension=".into(), json!([null, null])),
        ("datasource=labels&dimension=pt-br".into(), json!([null, "Salvar"])),
        ("datasource=labels&dimension=PT-BR".into(), json!([null, null])),
        (format!("datasource=labels&dimension={}", labels["dimensions"][0]["id"]), json!([null, null])),
        (format!("datasource={}&dimension=de", colors["id"]), json!(["Rot"])),
        ("datasource=nothing".into(), json!([])),
        ("datasource=999999".into(), json!([])),
    ] {
        let reply = cdn(&fixture, &format!("datasource_entries?{query}")).await;
        let total = reply.header("total").to_owned();
        let body = reply.expect(200);
        let found: Value = each(&body, "datasource_entries", "dimension_value").into_iter().cloned().collect();
        assert_eq!((total, &found), (values.as_array().unwrap().len().to_string(), &values), "{query}");
    }
    assert_eq!(cdn(&fixture, "datasource_entries?version=draft").await.status, 401);
    let draft = format!("/api/v2/cdn/datasource_entries?version=draft&token={}", fixture.preview);
    assert_eq!(fixture.get(Caller::Anonymous, &draft).await.expect(200)["datasource_entries"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn datasources_are_listed_and_found() {
    let fixture = SpaceFixture::new().await;
    let labels = datasource(&fixture, "labels", &["de"]).await;
    let colors = datasource(&fixture, "colors", &[]).await;
    let version = fixture.cv().await;
    assert_eq!(cdn(&fixture, "datasources").await.expect(200), json!({ "datasources": [labels, colors], "cv": version }));
    for (query, slugs) in [
        ("search=COL".to_owned(), vec!["colors"]),
        (format!("by_ids={}", labels["id"]), vec!["labels"]),
        ("per_page=1&page=2".into(), vec!["colors"]),
        ("page=3".into(), vec![]),
    ] {
        let body = cdn(&fixture, &format!("datasources?{query}")).await.expect(200);
        assert_eq!(each(&body, "datasources", "slug"), slugs, "{query}");
    }
    for which in ["labels".to_owned(), labels["id"].to_string()] {
        let body = cdn(&fixture, &format!("datasources/{which}")).await.expect(200);
        assert_eq!(body, json!({ "datasource": labels, "cv": version }));
    }
    for missing in ["nothing", "999999"] {
        let body = cdn(&fixture, &format!("datasources/{missing}")).await.expect(404);
        assert_eq!(body, json!({ "error": "This record could not be found" }));
    }
}

#[tokio::test]
async fn pages_are_headed_clamped_and_checked() {
    let fixture = SpaceFixture::new().await;
    let labels = datasource(&fixture, "labels", &[]).await;
    for name in ["a", "b", "c"] {
        entry(&fixture, &labels, name).await;
    }
    let page = cdn(&fixture, "datasource_entries?datasource=labels&per_page=2&page=2").await;
    assert_eq!((page.header("total"), page.header("per-page")), ("3", "2"));
    assert_eq!(each(&page.expect(200), "datasource_entries", "name"), ["c"]);
    for (path, per_page) in [
        ("datasource_entries", "25"),
        ("datasource_entries?per_page=1000", "1000"),
        ("datasource_entries?per_page=1001", "1000"),
        ("datasources", "25"),
        ("datasources?per_page=9999", "1000"),
    ] {
        let reply = cdn(&fixture, path).await;
        assert_eq!((reply.status, reply.header("per-page")), (200, per_page), "{path}");
        assert_eq!(reply.header("access-control-allow-origin"), "*", "{path}");
    }
    for path in ["datasource_entries", "datasources", "datasources/labels", "tags"] {
        let refused = cdn(&fixture, &format!("{path}?nope=1")).await.expect(422);
        assert_eq!(refused, json!({ "error": "Parameter(s) nope not allowed" }), "{path}");
        assert_eq!(fixture.get(Caller::Anonymous, &format!("/api/v2/cdn/{path}?token=sbpub_no")).await.status, 401);
        assert_eq!(cdn(&fixture, &format!("{path}?version=newest")).await.status, 422);
    }
    for bad in ["datasource_entries?page=0", "datasource_entries?per_page=x", "datasources?paginated=maybe&page=x"] {
        assert_eq!(cdn(&fixture, bad).await.status, 422, "{bad}");
    }
    assert_eq!(cdn(&fixture, "datasource_entries?datasource=%ff").await.status, 400);
    assert_eq!(cdn(&fixture, "datasource_entries?dimension=a%00").await.status, 400);
}

#[tokio::test]
async fn a_write_is_read_at_once_under_a_new_version() {
    let fixture = SpaceFixture::new().await;
    let labels = datasource(&fixture, "labels", &[]).await;
    let before = fixture.cv().await;
    let path = format!("datasource_entries?datasource=labels&cv={before}");
    let first = cdn(&fixture, &path).await;
    assert_eq!(first.header("cache-control"), "public, max-age=0, s-maxage=604800");
    let tag = first.header("etag").to_owned();
    let url = fixture.url(&format!("/api/v2/cdn/{path}&token={}", fixture.public));
    let ask = async || fixture.app.client.get(&url).header("if-none-match", &tag).send().await.unwrap();
    let known = ask().await;
    assert_eq!((known.status().as_u16(), known.headers()["total"].to_str().unwrap()), (304, "0"));

    entry(&fixture, &labels, "new").await;
    let after = ask().await;
    assert_eq!(
        (after.status().as_u16(), after.headers()["cache-control"].to_str().unwrap()),
        (200, "public, max-age=0, s-maxage=2")
    );
    let body: Value = after.json().await.unwrap();
    assert_eq!(each(&body, "datasource_entries", "name"), ["new"]);
    assert_eq!(body["cv"], fixture.cv().await);
    assert!(body["cv"].as_i64().unwrap() > before);
}
