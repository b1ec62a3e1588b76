//! The management API, below `/v1/spaces/{id}`.

use crate::{answer::Answer, query::Query, space::Space};
use bytes::Bytes;
use serde_json::{Value, json};

/// Handles a request; `path` is below the space, without a trailing slash.
pub(crate) fn answer(space: &Space, path: &str, query: &Query) -> Answer {
    let parts: Vec<_> = path.split('/').filter(|part| !part.is_empty()).collect();
    let known: &[&str] = match parts.as_slice() {
        ["stories"] => &["page", "per_page", "with_translated_stories"],
        ["story_versions"] => &["page", "per_page", "by_story_id", "show_content"],
        ["datasource_entries"] => &["page", "per_page", "datasource_id", "dimension"],
        ["datasources" | "assets" | "internal_tags" | "story_schedulings"] => &["page", "per_page"],
        _ => &[],
    };
    if let Some(unknown) = query.unknown(known) {
        // Storyblok responds to some of these with 404; here a test should notice its mistake.
        return Answer::refused(&format!("the stand-in does not know {unknown} at {path}"));
    }
    let (page, per_page) = (query.number("page", 1, usize::MAX), query.number("per_page", 25, 100));
    match parts.as_slice() {
        [] => Answer::object("space", &bytes(&space.about)),
        ["components"] => {
            let groups =
                space.lists["component_groups"].iter().map(|list| String::from_utf8_lossy(list)).collect::<Vec<_>>().join(",");
            Answer::list("components", &space.lists["components"]).before(format!("\"component_groups\":[{groups}],"))
        }
        ["component_groups"] => whole(space, "component_groups"),
        ["presets"] => whole(space, "presets"),
        ["asset_folders"] => whole(space, "asset_folders"),
        ["api_keys"] => whole(space, "api_keys"),
        ["internal_tags"] => Answer::page("internal_tags", &space.lists["internal_tags"], page, per_page),
        ["assets"] => Answer::page("assets", &space.lists["assets"], page, per_page),
        ["datasources"] => Answer::page("datasources", &space.datasources.iter().map(bytes).collect::<Vec<_>>(), page, per_page),
        ["datasource_entries"] => {
            Answer::page("datasource_entries", &entries(space, query), page, query.number("per_page", 25, 1000))
        }
        ["stories"] => Answer::page("stories", &space.heads, page, per_page),
        ["story_schedulings"] => Answer::page("story_schedulings", &schedulings(space), page, per_page),
        ["stories", id] => match id.parse().ok().and_then(|id: i64| space.by_id.get(&id)) {
            Some(at) => Answer::object("story", &space.details[*at]),
            None => Answer::missing(),
        },
        ["story_versions"] => match versions(space, query) {
            Some(versions) => Answer::page("story_versions", &versions, page, per_page),
            None => Answer::missing(),
        },
        _ => Answer::missing(),
    }
}

fn whole(space: &Space, name: &'static str) -> Answer {
    Answer::list(name, &space.lists[name])
}

fn bytes(value: &Value) -> Bytes {
    value.to_string().into()
}

/// The entries of a datasource, with the values of a dimension if the request has its id.
fn entries(space: &Space, query: &Query) -> Vec<Bytes> {
    let number = |name: &str| query.get(name).and_then(|query| query.parse::<i64>().ok());
    let datasource = number("datasource_id");
    let dimensions = space.datasources.iter().filter_map(|datasource| datasource["dimensions"].as_array()).flatten();
    let asked = number("dimension");
    let code = dimensions
        .filter(|dimension| asked.is_some() && dimension["id"].as_i64() == asked)
        .find_map(|dimension| dimension["entry_value"].as_str());
    let entries = space.entries.iter().filter(|entry| datasource.is_none() || entry["datasource_id"].as_i64() == datasource);
    entries
        .map(|entry| {
            let value = code.map_or(&Value::Null, |code| &entry["dimension_values"][code]);
            bytes(&json!({ "id": entry["id"], "name": entry["name"], "value": entry["value"], "dimension_value": value }))
        })
        .collect()
}

/// The schedulings of all stories, from their `_schedulings`.
fn schedulings(space: &Space) -> Vec<Bytes> {
    let of = |story: &crate::space::Story| -> Vec<Bytes> {
        let planned = story.source.get("_schedulings").and_then(Value::as_array).into_iter().flatten();
        planned
            .zip(story.id * 10..)
            .map(|(planned, id)| {
                let mut line = json!({ "id": id, "story_id": story.id, "language": "" });
                line.as_object_mut().unwrap().extend(planned.as_object().unwrap().clone());
                bytes(&line)
            })
            .collect()
    };
    space.stories.iter().flat_map(of).collect()
}

/// The versions of a story, newest first: the draft, and the published version before it.
fn versions(space: &Space, query: &Query) -> Option<Vec<Bytes>> {
    let story = &space.stories[*space.by_id.get(&query.get("by_story_id")?.parse::<i64>().ok()?)?];
    let shows = matches!(query.get("show_content"), Some("1" | "true"));
    let version = |number: i64, status: &str, is_published: bool| {
        let content = story.member("content", is_published).filter(|_| shows).cloned();
        bytes(&json!({
            "id": story.id * 10 + number, "created_at": story.source["updated_at"], "user_id": null, "story_id": story.id,
            "status": status, "release_id": null, "content": content,
        }))
    };
    let is_published = story.is("published");
    let is_changed = story.is("unpublished_changes") || !is_published;
    let draft = is_changed.then(|| version(2, "draft", false));
    let published = is_published.then(|| version(1, "published", true));
    Some(draft.into_iter().chain(published).collect())
}
