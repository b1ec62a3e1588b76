//! When a field is hidden, and when it is required: its settings, applied to a block.

use super::{
    missing::is_missing,
    plain::{number, parse_number, text_of},
    rules::FieldRules,
    schemas::ComponentRules,
    settings::{Change, Matching, Relation, Setting, Test},
};
use serde_json::{Map, Value};

/// What the settings of a field amount to in one block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    pub(super) is_hidden: bool,
    pub(super) is_required: bool,
}

/// Whether a field is hidden and required in a block. The settings apply in their order, so that a later one
/// wins.
pub(super) fn state(settings: &[Setting], required: bool, block: &Map<String, Value>, rules: &ComponentRules) -> State {
    let mut state = State { is_hidden: false, is_required: required };
    for setting in settings.iter().filter(|setting| applies(setting, block, rules)) {
        for change in &setting.changes {
            match *change {
                Change::Hidden(is_hidden) => state.is_hidden = is_hidden,
                Change::Required(is_required) => state.is_required = is_required,
            }
        }
    }
    state
}

/// Whether a field is hidden in a block.
pub(in crate::content) fn is_hidden(field: &FieldRules, block: &Map<String, Value>, rules: &ComponentRules) -> bool {
    state(&field.settings, field.required, block, rules).is_hidden
}

fn applies(setting: &Setting, block: &Map<String, Value>, rules: &ComponentRules) -> bool {
    let mut results = setting.tests.iter().map(|test| is_true(test, block, rules));
    match setting.matching {
        Some(Matching::All) => !setting.tests.is_empty() && results.all(|result| result),
        Some(Matching::Any) => results.any(|result| result),
        None => false,
    }
}

fn is_true(test: &Test, block: &Map<String, Value>, rules: &ComponentRules) -> bool {
    let Some(relation) = test.relation else { return false };
    let value = block.get(&test.field);
    let is_empty = || is_missing(rules.kind(&test.field), value);
    let numbers = || value.and_then(number).zip(test.value.as_deref().and_then(parse_number));
    match relation {
        Relation::Empty => is_empty(),
        Relation::NotEmpty => !is_empty(),
        Relation::Equals => value.and_then(text) == test.value,
        Relation::NotEquals => value.and_then(text) != test.value,
        Relation::Greater => numbers().is_some_and(|(value, bound)| value > bound),
        Relation::Less => numbers().is_some_and(|(value, bound)| value < bound),
    }
}

/// A value as JavaScript writes it: a list with commas between its items.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::Array(items) => Some(items.iter().map(|item| text_of(item).unwrap_or_default()).collect::<Vec<_>>().join(",")),
        one => text_of(one),
    }
}
