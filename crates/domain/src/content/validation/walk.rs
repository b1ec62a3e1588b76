//! The walk over a content: every block once, with its path. What is asked of values is in the files beside.

use super::{
    conditions::{self, State},
    missing::is_missing,
    needs::{Known, Needs, StoryKey, StoryTarget, Surroundings},
    pattern::Budget,
    problem::Problems,
    rules::{FieldRules, Kind},
    schemas::{ComponentRules, Schemas},
};
use crate::{
    content::{blocks::component, localize},
    shared::FieldCode,
};
use serde_json::{Map, Value};
use std::{collections::HashSet, fmt::Write};

/// The deepest nesting of blocks and of nodes of rich text that is walked.
pub(super) const MAX_DEPTH: usize = 100;
/// The steps of all patterns together: about 50 ms.
const PATTERN_STEPS: u64 = 5_000_000;

/// The problems of a content; and, as long as nothing was read for it, what has to be.
pub(super) fn walk(content: &Value, schemas: &Schemas, surroundings: Option<&Surroundings>) -> (Problems, Needs) {
    let mut walk = Walk {
        schemas,
        surroundings,
        needs: Needs::default(),
        problems: Problems::default(),
        budget: Budget::new(PATTERN_STEPS),
        path: Vec::new(),
        depth: 0,
        warned: HashSet::new(),
    };
    if let Value::Object(root) = content {
        walk.block(root);
    }
    (walk.problems, walk.needs)
}

pub(super) struct Walk<'a> {
    pub(super) schemas: &'a Schemas,
    surroundings: Option<&'a Surroundings>,
    needs: Needs,
    problems: Problems,
    pub(super) budget: Budget,
    path: Vec<Step<'a>>,
    depth: usize,
    /// Fields whose schema was warned about: that comes once, and not for each of their blocks.
    warned: HashSet<(*const FieldRules, FieldCode)>,
}

/// A step of a path.
#[derive(Clone, Copy)]
pub(super) enum Step<'a> {
    Field(&'a str),
    Number(usize),
}

/// A field of a block, in any language.
#[derive(Clone, Copy)]
pub(super) struct Field<'a> {
    pub(super) block: &'a Map<String, Value>,
    pub(super) rules: &'a FieldRules,
}

impl<'a> Walk<'a> {
    /// Validates a block that the path leads to.
    pub(super) fn block(&mut self, block: &'a Map<String, Value>) {
        let Some(name) = component(block) else {
            return self.report(block, FieldCode::WrongType, || "is no block: it names no component".to_owned());
        };
        let Some(rules) = self.schemas.component(name) else {
            return self.report(block, FieldCode::UnknownComponent, || format!("has the unknown component {name}"));
        };
        if self.depth >= MAX_DEPTH {
            return self.report(block, FieldCode::TooDeep, || "is nested too deeply to be validated".to_owned());
        }
        self.depth += 1;
        for (key, value) in block {
            self.member(block, rules, key, value);
        }
        for field in &rules.fields {
            self.settings(Field { block, rules: field }, rules);
        }
        self.depth -= 1;
    }

    /// The value of a field in one language.
    fn member(&mut self, block: &'a Map<String, Value>, rules: &'a ComponentRules, key: &'a str, value: &'a Value) {
        let Some(field) = rules.field(localize::field_of(key)) else {
            if !matches!(key, "_uid" | "component" | "_editable") {
                self.at(Step::Field(key), |walk| {
                    walk.report(block, FieldCode::UnknownField, || "is not in the schema of its component".to_owned());
                });
            }
            return;
        };
        if !is_missing(&field.kind, Some(value)) {
            self.at(Step::Field(key), |walk| walk.value(Field { block, rules: field }, value));
        }
    }

    /// What conditions say about a field, and whether it misses a value.
    fn settings(&mut self, field: Field<'a>, rules: &ComponentRules) {
        let Field { block, rules: own } = field;
        if let Some(word) = own.settings.iter().find_map(|setting| setting.unknown.first()) {
            self.at(Step::Field(&own.name), |walk| {
                walk.warn_once(field, FieldCode::UnknownCondition, || {
                    format!("has a condition with the unknown word {word:?}, which is never true")
                });
            });
        }
        let State { is_hidden, is_required } = conditions::state(&own.settings, own.required, block, rules);
        let asks = is_required && !is_hidden && !matches!(own.kind, Kind::Boolean | Kind::Layout);
        if asks && is_missing(&own.kind, block.get(&own.name)) {
            self.at(Step::Field(&own.name), |walk| walk.report(block, FieldCode::Blank, || "can't be blank".to_owned()));
        }
    }

    /// Does something one step further down.
    pub(super) fn at(&mut self, step: Step<'a>, act: impl FnOnce(&mut Self)) {
        self.path.push(step);
        act(self);
        self.path.pop();
    }

    /// Does something one level deeper, unless that is too deep.
    pub(super) fn deeper(&mut self, block: &Map<String, Value>, act: impl FnOnce(&mut Self)) {
        if self.depth >= MAX_DEPTH {
            return self.report(block, FieldCode::TooDeep, || "is nested too deeply to be validated".to_owned());
        }
        self.depth += 1;
        act(self);
        self.depth -= 1;
    }

    /// Reports a problem where the path leads to.
    pub(super) fn report(&mut self, block: &Map<String, Value>, code: FieldCode, message: impl FnOnce() -> String) {
        if self.problems.takes(code) {
            let uid = block.get("_uid").and_then(Value::as_str).map(str::to_owned);
            self.problems.add(self.path_text(), uid, code, message());
        }
    }

    /// Warns about the schema of a field, once.
    pub(super) fn warn_once(&mut self, field: Field<'_>, code: FieldCode, message: impl FnOnce() -> String) {
        if self.warned.insert((std::ptr::from_ref(field.rules), code)) {
            self.report(field.block, code, message);
        }
    }

    fn path_text(&self) -> String {
        let mut text = String::new();
        for step in &self.path {
            if !text.is_empty() {
                text.push('/');
            }
            match step {
                Step::Field(name) => text.push_str(name),
                // Writing into a text cannot fail.
                Step::Number(number) => drop(write!(text, "{number}")),
            }
        }
        text
    }

    /// A story that is referred or linked to.
    pub(super) fn story(&mut self, key: StoryKey) -> Known<&'a StoryTarget> {
        let Some(read) = self.surroundings else {
            self.needs.stories.insert(key);
            return Known::NotYet;
        };
        read.stories.get(&key).map_or(Known::Missing, Known::There)
    }

    /// Whether a datasource has a value.
    pub(super) fn entry(&mut self, datasource: &str, value: &str) -> Known<()> {
        let Some(read) = self.surroundings else {
            self.needs.entries.entry(datasource.to_owned()).or_default().insert(value.to_owned());
            return Known::NotYet;
        };
        let has = read.entries.get(datasource).is_some_and(|values| values.contains(value));
        if has { Known::There(()) } else { Known::Missing }
    }

    /// Whether the space has a language.
    pub(super) fn language(&mut self, code: &str) -> Known<()> {
        let Some(read) = self.surroundings else {
            self.needs.languages = true;
            return Known::NotYet;
        };
        if code == "default" || read.languages.contains(code) { Known::There(()) } else { Known::Missing }
    }
}
