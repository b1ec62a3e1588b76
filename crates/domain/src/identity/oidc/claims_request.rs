//! The `claims` parameter: claims that are asked for one by one (OpenID Connect Core, section 5.5).

use super::error::invalid_request;
use crate::shared::Fault;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The longest parameter that is read, in bytes.
const MAX_LENGTH: usize = 8 << 10;
/// The most claims that are asked for in one place.
const MAX_CLAIMS: usize = 50;

/// What is asked for, by the place where it is answered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ClaimsRequest {
    /// At the userinfo endpoint.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub userinfo: BTreeMap<String, ClaimRequest>,
    /// In the ID token.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub id_token: BTreeMap<String, ClaimRequest>,
}

/// How one claim is asked for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ClaimRequest {
    /// Whether the client cannot go on without it.
    #[serde(default)]
    pub essential: bool,
    /// The values that the client accepts; all when there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Value>,
}

impl ClaimsRequest {
    /// Reads the parameter. `invalid_request` when it is no JSON object of the form that the standard gives
    /// it.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let wrong =
            || invalid_request("The claims parameter is not a JSON object as OpenID Connect Core, section 5.5, describes it");
        if text.len() > MAX_LENGTH {
            return Err(invalid_request("The claims parameter is too long"));
        }
        let Ok(Value::Object(mut members)) = serde_json::from_str::<Value>(text) else { return Err(wrong()) };
        let mut place = |name: &str| match members.remove(name) {
            None | Some(Value::Null) => Some(BTreeMap::new()),
            Some(Value::Object(claims)) => read_claims(claims),
            Some(_) => None,
        };
        Ok(Self { userinfo: place("userinfo").ok_or_else(wrong)?, id_token: place("id_token").ok_or_else(wrong)? })
    }

    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        self.userinfo.is_empty() && self.id_token.is_empty()
    }

    /// The names of all claims that are asked for.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.userinfo.keys().chain(self.id_token.keys()).map(String::as_str)
    }
}

fn read_claims(claims: Map<String, Value>) -> Option<BTreeMap<String, ClaimRequest>> {
    if claims.len() > MAX_CLAIMS {
        return None;
    }
    claims.into_iter().map(|(name, how)| Some((name, read_claim(how)?))).collect()
}

fn read_claim(how: Value) -> Option<ClaimRequest> {
    let mut members = match how {
        Value::Null => return Some(ClaimRequest::default()),
        Value::Object(members) => members,
        _ => return None,
    };
    let essential = match members.remove("essential") {
        None => false,
        Some(Value::Bool(is_essential)) => is_essential,
        Some(_) => return None,
    };
    let values = match (members.remove("value"), members.remove("values")) {
        (Some(value), None) => vec![value],
        (None, Some(Value::Array(values))) => values,
        (None, None) => Vec::new(),
        _ => return None,
    };
    Some(ClaimRequest { essential, values })
}

#[cfg(test)]
mod tests {
    use super::ClaimsRequest;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn claims_are_read_with_how_they_are_asked_for() {
        let text = r#"{"userinfo":{"name":{"essential":true},"email":null},"id_token":{"acr":{"values":["phr"]},"sub":{"value":"x"}},"other":1}"#;
        let request = ClaimsRequest::parse(text).unwrap();
        assert!(request.userinfo["name"].essential && !request.userinfo["email"].essential);
        assert_eq!(request.id_token["acr"].values, [json!("phr")]);
        assert_eq!(request.id_token["sub"].values, [json!("x")]);
        assert_eq!(request.names().collect::<Vec<_>>(), ["email", "name", "acr", "sub"]);
    }

    #[test]
    fn another_form_is_refused() {
        for text in [
            "",
            "[]",
            "1",
            "{",
            r#"{"userinfo":[]}"#,
            r#"{"userinfo":{"name":1}}"#,
            r#"{"id_token":{"a":{"essential":1}}}"#,
            r#"{"id_token":{"a":{"value":1,"values":[1]}}}"#,
            r#"{"id_token":{"a":{"values":1}}}"#,
        ] {
            assert_eq!(ClaimsRequest::parse(text).unwrap_err().code.name(), "invalid_request", "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "\\PC{0,80}") {
            let _ = ClaimsRequest::parse(&text);
        }
    }

    #[test]
    fn a_request_for_claims_is_bounded_and_empty_without_any() {
        assert!(ClaimsRequest::parse("{}").unwrap().is_empty());
        assert!(!ClaimsRequest::parse(r#"{"userinfo":{"name":null}}"#).unwrap().is_empty());
        assert!(!ClaimsRequest::parse(r#"{"id_token":{"acr":null}}"#).unwrap().is_empty());
        let padded = |length: usize| format!("{{{}}}", " ".repeat(length - 2));
        assert!(ClaimsRequest::parse(&padded(super::MAX_LENGTH)).is_ok());
        assert!(ClaimsRequest::parse(&padded(super::MAX_LENGTH + 1)).is_err());
        let many = |count: usize| {
            let claims: Vec<String> = (0..count).map(|number| format!("\"c{number}\":null")).collect();
            format!(r#"{{"userinfo":{{{}}}}}"#, claims.join(","))
        };
        assert!(many(super::MAX_CLAIMS + 1).len() <= super::MAX_LENGTH);
        assert!(ClaimsRequest::parse(&many(super::MAX_CLAIMS)).is_ok());
        assert!(ClaimsRequest::parse(&many(super::MAX_CLAIMS + 1)).is_err());
    }
}
