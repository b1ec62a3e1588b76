//! `POST /api/provisioning/users`: one account.

use super::{CallingApp, UserView};
use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, body::DEFAULT_LIMIT},
};
use domain::{
    identity::provisioning::Status,
    shared::{Fault, json},
};
use http::StatusCode;
use secrecy::ExposeSecret;
use serde::Serialize;
use services::identity::provisioning::{self, RowOutcome};
use std::borrow::Cow;
use uuid::Uuid;

/// An account that was made, or was there before.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CreatedUserBody<'a> {
    status: &'static str,
    user: UserView,
    #[serde(skip_serializing_if = "Option::is_none")]
    invite_link: Option<&'a str>,
}

/// Why no account was made: an error with the members that a row of an import has.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RefusedAccount {
    error: &'static str,
    status: &'static str,
    code: &'static str,
    message: Cow<'static, str>,
    request_id: Uuid,
}

/// 200 for an account that was made or imported before; 400, 409 or 500 with the code of the reason.
pub(super) async fn create(identity: Identity, caller: CallingApp, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let body = request.unparsed_json(DEFAULT_LIMIT).await?;
    let sent = json::parse_raw(&body)?;
    let context = identity.request_context(&request);
    let processed = provisioning::create(&identity.provisioning, &context, &caller.token, &sent).await?;
    let status = processed.status();
    if let RowOutcome::Refused(refusal) = processed.outcome {
        let (code, message) = (refusal.code.into_str(), refusal.message);
        let body = RefusedAccount { error: code, status: status.into_str(), code, message, request_id: request.meta.request_id };
        return ApiResponse::json(http_status(status), &body);
    }
    let id = processed.id().ok_or_else(|| Fault::internal("an account without an id"))?;
    let invite_link = match &processed.outcome {
        RowOutcome::Created { invite_link, .. } => invite_link.as_ref().map(ExposeSecret::expose_secret),
        _ => None,
    };
    let user = UserView::new(id, processed.email, processed.legacy_sub);
    ApiResponse::json(http_status(status), &CreatedUserBody { status: status.into_str(), user, invite_link })
}

fn http_status(status: Status) -> StatusCode {
    match status {
        Status::Created | Status::Skipped => StatusCode::OK,
        Status::Conflict => StatusCode::CONFLICT,
        Status::Invalid => StatusCode::BAD_REQUEST,
        Status::Failed => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
