//! Options of a field that another server has: a URL in the field's schema answers
//! `[{"name": …, "value": …}]`. Browsers get nothing of other origins, so this server reads it for them.

use crate::shared::{Fault, FieldCode};
use serde::Serialize;
use serde_json::{Value, value::RawValue};

/// The attribute of a schema that holds the URL. Faults of what the URL answers name it.
pub const URL: &str = "external_datasource";
/// The most options of one answer; more are found by searching.
pub const MAX_SHOWN: usize = 200;

/// An option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExternalOption {
    /// What an editor reads.
    pub name: String,
    /// What content holds.
    pub value: String,
}

/// The URL of a field's options. 422 when the schema has no such field, or the field has its options from
/// elsewhere.
pub fn url_of(schema: &RawValue, field: &str) -> Result<String, Fault> {
    let schema: Value = serde_json::from_str(schema.get()).map_err(|error| Fault::internal(format!("schema: {error}")))?;
    let attributes = schema.get(field).ok_or_else(|| Fault::invalid("field", FieldCode::Unknown, "does not exist"))?;
    let text = |name| attributes.get(name).and_then(Value::as_str).map(str::trim).unwrap_or_default();
    if text("source") != "external" {
        return Err(Fault::invalid("field", FieldCode::Invalid, "has no options from a URL"));
    }
    match text(URL) {
        "" => Err(Fault::invalid(URL, FieldCode::Blank, "can't be blank")),
        url => Ok(url.to_owned()),
    }
}

/// Reads what a URL answers. 422 for anything but a list of names and values; a number is a value as well.
pub fn parse(bytes: &[u8]) -> Result<Vec<ExternalOption>, Fault> {
    let refuse = |message: &str| Fault::invalid(URL, FieldCode::WrongType, message);
    let items: Vec<Value> =
        serde_json::from_slice(bytes).map_err(|_| refuse("does not answer with a list in JSON: [{\"name\": …, \"value\": …}]"))?;
    let option = |(number, item): (usize, &Value)| {
        let text = |name| match item.get(name) {
            Some(Value::String(text)) => Ok(text.clone()),
            Some(Value::Number(number)) => Ok(number.to_string()),
            _ => Err(refuse(&format!("answers with an entry without a {name}: entry {}", number + 1))),
        };
        Ok(ExternalOption { name: text("name")?, value: text("value")? })
    };
    items.iter().enumerate().map(option).collect()
}

/// The first options whose name or value contains a text, case-insensitive, and how many there are.
pub fn search<'a>(options: &'a [ExternalOption], text: &str) -> (Vec<&'a ExternalOption>, usize) {
    let text = text.to_lowercase();
    let contains = |whole: &str| whole.to_lowercase().contains(&text);
    let found: Vec<_> = options.iter().filter(|option| contains(&option.name) || contains(&option.value)).collect();
    let total = found.len();
    (found.into_iter().take(MAX_SHOWN).collect(), total)
}

#[cfg(test)]
mod tests {
    use super::{ExternalOption, parse, search, url_of};
    use proptest::prelude::*;
    use serde_json::{json, value::to_raw_value};

    #[test]
    fn the_url_is_that_of_an_external_field() {
        let schema = to_raw_value(&json!({
            "color": { "type": "option", "source": "external", "external_datasource": " https://a.test/colors " },
            "bare": { "type": "option", "source": "external" },
            "own": { "type": "option", "source": "self", "external_datasource": "https://a.test" },
            "odd": 7,
        }))
        .unwrap();
        assert_eq!(url_of(&schema, "color").unwrap(), "https://a.test/colors");
        for field in ["bare", "own", "odd", "none", ""] {
            assert!(url_of(&schema, field).is_err(), "{field}");
        }
    }

    #[test]
    fn an_answer_is_a_list_of_names_and_values() {
        let option = |name: &str, value: &str| ExternalOption { name: name.to_owned(), value: value.to_owned() };
        assert_eq!(
            parse(br#"[{"name": "A", "value": "a", "more": 1}, {"name": 2, "value": 2.5}]"#).unwrap(),
            [option("A", "a"), option("2", "2.5")]
        );
        assert_eq!(parse(b"[]").unwrap(), []);
        for wrong in [r#"{"name": "A"}"#, r#"[{"name": "A"}]"#, r#"[{"name": "A", "value": null}]"#, "[1]", "", "<html>"] {
            assert!(parse(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_search_looks_in_names_and_values() {
        let options: Vec<_> =
            (0..500).map(|number| ExternalOption { name: format!("Name {number}"), value: format!("v{number}") }).collect();
        let (shown, total) = search(&options, "");
        assert_eq!((shown.len(), total), (200, 500));
        assert_eq!(search(&options, "NAME 49").0.len(), 11);
        assert_eq!(search(&options, "v499"), (vec![&options[499]], 1));
    }

    proptest! {
        #[test]
        fn whatever_a_url_answers_is_read_or_refused(bytes: Vec<u8>) {
            let _outcome = parse(&bytes);
        }
    }
}
