//! Combines the delivery API's content in single languages into content with all languages: a translatable
//! field whose value differs from the default language's gets a translated field.

use domain::content::blocks;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// The translatable fields, as component and field name.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Translatable(HashSet<(String, String)>);

impl Translatable {
    /// Adds the translatable fields of a component.
    pub(in super::super) fn add_component(&mut self, component: &Value) {
        let (Some(name), Some(schema)) =
            (component.get("name").and_then(Value::as_str), component.get("schema").and_then(Value::as_object))
        else {
            return;
        };
        let translatable = |field: &Value| field.get("translatable").and_then(Value::as_bool) == Some(true);
        self.0.extend(schema.iter().filter(|(_, field)| translatable(field)).map(|(field, _)| (name.to_owned(), field.clone())));
    }

    /// Adds the fields that have translations in a content tree, even if their schema does not say so any
    /// more.
    pub(super) fn learn(&mut self, content: &Value) {
        match content {
            Value::Array(items) => items.iter().for_each(|item| self.learn(item)),
            Value::Object(object) => {
                if let Some(component) = blocks::component(object) {
                    let fields = object.keys().filter_map(|o| o.split_once("__i18n__"));
                    self.0.extend(fields.map(|(field, _)| (component.to_owned(), field.to_owned())));
                }
                object.values().for_each(|o| self.learn(o));
            }
            _ => {}
        }
    }

    fn has(&self, component: Option<&str>, field: &str) -> bool {
        component.is_some_and(|component| self.0.contains(&(component.to_owned(), field.to_owned())))
    }

    /// Adds the values of a content tree in another language; `suffix` is the language as in field names
    /// (`pt_br`).
    pub(super) fn add(&self, to: &mut Value, translated: &Value, suffix: &str) {
        match (to, translated) {
            (Value::Object(to), Value::Object(translated)) => self.add_fields(to, translated, suffix),
            (Value::Array(to), Value::Array(translated)) => {
                for (place, item) in to.iter_mut().enumerate() {
                    let same = match uid(item) {
                        Some(uid) => translated.iter().find(|t| self::uid(t) == Some(uid)),
                        None => translated.get(place),
                    };
                    if let Some(same) = same {
                        self.add(item, same, suffix);
                    }
                }
            }
            _ => {}
        }
    }

    fn add_fields(&self, to: &mut Map<String, Value>, translated: &Map<String, Value>, suffix: &str) {
        let component = to.get("component").and_then(Value::as_str).map(str::to_owned);
        let mut own = Vec::new();
        for (name, value) in translated {
            // A translated field, added for an earlier language.
            if name.contains("__i18n__") {
                continue;
            }
            let here = to.get_mut(name);
            if !self.has(component.as_deref(), name) {
                if let Some(here) = here {
                    self.add(here, value, suffix);
                }
            } else if here.as_deref() != Some(value) {
                own.push((format!("{name}__i18n__{suffix}"), value.clone()));
            }
        }
        to.extend(own);
    }
}

fn uid(block: &Value) -> Option<&str> {
    block.get("_uid").and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::Translatable;
    use serde_json::json;

    #[test]
    fn what_differs_in_a_language_becomes_a_field_of_that_language() {
        let field = |value: bool| json!({"type": "text", "translatable": value});
        let mut translatable = Translatable::default();
        for component in [
            json!({"name": "page", "schema": {"title": field(true), "intro": field(true), "body": {"type": "bloks"}, "note": field(false)}}),
            json!({"name": "teaser", "schema": {"text": field(true)}}),
            json!({"schema": {"text": field(true)}}),
        ] {
            translatable.add_component(&component);
        }
        translatable.learn(&json!({"component": "page", "body": [{"component": "teaser", "more__i18n__it": "x"}]}));
        let teaser = |uid: &str, text: &str| json!({"component": "teaser", "_uid": uid, "text": text});
        let mut tree = json!({"component": "page", "_uid": "0", "title": "Home", "note": "n",
            "body": [teaser("1", "one"), teaser("2", "two")], "doc": {"content": [{"text": "x"}]}});
        let mut german = json!({"component": "page", "_uid": "0", "title": "Heim", "intro": "Los", "note": "other",
            "body": [teaser("2", "zwei"), teaser("1", "one"), teaser("3", "drei")], "doc": {"content": [{"text": "y"}]}});
        (tree["body"][0]["more"], german["body"][1]["more"]) = (json!("m"), json!("mehr"));
        translatable.add(&mut tree, &german, "de");
        let same = tree.clone();
        translatable.add(&mut tree, &same, "fr");
        let (mut first, mut second) = (teaser("1", "one"), teaser("2", "two"));
        (first["more"], first["more__i18n__de"]) = (json!("m"), json!("mehr"));
        second["text__i18n__de"] = json!("zwei");
        let wanted = json!({"component": "page", "_uid": "0", "title": "Home", "note": "n", "body": [first, second],
            "doc": {"content": [{"text": "x"}]}, "title__i18n__de": "Heim", "intro__i18n__de": "Los"});
        assert_eq!(tree, wanted);
    }
}
