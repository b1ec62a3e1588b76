//! The words of a content tree, for full-text search.

use serde_json::{Map, Value};

/// How much text is searched, in bytes.
const MAX_TEXT: usize = 100_000;

/// Every text of the tree but those that only machines read, up to a bound.
pub fn text(content: &Value) -> String {
    let mut text = String::new();
    collect(content, &mut text);
    text
}

fn collect(value: &Value, text: &mut String) {
    match value {
        Value::String(words) if text.len() + words.len() < MAX_TEXT => {
            text.push_str(words);
            text.push(' ');
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, text)),
        Value::Object(object) => collect_fields(object, text),
        _ => {}
    }
}

fn collect_fields(object: &Map<String, Value>, text: &mut String) {
    let is_for_machines = |key: &str| matches!(key, "_uid" | "component" | "plugin" | "fieldtype" | "linktype" | "uuid" | "type");
    object.iter().filter(|(key, _)| !is_for_machines(key)).for_each(|(_, value)| collect(value, text));
}

#[cfg(test)]
mod tests {
    use super::text;
    use serde_json::json;

    #[test]
    fn words_are_collected_from_the_whole_tree_and_bounded() {
        let content = json!({"component": "page", "_uid": "u", "body": [{"component": "teaser", "headline": "Hello"}], "n": 1});
        assert_eq!(text(&content), "Hello ");
        assert!(text(&json!({"a": "x".repeat(200_000), "b": "y"})).len() < 10);
    }
}
