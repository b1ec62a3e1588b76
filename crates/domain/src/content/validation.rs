//! Validation: what the schemas of a space say about a story's content. Saving never asks; publishing does
//! where the space wants it.
//!
//! ```text
//! Schemas::new(components, groups)      the rules of the components that the content names, read once
//! begin(content, schemas)               the problems, or what has to be read before they are known
//!   -> Needs                            stories, entries of datasources, languages: read by the use case
//! validate(content, schemas, read)      the problems
//! ```
//!
//! The walk visits every block once, in time that is proportional to the content, and keeps at most
//! [`MAX_PROBLEMS`]. What is unknown (a component, a field, a word of a condition) and what only may be wrong
//! is a warning. Rules look at the value of every language; only the default one can miss a required value.
//! A hidden field misses nothing, and its value, which is delivered, follows the other rules.

mod blocks;
mod conditions;
mod files;
mod links;
mod missing;
mod needs;
mod options;
pub mod pattern;
mod plain;
mod problem;
mod richtext;
mod rules;
mod schemas;
mod settings;
#[cfg(test)]
mod tests;
mod values;
mod walk;

/// What another walk over a content reads of its schemas.
pub(in crate::content) mod reading {
    pub(in crate::content) use super::{
        conditions::is_hidden,
        missing::{body, children, is_missing},
        rules::{FieldRules, Kind},
    };
}

pub use needs::{Needs, StoryTarget, Surroundings};
pub use problem::{MAX_PROBLEMS, Problem, Problems};
pub use schemas::{ComponentSource, GroupSource, Schemas};

use serde_json::Value;

/// The beginning of a validation.
#[derive(Debug)]
pub enum Begun {
    /// The content names nothing outside of itself.
    Complete(Problems),
    /// These have to be read first.
    Needs(Needs),
}

/// Validates content as far as its schemas say all about it.
pub fn begin(content: &Value, schemas: &Schemas) -> Begun {
    let (problems, needs) = walk::walk(content, schemas, None);
    if needs.is_empty() { Begun::Complete(problems) } else { Begun::Needs(needs) }
}

/// Validates content by its schemas and what was read for it.
pub fn validate(content: &Value, schemas: &Schemas, surroundings: &Surroundings) -> Problems {
    walk::walk(content, schemas, Some(surroundings)).0
}
