//! Redelivery on request, of what has arrived, is dead or was cancelled: the same id and bytes, with attempts
//! counted anew. It is queued behind the other deliveries of its key: later ones may be under way.

use super::claim::RECEIVER_CLOCK;
use crate::{
    Executor, Result, Tx,
    queue::{self, DELIVERIES},
    row,
    store::Params,
};
use domain::shared::{DeliveryId, ReceiverId, delivery::State};
use jiff::Timestamp;

/// Some deliveries of a receiver.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    /// Those made at this time or later.
    pub from: Timestamp,
    /// Those made before this time.
    pub to: Timestamp,
    /// Those of this state.
    pub state: Option<State>,
    /// At most this number, the oldest first.
    pub limit: i64,
}

/// Queues the deliveries of the CTE `again`, except those that are pending. Their age counts from now on.
fn queue_sql() -> String {
    format!(
        "insert into delivery_queue (delivery_id, receiver_id, key, due_at, age_from, replayed)
         select again.id, again.receiver_id, again.key, statement_timestamp(), {RECEIVER_CLOCK}, true
         from again join receivers receiver on receiver.id = again.receiver_id order by again.id
         on conflict (delivery_id) do update
         set position = default, due_at = excluded.due_at, age_from = excluded.age_from, failures = 0, replayed = true, dead_at = null,
             dead_reason = null, cancelled = false, lease_token = null, lease_until = null
         where delivery_queue.dead_at is not null
         returning delivery_id"
    )
}

/// Further attempts are numbered behind those that are there.
const NUMBER: &str = "update delivery_queue line
     set attempts = (select count(*) from delivery_attempts attempt where attempt.delivery_id = line.delivery_id)
     where line.delivery_id = any($1)";

/// Queues one delivery again. `false` when it does not exist, is still pending, or its body was removed.
pub async fn redeliver(tx: &Tx<'_>, receiver: ReceiverId, id: DeliveryId) -> Result<bool> {
    let found = "select id, receiver_id, key from deliveries where receiver_id = $1 and public_id = $2 and body is not null";
    let queued = queue(tx, found, &[/* receiver_id */ &receiver, /* public_id */ &id]).await?;
    Ok(!queued.is_empty())
}

/// Queues a range of deliveries again, and returns how many.
pub async fn redeliver_range(tx: &Tx<'_>, receiver: ReceiverId, range: &Range) -> Result<u64> {
    let of_state = match range.state {
        None => "(line.delivery_id is null or line.dead_at is not null)",
        Some(State::Delivered) => "line.delivery_id is null",
        Some(State::Dead) => "line.dead_at is not null and not line.cancelled",
        Some(State::Cancelled) => "line.cancelled",
        // What is pending is queued already.
        Some(State::Pending) => "false",
    };
    let found = format!(
        "select delivery.id, delivery.receiver_id, delivery.key
         from deliveries delivery left join delivery_queue line on line.delivery_id = delivery.id
         where delivery.receiver_id = $1 and delivery.body is not null
           and delivery.created_at >= $2 and delivery.created_at < $3 and {of_state}
         order by delivery.id limit $4"
    );
    let params: Params<'_> =
        &[/* receiver_id */ &receiver, /* from */ &range.from, /* to */ &range.to, /* limit */ &range.limit];
    Ok(queue(tx, &found, params).await?.len() as u64)
}

/// Queues dead deliveries again that a query finds: their `id`, `receiver_id` and `key`. Returns the ids of
/// those that it queued.
pub(in crate::shared) async fn requeue_dead(tx: &Tx<'_>, found: &str, params: Params<'_>) -> Result<Vec<i64>> {
    queue(tx, found, params).await
}

/// Queues the deliveries that a query finds again. In two statements: the first one waits for an attempt that
/// is just being recorded, and only a second one sees that attempt.
async fn queue(tx: &Tx<'_>, found: &str, params: Params<'_>) -> Result<Vec<i64>> {
    let queued = tx.rows(&format!("with again as ({found}) {}", queue_sql()), params).await?;
    let queued = queued.iter().map(|row| row::get(row, "delivery_id")).collect::<Result<Vec<i64>>>()?;
    tx.execute(NUMBER, &[/* delivery_id */ &queued]).await?;
    queue::notify(tx, DELIVERIES).await?;
    Ok(queued)
}
