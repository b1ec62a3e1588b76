//! Repairs attributes of an unexpected type or size: as much as possible is kept, the rest is left out with a
//! warning. No repair fails the record.

use crate::{content::schema, shared::timestamp};
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use serde_json::{Map, Value, value::RawValue};
use std::{borrow::Cow, collections::BTreeMap};
use uuid::Uuid;

/// How many characters of the original value a warning shows.
const EXCERPT: usize = 60;

/// The expected type of an attribute. Null is always allowed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rule {
    /// Text of at most this many characters; longer text is cut.
    Text(usize),
    /// Text that makes no sense when it is cut, such as a URL: longer text is left out.
    Link(usize),
    /// An integer within these bounds.
    Number(i64, i64),
    Flag,
    /// A boolean that protects something: true if it cannot be read.
    Guard,
    Time,
    Day,
    Uuid,
    /// An object of at most this many bytes of JSON.
    Object(usize),
    /// A list of texts.
    Texts,
    /// A list of at most this many integers.
    Numbers(usize),
    /// An object whose values are texts of at most this many characters.
    TextsByName(usize),
    /// An object with attributes of its own.
    Inside(&'static [(&'static str, Rule)]),
    /// A list of objects, each of which has at least the first of these attributes; others are left out.
    Each(&'static [(&'static str, Rule)]),
    /// The schema of a component.
    Fields,
}

/// Any integer.
pub(super) const NUMBER: Rule = Rule::Number(i64::MIN, i64::MAX);
/// Any text.
pub(super) const TEXT: Rule = Rule::Text(usize::MAX);
/// An integer of 32 bits.
pub(super) const POSITION: Rule = Rule::Number(i32::MIN as i64, i32::MAX as i64);

/// The record with its attributes repaired, and one sentence per repair. Attributes that need no repair keep
/// their exact bytes.
pub(super) fn repaired<'a>(rules: &[(&str, Rule)], text: &'a str) -> serde_json::Result<(Cow<'a, str>, Vec<String>)> {
    let mut attributes: BTreeMap<String, Box<RawValue>> = serde_json::from_str(text)?;
    let mut warnings = Vec::new();
    let mut is_changed = false;
    for (name, rule) in rules {
        let Some(attribute) = attributes.get_mut(*name) else { continue };
        let before: Value = serde_json::from_str(attribute.get())?;
        let mut after = before.clone();
        rule.repair(name, &mut after, &mut warnings);
        if after != before {
            *attribute = serde_json::value::to_raw_value(&after)?;
            is_changed = true;
        }
    }
    let text = if is_changed { Cow::Owned(serde_json::to_string(&attributes)?) } else { Cow::Borrowed(text) };
    Ok((text, warnings))
}

impl Rule {
    fn repair(self, name: &str, value: &mut Value, warnings: &mut Vec<String>) {
        if value.is_null() {
            return;
        }
        let repaired = match self {
            Self::Text(max) => text(name, value, max, warnings),
            Self::Link(max) => {
                value.as_str().filter(|value| value.chars().count() <= max && !value.chars().any(is_unprintable)).map(Value::from)
            }
            Self::Number(min, max) => number(value).filter(|n| (min..=max).contains(n)).map(Value::from),
            Self::Flag => flag(value).map(Value::from),
            Self::Guard => Some(Value::from(flag(value).unwrap_or_else(|| {
                warnings.push(format!("{name} makes no sense and is taken for a yes: {}", excerpt(value)));
                true
            }))),
            Self::Time => value
                .as_str()
                .map(str::trim)
                .filter(|value| value.is_empty() || is_time(value))
                .map(Value::from)
                .or_else(|| moment(value)),
            Self::Day => value.as_str().and_then(day).map(Value::from),
            Self::Uuid => value.as_str().and_then(|value| value.parse::<Uuid>().ok()).map(|value| value.to_string().into()),
            Self::Object(max) => Some(&*value).filter(|value| value.is_object() && value.to_string().len() <= max).cloned(),
            Self::Texts => list(name, value, warnings, |value| value.as_str().map(Value::from)),
            Self::Numbers(max) => {
                list(name, value, warnings, |value| number(value).map(Value::from)).map(|all| first(name, all, max, warnings))
            }
            Self::TextsByName(max) => by_name(name, value, max, warnings),
            Self::Inside(rules) => inside(name, value, rules, warnings),
            Self::Each(rules) => {
                let mut inner = Vec::new();
                let all = list(name, value, warnings, |value| each(name, value, rules, &mut inner));
                warnings.append(&mut inner);
                all
            }
            Self::Fields => {
                let oddities = value.as_object().map(schema::oddities).unwrap_or_default();
                warnings.extend(oddities.into_iter().map(|t| format!("{name}: {t}: it is kept as it is")));
                Some(&*value).filter(|value| value.is_object()).cloned()
            }
        };
        *value = repaired.unwrap_or_else(|| {
            warnings.push(format!("{name} makes no sense and is left out: {}", excerpt(value)));
            Value::Null
        });
    }
}

fn excerpt(value: &Value) -> String {
    value.to_string().chars().take(EXCERPT).collect()
}

fn is_unprintable(character: char) -> bool {
    character.is_control() && !character.is_whitespace()
}

fn text(name: &str, value: &Value, max: usize, warnings: &mut Vec<String>) -> Option<Value> {
    let text = match value {
        Value::String(text) => Cow::Borrowed(text),
        Value::Number(_) | Value::Bool(_) => Cow::Owned(value.to_string()),
        _ => return None,
    };
    if text.len() <= max && !text.chars().any(is_unprintable) {
        return Some(Value::String(text.into_owned()));
    }
    let kept: String = text.chars().filter(|c| max == usize::MAX || !is_unprintable(*c)).take(max).collect();
    if kept != *text {
        warnings.push(format!("{name} is cut to {max} characters, and to those that can be shown: {}", excerpt(value)));
    }
    Some(kept.into())
}

fn number(value: &Value) -> Option<i64> {
    match value {
        Value::String(text) => text.trim().parse().ok(),
        #[expect(clippy::cast_possible_truncation, reason = "looked at before")]
        other => {
            other.as_i64().or_else(|| other.as_f64().filter(|f64| f64.fract() == 0.0 && f64.abs() < 9e15).map(|f64| f64 as i64))
        }
    }
}

fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Number(number) => Some(number.as_f64() != Some(0.0)),
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" => Some(true),
            "false" | "0" | "no" | "" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a text is a timestamp that can be stored.
fn is_time(text: &str) -> bool {
    text.parse().is_ok_and(|p: Timestamp| (0..=9999).contains(&p.to_zoned(TimeZone::UTC).year()))
}

/// A timestamp in another format, converted.
fn moment(value: &Value) -> Option<Value> {
    let moment = timestamp::read(value.as_str()?)?.to_string();
    is_time(&moment).then(|| moment.into())
}

/// A date, possibly followed by a time.
fn day(text: &str) -> Option<String> {
    let text = text.trim();
    let day = text.get(..10).unwrap_or(text);
    day.parse::<Date>().ok().map(|p| p.to_string())
}

/// The list without the items that cannot be repaired.
fn list(name: &str, value: &Value, warnings: &mut Vec<String>, mut repair: impl FnMut(&Value) -> Option<Value>) -> Option<Value> {
    let items = value.as_array()?;
    let mut kept = Vec::with_capacity(items.len());
    let mut left_out = None;
    for item in items {
        match repair(item) {
            Some(item) => kept.push(item),
            None => left_out = left_out.or(Some(item)),
        }
    }
    if let Some(item) = left_out {
        let count = items.len() - kept.len();
        warnings.push(format!("{name}: {count} of {} items make no sense and are left out: {}", items.len(), excerpt(item)));
    }
    Some(Value::Array(kept))
}

fn first(name: &str, all: Value, max: usize, warnings: &mut Vec<String>) -> Value {
    match all {
        Value::Array(mut items) if items.len() > max => {
            warnings.push(format!("{name} is cut to {max} items"));
            items.truncate(max);
            Value::Array(items)
        }
        other => other,
    }
}

fn by_name(name: &str, value: &Value, max: usize, warnings: &mut Vec<String>) -> Option<Value> {
    let mut kept = value.as_object()?.clone();
    for (key, value) in &mut kept {
        Rule::Text(max).repair(&format!("{name}.{key}"), value, warnings);
    }
    Some(Value::Object(kept))
}

fn inside(name: &str, value: &Value, rules: &[(&str, Rule)], warnings: &mut Vec<String>) -> Option<Value> {
    let mut kept: Map<String, Value> = value.as_object()?.clone();
    for (key, rule) in rules {
        if let Some(value) = kept.get_mut(*key) {
            rule.repair(&format!("{name}.{key}"), value, warnings);
        }
    }
    Some(Value::Object(kept))
}

/// An item of a list; `None` if its first attribute is missing.
fn each(name: &str, item: &Value, rules: &[(&str, Rule)], warnings: &mut Vec<String>) -> Option<Value> {
    let mut own = Vec::new();
    let kept = inside(name, item, rules, &mut own)?;
    let (needed, _) = rules.first()?;
    if kept.get(*needed).is_none_or(Value::is_null) {
        return None;
    }
    warnings.append(&mut own);
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::{NUMBER, POSITION, Rule};
    use serde_json::{Value, json};

    fn repair(rule: Rule, mut value: Value) -> (Value, usize) {
        let mut warnings = Vec::new();
        rule.repair("a", &mut value, &mut warnings);
        (value, warnings.len())
    }

    #[test]
    fn numbers_and_switches_are_taken_as_texts_too() {
        for (rule, given, kept) in [
            (NUMBER, json!(" 7 "), json!(7)),
            (NUMBER, json!(7.0), json!(7)),
            (NUMBER, json!(-8e15), json!(-8_000_000_000_000_000_i64)),
            (Rule::Flag, json!("No"), json!(false)),
            (Rule::Flag, json!("0"), json!(false)),
            (Rule::Flag, json!(""), json!(false)),
            (Rule::Flag, json!("false"), json!(false)),
            (Rule::Flag, json!(" YES "), json!(true)),
            (Rule::Flag, json!(2), json!(true)),
            (Rule::Flag, json!(0), json!(false)),
            (Rule::Text(9), json!(12), json!("12")),
            (Rule::Text(9), json!(true), json!("true")),
            (Rule::Link(3), json!("a/b"), json!("a/b")),
            (Rule::Guard, json!("no"), json!(false)),
            (Rule::Day, json!(" 2026-02-03 10:00"), json!("2026-02-03")),
            (Rule::Time, json!("2026-02-03 10:00"), json!("2026-02-03T10:00:00Z")),
            (Rule::Time, json!(" "), json!("")),
            (Rule::Numbers(3), json!([1, "2", 3.0]), json!([1, 2, 3])),
        ] {
            assert_eq!(repair(rule, given.clone()), (kept, 0), "{rule:?} {given}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_left_out_with_a_warning() {
        for (rule, given, kept) in [
            (NUMBER, json!(7.5), json!(null)),
            (NUMBER, json!(9.1e15), json!(null)),
            (NUMBER, json!("seven"), json!(null)),
            (POSITION, json!(3_000_000_000_i64), json!(null)),
            (Rule::Flag, json!("perhaps"), json!(null)),
            (Rule::Guard, json!("perhaps"), json!(true)),
            (Rule::Guard, json!([]), json!(true)),
            (Rule::Text(3), json!("abcd"), json!("abc")),
            (Rule::Text(3), json!("a\u{0}b"), json!("ab")),
            (Rule::Text(3), json!({}), json!(null)),
            (Rule::Link(3), json!("a/bc"), json!(null)),
            (Rule::Link(9), json!("a\u{7}"), json!(null)),
            (Rule::Day, json!("2026-02-30"), json!(null)),
            (Rule::Uuid, json!("x"), json!(null)),
            (Rule::Object(7), json!({"a": 12}), json!(null)),
            (Rule::Numbers(2), json!([1, 2, 3]), json!([1, 2])),
            (Rule::Texts, json!(["a", 1, {}]), json!(["a"])),
        ] {
            assert_eq!(repair(rule, given.clone()), (kept, 1), "{rule:?} {given}");
        }
        assert_eq!(repair(Rule::Object(8), json!({"a": 12})), (json!({"a": 12}), 0));
        assert_eq!(repair(Rule::Numbers(2), json!([1, 2])), (json!([1, 2]), 0));
    }

    #[test]
    fn a_warning_shows_the_begin_of_the_value_and_how_many_items_are_left_out() {
        let warning = |rule: Rule, mut value: Value| {
            let mut warnings = Vec::new();
            rule.repair("a", &mut value, &mut warnings);
            warnings.pop().unwrap()
        };
        let long = "x".repeat(100);
        assert_eq!(warning(NUMBER, json!(long)), format!("a makes no sense and is left out: \"{}", "x".repeat(59)));
        let items = warning(Rule::Numbers(9), json!([1, "b", 2, "d", 3]));
        assert_eq!(items, "a: 2 of 5 items make no sense and are left out: \"b\"");
    }
}
