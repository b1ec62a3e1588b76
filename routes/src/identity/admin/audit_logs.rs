//! `/api/admin/audit-logs`: what has happened with accounts, and to whom.

use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::{
    identity::admin::AuditQuery,
    shared::{Fault, UserId, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};
use services::identity::admin::audit_logs;
use std::net::IpAddr;
use storage::identity::audit::FullEntry;
use uuid::Uuid;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PageView {
    logs: Vec<EntryView>,
    page: u32,
    per_page: u32,
    total: i64,
    total_pages: i64,
}

/// An entry as administrators see it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EntryView {
    id: i64,
    event: String,
    status: String,
    ip: Option<IpAddr>,
    user_agent: Option<String>,
    user_id: Option<UserId>,
    user_email: Option<String>,
    actor_id: Option<String>,
    actor_type: String,
    target_id: Option<String>,
    client_id: Option<String>,
    request_id: Option<Uuid>,
    details: Value,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
}

impl From<FullEntry> for EntryView {
    fn from(entry: FullEntry) -> Self {
        Self {
            id: entry.id,
            event: entry.event,
            status: entry.status,
            ip: entry.ip,
            user_agent: entry.user_agent,
            user_id: entry.user,
            user_email: entry.user_email,
            actor_id: entry.actor_id,
            actor_type: entry.actor_type,
            target_id: entry.target_id,
            client_id: entry.client_id,
            request_id: entry.request_id,
            details: entry.details,
            created_at: entry.created_at,
        }
    }
}

/// `GET`: 200 with a page, the newest entries first; 400 for a parameter that cannot be read.
pub(super) async fn list(identity: Identity, _: SignedIn, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = AuditQuery::read(&request.query()?)?;
    let found = audit_logs::list_entries(&identity.ctx, &query).await?;
    ApiResponse::ok(&PageView {
        logs: found.items.into_iter().map(EntryView::from).collect(),
        page: query.page.page,
        per_page: query.page.per_page,
        total: found.total,
        total_pages: query.page.pages_of(found.total),
    })
}

/// `POST …/anonymize-orphans`: 200 with how many entries about people who are gone had personal data until
/// now.
pub(super) async fn anonymize_orphans(identity: Identity, signed_in: SignedIn, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let context = identity.request_context(&request);
    let anonymized = audit_logs::anonymize(identity.acting(&context, signed_in.claims())).await?;
    ApiResponse::ok(&json!({ "anonymized": anonymized }))
}
