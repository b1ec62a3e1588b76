//! Rewrites the references in content, and finds references to records that do not exist.
//!
//! Stories keep their UUIDs, so most references need no rewriting. What changes: the ids and URLs of assets
//! anywhere in the content, and the ids of stories in option fields that do not use UUIDs. A URL is rewritten
//! only if it is the URL of an imported asset, so foreign URLs and those of failed assets stay as they are.
//! Rewriting is idempotent.

mod fields;
mod result;
mod schema;
pub mod urls;

pub use fields::Schemas;
pub use result::RewriteResult;
pub use schema::schema;
pub use urls::Urls;

use super::{IdMappings, SourceId, record};
use crate::{
    content::blocks::component,
    shared::{AssetId, StoryId},
};
use fields::Rule;
use serde_json::{Map, Value};
use std::collections::HashSet;
use uuid::Uuid;

/// Maps the source's ids and URLs to those of this space.
#[derive(Debug, Default)]
pub struct IdMaps {
    /// The fields of components, by name.
    pub schemas: Schemas,
    /// The ids here of what the source has.
    pub ids: IdMappings,
    pub urls: Urls,
    /// The UUIDs of all stories, at the source and here.
    pub known: HashSet<Uuid>,
}

/// Rewrites a content tree.
pub fn content(tree: &mut Value, maps: &IdMaps) -> RewriteResult {
    let mut walk = Walk { maps, schemas: &maps.schemas, result: RewriteResult::default() };
    walk.value(tree, "");
    walk.result
}

struct Walk<'a> {
    maps: &'a IdMaps,
    schemas: &'a Schemas,
    result: RewriteResult,
}

impl IdMaps {
    /// The asset here that has a number at the source.
    fn asset(&self, number: i64) -> Option<AssetId> {
        self.ids.get(SourceId::<record::Asset>::of(number)).map(|mapping| mapping.id)
    }

    /// The story here that has a number at the source.
    fn story(&self, number: i64) -> Option<StoryId> {
        self.ids.get(SourceId::<record::Story>::of(number)).map(|mapping| mapping.id)
    }
}

impl Walk<'_> {
    fn value(&mut self, value: &mut Value, field: &str) {
        match value {
            Value::String(text) => self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item, field)),
            Value::Object(object) => self.object(object, field),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn object(&mut self, object: &mut Map<String, Value>, field: &str) {
        if let Some(name) = component(object) {
            let rules = self.schemas.of(name);
            for (key, value) in object.iter_mut().filter(|(key, _)| !matches!(key.as_str(), "component" | "_uid")) {
                self.field(rules.rule(key), key, value);
            }
            return;
        }
        let is = |key: &str, wanted: &str| object.get(key).and_then(Value::as_str) == Some(wanted);
        if is("fieldtype", "asset") {
            self.asset(object);
        } else if is("fieldtype", "multilink") && is("linktype", "story") {
            self.story_link(object.get("id"), field);
        } else if is("type", "link")
            && let Some(attrs) = object.get("attrs").and_then(Value::as_object)
            && attrs.get("linktype").and_then(Value::as_str) == Some("story")
        {
            self.story_link(attrs.get("uuid"), field);
        } else if is("type", "image")
            && let Some(attrs) = object.get_mut("attrs").and_then(Value::as_object_mut)
        {
            self.asset(attrs);
        }
        for (key, value) in object.iter_mut() {
            self.value(value, if field.is_empty() { key } else { field });
        }
    }

    fn field(&mut self, rule: Rule, key: &str, value: &mut Value) {
        match rule {
            Rule::Asset => match value {
                Value::Object(object) => self.asset(object),
                Value::Array(items) => items.iter_mut().filter_map(Value::as_object_mut).for_each(|item| self.asset(item)),
                _ => {}
            },
            Rule::Stories => match *value {
                Value::Array(ref mut items) => items.iter_mut().for_each(|item| self.reference(item, key)),
                ref mut one => self.reference(one, key),
            },
            Rule::Plugin => {
                let before = std::mem::take(&mut self.result.changed);
                self.value(value, key);
                if self.result.changed {
                    self.result.plugins.push(key.to_owned());
                }
                if self.has_references(value) {
                    self.result.plugin_references.push(key.to_owned());
                }
                self.result.changed |= before;
                return;
            }
            Rule::Other => {}
        }
        self.value(value, key);
    }

    /// Rewrites the id in an asset object. Its URL is rewritten like any other text.
    fn asset(&mut self, object: &mut Map<String, Value>) {
        let named = object.get("filename").or(object.get("src")).and_then(Value::as_str);
        // An id of this space may equal one of the source; the URL tells whether the object was rewritten
        // already.
        let is_done = named.is_some_and(|url| self.maps.urls.is_ours(url));
        if let Some(id) = object.get_mut("id")
            && !is_done
            && let Some(new) = id.as_i64().and_then(|old| self.maps.asset(old))
            && id.as_i64() != Some(new.0)
        {
            *id = Value::from(new.0);
            self.result.changed = true;
        }
    }

    /// Checks a link to a story. It names the UUID, which does not change.
    fn story_link(&mut self, target: Option<&Value>, field: &str) {
        let Some(text) = target.and_then(Value::as_str).filter(|target| !target.is_empty()) else { return };
        if text.parse::<Uuid>().is_ok_and(|uuid| !self.maps.known.contains(&uuid)) {
            self.result.broken.push(format!("{field} names {text}"));
        }
    }

    /// Checks or rewrites a story in an option field: a UUID, or an id as text.
    fn reference(&mut self, value: &mut Value, field: &str) {
        let Some(text) = value.as_str().filter(|value| !value.is_empty()) else { return };
        if let Ok(uuid) = text.parse::<Uuid>() {
            if !self.maps.known.contains(&uuid) {
                self.result.broken.push(format!("{field} names {text}"));
            }
        } else if let Ok(old) = text.parse::<i64>() {
            match self.maps.story(old) {
                Some(new) if new.0 != old => {
                    *value = Value::String(new.to_string());
                    self.result.changed = true;
                }
                Some(_) => {}
                None => self.result.broken.push(format!("{field} names {text}")),
            }
        }
    }

    /// Whether a plugin's value contains UUIDs or ids of stories or assets of the source.
    fn has_references(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => match text.parse::<i64>() {
                Ok(number) => self.maps.story(number).is_some() || self.maps.asset(number).is_some(),
                Err(_) => text.parse::<Uuid>().is_ok_and(|p| self.maps.known.contains(&p)),
            },
            Value::Array(items) => items.iter().any(|item| self.has_references(item)),
            Value::Object(object) => object.values().any(|o| self.has_references(o)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }

    fn text(&mut self, text: &mut String) {
        if let Some((rewritten, count)) = self.maps.urls.rewrite_counted(text) {
            let is_all_of_it = self.maps.urls.is_ours(&rewritten);
            self.result.urls_in_text += if is_all_of_it { 0 } else { count };
            self.result.changed = true;
            *text = rewritten;
        }
    }
}

#[cfg(test)]
mod tests;
