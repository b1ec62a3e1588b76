//! `cached_url` of links to stories. The client that saves a story writes it into the content, and it is
//! wrong once the linked story, or a folder above it, is renamed or moved. So readers get the path that the
//! story has now.

mod current;

pub use current::is_current;

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
    use super::{is_current, refresh};
    use proptest::prelude::*;
    use serde_json::{Value, json};
    use std::collections::BTreeMap;
    use uuid::Uuid;

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

    /// Contents with links to three stories, some of them with the path `new`, and with what is nearly a
    /// link.
    fn contents() -> impl Strategy<Value = Value> {
        let scalar = prop_oneof![
            Just(json!(null)),
            Just(json!(true)),
            any::<i64>().prop_map(Value::from),
            Just(json!(1.5)),
            prop_oneof![Just("multilink"), Just("story"), Just("a \"quoted\" text"), Just("new"), Just("")].prop_map(Value::from),
        ];
        let link = (0_u128..3, prop_oneof![Just("new"), Just("old"), Just("n\u{e9}w/path")], any::<bool>()).prop_map(
            |(story, url, is_link)| {
                let linktype = if is_link { "story" } else { "url" };
                json!({ "id": Uuid::from_u128(story), "fieldtype": "multilink", "linktype": linktype, "cached_url": url })
            },
        );
        prop_oneof![scalar, link].prop_recursive(4, 24, 4, |inner| {
            let key = prop_oneof![Just("id"), Just("fieldtype"), Just("linktype"), Just("cached_url"), Just("body")];
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::btree_map(key, inner, 0..5).prop_map(|members| json!(members)),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_content_is_current_exactly_when_a_refresh_changes_nothing(content in contents()) {
            let paths = BTreeMap::from([(Uuid::from_u128(0), "new"), (Uuid::from_u128(1), "n\u{e9}w/path")]);
            let mut refreshed = content.clone();
            refresh(&mut refreshed, &paths);
            prop_assert_eq!(is_current(&content.to_string(), &paths), refreshed == content);
        }
    }
}
