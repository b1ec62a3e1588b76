//! What the fields of a component name: the assets that may be chosen, and what is there before anybody has written anything.

use super::{
    Found, Maps, Schemas, Walk,
    fields::{self, Rule},
};
use serde_json::{Map, Value};

/// Rewrites the fields of a component. The schemas are those of the components that it comes with.
pub fn schema(fields: &mut Map<String, Value>, maps: &Maps, schemas: &Schemas) -> Found {
    let mut walk = Walk { maps, schemas, found: Found::default() };
    for (name, field) in fields.iter_mut() {
        let (rule, is_bloks) = (fields::rule(field), field.get("type").and_then(Value::as_str) == Some("bloks"));
        let Some(field) = field.as_object_mut() else { continue };
        if let Some(assets) = field.get_mut("asset_whitelist") {
            walk.assets(assets, name);
        }
        if let Some(default) = field.get_mut("default_value") {
            match default {
                Value::String(text) if is_bloks => walk.written(text, name),
                Value::String(text) if rule == Rule::Stories => walk.stories(text, name),
                other => walk.field(rule, name, other),
            }
        }
    }
    walk.found
}

impl Walk<'_> {
    /// Assets that may be chosen: by number, by URL, or as they stand in content.
    fn assets(&mut self, value: &mut Value, field: &str) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.assets(item, field)),
            Value::Object(object) => {
                self.asset(object);
                object.values_mut().for_each(|o| self.value(o, field));
            }
            Value::Number(number) => {
                if let Some(new) = number.as_i64().and_then(|old| self.maps.assets.get(&old)) {
                    self.found.changed = true;
                    *value = Value::from(*new);
                }
            }
            Value::String(text) => match text.parse::<i64>().ok().and_then(|old| self.maps.assets.get(&old)) {
                Some(new) => {
                    self.found.changed = true;
                    *text = new.to_string();
                }
                None => self.text(text),
            },
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// Content that is written as JSON in a text.
    fn written(&mut self, text: &mut String, field: &str) {
        let Ok(mut tree) = serde_json::from_str::<Value>(text) else { return self.text(text) };
        let before = std::mem::take(&mut self.found.changed);
        self.value(&mut tree, field);
        if self.found.changed {
            *text = tree.to_string();
        }
        self.found.changed |= before;
    }

    /// One story, or several with spaces between them.
    fn stories(&mut self, text: &mut String, field: &str) {
        let mut named: Vec<Value> = text.split(' ').map(Value::from).collect();
        for it in &mut named {
            self.reference(it, field);
        }
        let after = named.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ");
        *text = after;
    }
}
