//! `cached_url` of links to stories. The client that saves a story writes it into the content, and it is wrong once the linked story, or a folder above it, is renamed or moved.
//! So readers get the path that the story has now.

use serde_json::{Map, Value};
use std::collections::BTreeMap;
use uuid::Uuid;

/// Sets `cached_url` of the links to these stories, in the whole tree. Links to others keep theirs.
pub fn refresh(content: &mut Value, paths: &BTreeMap<Uuid, &str>) {
    match content {
        Value::Array(items) => items.iter_mut().for_each(|item| refresh(item, paths)),
        Value::Object(object) => {
            if let Some(path) = target(object).and_then(|uuid| paths.get(&uuid)) {
                object.insert("cached_url".to_owned(), Value::from(*path));
            }
            object.values_mut().for_each(|value| refresh(value, paths));
        }
        _ => {}
    }
}

/// The story to which a multilink leads.
fn target(object: &Map<String, Value>) -> Option<Uuid> {
    let text = |key: &str| object.get(key).and_then(Value::as_str);
    let is_link = text("fieldtype") == Some("multilink") && text("linktype") == Some("story");
    text("id").filter(|_| is_link)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::refresh;
    use serde_json::json;
    use std::collections::BTreeMap;

    #[test]
    fn links_to_known_stories_get_their_paths_and_others_keep_theirs() {
        let (known, other) = ("00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b");
        let link = |id: &str, url: &str| json!({ "fieldtype": "multilink", "linktype": "story", "id": id, "cached_url": url });
        let mut content = json!({
            "cta": link(known, "old"), "rest": [{ "deep": link(known, "") }, link(other, "kept")],
            "out": { "fieldtype": "multilink", "linktype": "url", "id": known, "cached_url": "https://example.org" },
        });
        refresh(&mut content, &BTreeMap::from([(known.parse().unwrap(), "new/path")]));
        assert_eq!(content["cta"], link(known, "new/path"));
        assert_eq!(content["rest"], json!([{ "deep": link(known, "new/path") }, link(other, "kept")]));
        assert_eq!(content["out"]["cached_url"], "https://example.org");
    }
}
