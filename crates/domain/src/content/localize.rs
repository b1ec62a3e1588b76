//! Field-level translation.
//!
//! A translated value of `headline` for `pt-br` is beside it as `headline__i18n__pt_br`. A delivered tree has
//! one value per field: that of the language asked for, else of the fallback, else the default; and never an
//! `__i18n__` key.

use serde_json::{Map, Value};

/// What stands between the name of a field and the suffix of a language.
pub(in crate::content) const MARK: &str = "__i18n__";

/// The field that a key of a block is about, in whatever language.
pub fn field_of(key: &str) -> &str {
    key.split_once(MARK).map_or(key, |(field, _)| field)
}

/// The languages to try, the preferred one first; empty for the default language.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Languages {
    suffixes: Vec<String>,
}

impl Languages {
    /// A language and its fallback by their codes; `None` and `default` mean the default language.
    pub fn new(language: Option<&str>, fallback: Option<&str>) -> Self {
        let suffixes = [language, fallback]
            .into_iter()
            .flatten()
            .filter(|code| *code != "default")
            .map(|code| code.replace('-', "_"))
            .collect();
        Self { suffixes }
    }
}

/// Picks one value for each field, in the whole tree.
pub fn localize(content: Value, languages: &Languages) -> Value {
    match content {
        Value::Array(items) => items.into_iter().map(|item| localize(item, languages)).collect(),
        Value::Object(object) => Value::Object(localize_fields(object, languages)),
        other => other,
    }
}

fn localize_fields(object: Map<String, Value>, languages: &Languages) -> Map<String, Value> {
    let mut picked = Map::with_capacity(object.len());
    let mut translated: Vec<(String, usize, Value)> = Vec::new();
    for (key, value) in object {
        let Some((field, suffix)) = key.split_once(MARK) else {
            picked.insert(key, localize(value, languages));
            continue;
        };
        if let Some(rank) = languages.suffixes.iter().position(|s| s == suffix)
            && !is_blank(&value)
        {
            translated.push((field.to_owned(), rank, value));
        }
    }
    // The preferred language comes last and so overwrites the others.
    translated.sort_by_key(|(_, rank, _)| std::cmp::Reverse(*rank));
    for (field, _, value) in translated {
        picked.insert(field, localize(value, languages));
    }
    picked
}

/// Whether a translation was never filled in, so that the default is shown.
pub(in crate::content) fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Languages, localize};
    use serde_json::{Value, json};

    fn pick(content: Value, language: Option<&str>, fallback: Option<&str>) -> Value {
        localize(content, &Languages::new(language, fallback))
    }

    #[test]
    fn the_wanted_language_wins_then_the_fallback_then_the_default() {
        let block = || json!({"t": "en", "t__i18n__de": "de", "t__i18n__pt_br": "pt", "u": "en", "u__i18n__de": "de", "u__i18n__pt_br": ""});
        assert_eq!(pick(block(), None, None), json!({"t": "en", "u": "en"}));
        assert_eq!(pick(block(), Some("default"), None), json!({"t": "en", "u": "en"}));
        assert_eq!(pick(block(), Some("pt-br"), None), json!({"t": "pt", "u": "en"}));
        assert_eq!(pick(block(), Some("pt-br"), Some("de")), json!({"t": "pt", "u": "de"}));
        assert_eq!(pick(block(), Some("xx"), None), json!({"t": "en", "u": "en"}));
    }

    #[test]
    fn nested_blocks_and_richtext_are_reached_and_lone_translations_count() {
        let content =
            json!({"body": [{"a__i18n__de": "A"}], "doc": {"content": [{"attrs": {"body": [{"b": "B", "b__i18n__de": "C"}]}}]}});
        assert_eq!(
            pick(content, Some("de"), None),
            json!({"body": [{"a": "A"}], "doc": {"content": [{"attrs": {"body": [{"b": "C"}]}}]}})
        );
    }

    #[test]
    fn a_translation_that_was_never_filled_in_is_none() {
        for blank in [json!(null), json!(""), json!(" \n"), json!([])] {
            assert_eq!(pick(json!({"t": "en", "t__i18n__de": blank}), Some("de"), None), json!({"t": "en"}), "{blank}");
        }
        for filled in [json!("de"), json!(false), json!(0), json!(["a"]), json!({})] {
            assert_eq!(pick(json!({"t": "en", "t__i18n__de": filled}), Some("de"), None), json!({"t": filled}));
        }
    }
}
