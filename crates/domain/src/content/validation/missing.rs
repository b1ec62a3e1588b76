//! Whether a field has a value. A boolean is not asked: it is off when it was never set.

use super::rules::Kind;
use serde_json::{Map, Value};

/// The deepest node of rich text that is looked at.
const MAX_DEPTH: usize = 100;

/// Whether a field is without a value: absent, null, an empty text or list, a text of blanks only, rich text
/// without text, block or image, an asset without file name, a link without target.
pub(in crate::content) fn is_missing(kind: &Kind, value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::String(text)) => text.trim().is_empty(),
        Some(Value::Array(items)) => items.is_empty(),
        Some(Value::Object(object)) => match kind {
            Kind::RichText(_) => !has_content(object, MAX_DEPTH),
            Kind::Asset(_) => is_blank(object, "filename"),
            Kind::Link(_) => !has_target(object),
            _ => false,
        },
        Some(Value::Bool(_) | Value::Number(_)) => false,
    }
}

/// Whether a member is absent, or blank.
pub(super) fn is_blank(object: &Map<String, Value>, name: &str) -> bool {
    object.get(name).and_then(Value::as_str).is_none_or(|text| text.trim().is_empty())
}

fn has_content(node: &Map<String, Value>, depth: usize) -> bool {
    let has = match node.get("type").and_then(Value::as_str) {
        Some("text") => !is_blank(node, "text"),
        Some("image" | "emoji") => true,
        Some("blok") => body(node).next().is_some(),
        _ => false,
    };
    has || children(node).any(|child| depth > 0 && has_content(child, depth - 1))
}

/// The nodes within a node of rich text.
pub(in crate::content) fn children(node: &Map<String, Value>) -> impl Iterator<Item = &Map<String, Value>> {
    node.get("content").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object)
}

/// The blocks of a `blok` node of rich text.
pub(in crate::content) fn body(node: &Map<String, Value>) -> impl Iterator<Item = &Value> {
    let attributes = node.get("attrs").and_then(Value::as_object);
    attributes.and_then(|attributes| attributes.get("body")).and_then(Value::as_array).into_iter().flatten()
}

/// Whether a link leads somewhere. A URL has no id, and what one has from before is not its target.
fn has_target(link: &Map<String, Value>) -> bool {
    let members: &[&str] = match link.get("linktype").and_then(Value::as_str) {
        Some("url") => &["url", "cached_url"],
        Some("email") => &["email", "url", "cached_url"],
        _ => &["id", "url", "cached_url"],
    };
    members.iter().any(|name| !is_blank(link, name))
}
