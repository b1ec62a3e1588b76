//! The responses that follow from the table: errors of the access rule, of the parameters in the path, of the
//! body, and of the server itself.

use crate::{Endpoint, ErrorShape, METHODS};
use serde_json::{Map, Value, json};

/// The responses of an endpoint, by status, each with the response of docs/openapi/errors.yaml.
pub(crate) fn of(endpoint: &Endpoint, has_body: bool) -> Vec<(u16, String)> {
    // A broken query or header; a defect; a limit of the server.
    let mut statuses = vec![400, 500, 503];
    statuses.extend(&endpoint.refusals);
    if endpoint.has_parameters() {
        statuses.push(404);
    }
    if has_body {
        statuses.extend([408, 413, 415]);
    }
    if matches!(endpoint.shape, ErrorShape::Management | ErrorShape::Delivery) {
        statuses.push(422);
    }
    if endpoint.shape == ErrorShape::Delivery {
        // Every answer has an `ETag`.
        statuses.push(304);
    }
    statuses.into_iter().filter_map(|status| Some((status, reference(endpoint.shape, status)?))).collect()
}

fn reference(shape: ErrorShape, status: u16) -> Option<String> {
    let name = match status {
        304 => "NotModified",
        400 => "BadRequest",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "NotFound",
        408 => "RequestTimeout",
        413 => "TooLarge",
        415 => "UnsupportedMedia",
        422 => "Invalid",
        429 => "TooMany",
        500 => "InternalError",
        503 => "Unavailable",
        _ => return None,
    };
    let family = match shape {
        ErrorShape::Management | ErrorShape::Identity => "",
        ErrorShape::Delivery => "Delivery",
        ErrorShape::OAuth => "OAuth",
    };
    Some(format!("#/components/responses/{family}{name}"))
}

/// An error that says nothing of its body has the one of its API.
pub(crate) fn add_bodies(shape: ErrorShape, responses: &mut Map<String, Value>) {
    for (status, response) in responses.iter_mut().filter(|(status, _)| status.starts_with(['4', '5'])) {
        let Some(response) = response.as_object_mut().filter(|response| !response.contains_key("$ref")) else { continue };
        let schema = match shape {
            ErrorShape::Management if status == "422" => "InvalidError",
            ErrorShape::Management | ErrorShape::Identity => "Error",
            ErrorShape::Delivery => "DeliveryError",
            ErrorShape::OAuth => "OAuthError",
        };
        let reference = format!("#/components/schemas/{schema}");
        response.entry("content").or_insert_with(|| json!({ "application/json": { "schema": { "$ref": reference } } }));
    }
}

/// Every response has the id of its request in a header.
pub(crate) fn add_request_ids(document: &mut Value) {
    if let Some(shared) = document.pointer_mut("/components/responses").and_then(Value::as_object_mut) {
        shared.values_mut().filter_map(Value::as_object_mut).for_each(add_request_id);
    }
    let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) else { return };
    for item in paths.values_mut() {
        for method in METHODS {
            let responses =
                item.get_mut(method).and_then(|operation| operation.get_mut("responses")).and_then(Value::as_object_mut);
            for response in responses.into_iter().flat_map(Map::values_mut).filter_map(Value::as_object_mut) {
                add_request_id(response);
            }
        }
    }
}

fn add_request_id(response: &mut Map<String, Value>) {
    if response.contains_key("$ref") {
        return;
    }
    if let Some(headers) = response.entry("headers").or_insert_with(|| json!({})).as_object_mut() {
        headers.insert("X-Request-Id".into(), json!({ "$ref": "#/components/headers/RequestId" }));
    }
}
