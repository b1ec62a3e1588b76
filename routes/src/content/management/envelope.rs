//! The JSON object around a resource: `{"component": {…}}`.

use crate::web::ApiRequest;
use domain::shared::{Detail, Fault, Kind};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// Reads the resource under `key`. 422 in Storyblok's words when it is missing or empty; other keys beside it are ignored.
pub(super) async fn read<T: DeserializeOwned>(request: &mut ApiRequest, key: &'static str, limit: usize) -> Result<T, Fault> {
    let mut body: BTreeMap<String, Box<RawValue>> = request.json(limit).await?;
    let resource = body.remove(key).filter(|value| !is_empty(value.get())).ok_or_else(|| missing(key))?;
    if !resource.get().starts_with('{') {
        return Err(Fault::bad_request("badJson", format!("{key} must be an object")));
    }
    serde_json::from_str(resource.get()).map_err(|error| Fault::bad_request("badJson", format!("{key} could not be read: {error}")))
}

/// 422 in Storyblok's words: the body has nothing under `key`.
pub(super) fn missing(key: &str) -> Fault {
    let message = format!("param is missing or the value is empty: {key}");
    Fault::new(Kind::Invalid, "paramMissing", message).about(vec![Detail::new(key, "blank", "can't be blank")])
}

fn is_empty(value: &str) -> bool {
    let object = value.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    value == "null" || object.is_some_and(|members| members.trim().is_empty())
}

/// Puts the resource under its key.
pub(super) fn wrap<T: Serialize>(key: &'static str, value: T) -> BTreeMap<&'static str, T> {
    BTreeMap::from([(key, value)])
}

#[cfg(test)]
mod tests {
    #[test]
    fn null_and_an_empty_object_are_nothing() {
        assert!(["null", "{}", "{ \n }"].into_iter().all(super::is_empty));
        assert!(!["{\"a\":1}", "[]", "0", "\"{}\""].into_iter().any(super::is_empty));
    }
}
