//! Plain values: schemas and contents write numbers as texts, and the other way round.

use serde_json::Value;

/// A plain value as text.
pub(super) fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A number, or a text that is one.
pub(super) fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => parse_number(text),
        _ => None,
    }
}

/// The number that a text writes, in digits with perhaps a sign, a point and an exponent. What Rust reads
/// beyond that (`inf`, `nan`) is not finite.
pub(super) fn parse_number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}
