//! Parameters of writes: Storyblok's clients send them in the query, and its documentation shows them in the
//! body, beside the resource. Query and body are one set of parameters, of which the body's win.

use super::envelope;
use crate::web::ApiRequest;
use domain::shared::{
    Fault, FieldCode, Parameters,
    json::{switch, whole_number},
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The parameters of one write.
pub(super) struct WriteParameters {
    query: Parameters,
    body: Map<String, Value>,
}

impl WriteParameters {
    /// Reads the resource under `key` and the parameters. 422 for a parameter of the query that is not among
    /// the `known` ones.
    pub(super) async fn read<T: DeserializeOwned>(
        request: &mut ApiRequest,
        key: &'static str,
        known: &[&str],
        limit: usize,
    ) -> Result<(T, Self), Fault> {
        let query = request.query()?;
        query.only(known)?;
        let (resource, body) = envelope::read_beside(request, key, limit).await?;
        Ok((resource, Self { query, body }))
    }

    /// The same where the resource may be an empty object: a request that only publishes.
    pub(super) async fn read_maybe_empty<T: DeserializeOwned>(
        request: &mut ApiRequest,
        key: &'static str,
        known: &[&str],
        limit: usize,
    ) -> Result<(T, Self), Fault> {
        let query = request.query()?;
        query.only(known)?;
        let (resource, body) = envelope::read_maybe_empty(request, key, limit).await?;
        Ok((resource, Self { query, body }))
    }

    /// The parameters of a write without a body.
    pub(super) fn of_query(request: &ApiRequest, known: &[&str]) -> Result<Self, Fault> {
        let query = request.query()?;
        query.only(known)?;
        Ok(Self { query, body: Map::new() })
    }

    /// A switch; `None` when neither has it. 422 for what is no switch.
    pub(super) fn switch(&self, name: &'static str) -> Result<Option<bool>, Fault> {
        let in_query = self.query.flag_if_given(name)?;
        Ok(self.in_body(name).map(|value| switch(name, value)).transpose()?.or(in_query))
    }

    /// A switch that is on when it is on in either.
    pub(super) fn either(&self, name: &'static str) -> Result<bool, Fault> {
        let in_query = self.query.flag(name)?;
        Ok(self.in_body(name).map(|value| switch(name, value)).transpose()?.unwrap_or(false) || in_query)
    }

    /// The number of something; 0 and nothing are none. 422 for what is no number.
    pub(super) fn number(&self, name: &'static str) -> Result<Option<i64>, Fault> {
        let invalid = || Fault::invalid(name, FieldCode::Invalid, "must be a number");
        let in_query = self.query.parsed::<i64>(name)?;
        let in_body = self.in_body(name).map(|value| whole_number(value).ok_or_else(invalid)).transpose()?;
        Ok(in_body.or(in_query).filter(|number| *number != 0))
    }

    /// A text as it was sent; `None` when neither has one.
    pub(super) fn text(&self, name: &'static str) -> Option<String> {
        let in_query = || self.query.text(name).map(str::to_owned);
        self.in_body(name).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).or_else(in_query)
    }

    /// The languages of `lang`, comma-separated or as a list; empty for all.
    pub(super) fn languages(&self) -> Result<Vec<String>, Fault> {
        let invalid = || Fault::invalid("lang", FieldCode::Invalid, "must be codes of languages, comma-separated");
        match self.in_body("lang") {
            None => Ok(self.query.list("lang")),
            Some(Value::String(text)) => Ok(split(text).collect()),
            Some(Value::Array(items)) => {
                let texts: Vec<&str> = items.iter().map(|item| item.as_str().ok_or_else(invalid)).collect::<Result<_, _>>()?;
                Ok(texts.into_iter().flat_map(split).collect())
            }
            Some(_) => Err(invalid()),
        }
    }

    /// 422 when `release_id` names a release: a space has none.
    pub(super) fn no_release(&self) -> Result<(), Fault> {
        match self.number("release_id")? {
            None => Ok(()),
            Some(_) => Err(Fault::invalid("release_id", FieldCode::Unknown, "must be a release of this space, which has none")),
        }
    }

    /// The value in the body; `null` and an empty text are none.
    fn in_body(&self, name: &str) -> Option<&Value> {
        self.body.get(name).filter(|value| !value.is_null() && value.as_str() != Some(""))
    }
}

fn split(text: &str) -> impl Iterator<Item = String> {
    text.split(',').map(str::trim).filter(|code| !code.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::WriteParameters;
    use domain::shared::Parameters;
    use serde_json::{Value, json};

    fn given(query: &[(&str, &str)], body: Value) -> WriteParameters {
        let query = Parameters::new(query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect());
        let Value::Object(body) = body else { panic!("an object") };
        WriteParameters { query, body }
    }

    #[test]
    fn the_body_wins_but_for_what_is_on_in_either() {
        for (query, body, switch, either) in [
            (&[][..], json!({}), Some(None), Some(false)),
            (&[("publish", "")], json!({ "publish": null }), Some(None), Some(false)),
            (&[("publish", "1")], json!({ "publish": 0 }), Some(Some(false)), Some(true)),
            (&[("publish", "0")], json!({ "publish": "1" }), Some(Some(true)), Some(true)),
            (&[("publish", "false")], json!({}), Some(Some(false)), Some(false)),
            (&[("publish", "maybe")], json!({}), None, None),
        ] {
            let parameters = given(query, body);
            assert_eq!((parameters.switch("publish").ok(), parameters.either("publish").ok()), (switch, either), "{query:?}");
        }
        let both = given(&[("dimension_id", "3"), ("lang", "de")], json!({ "dimension_id": "4", "lang": "fr" }));
        assert_eq!((both.number("dimension_id").unwrap(), both.languages().unwrap()), (Some(4), vec!["fr".to_owned()]));
    }

    #[test]
    fn languages_come_in_query_or_body() {
        assert_eq!(given(&[("lang", "de,pt-br")], json!({})).languages().unwrap(), ["de", "pt-br"]);
        assert_eq!(given(&[], json!({ "lang": ["fr", "[default],de"] })).languages().unwrap(), ["fr", "[default]", "de"]);
        assert!(given(&[], json!({ "lang": 5 })).languages().is_err());
    }

    #[test]
    fn nothing_and_zero_are_no_number_and_no_release() {
        for (value, expected) in [
            (json!(7), Some(Some(7))),
            (json!("7"), Some(Some(7))),
            (json!(7.0), Some(Some(7))),
            (json!(0), Some(None)),
            (json!(""), Some(None)),
            (json!(null), Some(None)),
            (json!("x"), None),
        ] {
            let parameters = given(&[], json!({ "release_id": value }));
            assert_eq!(parameters.number("release_id").ok(), expected);
            assert_eq!(parameters.no_release().is_ok(), expected == Some(None));
        }
    }
}
