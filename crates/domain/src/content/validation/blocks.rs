//! Lists of blocks.

use super::{
    rules::{Counts, Restriction},
    walk::{Field, Step, Walk},
};
use crate::{content::blocks::component, shared::FieldCode};
use serde_json::Value;

impl<'a> Walk<'a> {
    pub(super) fn blocks(&mut self, field: Field<'a>, counts: Counts, restriction: &'a Restriction, value: &'a Value) {
        let Value::Array(items) = value else { return self.wrong_type(field, "a list of blocks") };
        self.counts(field, counts, items.len(), "blocks");
        for (number, item) in items.iter().enumerate() {
            self.at(Step::Number(number), |walk| walk.item(field, restriction, item));
        }
    }

    /// A block of a list or of a rich text: whether it may be there, and what is in it.
    pub(super) fn item(&mut self, field: Field<'a>, restriction: &'a Restriction, item: &'a Value) {
        let Value::Object(block) = item else { return self.wrong_type(field, "a block") };
        if let Some(name) = component(block).filter(|name| !self.schemas.allows(restriction, name)) {
            self.report(block, FieldCode::ComponentNotAllowed, || format!("is a {name}, which is not allowed here"));
        }
        self.block(block);
    }
}
