//! A component's schema: an object of fields, each an object with a known `type`. Kept as it was written,
//! order and all.

use super::checks::Checks;
use crate::shared::FieldCode;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Map, Value, value::RawValue};
use std::{collections::BTreeSet, fmt};

/// The field types of Storyblok. Further attributes of a field are not checked.
pub const FIELD_TYPES: [&str; 22] = [
    "asset",
    "bloks",
    "boolean",
    "commerce",
    "custom",
    "datetime",
    "file",
    "group",
    "image",
    "link",
    "markdown",
    "multiasset",
    "multilink",
    "number",
    "option",
    "options",
    "richtext",
    "section",
    "tab",
    "table",
    "text",
    "textarea",
];

/// The most fields of a component.
const MAX_FIELDS: usize = 1000;
/// The longest name of a field, in characters.
const MAX_FIELD_NAME: usize = 255;

/// Checks a schema; errors are those of the field `schema`. A field that `before` has just like that is not
/// checked: it may come from another system.
pub fn check(schema: &RawValue, before: &RawValue, checks: &mut Checks) {
    let before: Map<String, Value> = serde_json::from_str(before.get()).unwrap_or_default();
    let Ok(Fields(fields)) = serde_json::from_str(schema.get()) else {
        return checks.refuse("schema", FieldCode::Invalid, "must be an object of fields");
    };
    if fields.len() > MAX_FIELDS {
        return checks.refuse("schema", FieldCode::TooLong, format!("has too many fields (maximum is {MAX_FIELDS})"));
    }
    let mut seen = BTreeSet::new();
    for (name, field) in &fields {
        if before.get(name) == Some(field) && seen.insert(name) {
            continue;
        }
        if name.trim().is_empty() || name.chars().count() > MAX_FIELD_NAME {
            checks.refuse(
                "schema",
                FieldCode::Invalid,
                format!("has a field whose name is blank or over {MAX_FIELD_NAME} characters"),
            );
        }
        if !seen.insert(name) {
            checks.refuse("schema", FieldCode::Taken, format!("has the field {name} twice"));
        }
        match field.get("type").and_then(Value::as_str) {
            Some(kind) if FIELD_TYPES.contains(&kind) => {}
            Some(kind) => checks.refuse("schema", FieldCode::Invalid, format!("field {name} has the unknown type {kind}")),
            None => checks.refuse("schema", FieldCode::Invalid, format!("field {name} must be an object with a type")),
        }
    }
}

/// The warnings about a schema from another system, which is kept as it is.
pub fn oddities(schema: &Map<String, Value>) -> Vec<String> {
    let unknown = schema.iter().filter_map(|(name, field)| match field.get("type").and_then(Value::as_str) {
        Some(kind) if FIELD_TYPES.contains(&kind) => None,
        Some(kind) => Some(format!("field {name} has the unknown type {kind}")),
        None => Some(format!("field {name} has no type")),
    });
    unknown.collect()
}

/// The fields in order. A map would hide a name that comes twice.
struct Fields(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of fields")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

#[cfg(test)]
mod tests {
    use super::{FIELD_TYPES, check};
    use crate::{content::checks::Checks, shared::Fault};
    use serde_json::value::RawValue;

    fn verdict(schema: &str) -> Result<(), Fault> {
        let mut checks = Checks::default();
        check(&RawValue::from_string(schema.to_owned()).unwrap(), &RawValue::from_string("{}".into()).unwrap(), &mut checks);
        checks.finish()
    }

    #[test]
    fn what_came_from_elsewhere_may_stay_and_may_not_be_made_like_that() {
        let before = RawValue::from_string(r#"{"a":{"type":"hologram"},"b":5}"#.into()).unwrap();
        for (after, is_right) in [
            (r#"{"a":{"type":"hologram"},"b":5,"c":{"type":"text"}}"#, true),
            (r#"{"a":{"type":"hologram","pos":1}}"#, false),
            (r#"{"a":{"type":"hologram"},"a":{"type":"hologram"}}"#, false),
        ] {
            let mut checks = Checks::default();
            check(&RawValue::from_string(after.into()).unwrap(), &before, &mut checks);
            assert_eq!(checks.finish().is_ok(), is_right, "{after}");
        }
    }

    #[test]
    fn known_types_pass_with_whatever_attributes() {
        for kind in FIELD_TYPES {
            verdict(&format!(r#"{{"ä b":{{"type":"{kind}","pos":"x","of_tomorrow":[{{}}]}}}}"#)).unwrap();
        }
        verdict("{}").unwrap();
    }

    #[test]
    fn what_is_no_field_is_refused_by_name() {
        for (schema, word) in [
            ("[]", "object of fields"),
            ("\"{}\"", "object of fields"),
            (r#"{"a":"text"}"#, "field a"),
            (r#"{"a":{}}"#, "field a"),
            (r#"{"a":{"type":1}}"#, "field a"),
            (r#"{"a":{"type":"blok"}}"#, "unknown type blok"),
            (r#"{" ":{"type":"text"}}"#, "blank"),
            (r#"{"a":{"type":"text"},"a":{"type":"text"}}"#, "twice"),
        ] {
            let fault = verdict(schema).unwrap_err();
            assert_eq!(fault.details[0].field, "schema");
            assert!(fault.message.contains(word), "{schema}: {}", fault.message);
        }
    }

    #[test]
    fn fields_of_another_system_that_are_not_known_here_are_told_and_others_are_not() {
        let schema = serde_json::json!({"a": {"type": "text"}, "b": {"type": "hologram"}, "c": {}, "d": 5});
        let oddities = super::oddities(schema.as_object().unwrap());
        assert_eq!(oddities, ["field b has the unknown type hologram", "field c has no type", "field d has no type"]);
    }

    #[test]
    fn a_schema_has_bounded_fields_with_bounded_names() {
        let fields = |count: usize| {
            let all: Vec<String> = (0..count).map(|number| format!(r#""f{number}":{{"type":"text"}}"#)).collect();
            verdict(&format!("{{{}}}", all.join(","))).is_ok()
        };
        assert!(fields(super::MAX_FIELDS) && !fields(super::MAX_FIELDS + 1));
        let named = |length: usize| verdict(&format!(r#"{{"{}":{{"type":"text"}}}}"#, "ä".repeat(length))).is_ok();
        assert!(named(255) && !named(256));
    }
}
