//! Attributes that another service wrote, and that are not as they should be: kept as far as they can be, and told of. None of them costs the record.

use crate::{content::schema, shared::timestamp};
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use serde_json::{Map, Value, value::RawValue};
use std::{borrow::Cow, collections::BTreeMap};
use uuid::Uuid;

/// How much of what was there is told.
const TOLD: usize = 60;

/// What an attribute has to be. Null is never wrong.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rule {
    /// A text of at most so many characters; a longer one is cut.
    Text(usize),
    /// A text that makes no sense when it is cut.
    Link(usize),
    /// A whole number in these bounds.
    Number(i64, i64),
    /// Yes or no.
    Flag,
    /// Yes or no, of what protects: yes when that cannot be read.
    Guard,
    /// A moment.
    Time,
    /// A day.
    Day,
    /// A UUID.
    Uuid,
    /// An object of at most so many bytes.
    Object(usize),
    /// A list of texts.
    Texts,
    /// A list of at most so many numbers.
    Numbers(usize),
    /// Texts of at most so many characters, by name.
    TextsByName(usize),
    /// An object with attributes of its own.
    Inside(&'static [(&'static str, Rule)]),
    /// A list of objects, each of which has at least the first of these attributes.
    Each(&'static [(&'static str, Rule)]),
    /// Fields of a component.
    Fields,
}

/// Any number.
pub(super) const NUMBER: Rule = Rule::Number(i64::MIN, i64::MAX);
/// Any text.
pub(super) const TEXT: Rule = Rule::Text(usize::MAX);
/// A small number.
pub(super) const POSITION: Rule = Rule::Number(i32::MIN as i64, i32::MAX as i64);

/// The record with its attributes as they have to be, and what was done to them. What is in order stays as it was written.
pub(super) fn mended<'a>(rules: &[(&str, Rule)], text: &'a str) -> serde_json::Result<(Cow<'a, str>, Vec<String>)> {
    let mut attributes: BTreeMap<String, Box<RawValue>> = serde_json::from_str(text)?;
    let mut odd = Vec::new();
    let mut is_changed = false;
    for (name, rule) in rules {
        let Some(attribute) = attributes.get_mut(*name) else { continue };
        let before: Value = serde_json::from_str(attribute.get())?;
        let mut after = before.clone();
        rule.mend(name, &mut after, &mut odd);
        if after != before {
            *attribute = serde_json::value::to_raw_value(&after)?;
            is_changed = true;
        }
    }
    let text = if is_changed { Cow::Owned(serde_json::to_string(&attributes)?) } else { Cow::Borrowed(text) };
    Ok((text, odd))
}

impl Rule {
    fn mend(self, name: &str, value: &mut Value, odd: &mut Vec<String>) {
        if value.is_null() {
            return;
        }
        let right = match self {
            Self::Text(most) => text(name, value, most, odd),
            Self::Link(most) => {
                value.as_str().filter(|value| value.chars().count() <= most && !value.chars().any(is_odd)).map(Value::from)
            }
            Self::Number(least, most) => number(value).filter(|n| (least..=most).contains(n)).map(Value::from),
            Self::Flag => flag(value).map(Value::from),
            Self::Guard => Some(Value::from(flag(value).unwrap_or_else(|| {
                odd.push(format!("{name} makes no sense and is taken for a yes: {}", told(value)));
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
            Self::Object(most) => Some(&*value).filter(|value| value.is_object() && value.to_string().len() <= most).cloned(),
            Self::Texts => list(name, value, odd, |value| value.as_str().map(Value::from)),
            Self::Numbers(most) => {
                list(name, value, odd, |value| number(value).map(Value::from)).map(|all| first(name, all, most, odd))
            }
            Self::TextsByName(most) => by_name(name, value, most, odd),
            Self::Inside(rules) => inside(name, value, rules, odd),
            Self::Each(rules) => {
                let mut inner = Vec::new();
                let all = list(name, value, odd, |value| each(name, value, rules, &mut inner));
                odd.append(&mut inner);
                all
            }
            Self::Fields => {
                let told = value.as_object().map(schema::oddities).unwrap_or_default();
                odd.extend(told.into_iter().map(|t| format!("{name}: {t}: it is kept as it is")));
                Some(&*value).filter(|value| value.is_object()).cloned()
            }
        };
        *value = right.unwrap_or_else(|| {
            odd.push(format!("{name} makes no sense and is left out: {}", told(value)));
            Value::Null
        });
    }
}

fn told(value: &Value) -> String {
    value.to_string().chars().take(TOLD).collect()
}

fn is_odd(character: char) -> bool {
    character.is_control() && !character.is_whitespace()
}

fn text(name: &str, value: &Value, most: usize, odd: &mut Vec<String>) -> Option<Value> {
    let text = match value {
        Value::String(text) => Cow::Borrowed(text),
        Value::Number(_) | Value::Bool(_) => Cow::Owned(value.to_string()),
        _ => return None,
    };
    if text.len() <= most && !text.chars().any(is_odd) {
        return Some(Value::String(text.into_owned()));
    }
    let kept: String = text.chars().filter(|c| most == usize::MAX || !is_odd(*c)).take(most).collect();
    if kept != *text {
        odd.push(format!("{name} is cut to {most} characters, and to those that can be shown: {}", told(value)));
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
        Value::Bool(it) => Some(*it),
        Value::Number(it) => Some(it.as_f64() != Some(0.0)),
        Value::String(it) => match it.trim().to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" => Some(true),
            "false" | "0" | "no" | "" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a text is a moment that can be stored.
fn is_time(text: &str) -> bool {
    text.parse().is_ok_and(|p: Timestamp| (0..=9999).contains(&p.to_zoned(TimeZone::UTC).year()))
}

/// A moment in another spelling.
fn moment(value: &Value) -> Option<Value> {
    let moment = timestamp::read(value.as_str()?)?.to_string();
    is_time(&moment).then(|| moment.into())
}

/// A day, also with a time behind it.
fn day(text: &str) -> Option<String> {
    let text = text.trim();
    let day = text.get(..10).unwrap_or(text);
    day.parse::<Date>().ok().map(|p| p.to_string())
}

/// The items that make sense.
fn list(name: &str, value: &Value, odd: &mut Vec<String>, mut right: impl FnMut(&Value) -> Option<Value>) -> Option<Value> {
    let items = value.as_array()?;
    let mut kept = Vec::with_capacity(items.len());
    let mut left_out = None;
    for item in items {
        match right(item) {
            Some(item) => kept.push(item),
            None => left_out = left_out.or(Some(item)),
        }
    }
    if let Some(item) = left_out {
        let count = items.len() - kept.len();
        odd.push(format!("{name}: {count} of {} items make no sense and are left out: {}", items.len(), told(item)));
    }
    Some(Value::Array(kept))
}

fn first(name: &str, all: Value, most: usize, odd: &mut Vec<String>) -> Value {
    match all {
        Value::Array(mut items) if items.len() > most => {
            odd.push(format!("{name} is cut to {most} items"));
            items.truncate(most);
            Value::Array(items)
        }
        other => other,
    }
}

fn by_name(name: &str, value: &Value, most: usize, odd: &mut Vec<String>) -> Option<Value> {
    let mut kept = value.as_object()?.clone();
    for (key, value) in &mut kept {
        Rule::Text(most).mend(&format!("{name}.{key}"), value, odd);
    }
    Some(Value::Object(kept))
}

fn inside(name: &str, value: &Value, rules: &[(&str, Rule)], odd: &mut Vec<String>) -> Option<Value> {
    let mut kept: Map<String, Value> = value.as_object()?.clone();
    for (key, rule) in rules {
        if let Some(value) = kept.get_mut(*key) {
            rule.mend(&format!("{name}.{key}"), value, odd);
        }
    }
    Some(Value::Object(kept))
}

/// An item of a list. Without its first attribute it is none.
fn each(name: &str, item: &Value, rules: &[(&str, Rule)], odd: &mut Vec<String>) -> Option<Value> {
    let mut own = Vec::new();
    let kept = inside(name, item, rules, &mut own)?;
    let (needed, _) = rules.first()?;
    if kept.get(*needed).is_none_or(Value::is_null) {
        return None;
    }
    odd.append(&mut own);
    Some(kept)
}
