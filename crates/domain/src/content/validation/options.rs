//! Values of options: of the schema, a datasource, the languages of the space, or stories.

use super::{
    links::Reference,
    needs::Known,
    plain,
    rules::{Choice, Counts},
    walk::{Field, Walk},
};
use crate::shared::FieldCode;
use serde_json::Value;

impl<'a> Walk<'a> {
    /// A list of values; one alone may be a text.
    pub(super) fn options(&mut self, field: Field<'a>, counts: Counts, choice: &'a Choice, value: &'a Value) {
        let values: Vec<String> = match value {
            Value::Array(items) => items.iter().filter_map(plain::text_of).collect(),
            Value::String(text) => vec![text.clone()],
            _ => return self.wrong_type(field, "a list of texts"),
        };
        if value.as_array().is_some_and(|items| items.len() > values.len()) {
            self.wrong_type(field, "a list of texts");
        }
        self.counts(field, counts, values.len(), "options");
        for chosen in &values {
            self.chosen(field, choice, chosen);
        }
    }

    /// A value that was chosen.
    pub(super) fn chosen(&mut self, field: Field<'a>, choice: &'a Choice, value: &str) {
        let known = match choice {
            Choice::Listed(values) if values.contains(value) => Known::There(()),
            Choice::Listed(_) => Known::Missing,
            Choice::Datasource(slug) => self.entry(slug, value),
            Choice::Languages => self.language(value),
            Choice::Stories(targets) => return self.reference(field, Reference::Option, targets, value),
            Choice::Elsewhere => return,
        };
        if known == Known::Missing {
            self.report(field.block, FieldCode::UnknownOption, || {
                format!("has the value {:?}, which is not among its options", short(value))
            });
        }
    }
}

/// The beginning of a text, for a sentence.
fn short(text: &str) -> &str {
    text.char_indices().nth(100).map_or(text, |(end, _)| text.get(..end).unwrap_or(text))
}
