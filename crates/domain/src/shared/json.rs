//! Reading JSON of callers: strict, and bounded in depth. Writing JSON.
//!
//! PostgreSQL refuses U+0000 in text and in jsonb; a value that holds one is refused here, with the field's
//! name, and never becomes a database error.

mod bounded;
mod cast;
mod member_names;
mod members;
mod strict;

pub use bounded::BoundedWriter;
pub use cast::{cast, parse_cast, whole_number};
pub use members::Members;
pub use strict::StrictBody;

use crate::shared::{Code, Detail, Fault, FieldCode};
use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::{Map, Value, value::RawValue};

/// How deep a request body may nest.
pub const MAX_DEPTH: usize = 128;

/// Distinguishes `null` from an absent member, as a `deserialize_with` beside `default`.
pub fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(value: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(value).map(Some)
}

/// Reads a value; null is the default.
pub fn null_as_default<'de, T: Deserialize<'de> + Default, D: Deserializer<'de>>(value: D) -> Result<T, D::Error> {
    Option::<T>::deserialize(value).map(Option::unwrap_or_default)
}

/// Parses a body into a type.
///
/// 400 `badJson` when it is no JSON, nests deeper than [`MAX_DEPTH`], repeats a key that a struct knows, is
/// of the wrong type, or holds U+0000.
pub fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Fault> {
    check(body, Nul::Refused)?;
    serde_json::from_slice(body).map_err(|error| bad_json(&error))
}

/// Parses a value whose parts the caller reads one by one. As [`parse`], but U+0000 is left to the caller:
/// what one part holds must not refuse the others.
pub fn parse_raw(body: &[u8]) -> Result<Box<RawValue>, Fault> {
    check(body, Nul::Kept)?;
    serde_json::from_slice(body).map_err(|error| bad_json(&error))
}

/// The same for an object and its members. 400 `validation` for another value.
pub fn parse_members(body: &[u8]) -> Result<Members<Box<RawValue>>, Fault> {
    let whole = parse_raw(body)?;
    Members::parse(&whole).ok_or_else(|| Fault::new(Code::Validation, "The body must be a JSON object"))
}

/// Parses an object whose fields may all be left out. As [`parse`], but a field of the wrong type is 400
/// `validation`, which names each such field. The value is not repeated: it may be a password.
pub fn parse_form<T: DeserializeOwned>(body: &[u8]) -> Result<T, Fault> {
    check(body, Nul::Refused)?;
    // Serde would read an array into a struct as well, by the order of its fields.
    if !body.trim_ascii_start().starts_with(b"{") {
        serde_json::from_slice::<Value>(body).map_err(|error| bad_json(&error))?;
        return Err(Fault::new(Code::Validation, "The body must be a JSON object"));
    }
    serde_json::from_slice(body).map_err(|error| {
        let fields = if error.is_data() { serde_json::from_slice(body).ok() } else { None };
        fields.and_then(wrong_types::<T>).unwrap_or_else(|| bad_json(&error))
    })
}

/// The fields that are of the wrong type. `None` if there are none: something else is wrong, such as a field
/// that was sent twice.
fn wrong_types<T: DeserializeOwned>(fields: Map<String, Value>) -> Option<Fault> {
    // Serde does not tell which field it was, so each is read alone.
    let is_wrong = |(name, value): (String, Value)| {
        let alone = Value::Object(Map::from_iter([(name.clone(), value)]));
        T::deserialize(alone).is_err().then_some(name)
    };
    let wrong: Vec<String> = fields.into_iter().filter_map(is_wrong).collect();
    if wrong.is_empty() {
        return None;
    }
    let sentence = format!("{}: of the wrong type", wrong.join(", "));
    let detail = |field| Detail::new(field, FieldCode::WrongType, "is of the wrong type");
    Some(Fault::new(Code::Validation, sentence).about(wrong.into_iter().map(detail).collect()))
}

fn bad_json(error: &serde_json::Error) -> Fault {
    Fault::new(Code::BadJson, format!("The body could not be read: {error}"))
}

/// What becomes of U+0000 in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nul {
    /// The body is refused.
    Refused,
    /// It is left to the caller.
    Kept,
}

/// The checks that need no type: depth and U+0000. `serde_json` has the same limit of 128 and another error
/// message.
fn check(body: &[u8], nul: Nul) -> Result<(), Fault> {
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    let mut rest = body.iter();
    while let Some(&byte) = rest.next() {
        if in_string {
            match byte {
                _ if escaped => {
                    escaped = false;
                    if nul == Nul::Refused && byte == b'u' && rest.as_slice().starts_with(b"0000") {
                        return Err(Fault::new(Code::BadJson, "The body holds the character U+0000, which cannot be stored"));
                    }
                }
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'[' | b'{' => {
                depth += 1;
                if depth >= MAX_DEPTH {
                    return Err(Fault::new(Code::BadJson, format!("The body nests deeper than {MAX_DEPTH} levels")));
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

/// Whether two JSON texts have the same value. An object is unordered (RFC 8259, section 1), so the order of
/// its keys is no part of its value.
pub fn same_value(one: &RawValue, other: &RawValue) -> bool {
    let read = |raw: &RawValue| serde_json::from_str::<Value>(raw.get());
    one.get() == other.get() || matches!((read(one), read(other)), (Ok(one), Ok(other)) if one == other)
}

/// The text of a value with sorted keys, which is the same for all texts of that value.
pub fn canonical(mut value: Value) -> String {
    value.sort_all_objects();
    value.to_string()
}

/// The same of a JSON text, which is returned as it is if it cannot be read.
pub fn canonical_text(raw: &RawValue) -> String {
    serde_json::from_str(raw.get()).map_or_else(|_| raw.get().to_owned(), canonical)
}

/// Serialises one of our own types, which have string keys only and cannot fail.
pub fn to_vec<T: serde::Serialize>(value: &T) -> Result<Vec<u8>, Fault> {
    serde_json::to_vec(value).map_err(|error| Fault::internal(format!("serialise: {error}")))
}

/// Reads a switch: on for `true`, `1`, `"1"` and `"true"`, as Storyblok does; off for the opposites of these,
/// an empty text and `null`. Anything else is 422 that names the field: a typing error must not switch a
/// protection off.
pub fn switch(field: &str, value: &Value) -> Result<bool, Fault> {
    let text = match value {
        Value::Bool(it) => return Ok(*it),
        Value::Null => "",
        Value::Number(it) => &it.to_string(),
        Value::String(it) => it.trim(),
        _ => "?",
    };
    match text {
        "1" | "true" => Ok(true),
        "" | "0" | "false" => Ok(false),
        _ => Err(Fault::invalid(field, FieldCode::Invalid, "must be true or false")),
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_DEPTH, canonical, canonical_text, parse, parse_form, same_value, switch};
    use proptest::prelude::*;
    use serde::Deserialize;
    use serde_json::{Value, json, value::RawValue};

    #[test]
    fn a_switch_is_on_or_off_and_a_typing_error_is_neither() {
        for on in [json!(true), json!(1), json!("1"), json!("true"), json!(" 1 ")] {
            assert!(switch("x", &on).unwrap(), "{on}");
        }
        for off in [json!(false), json!(0), json!("0"), json!("false"), json!(""), json!(null)] {
            assert!(!switch("x", &off).unwrap(), "{off}");
        }
        for typo in [json!("True"), json!("yes"), json!(2), json!(1.5), json!([]), json!({})] {
            assert_eq!(switch("x", &typo).unwrap_err().details[0].field, "x", "{typo}");
        }
    }

    #[test]
    fn depth_is_bounded_for_arrays_and_objects() {
        let deep = |open: &str, close: &str, n: usize| format!("{}1{}", open.repeat(n), close.repeat(n));
        assert!(parse::<Value>(deep("[", "]", MAX_DEPTH - 1).as_bytes()).is_ok());
        for body in [deep("[", "]", MAX_DEPTH), deep("{\"a\":", "}", 10_000)] {
            assert_eq!(parse::<Value>(body.as_bytes()).unwrap_err().code.name(), "badJson");
        }
    }

    #[test]
    fn fields_of_the_wrong_type_are_named() {
        #[derive(Deserialize)]
        struct Form {
            #[serde(rename = "name")]
            _name: Option<String>,
            #[serde(rename = "age")]
            _age: Option<u8>,
        }
        let refused = |body: &str| {
            let fault = parse_form::<Form>(body.as_bytes()).err().unwrap();
            (fault.code.name(), fault.details.iter().map(|detail| detail.field.clone()).collect::<Vec<_>>().join(" "))
        };
        assert!(parse_form::<Form>(br#"{"name":null,"other":[1]}"#).is_ok());
        assert_eq!(refused(r#"{"name":7,"age":8}"#), ("validation", "name".into()));
        assert_eq!(refused(r#"{"age":"8","name":{},"other":7}"#), ("validation", "age name".into()));
        assert_eq!(refused(r#"{"age":256}"#), ("validation", "age".into()));
        for body in ["[]", r#"["Ann", 8]"#, "null", "7"] {
            assert_eq!(refused(body), ("validation", String::new()), "{body}");
        }
        for body in ["", "{", "[", r#"{"name":7"#, r#"{"name":"a","name":"b"}"#, r#"{"name":"\u0000"}"#] {
            assert_eq!(refused(body), ("badJson", String::new()), "{body}");
        }
    }

    #[test]
    fn nul_is_refused_and_an_escaped_backslash_is_not_one() {
        assert!(parse::<Value>(br#"{"a":"x\u0000"}"#).is_err());
        assert!(parse::<Value>(br#"{"a":"x\\u0000"}"#).is_ok());
    }

    /// Any JSON value.
    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            (-1000_i32..1000).prop_map(|number| Value::from(f64::from(number) / 8.0)),
            "[a-z\"\\\\ ä]{0,4}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::vec(("[a-e]", inner), 0..5).prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    /// The same value with the keys of each object in the opposite order.
    fn turned(value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(turned).collect(),
            Value::Object(members) => {
                Value::Object(members.iter().rev().map(|(key, value)| (key.clone(), turned(value))).collect())
            }
            other => other.clone(),
        }
    }

    fn raw(value: &Value) -> Box<RawValue> {
        serde_json::value::to_raw_value(value).unwrap()
    }

    proptest! {
        #[test]
        fn the_order_of_keys_is_no_part_of_a_value(value in value()) {
            let other = turned(&value);
            prop_assert!(same_value(&raw(&value), &raw(&other)));
            prop_assert_eq!(canonical(value), canonical(other));
        }

        #[test]
        fn canonical_texts_are_equal_for_equal_values_only(one in value(), other in value()) {
            let (same, texts) = (same_value(&raw(&one), &raw(&other)), (canonical(one), canonical(other)));
            prop_assert_eq!(same, texts.0 == texts.1);
        }
    }

    #[test]
    fn the_order_of_items_and_the_spelling_of_numbers_are_parts_of_a_value() {
        let same = |one: &str, other: &str| {
            let read = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
            same_value(&read(one), &read(other))
        };
        assert!(same(r#"{"a":[1,{"b":2,"c":3}]}"#, r#"{ "a": [1, {"c":3, "b":2}] }"#));
        for (one, other) in [("[1,2]", "[2,1]"), ("1", "1.0"), (r#"{"a":null}"#, "{}"), ("1", "\"1\"")] {
            assert!(!same(one, other), "{one} {other}");
        }
    }

    #[test]
    fn brackets_inside_of_texts_do_not_nest() {
        let text = "[{".repeat(MAX_DEPTH);
        assert_eq!(parse::<Value>(format!("{{\"a\":\"{text}\"}}").as_bytes()).unwrap()["a"], text.as_str());
        assert!(parse::<Value>(format!("[\"\\\"{text}\"]").as_bytes()).is_ok());
        let side_by_side = format!("[{}[]]", "[],{},".repeat(MAX_DEPTH));
        assert!(parse::<Value>(side_by_side.as_bytes()).is_ok());
    }

    #[test]
    fn a_body_that_nests_too_deep_is_told_so() {
        for open in ["[", "{\"a\":"] {
            let fault = parse::<Value>(open.repeat(MAX_DEPTH).as_bytes()).unwrap_err();
            assert_eq!(fault.message, "The body nests deeper than 128 levels");
        }
    }

    #[test]
    fn a_text_that_is_no_json_is_its_own_canonical_text() {
        let text = |text: &str| canonical_text(&RawValue::from_string(text.to_owned()).unwrap());
        assert_eq!(text(r#"{ "b": 1, "a": [2, 1] }"#), r#"{"a":[2,1],"b":1}"#);
    }
}
