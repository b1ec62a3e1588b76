//! What waits in the queues of both services, and queueing dead work again.

use super::{
    ActingAdministrator,
    mails::{Retried, retry_all_mails, retry_mail},
};
use crate::identity::IdentityContext;
use domain::shared::{Code, DeliveryId, Fault, JobId, Page, PageRequest};
use serde_json::json;
use std::collections::BTreeMap;
use storage::{
    Result as StoreResult, Tx,
    identity::audit,
    queue,
    shared::queues::{self, DeadWork, QueueFigures, QueueName},
    transact,
};

/// How much a transaction queues again.
const BATCH: i64 = 500;
/// The audit event.
const RETRIED: audit::Event = audit::Event::AdminQueueRetried;

/// What is in each queue.
pub async fn count_queues(ctx: &IdentityContext) -> Result<BTreeMap<QueueName, QueueFigures>, Fault> {
    let connection = ctx.store.connection("queues.count").await?;
    Ok(queues::count_all(&connection, ctx.clock.now()).await?)
}

/// A page of what is dead in a queue, the newest first.
pub async fn list_dead(ctx: &IdentityContext, queue: QueueName, page: PageRequest) -> Result<Page<DeadWork>, Fault> {
    let connection = ctx.store.connection("queues.list_dead").await?;
    Ok(queues::list_dead(&connection, queue, page).await?)
}

/// Queues something dead again, with attempts counted anew. 404; 409 `notDead`, `contentErased` when what is
/// to be sent is not kept any more, and for a mail what [`retry_mail`] refuses.
pub async fn retry_one(by: ActingAdministrator<'_>, (queue, id): (QueueName, &str)) -> Result<(), Fault> {
    if queue == QueueName::Mail {
        let id = id.parse().map_err(|_| Fault::not_found())?;
        return retry_mail(by, id).await;
    }
    transact!(by.ctx, "queue.retry", async |tx| {
        by.check(tx).await?;
        if let Ok(id) = id.parse::<DeliveryId>() {
            redeliver(tx, queue, id).await?;
        } else {
            redrive(tx, queue, id).await?;
        }
        let details = json!({ "queue": queue.into_str(), "id": id });
        audit::record_with(tx, RETRIED, &details, by.attempt(None)).await
    })
    .await
}

/// Queues everything again that is dead in a queue. Each batch is a transaction of its own: a call that is
/// cut off can be made again.
pub async fn retry_all(by: ActingAdministrator<'_>, queue: QueueName) -> Result<Retried, Fault> {
    if queue == QueueName::Mail {
        return retry_all_mails(by).await;
    }
    // Deliveries keep their numbers and are found in the order of these; jobs get new ones.
    let newest = if queue.has_deliveries() {
        0
    } else {
        queues::newest_job(&by.ctx.store.connection("queue.retry_all").await?, queue).await?
    };
    let (mut retried, mut after) = (0, 0);
    loop {
        // A batch that is not full may be so because another call took some of it: only an empty one is the
        // end.
        let (batch, last) = transact!(by.ctx, "queue.retry_all", async |tx| {
            let at = by.at();
            by.check(tx).await?;
            let (retried, last) = if queue.has_deliveries() {
                let queued = queues::redeliver_all(tx, queue, at, after, BATCH).await?;
                (queued.len() as u64, queued.into_iter().max().unwrap_or(after))
            } else {
                (queues::redrive_all(tx, queue, newest, BATCH).await?, 0)
            };
            if retried > 0 {
                let details = json!({ "queue": queue.into_str(), "retried": retried });
                audit::record_with(tx, RETRIED, &details, by.attempt(None)).await?;
            }
            Ok((retried, last))
        })
        .await?;
        if batch == 0 {
            break;
        }
        (retried, after) = (retried + batch, last);
    }
    let left = count_queues(by.ctx).await?.get(&queue).map_or(0, |figures| figures.dead.unsigned_abs());
    Ok(Retried { retried, left })
}

async fn redeliver(tx: &Tx<'_>, queue: QueueName, id: DeliveryId) -> StoreResult<()> {
    let (is_dead, has_body) = queues::find_dead_delivery(tx, queue, id).await?.ok_or_else(Fault::not_found)?;
    if is_dead && !has_body {
        return Err(Fault::of(Code::ContentErased).into());
    }
    if !is_dead || !queues::redeliver_one(tx, id).await? {
        return Err(Fault::of(Code::NotDead).into());
    }
    Ok(())
}

async fn redrive(tx: &Tx<'_>, queue: QueueName, id: &str) -> StoreResult<()> {
    let id = JobId(id.parse().map_err(|_| Fault::not_found())?);
    let is_dead = queues::find_dead_job(tx, queue, id).await?.ok_or_else(Fault::not_found)?;
    if !is_dead || queue::redrive(tx, id).await?.is_none() {
        return Err(Fault::of(Code::NotDead).into());
    }
    Ok(())
}
