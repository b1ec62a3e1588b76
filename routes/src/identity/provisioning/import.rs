//! `POST /api/provisioning/users/import`: up to 500 accounts.

use super::CallingApp;
use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse},
};
use domain::{
    identity::provisioning::{Status, request},
    shared::{Fault, UserId},
};
use secrecy::ExposeSecret;
use serde::Serialize;
use services::identity::provisioning::{self, Processed, RowOutcome};

/// The largest body, in bytes: 500 accounts with all their fields are far below it.
const BODY_LIMIT: usize = 8 << 20;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ImportBody {
    total: usize,
    created: usize,
    skipped: usize,
    conflicts: usize,
    invalid: usize,
    failed: usize,
    dry_run: bool,
    results: Vec<RowView>,
}

/// What came of a row.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RowView {
    index: usize,
    email: String,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<UserId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    legacy_sub: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sub_preserved: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    invite_link: Option<String>,
}

impl RowView {
    fn new(index: usize, row: Processed) -> Self {
        let refusal = row.refusal();
        let is_account = !matches!(row.outcome, RowOutcome::Refused(_));
        let invite_link = match &row.outcome {
            RowOutcome::Created { invite_link, .. } => invite_link.as_ref().map(|link| link.expose_secret().to_owned()),
            _ => None,
        };
        Self {
            index,
            status: row.status().into_str(),
            code: refusal.as_ref().map(|refusal| refusal.code.into_str()),
            message: refusal.map(|refusal| refusal.message.into_owned()),
            id: row.id(),
            sub_preserved: is_account.then(|| row.is_sub_preserved()),
            email: row.email,
            legacy_sub: row.legacy_sub,
            invite_link,
        }
    }
}

/// 200 with what came of each account, whatever that is.
pub(super) async fn import(identity: Identity, caller: CallingApp, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let body = request.unparsed_json(BODY_LIMIT).await?;
    let sent = request::read(&body)?;
    drop(body);
    let context = identity.request_context(&request);
    let rows = provisioning::import(&identity.provisioning, &context, &caller.token, &sent).await?;
    let count = |status| rows.iter().filter(|row| row.status() == status).count();
    ApiResponse::ok(&ImportBody {
        total: rows.len(),
        created: count(Status::Created),
        skipped: count(Status::Skipped),
        conflicts: count(Status::Conflict),
        invalid: count(Status::Invalid),
        failed: count(Status::Failed),
        dry_run: sent.is_dry_run,
        results: rows.into_iter().enumerate().map(|(index, row)| RowView::new(index, row)).collect(),
    })
}
