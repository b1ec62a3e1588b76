//! Blocks: the objects of a content tree that carry a `component`.
//!
//! Every block has a `_uid`, by which Storyblok's clients find and inline blocks; a block without one gets
//! one. Blocks are in arrays, in the `body` of richtext `blok` nodes and in table cells, so the whole tree is
//! walked.

use crate::shared::{Entropy, Fault, FieldCode, SpaceId, StoryId};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Checks a story's content and gives every block a `_uid`. A tree in which nothing is missing, as an editor
/// sends it every few seconds, stays the one that it is.
///
/// 422 on `content` unless it is an object whose `component` is a name. Empty or absent content becomes a
/// bare block of `default_root`, the content type that the folder prescribes.
pub fn complete(content: Option<Arc<Value>>, default_root: Option<&str>, entropy: &dyn Entropy) -> Result<Arc<Value>, Fault> {
    let content = match content {
        Some(content) if content.is_object() => content,
        Some(content) if !content.is_null() => {
            return Err(Fault::invalid("content", FieldCode::Invalid, "must be an object"));
        }
        _ => Arc::new(Value::Object(Map::new())),
    };
    let content = match default_root {
        Some(component) if content.as_object().is_some_and(Map::is_empty) => Arc::new(json!({ "component": component })),
        _ => content,
    };
    if content.as_object().and_then(component).is_none() {
        return Err(Fault::invalid("content", FieldCode::Blank, "must name its component"));
    }
    if is_complete(&content) {
        return Ok(content);
    }
    let mut content = Arc::unwrap_or_clone(content);
    complete_blocks(&mut content, entropy);
    Ok(Arc::new(content))
}

/// The same for content that another system holds: it may also be empty, or name no component.
pub fn complete_foreign(content: Option<Value>, entropy: &dyn Entropy) -> Result<Value, Fault> {
    match content {
        None | Some(Value::Null) => Ok(Value::Object(Map::new())),
        Some(mut content @ Value::Object(_)) => {
            complete_blocks(&mut content, entropy);
            Ok(content)
        }
        Some(_) => Err(Fault::invalid("content", FieldCode::Invalid, "must be an object")),
    }
}

/// Gives every block a `_uid`, and takes the mark of the visual editor from it, which comes with content that
/// was read from the Delivery API.
fn complete_blocks(content: &mut Value, entropy: &dyn Entropy) {
    for_each_block(content, &mut |block| {
        block.shift_remove("_editable");
        if !has_uid(block) {
            block.insert("_uid".into(), entropy.uuid().to_string().into());
        }
    });
}

/// Whether [`complete_blocks`] would change nothing.
fn is_complete(node: &Value) -> bool {
    match node {
        Value::Array(items) => items.iter().all(is_complete),
        Value::Object(object) => {
            (component(object).is_none() || has_uid(object) && !object.contains_key("_editable"))
                && object.values().all(is_complete)
        }
        _ => true,
    }
}

fn has_uid(block: &Map<String, Value>) -> bool {
    matches!(block.get("_uid"), Some(Value::String(uid)) if !uid.is_empty())
}

/// A tree whose blocks have no `_uid`: a copy of it is completed with new ones.
pub fn without_uids(mut content: Value) -> Value {
    for_each_block(&mut content, &mut |block| {
        block.shift_remove("_uid");
    });
    if let Value::Object(root) = &mut content {
        root.shift_remove("_uid");
    }
    content
}

/// The name of a block's component.
pub fn component(block: &Map<String, Value>) -> Option<&str> {
    block.get("component")?.as_str().filter(|name| !name.trim().is_empty())
}

/// Adds `_editable` to every block of a draft: the HTML comment by which Storyblok's visual editor finds the
/// block.
pub fn mark_editable(content: &mut Value, space: SpaceId, story: StoryId) {
    for_each_block(content, &mut |block| {
        let mark = json!({
            "name": component(block).unwrap_or_default(),
            "space": space.to_string(),
            "uid": block.get("_uid").and_then(Value::as_str).unwrap_or_default(),
            "id": story.to_string(),
        });
        block.insert("_editable".into(), format!("<!--#storyblok#{mark}-->").into());
    });
}

fn for_each_block(node: &mut Value, act: &mut impl FnMut(&mut Map<String, Value>)) {
    match node {
        Value::Array(items) => items.iter_mut().for_each(|item| for_each_block(item, act)),
        Value::Object(object) => {
            if component(object).is_some() {
                act(object);
            }
            object.values_mut().for_each(|value| for_each_block(value, act));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{complete, complete_foreign, mark_editable};
    use crate::shared::{Entropy, SpaceId, StoryId};
    use serde_json::{Value, json};
    use std::sync::Arc;

    struct Zeros;
    impl Entropy for Zeros {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(0);
        }
    }
    const ZERO: &str = "00000000-0000-4000-8000-000000000000";

    #[test]
    fn blocks_without_a_uid_get_one_wherever_they_stand() {
        let content = json!({
            "component": "page",
            "body": [{"component": "teaser", "_uid": "kept"}, {"component": "grid", "_uid": "", "columns": [{"component": "cell"}]}],
            "text": {"type": "doc", "content": [{"type": "blok", "attrs": {"body": [{"component": "quote"}]}}]},
            "image": {"fieldtype": "asset", "id": 1},
        });
        let done = complete(Some(Arc::new(content)), None, &Zeros).unwrap();
        assert_eq!(done["_uid"], ZERO);
        assert_eq!(done["body"][0]["_uid"], "kept");
        assert_eq!(done["body"][1]["_uid"], ZERO);
        assert_eq!(done["body"][1]["columns"][0]["_uid"], ZERO);
        assert_eq!(done["text"]["content"][0]["attrs"]["body"][0]["_uid"], ZERO);
        assert!(done["image"].get("_uid").is_none());
    }

    #[test]
    fn a_tree_in_which_nothing_is_missing_stays_the_one_that_it_is() {
        let sent = |more: Value| {
            let block = json!({"component": "teaser", "_uid": "b", "more": more});
            Arc::new(json!({"component": "page", "_uid": "r", "body": [block]}))
        };
        let whole = sent(json!({"type": "doc"}));
        assert!(Arc::ptr_eq(&whole, &complete(Some(Arc::clone(&whole)), None, &Zeros).unwrap()));
        for lacking in [
            json!({"component": "a"}),
            json!([{"component": "a", "_uid": ""}]),
            json!({"component": "a", "_uid": "x", "_editable": ""}),
        ] {
            let sent = sent(lacking);
            let done = complete(Some(Arc::clone(&sent)), None, &Zeros).unwrap();
            assert_ne!(done, sent);
            assert!(super::is_complete(&done), "{done}");
        }
    }

    #[test]
    fn content_names_its_component_or_takes_the_folders() {
        for bad in [json!([]), json!("text"), json!({}), json!({"component": ""}), json!({"component": 1}), Value::Null] {
            assert_eq!(complete(Some(Arc::new(bad)), None, &Zeros).unwrap_err().details[0].field, "content");
        }
        assert_eq!(complete(None, Some("post"), &Zeros).unwrap()["component"], "post");
    }

    #[test]
    fn foreign_content_may_be_empty_and_its_blocks_get_their_uids() {
        for empty in [None, Some(Value::Null), Some(json!({}))] {
            assert_eq!(complete_foreign(empty, &Zeros).unwrap(), json!({}));
        }
        let content = complete_foreign(Some(json!({ "body": [{ "component": "a" }] })), &Zeros).unwrap();
        assert_eq!(content, json!({ "body": [{ "component": "a", "_uid": ZERO }] }));
        assert!(complete_foreign(Some(json!("text")), &Zeros).is_err());
    }

    #[test]
    fn editable_marks_carry_ids_as_text() {
        let mut content = json!({"component": "page", "_uid": "u"});
        mark_editable(&mut content, SpaceId(7), StoryId(42));
        assert_eq!(content["_editable"], r#"<!--#storyblok#{"name":"page","space":"7","uid":"u","id":"42"}-->"#);
    }

    #[test]
    fn a_copy_has_no_uid_of_its_original() {
        let content = json!({"component": "page", "_uid": "1", "body": [{"component": "a", "_uid": "2", "t": {"_uid": "kept"}}]});
        assert_eq!(
            super::without_uids(content),
            json!({"component": "page", "body": [{"component": "a", "t": {"_uid": "kept"}}]}),
            "what is no block has none"
        );
        assert_eq!(super::without_uids(json!({"_uid": "1", "a": 2})), json!({"a": 2}));
    }
}
