//! The components that a content names, as rules.

use super::rules::{FieldRules, Kind, Restriction};
use crate::content::blocks;
use serde_json::{Map, Value};
use std::collections::{BTreeSet, HashMap, HashSet};
use uuid::Uuid;

/// A component as it is stored.
#[derive(Debug, Clone)]
pub struct ComponentSource {
    pub name: String,
    /// Its schema: an object of fields.
    pub schema: Map<String, Value>,
    pub group: Option<Uuid>,
    /// Its tags, by number.
    pub tags: Vec<i64>,
}

/// A group of components.
#[derive(Debug, Clone, Copy)]
pub struct GroupSource {
    pub uuid: Uuid,
    pub parent: Option<Uuid>,
}

/// The rules of components, by their names.
#[derive(Debug, Default)]
pub struct Schemas {
    components: HashMap<String, ComponentRules>,
}

/// The rules of a component.
#[derive(Debug)]
pub(in crate::content) struct ComponentRules {
    /// Its group and those above.
    groups: Vec<Uuid>,
    tags: Vec<i64>,
    pub(in crate::content) fields: Vec<FieldRules>,
    numbers: HashMap<String, usize>,
}

impl Schemas {
    /// Reads the schemas of components, and the groups of their space.
    pub fn new(components: Vec<ComponentSource>, groups: &[GroupSource]) -> Self {
        let parents: HashMap<Uuid, Option<Uuid>> = groups.iter().map(|group| (group.uuid, group.parent)).collect();
        let components = components
            .into_iter()
            .map(|source| {
                let fields: Vec<FieldRules> = source.schema.iter().map(|(name, field)| FieldRules::read(name, field)).collect();
                let numbers = fields.iter().enumerate().map(|(number, field)| (field.name.clone(), number)).collect();
                let groups = with_parents(source.group, &parents);
                (source.name, ComponentRules { groups, tags: source.tags, fields, numbers })
            })
            .collect();
        Self { components }
    }

    /// The names of the components in a content, at any depth.
    pub fn names(content: &Value) -> BTreeSet<&str> {
        let (mut names, mut open) = (BTreeSet::new(), vec![content]);
        while let Some(value) = open.pop() {
            match value {
                Value::Array(items) => open.extend(items),
                Value::Object(object) => {
                    names.extend(blocks::component(object));
                    open.extend(object.values());
                }
                _ => {}
            }
        }
        names
    }

    /// Whether a field restricts blocks by their groups, so that these have to be known.
    pub fn restrict_by_groups(components: &[ComponentSource]) -> bool {
        let restricts = |field: &Value| field.get("restrict_type").and_then(Value::as_str) == Some("groups");
        components.iter().any(|component| component.schema.values().any(restricts))
    }

    pub(in crate::content) fn component(&self, name: &str) -> Option<&ComponentRules> {
        self.components.get(name)
    }

    /// Whether a list with this restriction may hold a block of this component.
    pub(super) fn allows(&self, restriction: &Restriction, component: &str) -> bool {
        let rules = self.component(component);
        let groups = || rules.map(|rules| rules.groups.as_slice()).unwrap_or_default();
        let tags = || rules.map(|rules| rules.tags.as_slice()).unwrap_or_default();
        match restriction {
            Restriction::None => true,
            Restriction::Names(lists) => {
                (lists.allowed.is_empty() || lists.allowed.contains(component)) && !lists.denied.contains(component)
            }
            Restriction::Groups(lists) => {
                (lists.allowed.is_empty() || groups().iter().any(|group| lists.allowed.contains(group)))
                    && !groups().iter().any(|group| lists.denied.contains(group))
            }
            Restriction::Tags(lists) => {
                (lists.allowed.is_empty() || tags().iter().any(|tag| lists.allowed.contains(tag)))
                    && !tags().iter().any(|tag| lists.denied.contains(tag))
            }
        }
    }
}

impl ComponentRules {
    pub(super) fn field(&self, name: &str) -> Option<&FieldRules> {
        self.fields.get(*self.numbers.get(name)?)
    }

    /// The kind of a field that a condition looks at; anything when there is none.
    pub(super) fn kind(&self, name: &str) -> &Kind {
        self.field(name).map_or(&Kind::Free, |field| &field.kind)
    }
}

/// A group and those above it. Should they go in a circle, each comes once.
fn with_parents(group: Option<Uuid>, parents: &HashMap<Uuid, Option<Uuid>>) -> Vec<Uuid> {
    let (mut all, mut seen, mut next) = (Vec::new(), HashSet::new(), group);
    while let Some(group) = next.filter(|group| seen.insert(*group)) {
        all.push(group);
        next = parents.get(&group).copied().flatten();
    }
    all
}
