//! Stories and folders through the Management API, and what the Delivery API makes of them.

mod access;
mod autosaves;
mod bodies;
mod delivery;
mod finding;
mod folder_publishing;
mod folder_types;
mod history;
mod languages;
mod links;
mod list;
mod list_parameters;
mod parallel;
mod parameters;
mod place;
mod previews;
mod publishing;
mod publishing_languages;
mod reach;
mod revisions;
mod round_trips;
mod translations;
mod trash;
mod unset_parameters;
mod warnings;

use support::prelude::*;

/// A story of the component `page`; `more` adds to it or overrides.
fn page(name: &str, slug: &str, more: Value) -> Value {
    let mut story = json!({ "name": name, "slug": slug, "content": { "component": "page", "title": name } });
    story.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    story
}

fn id(story: &Value) -> i64 {
    story["id"].as_i64().unwrap()
}

/// A member of each story of a list.
fn each<'a>(body: &'a Value, member: &str) -> Vec<&'a str> {
    body["stories"].as_array().unwrap().iter().map(|story| story[member].as_str().unwrap()).collect()
}
