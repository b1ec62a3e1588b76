//! Dead work: what it is, and queueing it again.

use super::{QueueName, StoryPlace};
use crate::{Connection, Executor, Result, Tx, queue, row, shared::deliveries};
use domain::shared::{DeliveryId, JobId, Page, PageRequest};
use jiff::Timestamp;
use tokio_postgres::Row;

/// Something that was given up.
#[derive(Debug, Clone)]
pub struct DeadWork {
    /// The id by which it is queued again.
    pub id: String,
    /// What it is: the template of a mail, the event of a delivery, the queue of a job.
    pub what: String,
    /// What it was for: the URL of a receiver, the key of a job. A mail says nothing here.
    pub target: Option<String>,
    /// How often it was tried.
    pub attempts: i32,
    /// Why the last attempt failed.
    pub error: Option<String>,
    pub created_at: Timestamp,
    /// When it was given up.
    pub dead_at: Timestamp,
}

/// A page of what is dead in a queue, the newest first.
pub async fn list_dead(connection: &Connection, queue: QueueName, page: PageRequest) -> Result<Page<DeadWork>> {
    let (columns, found, order) = match queue.place() {
        StoryPlace::Mails => (
            "id::text as id, template as what, null as target, attempts, concat_ws(': ', reason, answer) as error, created_at, dead_at",
            "mails where sent_at is null and dead_at is not null and $1::text[] is not null",
            "created_at desc, id desc",
        ),
        StoryPlace::Deliveries(_) => (
            "'whd_' || replace(delivery.public_id::text, '-', '') as id, delivery.event as what, receiver.url as target, line.attempts,
             concat_ws(', ', case when line.dead_reason = 'age' then 'too old' end, (
                 select concat_ws(' ', attempt.result, attempt.status) from delivery_attempts attempt
                 where attempt.delivery_id = line.delivery_id order by attempt.number desc limit 1
             )) as error,
             delivery.created_at, line.dead_at",
            "delivery_queue line join receivers receiver on receiver.id = line.receiver_id join deliveries delivery on delivery.id = line.delivery_id
             where line.dead_at is not null and not line.cancelled and receiver.kind = any ($1) and receiver.closed_at is null and not receiver.silenced",
            "line.delivery_id desc",
        ),
        StoryPlace::Jobs(_) => (
            "id::text as id, queue as what, key as target, attempt as attempts, last_error as error, created_at, dead_at",
            "jobs where dead_at is not null and queue = any ($1)",
            "id desc",
        ),
        StoryPlace::Schedules => return Ok(Page { items: Vec::new(), total: 0 }),
    };
    let names = names(queue);
    let total = connection.row(&format!("select count(*) as total from {found}"), &[/* names */ &names]).await?;
    let rows = connection
        .rows(
            &format!("select {columns} from {found} order by {order} limit $2 offset $3"),
            &[/* names */ &names, /* limit */ &page.limit(), /* offset */ &page.offset()],
        )
        .await?;
    Ok(Page { items: rows.iter().map(dead_work).collect::<Result<_>>()?, total: row::get(&total, "total")? })
}

/// The names by which the tables know a queue.
fn names(queue: QueueName) -> Vec<&'static str> {
    match queue.place() {
        StoryPlace::Deliveries(kind) => vec![kind],
        StoryPlace::Jobs(queues) => queues.to_vec(),
        StoryPlace::Mails | StoryPlace::Schedules => Vec::new(),
    }
}

fn dead_work(row: &Row) -> Result<DeadWork> {
    let error: Option<String> = row::get(row, "error")?;
    Ok(row::read!(row => DeadWork {
        id, what, target, attempts, created_at, dead_at;
        error: error.filter(|error| !error.is_empty()),
    }))
}

/// A delivery of a queue: whether it is dead and whether its body is kept; `None` when there is none.
pub async fn find_dead_delivery(tx: &Tx<'_>, queue: QueueName, id: DeliveryId) -> Result<Option<(bool, bool)>> {
    let found = tx
        .row_opt(
            "select line.dead_at is not null and not line.cancelled as is_dead, delivery.body is not null as has_body
             from deliveries delivery join receivers receiver on receiver.id = delivery.receiver_id
             left join delivery_queue line on line.delivery_id = delivery.id
             where delivery.public_id = $1 and receiver.kind = any ($2) and receiver.closed_at is null and not receiver.silenced",
            &[/* public_id */ &id, /* names */ &names(queue)],
        )
        .await?;
    found.as_ref().map(|row| Ok((row::get(row, "is_dead")?, row::get(row, "has_body")?))).transpose()
}

/// A job of a queue: whether it is dead; `None` when there is none.
pub async fn find_dead_job(tx: &Tx<'_>, queue: QueueName, id: JobId) -> Result<Option<bool>> {
    let found = tx
        .row_opt(
            "select dead_at is not null as is_dead from jobs where id = $1 and queue = any ($2)",
            &[/* id */ &id, /* names */ &names(queue)],
        )
        .await?;
    found.as_ref().map(|row| row::get(row, "is_dead")).transpose()
}

/// Queues a dead delivery again, see [`deliveries::redeliver`]. `false` when it is not dead any more.
pub async fn redeliver_one(tx: &Tx<'_>, id: DeliveryId) -> Result<bool> {
    let queued = deliveries::requeue_dead(
        tx,
        "select delivery.id, delivery.receiver_id, delivery.key
         from deliveries delivery join delivery_queue line on line.delivery_id = delivery.id
         where delivery.public_id = $1 and delivery.body is not null and line.dead_at is not null and not line.cancelled",
        &[/* public_id */ &id],
    )
    .await?;
    Ok(!queued.is_empty())
}

/// Queues the dead deliveries of a queue again that died at a time or before and whose bodies are kept: at
/// most `limit` of those behind a number, in the order of their numbers. Returns the numbers.
pub async fn redeliver_all(tx: &Tx<'_>, queue: QueueName, until: Timestamp, after: i64, limit: i64) -> Result<Vec<i64>> {
    deliveries::requeue_dead(
        tx,
        "select delivery.id, delivery.receiver_id, delivery.key
         from delivery_queue line join deliveries delivery on delivery.id = line.delivery_id
         join receivers receiver on receiver.id = line.receiver_id
         where receiver.kind = any ($1) and receiver.closed_at is null and not receiver.silenced and delivery.body is not null
           and line.dead_at is not null and not line.cancelled and line.dead_at <= $2 and line.delivery_id > $4
         order by line.delivery_id limit $3",
        &[/* names */ &names(queue), /* until */ &until, /* limit */ &limit, /* after */ &after],
    )
    .await
}

/// The newest job of a queue; 0 when there is none.
pub async fn newest_job(executor: &impl Executor, queue: QueueName) -> Result<i64> {
    let newest =
        executor.row("select coalesce(max(id), 0) as id from jobs where queue = any ($1)", &[/* names */ &names(queue)]).await?;
    row::get(&newest, "id")
}

/// Queues the dead jobs of a queue again up to a number, at most `limit`. Returns how many. One that is
/// queued again has a higher number, so that it is not found again when it dies meanwhile.
pub async fn redrive_all(tx: &Tx<'_>, queue: QueueName, newest: i64, limit: i64) -> Result<u64> {
    let rows = tx
        .rows(
            "select id from jobs where queue = any ($1) and dead_at is not null and id <= $2 order by id limit $3 for update",
            &[/* names */ &names(queue), /* newest */ &newest, /* limit */ &limit],
        )
        .await?;
    let mut redriven = 0;
    for row in &rows {
        redriven += u64::from(queue::redrive(tx, row::get(row, "id")?).await?.is_some());
    }
    Ok(redriven)
}
