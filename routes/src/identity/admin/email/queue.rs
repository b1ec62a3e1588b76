//! `/api/admin/email/queue…`: the mails that are not sent yet, and sending dead ones again.

use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::{
    identity::admin::QueuedMailQuery,
    shared::{Fault, MailId, UserId, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::json;
use services::identity::admin::mails::{QueuedMail, list_mails, retry_all_mails, retry_mail};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PageView {
    mails: Vec<MailView>,
    page: u32,
    per_page: u32,
    total: i64,
    total_pages: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MailView {
    id: MailId,
    state: &'static str,
    template: &'static str,
    locale: String,
    user_id: Option<UserId>,
    recipient: Option<String>,
    attempts: i32,
    error: Option<String>,
    answer: Option<String>,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::option::serialize")]
    next_attempt_at: Option<Timestamp>,
    #[serde(serialize_with = "timestamp::option::serialize")]
    dead_at: Option<Timestamp>,
    is_retryable: bool,
}

impl From<QueuedMail> for MailView {
    fn from(QueuedMail { mail, recipient, is_retryable }: QueuedMail) -> Self {
        Self {
            id: mail.id,
            state: mail.state.into_str(),
            template: mail.template.into_str(),
            locale: mail.locale,
            user_id: mail.user,
            recipient,
            attempts: mail.attempts,
            error: mail.error,
            answer: mail.answer,
            created_at: mail.created_at,
            next_attempt_at: mail.next_at,
            dead_at: mail.dead_at,
            is_retryable,
        }
    }
}

/// `GET`: 200 with a page, the newest mails first; 400 for a parameter that cannot be read.
pub(in super::super) async fn list(identity: Identity, _: SignedIn, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = QueuedMailQuery::read(&request.query()?)?;
    let found = list_mails(&identity.ctx, &query).await?;
    let per_page = query.page.limit();
    ApiResponse::ok(&PageView {
        mails: found.items.into_iter().map(MailView::from).collect(),
        page: query.page.page,
        per_page: query.page.per_page,
        total: found.total,
        total_pages: (found.total + per_page - 1) / per_page,
    })
}

/// `POST …/{id}/retry`: 200 when the dead mail is queued again.
pub(in super::super) async fn retry(
    identity: Identity,
    signed_in: SignedIn,
    id: MailId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    retry_mail(identity.acting(&identity.request_context(&request), signed_in.claims()), id).await?;
    ApiResponse::ok(&json!({ "id": id, "state": "waiting" }))
}

/// `POST …/retry`: 200 with how many dead mails are queued again, and how many are of no use any more.
pub(in super::super) async fn retry_all(
    identity: Identity,
    signed_in: SignedIn,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let retried = retry_all_mails(identity.acting(&identity.request_context(&request), signed_in.claims())).await?;
    ApiResponse::ok(&json!({ "retried": retried.retried, "left": retried.left }))
}
