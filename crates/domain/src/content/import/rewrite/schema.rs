//! Rewrites the references in a component's schema: asset whitelists and default values.

use super::{
    IdMaps, RewriteResult, Schemas, Walk,
    fields::{self, Rule},
};
use serde_json::{Map, Value};

/// Rewrites the schema of a component. `schemas` are those of the components on the same page, which its
/// default values may contain.
pub fn schema(fields: &mut Map<String, Value>, maps: &IdMaps, schemas: &Schemas) -> RewriteResult {
    let mut walk = Walk { maps, schemas, result: RewriteResult::default() };
    for (name, field) in fields.iter_mut() {
        let (rule, is_bloks) = (fields::rule(field), field.get("type").and_then(Value::as_str) == Some("bloks"));
        let Some(field) = field.as_object_mut() else { continue };
        if let Some(assets) = field.get_mut("asset_whitelist") {
            walk.assets(assets, name);
        }
        if let Some(default) = field.get_mut("default_value") {
            match default {
                Value::String(text) if is_bloks => walk.json_text(text, name),
                Value::String(text) if rule == Rule::Stories => walk.stories(text, name),
                other => walk.field(rule, name, other),
            }
        }
    }
    walk.result
}

impl Walk<'_> {
    /// Rewrites a whitelist of assets: ids, URLs or asset objects.
    fn assets(&mut self, value: &mut Value, field: &str) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.assets(item, field)),
            Value::Object(object) => {
                self.asset(object);
                object.values_mut().for_each(|o| self.value(o, field));
            }
            Value::Number(number) => {
                if let Some(new) = number.as_i64().and_then(|old| self.maps.asset(old)) {
                    self.result.changed = true;
                    *value = Value::from(new.0);
                }
            }
            Value::String(text) => match text.parse().ok().and_then(|old| self.maps.asset(old)) {
                Some(new) => {
                    self.result.changed = true;
                    *text = new.to_string();
                }
                None => self.text(text),
            },
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// Rewrites content that is stored as JSON text.
    fn json_text(&mut self, text: &mut String, field: &str) {
        let Ok(mut tree) = serde_json::from_str::<Value>(text) else { return self.text(text) };
        let before = std::mem::take(&mut self.result.changed);
        self.value(&mut tree, field);
        if self.result.changed {
            *text = tree.to_string();
        }
        self.result.changed |= before;
    }

    /// Rewrites one or several stories, separated by spaces.
    fn stories(&mut self, text: &mut String, field: &str) {
        let mut named: Vec<Value> = text.split(' ').map(Value::from).collect();
        for story in &mut named {
            self.reference(story, field);
        }
        let after = named.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ");
        *text = after;
    }
}
