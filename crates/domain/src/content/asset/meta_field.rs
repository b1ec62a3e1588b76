//! The fields that a space has for its assets beside those that every asset has. Their values are members of
//! `meta_data`.

use crate::{
    content::checks::Checks,
    shared::{FieldCode, json::null_as_default},
};
use serde::{Deserialize, Serialize};

/// Its name on the wire: `asset_custom_meta_data_schema` of a space.
const FIELD: &str = "asset_custom_meta_data_schema";
/// The most fields of a space.
const MAX_FIELDS: usize = 50;
/// The most characters of a text.
const MAX_TEXT: usize = 500;

/// One such field, in Storyblok's names. The interface checks values by it; the server keeps any.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MetaField {
    /// The name of the member.
    #[serde(deserialize_with = "null_as_default")]
    pub key: String,
    /// The name that people see.
    #[serde(deserialize_with = "null_as_default")]
    pub display_name: String,
    pub regex: Option<String>,
    /// What is said of a value that the pattern does not match.
    pub regex_message: Option<String>,
    #[serde(deserialize_with = "null_as_default")]
    pub required: bool,
    #[serde(deserialize_with = "null_as_default")]
    pub translatable: bool,
    /// The kinds of files that have it; none for all.
    #[serde(deserialize_with = "null_as_default")]
    pub filetypes: Vec<String>,
}

/// Checks a list of fields; errors are those of `asset_custom_meta_data_schema`.
pub(in crate::content) fn check(fields: &[MetaField], checks: &mut Checks) {
    if fields.len() > MAX_FIELDS {
        return checks.refuse(FIELD, FieldCode::TooLong, format!("is too long (maximum is {MAX_FIELDS} fields)"));
    }
    for (number, field) in fields.iter().enumerate() {
        checks.required(FIELD, &field.key, 255);
        checks.text(FIELD, Some(&field.display_name), MAX_TEXT);
        checks.text(FIELD, field.regex.as_deref(), MAX_TEXT);
        checks.text(FIELD, field.regex_message.as_deref(), MAX_TEXT);
        if fields.iter().take(number).any(|other| other.key == field.key) {
            checks.refuse(FIELD, FieldCode::Taken, format!("has the key {} twice", field.key.escape_default()));
        }
        if field.filetypes.len() > 20 || field.filetypes.iter().any(|kind| kind.chars().count() > MAX_TEXT) {
            checks.refuse(FIELD, FieldCode::TooLong, "has too many filetypes");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MetaField, check};
    use crate::content::checks::Checks;

    #[test]
    fn what_is_null_is_not_there() {
        let field =
            serde_json::json!({ "key": "x", "display_name": null, "required": null, "translatable": null, "filetypes": null });
        assert_eq!(serde_json::from_value::<MetaField>(field).unwrap(), MetaField { key: "x".into(), ..MetaField::default() });
    }

    #[test]
    fn keys_are_there_and_differ() {
        let named = |key: &str| MetaField { key: key.into(), ..MetaField::default() };
        for (fields, is_right) in [
            (vec![], true),
            (vec![named("a"), named("b")], true),
            (vec![named("")], false),
            (vec![named("a"), named("a")], false),
            (vec![named("a"); 51], false),
        ] {
            let mut checks = Checks::default();
            check(&fields, &mut checks);
            assert_eq!(checks.finish().is_ok(), is_right, "{fields:?}");
        }
    }
}
