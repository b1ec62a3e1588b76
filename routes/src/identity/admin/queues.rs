//! `/api/admin/queues…`: what waits in the queues of both services, what is dead, and queueing that again.

use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::{
    identity::admin::read_plain_page,
    shared::{Fault, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::json;
use services::identity::admin::queues::{count_queues, list_dead, retry_all, retry_one};
use storage::shared::queues::{DeadWork, QueueFigures, QueueName};

#[derive(Serialize)]
struct QueuesView {
    queues: Vec<QueueView>,
    #[serde(serialize_with = "timestamp::serialize")]
    at: Timestamp,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct QueueView {
    name: &'static str,
    waiting: i64,
    running: i64,
    /// `null` where nothing is ever given up.
    dead: Option<i64>,
    oldest_seconds: Option<i64>,
}

impl QueueView {
    fn of(queue: QueueName, figures: QueueFigures, now: Timestamp) -> Self {
        Self {
            name: queue.into_str(),
            waiting: figures.waiting,
            running: figures.running,
            dead: queue.has_dead().then_some(figures.dead),
            oldest_seconds: figures.age_seconds(now),
        }
    }
}

/// `GET`: 200 with the figures of every queue.
pub(super) async fn list(identity: Identity, _: SignedIn, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let counted = count_queues(&identity.ctx).await?;
    let at = identity.ctx.clock.now();
    let queues = counted.into_iter().map(|(queue, figures)| QueueView::of(queue, figures, at)).collect();
    ApiResponse::ok(&QueuesView { queues, at })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DeadPageView {
    dead: Vec<DeadView>,
    page: u32,
    per_page: u32,
    total: i64,
    total_pages: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DeadView {
    id: String,
    what: String,
    target: Option<String>,
    attempts: i32,
    error: Option<String>,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::serialize")]
    dead_at: Timestamp,
}

impl From<DeadWork> for DeadView {
    fn from(work: DeadWork) -> Self {
        let DeadWork { id, what, target, attempts, error, created_at, dead_at } = work;
        Self { id, what, target, attempts, error, created_at, dead_at }
    }
}

fn named(name: &str) -> Result<QueueName, Fault> {
    name.parse().map_err(|_| Fault::not_found())
}

/// `GET …/{name}/dead`: 200 with a page, the newest first; 400 for a parameter that cannot be read, 404 for a
/// queue that there is not.
pub(super) async fn dead(identity: Identity, _: SignedIn, name: String, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let queue = named(&name)?;
    let page = read_plain_page(&request.query()?)?;
    let found = list_dead(&identity.ctx, queue, page).await?;
    ApiResponse::ok(&DeadPageView {
        dead: found.items.into_iter().map(DeadView::from).collect(),
        page: page.page,
        per_page: page.per_page,
        total: found.total,
        total_pages: (found.total + page.limit() - 1) / page.limit(),
    })
}

/// `POST …/{name}/retry`: 200 with how much is queued again, and how much is still dead.
pub(super) async fn retry_queue(
    identity: Identity,
    signed_in: SignedIn,
    name: String,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let queue = named(&name)?;
    let retried = retry_all(identity.acting(&identity.request_context(&request), signed_in.claims()), queue).await?;
    ApiResponse::ok(&json!({ "retried": retried.retried, "left": retried.left }))
}

/// `POST …/{name}/{id}/retry`: 200 when it is queued again.
pub(super) async fn retry(
    identity: Identity,
    signed_in: SignedIn,
    name: String,
    id: String,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let queue = named(&name)?;
    retry_one(identity.acting(&identity.request_context(&request), signed_in.claims()), (queue, &id)).await?;
    ApiResponse::ok(&json!({ "id": id, "queue": queue.into_str() }))
}
