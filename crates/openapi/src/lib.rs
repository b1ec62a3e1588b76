//! The description of the API as `/api/openapi.json` serves it: what is written in docs/openapi, and what
//! follows from the tables of endpoints.
//!
//! Written by hand are summaries, parameters, bodies, examples, and the responses that are particular to an
//! operation. From the tables come the set of operations itself, their `security`, the roles that let a
//! caller in, and every error that the access rule, the parameters or the body of a request can cause. So who
//! may call what is written down once.

mod endpoint;
mod errors;
mod examples;
pub mod operation;

pub use endpoint::{Endpoint, ErrorShape, same_path};

use serde_json::{Map, Value, json};

/// The files of docs/openapi, joined.
pub const WRITTEN: &str = include_str!(concat!(env!("OUT_DIR"), "/openapi.json"));

/// The methods that operations have.
const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// The description of a server with these endpoints. Operations that it does not have are left out: some
/// exist only while a token is configured.
///
/// # Errors
///
/// When the joined files are no JSON, which the build would have noticed.
pub fn describe(endpoints: &[Endpoint], base_url: &str, version: &str) -> serde_json::Result<Value> {
    let mut document: Value = serde_json::from_str(WRITTEN)?;
    if let Some(info) = document.get_mut("info").and_then(Value::as_object_mut) {
        info.insert("version".into(), version.into());
    }
    if let Some(root) = document.as_object_mut() {
        root.insert("servers".into(), json!([{ "url": base_url }]));
    }
    if let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) {
        for (path, item) in paths.iter_mut() {
            if let Some(item) = item.as_object_mut() {
                complete_item(path, item, endpoints);
            }
        }
        paths.retain(|_, item| METHODS.iter().any(|method| item.get(method).is_some()));
    }
    errors::add_request_ids(&mut document);
    examples::add(&mut document);
    Ok(document)
}

/// Completes the operations of a path, and removes those that no endpoint answers.
fn complete_item(path: &str, item: &mut Map<String, Value>, endpoints: &[Endpoint]) {
    for method in METHODS {
        let found =
            endpoints.iter().find(|endpoint| endpoint.method.eq_ignore_ascii_case(method) && same_path(path, endpoint.template));
        match (item.get_mut(method).and_then(Value::as_object_mut), found) {
            (Some(operation), Some(endpoint)) => complete_operation(operation, endpoint),
            (Some(_), None) => {
                item.remove(method);
            }
            (None, _) => {}
        }
    }
}

fn complete_operation(operation: &mut Map<String, Value>, endpoint: &Endpoint) {
    operation.insert("security".into(), endpoint.security());
    if !endpoint.roles.is_empty() {
        operation.insert("x-roles".into(), endpoint.roles.clone().into());
    }
    let has_body = operation.contains_key("requestBody");
    let responses = operation.entry("responses").or_insert_with(|| json!({}));
    if let Some(responses) = responses.as_object_mut() {
        for (status, reference) in errors::of(endpoint, has_body) {
            responses.entry(status.to_string()).or_insert_with(|| json!({ "$ref": reference }));
        }
        errors::add_bodies(endpoint.shape, responses);
        responses.sort_keys();
    }
}

#[cfg(test)]
mod tests {
    use super::{Endpoint, ErrorShape, WRITTEN, describe};
    use serde_json::{Value, json};

    fn publish() -> Endpoint {
        Endpoint {
            method: "GET".to_owned(),
            template: "/api/v1/spaces/{space}/stories",
            security: &[&["managementToken"]],
            shape: ErrorShape::Management,
            refusals: vec![401, 404],
            roles: vec!["admin", "editor", "viewer"],
        }
    }

    #[test]
    fn what_follows_from_the_table_is_added_and_what_is_in_no_table_is_left_out() {
        let document = describe(&[publish()], "https://cms.example.org", "1.2.3").unwrap();
        assert_eq!(document["servers"][0]["url"], "https://cms.example.org");
        assert_eq!(document["info"]["version"], "1.2.3");
        let paths = document["paths"].as_object().unwrap();
        assert_eq!(paths.keys().collect::<Vec<_>>(), ["/api/v1/spaces/{space}/stories"]);
        let item = &paths["/api/v1/spaces/{space}/stories"];
        assert!(item.get("post").is_none());
        let list = &item["get"];
        assert_eq!(list["security"], json!([{ "managementToken": [] }]));
        assert_eq!(list["x-roles"], json!(["admin", "editor", "viewer"]));
        let statuses: Vec<&String> = list["responses"].as_object().unwrap().keys().collect();
        assert_eq!(statuses, ["200", "400", "401", "404", "422", "500", "503"]);
    }

    #[test]
    fn each_operation_is_named_once() {
        let written: Value = serde_json::from_str(WRITTEN).unwrap();
        let mut names = std::collections::BTreeSet::new();
        for (path, item) in written["paths"].as_object().unwrap() {
            for method in super::METHODS.iter().filter(|method| item.get(**method).is_some()) {
                let name = item[*method]["operationId"].as_str().unwrap_or_else(|| panic!("{method} {path} has no operationId"));
                assert!(names.insert(name.to_owned()), "two operations are called {name}");
            }
        }
        assert!(names.len() > 200);
    }
}
