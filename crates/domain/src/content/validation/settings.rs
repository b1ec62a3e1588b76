//! `conditional_settings` of a field, as rules. [`super::conditions`] applies them to a block.

use super::plain::text_of;
use serde_json::{Map, Value};

/// One of the settings: changes that are made when its tests are true.
#[derive(Debug)]
pub(super) struct Setting {
    /// How the tests are joined; `None` for a word that is unknown, which is never true.
    pub(super) matching: Option<Matching>,
    pub(super) tests: Vec<Test>,
    pub(super) changes: Vec<Change>,
    /// The words that are unknown, for a warning.
    pub(super) unknown: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Matching {
    All,
    Any,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Change {
    Hidden(bool),
    Required(bool),
}

/// A test of another field of the same block.
#[derive(Debug)]
pub(super) struct Test {
    pub(super) field: String,
    /// `None` for an unknown word, which is never true.
    pub(super) relation: Option<Relation>,
    pub(super) value: Option<String>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Relation {
    Empty,
    NotEmpty,
    Equals,
    NotEquals,
    Greater,
    Less,
}

impl Setting {
    /// Reads the list of a field; a single one may stand alone.
    pub(super) fn read_all(settings: Option<&Value>) -> Vec<Self> {
        list(settings).filter_map(Value::as_object).map(Self::read).collect()
    }

    fn read(setting: &Map<String, Value>) -> Self {
        let mut unknown = Vec::new();
        let matching = match setting.get("rule_match").and_then(text_of).as_deref() {
            None | Some("" | "all") => Some(Matching::All),
            Some("any") => Some(Matching::Any),
            Some(word) => {
                unknown.push(word.to_owned());
                None
            }
        };
        let changes = list(setting.get("modifications")).filter_map(Value::as_object);
        let changes = changes.flat_map(|modification| Change::read(modification, &mut unknown)).collect();
        let tests = list(setting.get("rule_conditions")).filter_map(Value::as_object);
        let tests = tests.map(|condition| Test::read(condition, &mut unknown)).collect();
        Self { matching, tests, changes, unknown }
    }
}

impl Change {
    fn read(modification: &Map<String, Value>, unknown: &mut Vec<String>) -> Vec<Self> {
        let mut changes = Vec::new();
        match modification.get("display").and_then(text_of).as_deref() {
            None | Some("") => {}
            Some("hide") => changes.push(Self::Hidden(true)),
            Some("show") => changes.push(Self::Hidden(false)),
            Some(word) => unknown.push(word.to_owned()),
        }
        match modification.get("required").and_then(text_of).as_deref() {
            None | Some("") => {}
            Some("true") => changes.push(Self::Required(true)),
            Some("false") => changes.push(Self::Required(false)),
            Some(word) => unknown.push(word.to_owned()),
        }
        changes
    }
}

impl Test {
    fn read(condition: &Map<String, Value>, unknown: &mut Vec<String>) -> Self {
        let validation = condition.get("validation").and_then(text_of).unwrap_or_default();
        let mut relation = match validation.as_str() {
            "empty" | "is_empty" => Some(Relation::Empty),
            "not_empty" | "is_not_empty" => Some(Relation::NotEmpty),
            "equals" | "is_equal" => Some(Relation::Equals),
            "not_equals" | "is_not_equal" => Some(Relation::NotEquals),
            "gt" => Some(Relation::Greater),
            "lt" => Some(Relation::Less),
            _ => None,
        };
        if relation.is_none() {
            unknown.push(validation);
        }
        let of = condition.get("validated_object").and_then(Value::as_object);
        let part = |name: &str| of.and_then(|of| of.get(name)).and_then(text_of).unwrap_or_default();
        // Only the value of a field can be looked at.
        for (name, known) in [("type", "field"), ("field_attr", "value")] {
            let word = part(name);
            if !word.is_empty() && word != known {
                unknown.push(word);
                relation = None;
            }
        }
        Self { field: part("field_key"), relation, value: condition.get("value").and_then(text_of) }
    }
}

/// The items of a list, or one value that stands alone.
fn list(value: Option<&Value>) -> impl Iterator<Item = &Value> {
    value.into_iter().flat_map(|value| value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice))
}
