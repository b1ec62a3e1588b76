//! How the delivery API changes content: one language, and editor markers.

use serde_json::{Map, Value};

/// Reduces each field of a tree to the value in the first of the languages that has one.
pub(crate) fn pick(content: &Value, languages: &[&str]) -> Value {
    match content {
        Value::Array(items) => items.iter().map(|item| pick(item, languages)).collect(),
        Value::Object(fields) => Value::Object(fields_of(fields, languages)),
        other => other.clone(),
    }
}

fn fields_of(fields: &Map<String, Value>, languages: &[&str]) -> Map<String, Value> {
    let plain: Vec<_> = fields.keys().map(|field| field.split("__i18n__").next().unwrap_or(field)).collect();
    let mut picked = Map::new();
    for name in plain {
        let translated = languages.iter().map(|code| format!("{name}__i18n__{}", code.replace('-', "_")));
        let value =
            translated.filter_map(|key| fields.get(&key)).find(|translated| !is_blank(translated)).or_else(|| fields.get(name));
        if let Some(value) = value {
            picked.insert(name.to_owned(), pick(value, languages));
        }
    }
    picked
}

fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

/// Adds the `_editable` marker of drafts to every block.
pub(crate) fn mark(content: &mut Value, space: i64, story: i64) {
    match content {
        Value::Array(items) => items.iter_mut().for_each(|item| mark(item, space, story)),
        Value::Object(fields) => {
            fields.values_mut().for_each(|field| mark(field, space, story));
            if let (Some(Value::String(name)), Some(Value::String(uid))) = (fields.get("component"), fields.get("_uid")) {
                let mark = format!(
                    "<!--#storyblok#{{\"name\": {}, \"space\": \"{space}\", \"uid\": {}, \"id\": \"{story}\"}}-->",
                    Value::from(name.as_str()),
                    Value::from(uid.as_str())
                );
                fields.insert("_editable".to_owned(), Value::String(mark));
            }
        }
        _ => {}
    }
}
