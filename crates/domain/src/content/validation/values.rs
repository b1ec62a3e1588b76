//! What is asked of the value of a field that has one.

use super::{
    missing::{is_blank, is_missing},
    pattern::BadPattern,
    plain::{number, text_of},
    rules::{Counts, Kind, NumberRules},
    walk::{Field, Step, Walk},
};
use crate::shared::FieldCode;
use serde_json::Value;

impl<'a> Walk<'a> {
    /// Validates a value, which is not missing.
    pub(super) fn value(&mut self, field: Field<'a>, value: &'a Value) {
        self.pattern(field, value);
        match &field.rules.kind {
            Kind::Text { min, max } => match value {
                Value::String(text) => self.length(field, text, *min, *max),
                _ => self.wrong_type(field, "a text"),
            },
            Kind::RichText(restriction) => self.rich_text(field, restriction, value),
            Kind::Number(rules) => self.number(field, *rules, value),
            Kind::Boolean => match value {
                Value::Bool(_) => {}
                Value::String(text) if matches!(text.as_str(), "true" | "false") => {}
                _ => self.wrong_type(field, "true or false"),
            },
            Kind::Datetime { is_day } => match value.as_str().filter(|text| is_time(text)) {
                None => self.wrong_type(field, "a time: YYYY-MM-DD HH:mm"),
                Some(text) if *is_day && has_time(text) => {
                    self.report(field.block, FieldCode::TimeNotAllowed, || "has a time, and the field asks for a day".to_owned());
                }
                Some(_) => {}
            },
            Kind::Blocks(counts, restriction) => self.blocks(field, *counts, restriction, value),
            Kind::Option(choice) => match text_of(value) {
                Some(chosen) => self.chosen(field, choice, &chosen),
                None => self.wrong_type(field, "a text"),
            },
            Kind::Options(counts, choice) => self.options(field, *counts, choice, value),
            Kind::Asset(rules) => self.asset(field, rules, value),
            Kind::Assets(counts, rules) => match value {
                Value::Array(assets) => {
                    let files = assets.iter().filter(|asset| !asset.as_object().is_some_and(|asset| is_blank(asset, "filename")));
                    self.counts(field, *counts, files.count(), "files");
                    for asset in assets {
                        self.asset(field, rules, asset);
                    }
                }
                _ => self.wrong_type(field, "a list of assets"),
            },
            Kind::Link(rules) => self.link(field, rules, value),
            Kind::Custom(required) => self.custom(field, required, value),
            Kind::Free | Kind::Layout => {}
        }
    }

    /// The value of a plugin: anything, with the members that its field requires.
    fn custom(&mut self, field: Field<'a>, required: &'a [String], value: &'a Value) {
        let Value::Object(object) = value else { return };
        for name in required.iter().filter(|name| is_missing(&Kind::Free, object.get(*name))) {
            self.at(Step::Field(name), |walk| walk.report(field.block, FieldCode::Blank, || "can't be blank".to_owned()));
        }
    }

    pub(super) fn wrong_type(&mut self, field: Field<'_>, right: &str) {
        self.report(field.block, FieldCode::WrongType, || format!("must be {right}"));
    }

    /// Lengths are UTF-16 code units, as JavaScript counts them.
    fn length(&mut self, field: Field<'_>, text: &str, min: Option<usize>, max: Option<usize>) {
        // There are at most as many units as bytes.
        let length = if min.is_none() && max.is_none_or(|max| text.len() <= max) { return } else { text.encode_utf16().count() };
        if let Some(max) = max.filter(|max| length > *max) {
            self.report(field.block, FieldCode::TooLong, || format!("is too long (maximum is {max} characters)"));
        }
        if let Some(min) = min.filter(|min| length < *min) {
            self.report(field.block, FieldCode::TooShort, || format!("is too short (minimum is {min} characters)"));
        }
    }

    /// A pattern is searched in texts and numbers.
    fn pattern(&mut self, field: Field<'_>, value: &Value) {
        let Some(pattern) = &field.rules.pattern else { return };
        let text = match value {
            Value::String(_) | Value::Number(_) => text_of(value),
            _ => None,
        };
        let Some(text) = text else { return };
        match pattern.compiled(&mut self.budget) {
            Ok(compiled) => match compiled.is_in(&text, &mut self.budget) {
                Ok(true) => {}
                Ok(false) => {
                    self.report(field.block, FieldCode::PatternMismatch, || "does not match the pattern of the field".to_owned());
                }
                Err(_) => self.report(field.block, FieldCode::PatternUndecided, || {
                    "was not compared with the pattern of the field, which takes too long".to_owned()
                }),
            },
            Err(error) => self.bad_pattern(field, error),
        }
    }

    fn bad_pattern(&mut self, field: Field<'_>, error: BadPattern) {
        self.warn_once(field, FieldCode::BadPattern, || {
            format!("has a pattern in its schema that {error}, so it was not compared")
        });
    }

    fn number(&mut self, field: Field<'_>, rules: NumberRules, value: &Value) {
        let Some(found) = number(value) else {
            return match value {
                Value::String(_) => self.report(field.block, FieldCode::NotANumber, || "is not a number".to_owned()),
                _ => self.wrong_type(field, "a number"),
            };
        };
        if let Some(min) = rules.min.filter(|min| found < *min) {
            self.report(field.block, FieldCode::TooSmall, || format!("must be greater than or equal to {min}"));
        }
        if let Some(max) = rules.max.filter(|max| found > *max) {
            self.report(field.block, FieldCode::TooLarge, || format!("must be less than or equal to {max}"));
        }
        if let Some(max) = rules.decimals.filter(|max| decimals(found) > *max) {
            self.report(field.block, FieldCode::TooPrecise, || format!("has too many decimals (maximum is {max})"));
        }
        if let Some(steps) = rules.steps.filter(|steps| !is_multiple(found, *steps)) {
            self.report(field.block, FieldCode::NotAMultiple, || format!("is not a multiple of {steps}"));
        }
    }

    /// The number of blocks, options or files in a list that is not empty.
    pub(super) fn counts(&mut self, field: Field<'_>, counts: Counts, count: usize, what: &str) {
        if let Some(min) = counts.min.filter(|min| count < *min) {
            self.report(field.block, FieldCode::TooFew, || format!("has too few {what} (minimum is {min})"));
        }
        if let Some(max) = counts.max.filter(|max| count > *max) {
            self.report(field.block, FieldCode::TooMany, || format!("has too many {what} (maximum is {max})"));
        }
    }
}

/// How many decimals a number has, in the shortest text that means it.
fn decimals(number: f64) -> usize {
    number.to_string().split_once('.').map_or(0, |(_, decimals)| decimals.len())
}

/// Whether a number is a multiple of another, but for the error of binary fractions.
fn is_multiple(number: f64, of: f64) -> bool {
    let quotient = number / of;
    (quotient - quotient.round()).abs() <= 1e-9 * quotient.abs().max(1.0)
}

/// Whether a text begins with a day and goes on, if at all, with a time.
fn is_time(text: &str) -> bool {
    let text = text.trim();
    let (day, time) = text.split_once([' ', 'T']).unwrap_or((text, ""));
    day.parse::<jiff::civil::Date>().is_ok() && time.chars().all(|c| c.is_ascii_digit() || matches!(c, ':' | '.' | 'Z' | '+' | '-'))
}

/// Whether a time is another one than the begin of its day.
fn has_time(text: &str) -> bool {
    let (_, time) = text.trim().split_once([' ', 'T']).unwrap_or((text, ""));
    time.split(['.', 'Z', '+', '-']).next().unwrap_or_default().chars().any(|c| c.is_ascii_digit() && c != '0')
}
