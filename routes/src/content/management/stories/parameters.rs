//! Parameters of writes that Storyblok's clients send in the query, and its documentation shows in the body, beside `story`. Both are read.

use domain::shared::{Fault, Parameters, json::switch};
use serde_json::{Map, Value};

/// The parameters of one write: query and body.
pub(super) struct WriteParameters<'a> {
    pub(super) query: &'a Parameters,
    pub(super) body: &'a Map<String, Value>,
}

impl WriteParameters<'_> {
    /// A switch that is on when it is on in either; `None` when neither has it. 422 for what is no switch.
    pub(super) fn switch(&self, name: &'static str) -> Result<Option<bool>, Fault> {
        let in_query = self.query.flag_if_given(name)?;
        let in_body = self.body.get(name).filter(|value| !value.is_null()).map(|value| switch(name, value)).transpose()?;
        Ok(match (in_query, in_body) {
            (None, None) => None,
            (one, other) => Some(one.unwrap_or(false) || other.unwrap_or(false)),
        })
    }

    /// The number of something; 0 and nothing are none. 422 for what is no number.
    pub(super) fn number(&self, name: &'static str) -> Result<Option<i64>, Fault> {
        let invalid = || Fault::invalid(name, "invalid", "must be a number");
        let in_body = match self.body.get(name) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) if text.is_empty() => None,
            Some(Value::String(text)) => Some(text.parse().map_err(|_| invalid())?),
            Some(value) => Some(value.as_i64().ok_or_else(invalid)?),
        };
        let number = self.query.parsed::<i64>(name)?.or(in_body);
        Ok(number.filter(|number| *number != 0))
    }

    /// The languages of `lang`, comma-separated or as a list; empty for all.
    pub(super) fn languages(&self) -> Result<Vec<String>, Fault> {
        let mut languages = self.query.list("lang");
        let invalid = || Fault::invalid("lang", "invalid", "must be codes of languages, comma-separated");
        match self.body.get("lang") {
            None | Some(Value::Null) => {}
            Some(Value::String(text)) => languages.extend(split(text)),
            Some(Value::Array(items)) => {
                for item in items {
                    languages.extend(split(item.as_str().ok_or_else(invalid)?));
                }
            }
            Some(_) => return Err(invalid()),
        }
        Ok(languages)
    }

    /// 422 when `release_id` names a release: a space has none.
    pub(super) fn no_release(&self) -> Result<(), Fault> {
        match self.number("release_id")? {
            None => Ok(()),
            Some(_) => Err(Fault::invalid("release_id", "unknown", "must be a release of this space, which has none")),
        }
    }
}

fn split(text: &str) -> impl Iterator<Item = String> {
    text.split(',').map(str::trim).filter(|code| !code.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::WriteParameters;
    use domain::shared::Parameters;
    use serde_json::{Map, Value, json};

    fn given(query: &[(&str, &str)], body: Value) -> (Parameters, Map<String, Value>) {
        let query = Parameters::new(query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect());
        let Value::Object(body) = body else { panic!("an object") };
        (query, body)
    }

    #[test]
    fn a_switch_is_on_when_it_is_on_in_either() {
        for (query, body, expected) in [
            (&[][..], json!({}), Some(None)),
            (&[("publish", "")], json!({ "publish": null }), Some(None)),
            (&[("publish", "1")], json!({ "publish": 0 }), Some(Some(true))),
            (&[], json!({ "publish": "1" }), Some(Some(true))),
            (&[("publish", "false")], json!({}), Some(Some(false))),
            (&[("publish", "maybe")], json!({}), None),
        ] {
            let (query, body) = given(query, body);
            assert_eq!(WriteParameters { query: &query, body: &body }.switch("publish").ok(), expected);
        }
    }

    #[test]
    fn languages_come_in_query_and_body() {
        let (query, body) = given(&[("lang", "de,pt-br")], json!({ "lang": ["fr", "[default]"] }));
        assert_eq!(WriteParameters { query: &query, body: &body }.languages().unwrap(), ["de", "pt-br", "fr", "[default]"]);
        let (query, body) = given(&[], json!({ "lang": 5 }));
        assert!(WriteParameters { query: &query, body: &body }.languages().is_err());
    }

    #[test]
    fn nothing_and_zero_are_no_number_and_no_release() {
        for (value, expected) in [
            (json!(7), Some(Some(7))),
            (json!("7"), Some(Some(7))),
            (json!(0), Some(None)),
            (json!(""), Some(None)),
            (json!(null), Some(None)),
            (json!("x"), None),
        ] {
            let (query, body) = given(&[], json!({ "release_id": value }));
            let parameters = WriteParameters { query: &query, body: &body };
            assert_eq!(parameters.number("release_id").ok(), expected);
            assert_eq!(parameters.no_release().is_ok(), expected == Some(None));
        }
    }
}
