//! The types of component fields that need special treatment when content is rewritten.

use serde_json::{Map, Value};
use std::collections::HashMap;

/// How the value of a field is rewritten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Rule {
    /// One or several assets.
    Asset,
    /// Stories, by UUID or id.
    Stories,
    /// The value of a plugin, whose format is unknown.
    Plugin,
    #[default]
    Other,
}

/// The rules of all components, by name.
#[derive(Debug, Default)]
pub struct Schemas {
    components: HashMap<String, Fields>,
}

/// The rules of a component's fields, without those of rule `Other`.
#[derive(Debug, Default)]
pub(super) struct Fields(HashMap<String, Rule>);

static NONE: std::sync::LazyLock<Fields> = std::sync::LazyLock::new(Fields::default);

impl Schemas {
    /// Adds a component, or replaces it.
    pub fn insert(&mut self, component: &str, schema: &Map<String, Value>) {
        let rules = schema.iter().filter_map(|(name, field)| match rule(field) {
            Rule::Other => None,
            rule => Some((name.clone(), rule)),
        });
        self.components.insert(component.to_owned(), Fields(rules.collect()));
    }

    pub(super) fn of(&self, component: &str) -> &Fields {
        self.components.get(component).unwrap_or(&NONE)
    }
}

impl Fields {
    /// The rule of a key; a translation has the rule of its field.
    pub(super) fn rule(&self, key: &str) -> Rule {
        let field = key.split_once("__i18n__").map_or(key, |(field, _)| field);
        self.0.get(field).copied().unwrap_or_default()
    }
}

/// How the value of a field is rewritten.
pub(super) fn rule(field: &Value) -> Rule {
    let attribute = |name: &str| field.get(name).and_then(Value::as_str).unwrap_or_default();
    match (attribute("type"), attribute("source")) {
        ("asset" | "multiasset", _) => Rule::Asset,
        ("option" | "options", "internal_stories") => Rule::Stories,
        ("custom", _) => Rule::Plugin,
        _ => Rule::Other,
    }
}
