//! A body whose members are all known: those that its type reads, and those that the answer of the resource
//! shows, which a front end sends back as it read them.
//!
//! A misspelt member that were ignored would look like a change that was made. So it is refused, and the
//! refusal names the known member that is nearest.

use super::{Members, Nul, bad_json, check, member_names::member_names, parse_form};
use crate::shared::{Code, Detail, Fault, FieldCode};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, value::RawValue};
use std::{fmt, marker::PhantomData};

/// A body that was read and whose members are not checked yet.
pub struct StrictBody<T> {
    body: Vec<u8>,
    sent: Map<String, Value>,
    known: &'static [&'static str],
    read: PhantomData<T>,
}

impl<T: DeserializeOwned> StrictBody<T> {
    /// Reads an object. 400 `badJson` and `validation` as [`parse_form`], but for its members.
    pub fn new(body: &[u8]) -> Result<Self, Fault> {
        let known = member_names::<T>().ok_or_else(|| Fault::internal("the type of a body does not name its members"))?;
        check(body, Nul::Refused)?;
        let raw: &RawValue = serde_json::from_slice(body).map_err(|error| bad_json(&error))?;
        let members: Members = Members::parse(raw).ok_or_else(|| Fault::new(Code::Validation, "The body must be a JSON object"))?;
        let mut sent = Map::new();
        for (name, value) in members.0 {
            // Of two values the reader would take one, and the check perhaps the other.
            if sent.insert(name.clone(), value).is_some() {
                return Err(Fault::new(Code::BadJson, format!("The body has {name} twice")));
            }
        }
        Ok(Self { body: body.to_vec(), sent, known, read: PhantomData })
    }

    /// Whether it has no member.
    pub fn is_empty(&self) -> bool {
        self.sent.is_empty()
    }

    /// A member as it was sent.
    pub fn sent(&self, name: &str) -> Option<&Value> {
        self.sent.get(name)
    }

    /// The value of a body that belongs to no resource. 400 `validation` that names unknown members, and what
    /// [`parse_form`] refuses.
    pub fn read(self) -> Result<T, Fault> {
        self.refuse_unknown(&Map::new())?;
        parse_form(&self.body)
    }

    /// The value of a body that changes a resource. A member that only the answer of the resource has may be
    /// sent with the value that it has already; with another it is 400 `notEditable`.
    pub fn read_beside(self, answer: &impl Serialize) -> Result<T, Fault> {
        let shown = shown(answer)?;
        self.refuse_unknown(&shown)?;
        let changed = self.others().filter(|(name, value)| shown.get(*name) != Some(*value));
        let details: Vec<Detail> =
            changed.map(|(name, _)| Detail::new(name, FieldCode::NotEditable, "cannot be changed here")).collect();
        if details.is_empty() { parse_form(&self.body) } else { Err(Fault::fields(Code::NotEditable, details)) }
    }

    /// Whether one of these members would give the resource another value than its answer shows; `null`
    /// leaves it as it is.
    pub fn would_change(&self, names: &[&str], answer: &impl Serialize) -> Result<bool, Fault> {
        let shown = shown(answer)?;
        Ok(names.iter().any(|name| self.sent(name).is_some_and(|value| !value.is_null() && shown.get(*name) != Some(value))))
    }

    /// The members that the type does not read.
    fn others(&self) -> impl Iterator<Item = (&str, &Value)> {
        let is_known = |name: &str| self.known.contains(&name);
        self.sent.iter().map(|(name, value)| (name.as_str(), value)).filter(move |(name, _)| !is_known(name))
    }

    fn refuse_unknown(&self, shown: &Map<String, Value>) -> Result<(), Fault> {
        let known: Vec<&str> = self.known.iter().copied().chain(shown.keys().map(String::as_str)).collect();
        let unknown = self.others().filter(|(name, _)| !shown.contains_key(*name)).map(|(name, _)| unknown(name, &known));
        let details: Vec<Detail> = unknown.collect();
        if details.is_empty() { Ok(()) } else { Err(Fault::fields(Code::Validation, details)) }
    }
}

impl<T> fmt::Debug for StrictBody<T> {
    /// Only the names: a value may be a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.sent.keys()).finish()
    }
}

fn shown(answer: &impl Serialize) -> Result<Map<String, Value>, Fault> {
    match serde_json::to_value(answer) {
        Ok(Value::Object(shown)) => Ok(shown),
        Ok(_) => Err(Fault::internal("an answer is no object")),
        Err(error) => Err(Fault::internal(format!("serialise: {error}"))),
    }
}

/// What is wrong with a member that is none of these.
fn unknown(name: &str, known: &[&str]) -> Detail {
    let distance = |other: &&&str| strsim::osa_distance(&name.to_lowercase(), &other.to_lowercase());
    match known.iter().min_by_key(distance) {
        Some(nearest) => {
            Detail::new(name, FieldCode::UnknownField, format!("is not known here; the nearest name is {nearest}")).bounded(nearest)
        }
        None => Detail::new(name, FieldCode::UnknownField, "is not known here; send no body, or {}"),
    }
}

#[cfg(test)]
mod tests {
    use super::StrictBody;
    use crate::shared::Fault;
    use proptest::prelude::*;
    use serde::Deserialize;
    use serde_json::{Value, json};

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Body {
        first_name: Option<String>,
        is_admin: Option<bool>,
    }

    #[derive(Debug, Deserialize)]
    struct Nothing {}

    fn body(value: &Value) -> StrictBody<Body> {
        StrictBody::new(value.to_string().as_bytes()).unwrap()
    }

    fn told(fault: &Fault) -> (&'static str, String) {
        let details = fault.details.iter().map(|detail| format!("{}:{}", detail.field, detail.code.name()));
        (fault.code.name(), details.collect::<Vec<_>>().join(" "))
    }

    fn answer() -> Value {
        json!({ "id": 7, "firstName": "Ann", "isAdmin": false, "suspendedAt": null, "locales": ["en"] })
    }

    #[test]
    fn an_unknown_member_is_refused_with_the_nearest_name() {
        let refused = body(&json!({ "fristName": "Ann" })).read().unwrap_err();
        assert_eq!(told(&refused), ("validation", "fristName:unknownField".into()));
        assert_eq!(refused.message, "fristName is not known here; the nearest name is firstName");
        let refused = body(&json!({ "suspended": true, "firstName": 7 })).read_beside(&answer()).unwrap_err();
        assert_eq!(refused.message, "suspended is not known here; the nearest name is suspendedAt");
        let refused = StrictBody::<Nothing>::new(br#"{"reason":"x"}"#).unwrap().read().unwrap_err();
        assert_eq!(refused.message, "reason is not known here; send no body, or {}");
        assert!(StrictBody::<Nothing>::new(b" {} ").unwrap().read().is_ok());
    }

    #[test]
    fn what_the_resource_shows_passes_unchanged_and_is_not_editable_otherwise() {
        let read = body(&answer()).read_beside(&answer()).unwrap();
        assert_eq!((read.first_name.as_deref(), read.is_admin), (Some("Ann"), Some(false)));
        for (name, value) in [("id", json!("7")), ("suspendedAt", json!("2026-11-22")), ("locales", json!([])), ("id", Value::Null)]
        {
            let refused = body(&json!({ name: value })).read_beside(&answer()).unwrap_err();
            assert_eq!(told(&refused), ("notEditable", format!("{name}:notEditable")));
        }
        let refused = body(&json!({ "id": 8, "xid": 1 })).read_beside(&answer()).unwrap_err();
        assert_eq!(told(&refused), ("validation", "xid:unknownField".into()), "what cannot be meant comes first");
    }

    #[test]
    fn a_change_of_a_member_is_told_from_what_was_sent_back() {
        for (sent, changes) in [
            (json!({ "isAdmin": true }), true),
            (json!({ "isAdmin": "true" }), true),
            (json!({ "isAdmin": false }), false),
            (json!({ "isAdmin": null, "firstName": "Bo" }), false),
            (json!({}), false),
        ] {
            assert_eq!(body(&sent).would_change(&["isAdmin"], &answer()).unwrap(), changes, "{sent}");
        }
    }

    #[test]
    fn what_is_no_object_is_refused_and_a_wrong_type_is_named() {
        for wrong in ["[]", "null", "7"] {
            assert_eq!(StrictBody::<Body>::new(wrong.as_bytes()).unwrap_err().code.name(), "validation", "{wrong}");
        }
        for broken in ["", "{", r#"{"firstName":"\u0000"}"#] {
            assert_eq!(StrictBody::<Body>::new(broken.as_bytes()).unwrap_err().code.name(), "badJson", "{broken}");
        }
        assert_eq!(told(&body(&json!({ "isAdmin": 1 })).read().unwrap_err()), ("validation", "isAdmin:wrongType".into()));
        for twice in [r#"{"isAdmin":true,"isAdmin":false}"#, r#"{"id":7,"id":8}"#] {
            assert_eq!(StrictBody::<Body>::new(twice.as_bytes()).unwrap_err().code.name(), "badJson", "{twice}");
        }
        assert_eq!(StrictBody::<Value>::new(b"{}").unwrap_err().code.name(), "internal", "a type that names nothing is a defect");
    }

    proptest! {
        #[test]
        fn each_unknown_member_is_named_once_and_no_known_one(names in prop::collection::btree_set("[a-zA-Z]{1,9}|firstName|id", 0..6)) {
            let sent: Value = names.iter().map(|name| (name.clone(), answer()[name].clone())).collect::<serde_json::Map<_, _>>().into();
            let unknown: Vec<&String> = names.iter().filter(|name| answer().get(name.as_str()).is_none()).collect();
            match body(&sent).read_beside(&answer()) {
                Ok(_) => prop_assert!(unknown.is_empty()),
                Err(fault) => prop_assert_eq!(fault.details.iter().map(|detail| &detail.field).collect::<Vec<_>>(), unknown),
            }
        }
    }
}
