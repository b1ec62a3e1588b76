//! The references of a content tree: stories that fields name (relations), and stories that links lead to.

use super::blocks::component;
use crate::shared::{Fault, FieldCode};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashSet};
use uuid::Uuid;

/// The most relations of one request.
const MAX_RELATIONS: usize = 100;

/// The relations to resolve: fields by their component, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Relations(BTreeMap<String, Vec<String>>);

impl Relations {
    /// Reads `post.author`, `featured.posts` … A text without a dot is ignored, as by Storyblok. 422 when
    /// there are too many.
    pub fn parse(paths: &[String]) -> Result<Self, Fault> {
        let named: HashSet<(&str, &str)> = paths.iter().filter_map(|path| path.split_once('.')).collect();
        if named.len() > MAX_RELATIONS {
            return Err(Fault::invalid(
                "resolve_relations",
                FieldCode::TooMany,
                format!("has more than {MAX_RELATIONS} relations"),
            ));
        }
        let mut fields: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (block, field) in named {
            fields.entry(block.to_owned()).or_default().push(field.to_owned());
        }
        for it in fields.values_mut() {
            it.sort_unstable();
        }
        Ok(Self(fields))
    }

    /// Whether nothing is to be resolved.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Each relation as `component.field`, as [`index_refs`] writes it.
    pub fn names(&self) -> impl Iterator<Item = String> {
        self.0.iter().flat_map(|(block, fields)| fields.iter().map(move |field| format!("{block}.{field}")))
    }

    /// The stories that a tree names in these fields, added to `found` in the order of the tree.
    pub fn collect(&self, content: &Value, found: &mut Uuids) {
        for_each_object(content, &mut |object| {
            let Some(fields) = component(object).and_then(|block| self.0.get(block)) else { return };
            for value in fields.iter().filter_map(|field| object.get(field)) {
                add_named(value, found);
            }
        });
    }
}

/// The most references of a story in its index. Others are still resolved, by a lookup of their own.
const MAX_WRITTEN: usize = 1_000;

/// The references of a tree in any language, as they are stored beside the content: `component.field uuid`,
/// and ` uuid` for a link. With them the database finds the related stories of a page together with the page.
pub fn index_refs(content: &Value) -> Vec<String> {
    let mut links = Uuids::default();
    linked_stories(content, &mut links);
    let mut found: Vec<String> = links.as_slice().iter().map(|uuid| format!(" {uuid}")).collect();
    for_each_object(content, &mut |object| {
        let Some(block) = component(object) else { return };
        // The `_uid` of a block is its own, and no reference.
        for (key, value) in object.iter().filter(|(key, _)| *key != "_uid") {
            let field = key.split("__i18n__").next().unwrap_or(key);
            let mut named = Uuids::default();
            add_named(value, &mut named);
            found.extend(named.as_slice().iter().map(|uuid| format!("{block}.{field} {uuid}")));
        }
    });
    found.sort_unstable();
    found.dedup();
    found.truncate(MAX_WRITTEN);
    found
}

/// Adds the stories that the value of a field names.
fn add_named(value: &Value, found: &mut Uuids) {
    match value {
        Value::String(text) => found.add(text),
        Value::Array(items) => items.iter().filter_map(Value::as_str).for_each(|text| found.add(text)),
        _ => {}
    }
}

/// The stories that links of a tree lead to: multilink fields, and link marks in richtext.
pub fn linked_stories(content: &Value, found: &mut Uuids) {
    let is = |object: &Map<String, Value>, key: &str, value: &str| object.get(key).and_then(Value::as_str) == Some(value);
    for_each_object(content, &mut |object| {
        let target = if is(object, "fieldtype", "multilink") && is(object, "linktype", "story") {
            object.get("id")
        } else if is(object, "type", "link") {
            object
                .get("attrs")
                .and_then(Value::as_object)
                .filter(|attrs| is(attrs, "linktype", "story"))
                .and_then(|object| object.get("uuid"))
        } else {
            None
        };
        if let Some(text) = target.and_then(Value::as_str) {
            found.add(text);
        }
    });
}

/// UUIDs, each once, in the order in which they were found.
#[derive(Debug, Clone, Default)]
pub struct Uuids {
    order: Vec<Uuid>,
    seen: HashSet<Uuid>,
}

impl Uuids {
    fn add(&mut self, text: &str) {
        if let Ok(uuid) = text.parse::<Uuid>()
            && self.seen.insert(uuid)
        {
            self.order.push(uuid);
        }
    }

    /// All of them.
    pub fn as_slice(&self) -> &[Uuid] {
        &self.order
    }

    /// Those behind the first `known`.
    pub fn after(&self, known: usize) -> &[Uuid] {
        self.order.get(known..).unwrap_or_default()
    }
}

/// The first `most` assets that fields of these trees name by their numbers, each once, in their order. An
/// empty field has none.
pub fn assets(trees: &[Value], most: usize) -> Vec<i64> {
    let (mut order, mut seen) = (Vec::new(), HashSet::new());
    for tree in trees {
        for_each_object(tree, &mut |object| {
            let is_asset = object.get("fieldtype").and_then(Value::as_str) == Some("asset");
            let id = object.get("id").and_then(Value::as_i64).filter(|_| is_asset && order.len() < most);
            order.extend(id.filter(|id| seen.insert(*id)));
        });
    }
    order
}

fn for_each_object(node: &Value, visit: &mut impl FnMut(&Map<String, Value>)) {
    match node {
        Value::Array(items) => items.iter().for_each(|item| for_each_object(item, visit)),
        Value::Object(object) => {
            visit(object);
            object.values().for_each(|value| for_each_object(value, visit));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::{Relations, Uuids, index_refs, linked_stories};
    use serde_json::json;
    use uuid::Uuid;

    fn uuid(text: &str) -> Uuid {
        text.parse().unwrap()
    }

    const A: &str = "00000000-0000-4000-8000-00000000000a";
    const B: &str = "00000000-0000-4000-8000-00000000000b";
    const C: &str = "00000000-0000-4000-8000-00000000000c";

    #[test]
    fn relations_are_found_in_named_fields_of_any_block_each_once() {
        let content = json!({
            "component": "post", "author": B, "other": C,
            "body": [{ "component": "featured", "posts": [A, B, "no uuid", 5] }, { "component": "other", "posts": [C] }],
        });
        let mut found = Uuids::default();
        let relations = Relations::parse(&["post.author".into(), "featured.posts".into(), "bare".into()]).unwrap();
        relations.collect(&content, &mut found);
        assert_eq!(found.as_slice(), [uuid(B), uuid(A)]);
        assert_eq!(found.after(1), [uuid(A)]);
        assert!(Relations::parse(&["bare".into()]).unwrap().is_empty());
    }

    #[test]
    fn relations_are_bounded_and_count_once() {
        let paths = |count: usize| (0..count).map(|value| format!("c{}.f{value}", value % 3)).collect::<Vec<_>>();
        assert_eq!(Relations::parse(&[paths(100), paths(100)].concat()).unwrap().names().count(), 100);
        assert_eq!(Relations::parse(&paths(101)).unwrap_err().details[0].field, "resolve_relations");
    }

    #[test]
    fn assets_are_found_in_fields_of_one_and_of_many_each_once() {
        let content = json!({
            "image": { "fieldtype": "asset", "id": 7, "filename": "x" },
            "images": [{ "fieldtype": "asset", "id": 9 }, { "fieldtype": "asset", "id": 7 }, { "fieldtype": "asset", "id": null }],
            "other": { "fieldtype": "multilink", "id": 8 },
        });
        let trees = [content, json!([{ "fieldtype": "asset", "id": 9 }, { "fieldtype": "asset", "id": 5 }])];
        assert_eq!(super::assets(&trees, 1_000), [7, 9, 5]);
        assert_eq!(super::assets(&trees, 2), [7, 9]);
    }

    #[test]
    fn links_are_found_in_fields_and_in_richtext() {
        let content = json!({
            "cta": { "fieldtype": "multilink", "linktype": "story", "id": A },
            "out": { "fieldtype": "multilink", "linktype": "url", "id": C },
            "text": { "type": "doc", "content": [{ "type": "text", "marks": [
                { "type": "link", "attrs": { "linktype": "story", "uuid": B } }, { "type": "link", "attrs": { "linktype": "url", "uuid": C } }
            ] }] },
        });
        let mut found = Uuids::default();
        linked_stories(&content, &mut found);
        assert_eq!(found.as_slice(), [uuid(A), uuid(B)]);
    }

    #[test]
    fn references_of_every_language_are_indexed() {
        let content = json!({
            "_uid": C, "component": "post", "author": A, "author__i18n__de": B, "title": "no uuid",
            "body": [{ "component": "featured", "posts": [B, A] }],
            "cta": { "fieldtype": "multilink", "linktype": "story", "id": C },
        });
        let expected = [
            format!(" {C}"),
            format!("featured.posts {A}"),
            format!("featured.posts {B}"),
            format!("post.author {A}"),
            format!("post.author {B}"),
        ];
        assert_eq!(index_refs(&content), expected);
        let names: Vec<String> = Relations::parse(&["post.author".into()]).unwrap().names().collect();
        assert!(names.iter().all(|name| index_refs(&content).iter().any(|line| line.starts_with(&format!("{name} ")))));
    }
}
