//! Health: the process is alive. It depends on nothing, so that an unavailable database does not get the
//! process restarted.

use super::Ops;
use crate::web::{Anonymous, ApiRequest, ApiResponse};
use domain::shared::Fault;
use serde_json::json;

/// 200 `{"status": "ok"}`.
pub(super) async fn read(_: Ops, _: Anonymous, _: ApiRequest) -> Result<ApiResponse, Fault> {
    ApiResponse::ok(&json!({ "status": "ok" }))
}
