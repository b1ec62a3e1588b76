//! Datasources, their entries and dimensions, and what readers see of them; tags and single links.

mod access;
mod bodies;
mod datasets;
mod delivery;
mod entries;
mod parallel;
mod sources;
mod tags_and_links;

use crate::support::desk::{Caller, Desk, Reply};
use serde_json::{Value, json};

/// A write as editor.
async fn send(desk: &Desk, method: &str, below: &str, body: Value) -> Reply {
    desk.json(Caller::Token(&desk.editor), method, &desk.path(below), body).await
}

/// A management list or resource as viewer.
async fn look(desk: &Desk, below: &str) -> Reply {
    desk.get(Caller::Token(&desk.viewer), &desk.path(below)).await
}

/// The Delivery API with the public token; `path` may hold a query.
async fn cdn(desk: &Desk, path: &str) -> Reply {
    let joint = if path.contains('?') { '&' } else { '?' };
    desk.get(Caller::Nobody, &format!("/api/v2/cdn/{path}{joint}token={}", desk.public)).await
}

async fn cv(desk: &Desk) -> i64 {
    cdn(desk, "spaces/me").await.expect(200)["space"]["version"].as_i64().unwrap()
}

/// A datasource whose dimensions have these codes.
async fn datasource(desk: &Desk, slug: &str, codes: &[&str]) -> Value {
    let dimensions: Vec<Value> = codes.iter().map(|code| json!({ "name": code.to_uppercase(), "entry_value": code })).collect();
    let body = json!({ "datasource": { "name": slug, "slug": slug, "dimensions_attributes": dimensions } });
    send(desk, "POST", "/datasources", body).await.expect(201)["datasource"].clone()
}

/// An entry whose value is its name in capitals.
async fn entry(desk: &Desk, datasource: &Value, name: &str) -> i64 {
    let body = json!({ "datasource_entry": { "name": name, "value": name.to_uppercase(), "datasource_id": datasource["id"] } });
    send(desk, "POST", "/datasource_entries", body).await.expect(201)["datasource_entry"]["id"].as_i64().unwrap()
}

/// A member of each thing in a list.
fn each<'a>(body: &'a Value, list: &str, member: &str) -> Vec<&'a Value> {
    body[list].as_array().unwrap().iter().map(|b| &b[member]).collect()
}
