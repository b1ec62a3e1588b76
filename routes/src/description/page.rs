//! `/api/docs` and `/api/docs/{operation}`: pages that show the description, and try its operations.

use super::Description;
use crate::web::{Anonymous, ApiRequest, ApiResponse};
use domain::shared::Fault;
use http::StatusCode;
use pages::{Frame, OwnPath, Site, api};
use serde_json::Value;

/// 200 with the list of operations.
pub(super) async fn overview(description: Description, _: Anonymous, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let about = description.document()?.pointer("/info/description").and_then(Value::as_str).unwrap_or_default();
    let path = request.own_path();
    let frame = frame(&description.source()?.site, &request, &path);
    Ok(respond(api::overview(&frame, about, description.groups()?)))
}

/// 200 with one operation; 404 for a name that none has.
pub(super) async fn operation(
    description: Description,
    _: Anonymous,
    name: String,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let mut operations = description.groups()?.iter().flat_map(|group| &group.operations);
    let operation = operations.find(|operation| operation.id == name).ok_or_else(Fault::not_found)?;
    let path = request.own_path();
    Ok(respond(api::operation(&frame(&description.source()?.site, &request, &path), operation)))
}

fn frame<'a>(site: &'a Site, request: &ApiRequest, path: &'a OwnPath) -> Frame<'a> {
    Frame { site, language: request.meta.language, path, csrf_token: "", is_administrator: false, person: None }
}

fn respond(html: String) -> ApiResponse {
    ApiResponse::bytes(StatusCode::OK, "text/html; charset=utf-8", html)
}
