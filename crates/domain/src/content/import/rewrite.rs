//! Rewriting what content refers to (facts, appendix A.4), and finding the references that lead nowhere.
//!
//! Stories keep their UUIDs, so most references need no rewriting. What changes: the numbers and URLs of assets, wherever they stand,
//! and the numbers of stories in option fields that do not use UUIDs. A URL is rewritten when it is that of an asset which was brought
//! over, and never otherwise, so foreign URLs and those of assets that failed stay what they were; doing it twice changes nothing.

mod fields;
mod found;
mod schema;
pub mod urls;

pub use fields::Schemas;
pub use found::Found;
pub use schema::schema;
pub use urls::Urls;

use crate::content::blocks::component;
use fields::Rule;
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// What the source's numbers and URLs are here.
#[derive(Debug, Default)]
pub struct Maps {
    /// The fields of components, by name.
    pub schemas: Schemas,
    /// Assets, by the source's numbers.
    pub assets: HashMap<i64, i64>,
    /// Assets, by URL.
    pub urls: Urls,
    /// Stories, by the source's numbers.
    pub stories: HashMap<i64, i64>,
    /// Every story that there is, at the source or here.
    pub known: HashSet<Uuid>,
}

/// Rewrites a content tree.
pub fn content(tree: &mut Value, maps: &Maps) -> Found {
    let mut walk = Walk { maps, schemas: &maps.schemas, found: Found::default() };
    walk.value(tree, "");
    walk.found
}

struct Walk<'a> {
    maps: &'a Maps,
    schemas: &'a Schemas,
    found: Found,
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
                let before = std::mem::take(&mut self.found.changed);
                self.value(value, key);
                if self.found.changed {
                    self.found.plugins.push(key.to_owned());
                }
                if self.names(value) {
                    self.found.plugin_names.push(key.to_owned());
                }
                self.found.changed |= before;
                return;
            }
            Rule::Other => {}
        }
        self.value(value, key);
    }

    /// The number of an asset object. Its URL is a text like others.
    fn asset(&mut self, object: &mut Map<String, Value>) {
        let named = object.get("filename").or(object.get("src")).and_then(Value::as_str);
        // A number of ours may happen to be one of the source's: the URL tells whether it was rewritten already.
        let is_done = named.is_some_and(|url| self.maps.urls.is_ours(url));
        if let Some(id) = object.get_mut("id")
            && !is_done
            && let Some(new) = id.as_i64().and_then(|old| self.maps.assets.get(&old))
            && id.as_i64() != Some(*new)
        {
            *id = Value::from(*new);
            self.found.changed = true;
        }
    }

    /// A link to a story: by UUID, which stays.
    fn story_link(&mut self, target: Option<&Value>, field: &str) {
        let Some(text) = target.and_then(Value::as_str).filter(|target| !target.is_empty()) else { return };
        if text.parse::<Uuid>().is_ok_and(|uuid| !self.maps.known.contains(&uuid)) {
            self.found.broken.push((field.to_owned(), text.to_owned()));
        }
    }

    /// A story named in an option field: by UUID, or by number as text.
    fn reference(&mut self, value: &mut Value, field: &str) {
        let Some(text) = value.as_str().filter(|value| !value.is_empty()) else { return };
        if let Ok(uuid) = text.parse::<Uuid>() {
            if !self.maps.known.contains(&uuid) {
                self.found.broken.push((field.to_owned(), text.to_owned()));
            }
        } else if let Ok(old) = text.parse::<i64>() {
            match self.maps.stories.get(&old) {
                Some(new) if *new != old => {
                    *value = Value::String(new.to_string());
                    self.found.changed = true;
                }
                Some(_) => {}
                None => self.found.broken.push((field.to_owned(), text.to_owned())),
            }
        }
    }

    /// Whether a plugin's value names stories or assets of the source, by UUID or number.
    fn names(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => match text.parse::<i64>() {
                Ok(number) => self.maps.stories.contains_key(&number) || self.maps.assets.contains_key(&number),
                Err(_) => text.parse::<Uuid>().is_ok_and(|p| self.maps.known.contains(&p)),
            },
            Value::Array(items) => items.iter().any(|item| self.names(item)),
            Value::Object(object) => object.values().any(|o| self.names(o)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }

    fn text(&mut self, text: &mut String) {
        if let Some((rewritten, count)) = self.maps.urls.exchanged(text) {
            let is_all_of_it = self.maps.urls.is_ours(&rewritten);
            self.found.urls_in_text += if is_all_of_it { 0 } else { count };
            self.found.changed = true;
            *text = rewritten;
        }
    }
}

#[cfg(test)]
mod tests;
