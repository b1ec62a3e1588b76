//! The searchable parts of content: the words of the tree, for full-text search, and the plain fields of its
//! root.

use serde_json::{Map, Value, value::RawValue};
use std::{borrow::Cow, collections::BTreeMap};

/// The most searchable text of a story, in bytes.
const MAX_TEXT: usize = 100_000;

/// The texts of the tree, but for identifiers, up to a bound.
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

/// The longest name and the longest value of an index row, in characters: a field with a longer name has
/// none, a longer value is cut.
const MAX_FIELD: usize = 200;

/// A value that a story is found by: of a plain field of the root block, or of one element of a plain list
/// there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    /// The value as text, a number as it was written.
    pub value: String,
    /// Whether it is a number.
    pub is_number: bool,
    /// Whether it is the whole value, and not its beginning.
    pub is_whole: bool,
    /// Whether it is an element of a list.
    pub is_element: bool,
}

/// The plain fields of the root block; none for content that is no object.
pub fn fields(content: &RawValue) -> Vec<Field> {
    // When a name comes twice, the last value counts, as in PostgreSQL's `jsonb`.
    let root: BTreeMap<Cow<'_, str>, &RawValue> = serde_json::from_str(content.get()).unwrap_or_default();
    let mut fields = Vec::with_capacity(root.len());
    for (name, value) in root.iter().filter(|(name, _)| name.chars().count() <= MAX_FIELD) {
        if value.get().starts_with('[') {
            let items: Vec<&RawValue> = serde_json::from_str(value.get()).unwrap_or_default();
            fields.extend(items.into_iter().filter_map(|item| field(name, item, true)));
        } else {
            fields.extend(field(name, value, false));
        }
    }
    fields
}

fn field(name: &str, value: &RawValue, is_element: bool) -> Option<Field> {
    let written = value.get();
    let (value, is_number): (Cow<'_, str>, bool) = match written.as_bytes().first()? {
        b'"' => (serde_json::from_str::<Cow<'_, str>>(written).ok()?, false),
        b't' | b'f' => (Cow::Borrowed(written), false),
        b'-' | b'0'..=b'9' => (Cow::Borrowed(written), true),
        _ => return None,
    };
    let end = value.char_indices().nth(MAX_FIELD).map(|(at, _)| at).filter(|_| !is_number);
    let whole = value.get(..end.unwrap_or(value.len()))?;
    Some(Field { name: name.to_owned(), value: whole.to_owned(), is_number, is_whole: end.is_none(), is_element })
}

#[cfg(test)]
mod tests {
    use super::{fields, text};
    use serde_json::{json, value::RawValue};

    #[test]
    fn fields_are_the_plain_values_of_the_root_and_of_its_lists() {
        let long = "ü".repeat(201);
        let content = format!(
            r#"{{"a":"x","b":1.50,"a":"y\u00e9","c":true,"d":null,"e":["p",2,{{"z":1}},[3]],"f":{{"g":1}},"h":"{long}","{long}":1}}"#
        );
        let found: Vec<_> = fields(&RawValue::from_string(content).unwrap())
            .into_iter()
            .map(|field| (field.name, field.value, field.is_number, field.is_whole, field.is_element))
            .collect();
        let cut = "ü".repeat(200);
        let wanted = [
            ("a", "yé", false, true, false),
            ("b", "1.50", true, true, false),
            ("c", "true", false, true, false),
            ("e", "p", false, true, true),
            ("e", "2", true, true, true),
            ("h", cut.as_str(), false, false, false),
        ];
        assert_eq!(found, wanted.map(|(name, value, n, w, e)| (name.to_owned(), value.to_owned(), n, w, e)));
        assert!(fields(&RawValue::from_string("[1]".to_owned()).unwrap()).is_empty());
    }

    #[test]
    fn words_are_collected_from_the_whole_tree_and_bounded() {
        let content = json!({"component": "page", "_uid": "u", "body": [{"component": "teaser", "headline": "Hello"}], "n": 1});
        assert_eq!(text(&content), "Hello ");
        assert!(text(&json!({"a": "x".repeat(200_000), "b": "y"})).len() < 10);
    }
}
