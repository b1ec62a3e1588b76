//! The JSON object around a resource: `{"component": {…}}`.

use crate::web::ApiRequest;
use domain::shared::{
    Code, Detail, Fault, FieldCode,
    json::{self, Members},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, value::RawValue};
use std::collections::BTreeMap;

/// Reads the resource under `key`, with casts ([`json::parse_cast`]). 422 in Storyblok's words when it is
/// missing or empty; other keys beside it are ignored.
pub(super) async fn read<T: DeserializeOwned>(request: &mut ApiRequest, key: &'static str, limit: usize) -> Result<T, Fault> {
    read_beside(request, key, limit).await.map(|(resource, _)| resource)
}

/// The same with the members beside the resource.
pub(super) async fn read_beside<T: DeserializeOwned>(
    request: &mut ApiRequest,
    key: &'static str,
    limit: usize,
) -> Result<(T, Map<String, Value>), Fault> {
    let (resource, beside) = split(request, key, limit).await?;
    let resource = resource.filter(|resource| !is_empty(resource)).ok_or_else(|| missing(key))?;
    Ok((parse(key, &resource)?, beside))
}

/// The same where the resource may be an empty object: a request that only publishes.
pub(super) async fn read_maybe_empty<T: DeserializeOwned>(
    request: &mut ApiRequest,
    key: &'static str,
    limit: usize,
) -> Result<(T, Map<String, Value>), Fault> {
    let (resource, beside) = split(request, key, limit).await?;
    let resource = resource.filter(|resource| resource.get() != "null").ok_or_else(|| missing(key))?;
    Ok((parse(key, &resource)?, beside))
}

/// Reads the resource under `key` with its members as they were sent. 422 when it is missing or empty.
pub(super) async fn read_with_members<T: DeserializeOwned>(
    request: &mut ApiRequest,
    key: &'static str,
    limit: usize,
) -> Result<(T, Map<String, Value>), Fault> {
    let members: Map<String, Value> = read(request, key, limit).await?;
    Ok((json::parse_cast(&json::to_vec(&members)?)?, members))
}

/// The same; without the key the body itself is the resource.
pub(super) async fn read_or_bare<T: DeserializeOwned>(
    request: &mut ApiRequest,
    key: &'static str,
    limit: usize,
) -> Result<(T, Map<String, Value>), Fault> {
    let members = match split(request, key, limit).await? {
        (Some(resource), _) => parse(key, &resource)?,
        (None, bare) => bare,
    };
    Ok((json::parse_cast(&json::to_vec(&members)?)?, members))
}

async fn split(request: &mut ApiRequest, key: &str, limit: usize) -> Result<(Option<Box<RawValue>>, Map<String, Value>), Fault> {
    let Members(members) = request.json::<Members<Box<RawValue>>>(limit).await?;
    let (mut resource, mut beside) = (None, Map::new());
    for (name, value) in members {
        if name == key {
            resource = Some(value);
        } else {
            beside.insert(name, json::parse(value.get().as_bytes())?);
        }
    }
    Ok((resource, beside))
}

fn parse<T: DeserializeOwned>(key: &str, resource: &RawValue) -> Result<T, Fault> {
    if !resource.get().starts_with('{') {
        return Err(Fault::invalid(key, FieldCode::Invalid, "must be an object"));
    }
    json::cast(resource)
}

/// 422 in Storyblok's words: the body has nothing under `key`.
pub(super) fn missing(key: &str) -> Fault {
    let message = format!("param is missing or the value is empty: {key}");
    Fault::new(Code::ParamMissing, message).about(vec![Detail::new(key, FieldCode::Blank, "can't be blank")])
}

fn is_empty(resource: &RawValue) -> bool {
    let object = resource.get().strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    resource.get() == "null" || object.is_some_and(|members| members.trim().is_empty())
}

/// Puts the resource under its key.
pub(super) fn wrap<T: Serialize>(key: &'static str, value: T) -> BTreeMap<&'static str, T> {
    BTreeMap::from([(key, value)])
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    #[test]
    fn null_and_an_empty_object_are_nothing() {
        let is_empty = |text: &str| super::is_empty(&RawValue::from_string(text.to_owned()).unwrap());
        assert!(["null", "{}", "{ \n }"].into_iter().all(is_empty));
        assert!(!["{\"a\":1}", "[]", "0", "\"{}\""].into_iter().any(is_empty));
    }
}
