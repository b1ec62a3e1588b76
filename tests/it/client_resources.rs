//! What Storyblok's management client and command line ask for beside content: people, tags, the history of
//! components, bulk changes of assets, activities.

mod activities;
mod bulk_assets;
mod components;
mod internal_tags;
mod parameters;
mod people;
mod tags;
mod unused_features;
mod webhook_endpoints;

use support::prelude::*;

/// A story of the component `page`, published when asked for.
async fn story(fixture: &SpaceFixture, slug: &str, more: Value, publish: bool) -> Value {
    let mut story = json!({ "name": slug, "slug": slug, "content": { "component": "page" } });
    story.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let body = json!({ "story": story, "publish": i32::from(publish) });
    fixture.editor().post("/stories", body).await.expect(201)["story"].clone()
}

/// A member of each item of a list.
fn each(items: &Value, member: &str) -> Vec<Value> {
    items.as_array().unwrap().iter().map(|item| item[member].clone()).collect()
}
