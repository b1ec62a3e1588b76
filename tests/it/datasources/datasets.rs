//! Whole datasources, written as a migration script would and read back in every dimension.

use super::cdn;
use support::{
    prelude::*,
    spaces::{definitions, example_space},
};

fn list(folder: &Path, name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
    serde_json::from_value(serde_json::from_str::<Value>(&text).unwrap()[name].take()).unwrap()
}

/// Every entry of a datasource in a dimension, page by page: name, value, value in the dimension.
async fn read(fixture: &SpaceFixture, slug: &str, dimension: &str) -> Vec<[Value; 3]> {
    let mut all = Vec::new();
    loop {
        let page = all.len() / 100 + 1;
        let path = format!("datasource_entries?datasource={slug}&dimension={dimension}&per_page=100&page={page}");
        let reply = cdn(fixture, &path).await;
        let total: usize = reply.header("total").parse().unwrap();
        let body = reply.expect(200);
        let entries = body["datasource_entries"].as_array().unwrap();
        all.extend(entries.iter().map(|entry| ["name", "value", "dimension_value"].map(|member| entry[member].clone())));
        if entries.is_empty() || all.len() >= total {
            assert_eq!(all.len(), total);
            return all;
        }
    }
}

async fn round_trip(folder: &Path) -> (usize, usize) {
    let fixture = SpaceFixture::new().await;
    let (sources, entries) = (list(folder, "datasources"), list(folder, "datasource_entries"));
    let mut made = BTreeMap::new();
    for source in &sources {
        let mut attributes = source.clone();
        attributes["dimensions_attributes"] = source["dimensions"].clone();
        let written =
            fixture.editor().post("/datasources", json!({ "datasource": attributes })).await.expect(201)["datasource"].clone();
        assert_eq!((&written["name"], &written["slug"]), (&source["name"], &source["slug"]));
        made.insert(source["id"].as_i64().unwrap(), written);
    }
    for entry in &entries {
        let source = &made[&entry["datasource_id"].as_i64().unwrap()];
        let mut attributes = entry.clone();
        attributes["datasource_id"] = source["id"].clone();
        let written = fixture.editor().post("/datasource_entries", json!({ "datasource_entry": attributes })).await.expect(201);
        for dimension in source["dimensions"].as_array().unwrap() {
            let Some(value) = entry["dimension_values"].get(dimension["entry_value"].as_str().unwrap()) else { continue };
            let path = format!("/datasource_entries/{}?dimension_id={}", written["datasource_entry"]["id"], dimension["id"]);
            let body = json!({ "datasource_entry": { "name": entry["name"], "value": entry["value"], "dimension_value": value } });
            assert_eq!(fixture.editor().put(&path, body).await.status, 204);
        }
    }

    let listed = cdn(&fixture, "datasources?per_page=1000").await.expect(200);
    assert_eq!(listed["datasources"].as_array().unwrap().len(), sources.len());
    for source in &sources {
        let slug = source["slug"].as_str().unwrap();
        let codes = source["dimensions"].as_array().unwrap().iter().map(|s| s["entry_value"].as_str().unwrap());
        for code in codes.chain([""]) {
            let expected: Vec<_> = entries
                .iter()
                .filter(|entry| entry["datasource_id"] == source["id"])
                .map(|entry| {
                    [
                        entry["name"].clone(),
                        entry["value"].clone(),
                        entry["dimension_values"].get(code).cloned().unwrap_or(Value::Null),
                    ]
                })
                .collect();
            assert_eq!(read(&fixture, slug, code).await, expected, "{slug} {code}");
        }
    }
    (sources.len(), entries.len())
}

#[tokio::test]
async fn datasources_come_back_as_they_were_in_every_dimension() {
    assert_eq!(round_trip(&definitions()).await, (3, 107));
}

#[tokio::test]
#[ignore = "reads the example spaces beside the repository: make shared-tests"]
async fn the_datasources_of_field_types_come_back_as_they_were() {
    assert_eq!(round_trip(&example_space("field-types")).await, (52, 501));
}

#[tokio::test]
#[ignore = "reads the example spaces beside the repository: make shared-tests"]
async fn the_countries_of_studies_abroad_come_back_in_every_language() {
    assert_eq!(round_trip(&example_space("studies-abroad")).await, (1, 295));
}
