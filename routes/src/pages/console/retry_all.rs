//! `/admin/mail/retry` and `/admin/workers/{name}/retry`: queues everything again that is dead in a queue,
//! once the administrator has read how much that is. No proof is asked for, as by the API.

use super::{Administrator, ApiRequest, ApiResponse, Form, Pages, refuse};
use domain::shared::Fault;
use pages::{
    Problems,
    account::proof::Proof,
    console::retry_all::{RetryAll, retry_all_page},
};
use services::identity::admin::queues::{count_queues, retry_all};
use storage::shared::queues::QueueName;

/// The page that asks before the dead mails are sent.
pub(super) async fn show_mails(pages: Pages, administrator: Administrator, _: ApiRequest) -> Result<ApiResponse, Fault> {
    ask(&pages, administrator, None).await
}

/// The page that asks before what is dead in a queue is tried again; 404.
pub(super) async fn show(pages: Pages, administrator: Administrator, name: String, _: ApiRequest) -> Result<ApiResponse, Fault> {
    ask(&pages, administrator, Some(named(&name)?)).await
}

async fn ask(pages: &Pages, administrator: Administrator, queue: Option<QueueName>) -> Result<ApiResponse, Fault> {
    let view = view(pages, queue).await?;
    Ok(administrator.ok(pages, |console| retry_all_page(console, &Problems::default(), Proof::NotAsked, view)))
}

/// Sends the dead mails: 303 to the page of mails.
pub(super) async fn retry_mails(pages: Pages, administrator: Administrator, request: ApiRequest) -> Result<ApiResponse, Fault> {
    run(&pages, administrator, request, None).await
}

/// Tries again what is dead in a queue: 303 to its page; 404.
pub(super) async fn retry(
    pages: Pages,
    administrator: Administrator,
    name: String,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    run(&pages, administrator, request, Some(&name)).await
}

async fn run(
    pages: &Pages,
    administrator: Administrator,
    mut request: ApiRequest,
    name: Option<&str>,
) -> Result<ApiResponse, Fault> {
    Form::read(pages, &administrator.visitor, &mut request).await?;
    let queue = name.map(named).transpose()?;
    let context = pages.identity.request_context(&request);
    let retried = retry_all(pages.identity.acting(&context, administrator.claims()), queue.unwrap_or(QueueName::Mail));
    match Box::pin(retried).await {
        Ok(outcome) => {
            let back = view_of(queue, 0).back();
            ApiResponse::see_other(&format!("{back}?done=all&count={}", outcome.retried))
        }
        Err(fault) => {
            let view = view(pages, queue).await?;
            refuse(pages, administrator, fault, &[], |console, problems| retry_all_page(console, &problems, Proof::NotAsked, view))
        }
    }
}

fn named(name: &str) -> Result<QueueName, Fault> {
    name.parse().map_err(|_| Fault::not_found())
}

async fn view(pages: &Pages, queue: Option<QueueName>) -> Result<RetryAll, Fault> {
    let counted = count_queues(&pages.identity.ctx).await?;
    let dead = counted.get(&queue.unwrap_or(QueueName::Mail)).map_or(0, |figures| figures.dead);
    Ok(view_of(queue, dead))
}

/// No queue: the page of mails asked.
fn view_of(queue: Option<QueueName>, dead: i64) -> RetryAll {
    queue.map_or(RetryAll::Mails { dead }, |queue| RetryAll::Queue { name: queue.into_str(), dead })
}
