//! What a content tree refers to: stories named in fields (relations), and stories that links lead to (facts, sections 1.8 and 1.9).

use super::blocks::component;
use serde_json::{Map, Value};
use std::collections::HashSet;
use uuid::Uuid;

/// The relations to resolve: `component.field` each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Relations(Vec<(String, String)>);

impl Relations {
    /// Reads `post.author`, `featured.posts` … What has no dot names no relation, as on the hosted service.
    pub fn parse(paths: &[String]) -> Self {
        Self(
            paths
                .iter()
                .filter_map(|path| path.split_once('.'))
                .map(|(block, field)| (block.to_owned(), field.to_owned()))
                .collect(),
        )
    }

    /// Whether nothing is to be resolved.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The stories that a tree names in these fields, added to `found` in the order of the tree.
    pub fn collect(&self, content: &Value, found: &mut Uuids) {
        for_each_object(content, &mut |object| {
            let Some(block) = component(object) else { return };
            for (_, field) in self.0.iter().filter(|(it, _)| it == block) {
                match object.get(field) {
                    Some(Value::String(text)) => found.add(text),
                    Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).for_each(|text| found.add(text)),
                    _ => {}
                }
            }
        });
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
                .and_then(|it| it.get("uuid"))
        } else {
            None
        };
        if let Some(text) = target.and_then(Value::as_str) {
            found.add(text);
        }
    });
}

/// UUIDs, each once, in the order in which they were met.
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

    /// Those met after the first `known`.
    pub fn after(&self, known: usize) -> &[Uuid] {
        self.order.get(known..).unwrap_or_default()
    }
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
    use super::{Relations, Uuids, linked_stories};
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
        Relations::parse(&["post.author".into(), "featured.posts".into(), "bare".into()]).collect(&content, &mut found);
        assert_eq!(found.as_slice(), [uuid(B), uuid(A)]);
        assert_eq!(found.after(1), [uuid(A)]);
        assert!(Relations::parse(&["bare".into()]).is_empty());
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
}
