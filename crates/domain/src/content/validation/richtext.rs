//! Rich text: a tree of nodes, with blocks in its `blok` nodes and links in its marks.

use super::{
    links::{self, Reference},
    missing::{body, children},
    rules::{Restriction, Targets},
    walk::{Field, Step, Walk},
};
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// Links in a rich text may lead to any story.
static ANYWHERE: LazyLock<Targets> = LazyLock::new(Targets::default);

impl<'a> Walk<'a> {
    /// A document, or a plain text as older fields have one.
    pub(super) fn rich_text(&mut self, field: Field<'a>, restriction: &'a Restriction, value: &'a Value) {
        match value {
            Value::Object(document) => self.node(field, restriction, document, &mut 0),
            Value::String(_) => {}
            _ => self.wrong_type(field, "rich text"),
        }
    }

    /// A node. `bloks` counts those with blocks, in the order of the document: their paths have its number.
    fn node(&mut self, field: Field<'a>, restriction: &'a Restriction, node: &'a Map<String, Value>, bloks: &mut usize) {
        if node.get("type").and_then(Value::as_str) == Some("blok") {
            let number = *bloks;
            *bloks += 1;
            self.at(Step::Number(number), |walk| {
                for (number, item) in body(node).enumerate() {
                    walk.at(Step::Number(number), |walk| walk.item(field, restriction, item));
                }
            });
        }
        for uuid in links::marked(node) {
            self.reference(field, Reference::Link, &ANYWHERE, uuid);
        }
        self.deeper(field.block, |walk| children(node).for_each(|child| walk.node(field, restriction, child, bloks)));
    }
}
