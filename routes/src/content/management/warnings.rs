//! What a write took and does not do: Storyblok's clients send what belongs to features that are not here,
//! and are told so beside the resource.

use serde::Serialize;
use serde_json::{Map, Value};

/// A member or a parameter without effect.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Warning {
    field: &'static str,
    code: &'static str,
    message: &'static str,
}

impl Warning {
    pub(super) fn not_supported(field: &'static str) -> Self {
        Self { field, code: "notSupported", message: "is taken and has no effect here" }
    }
}

/// Those of the members `without_effect` that were sent with another value than the resource shows; `null`
/// asks for nothing.
pub(super) fn of_members(sent: &Map<String, Value>, shown: &Value, without_effect: &[&'static str]) -> Vec<Warning> {
    let is_other = |name: &str| sent.get(name).is_some_and(|value| !value.is_null() && shown.get(name) != Some(value));
    without_effect.iter().filter(|name| is_other(name)).map(|name| Warning::not_supported(name)).collect()
}

/// A response with its warnings, if there are any.
#[derive(Serialize)]
pub(super) struct WithWarnings<B> {
    #[serde(flatten)]
    body: B,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Warning>,
}

impl<B> WithWarnings<B> {
    pub(super) fn new(body: B, warnings: Vec<Warning>) -> Self {
        Self { body, warnings }
    }
}

#[cfg(test)]
mod tests {
    use super::{Warning, of_members};
    use serde_json::json;

    #[test]
    fn a_member_is_named_when_it_would_change_something() {
        let sent = json!({ "plan": "starter", "region": null, "version": 7, "owner_id": 3, "name": "Space" });
        let shown = json!({ "version": 7, "name": "Other" });
        let warnings = of_members(sent.as_object().unwrap(), &shown, &["plan", "region", "version", "owner_id", "absent"]);
        assert_eq!(warnings, ["plan", "owner_id"].map(Warning::not_supported));
    }
}
