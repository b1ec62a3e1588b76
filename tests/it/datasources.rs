//! Datasources, their entries and dimensions, and what readers see of them; tags and single links.

mod access;
mod bodies;
mod datasets;
mod delivery;
mod entries;
mod parallel;
mod sources;
mod tags_and_links;

use support::prelude::*;

/// The Delivery API with the public token; `path` may hold a query.
async fn cdn(fixture: &SpaceFixture, path: &str) -> Response {
    let joint = if path.contains('?') { '&' } else { '?' };
    fixture.get(Caller::Anonymous, &format!("/api/v2/cdn/{path}{joint}token={}", fixture.public)).await
}

/// A datasource whose dimensions have these codes.
async fn datasource(fixture: &SpaceFixture, slug: &str, codes: &[&str]) -> Value {
    let dimensions: Vec<Value> = codes.iter().map(|code| json!({ "name": code.to_uppercase(), "entry_value": code })).collect();
    let body = json!({ "datasource": { "name": slug, "slug": slug, "dimensions_attributes": dimensions } });
    fixture.editor().post("/datasources", body).await.expect(201)["datasource"].clone()
}

/// An entry whose value is its name in capitals.
async fn entry(fixture: &SpaceFixture, datasource: &Value, name: &str) -> i64 {
    let body = json!({ "datasource_entry": { "name": name, "value": name.to_uppercase(), "datasource_id": datasource["id"] } });
    fixture.editor().post("/datasource_entries", body).await.expect(201)["datasource_entry"]["id"].as_i64().unwrap()
}

/// One member of each item of a list.
fn each<'a>(body: &'a Value, list: &str, member: &str) -> Vec<&'a Value> {
    body[list].as_array().unwrap().iter().map(|b| &b[member]).collect()
}
