//! Sending again what has arrived or was given up, on request: the same id and bytes, with attempts counted anew. It goes to the end of its
//! key's line: those that came after it may be under way.

use super::super::receivers::wake;
use crate::{Executor, Result, Tx, row, store::Params};
use domain::shared::{DeliveryId, ReceiverId, delivery::State};
use jiff::Timestamp;

/// Which deliveries of a receiver.
#[derive(Debug, Clone, Copy)]
pub struct Range {
    /// Made not before.
    pub from: Timestamp,
    /// Made before.
    pub to: Timestamp,
    /// Only those of a state.
    pub state: Option<State>,
    /// The most that are queued at once, the oldest first.
    pub limit: i64,
}

/// Queues again what `again` names, unless it is pending.
const QUEUE: &str = "insert into delivery_queue (delivery_id, receiver_id, key, due_at, replayed)
     select again.id, again.receiver_id, again.key, $2, true
     from again order by again.id
     on conflict (delivery_id) do update
     set position = default, due_at = excluded.due_at, failures = 0, replayed = true, buried_at = null
     where delivery_queue.buried_at is not null
     returning delivery_id";

/// Attempts go on being numbered behind those that are there.
const NUMBER: &str = "update delivery_queue line
     set attempts = (select count(*) from delivery_attempts attempt where attempt.delivery_id = line.delivery_id)
     where line.delivery_id = any($1)";

/// Queues one delivery again. `false` when it is not there, is still pending, or its bytes are gone.
pub async fn redeliver(tx: &Tx<'_>, receiver: ReceiverId, id: DeliveryId, at: Timestamp) -> Result<bool> {
    let sql = format!(
        "with again as (select id, receiver_id, key from deliveries where receiver_id = $1 and public_id = $3 and body is not null)
         {QUEUE}"
    );
    let queued = queue(tx, &sql, &[/* receiver_id */ &receiver.0, /* due_at */ &at, /* public_id */ &id.0]).await?;
    Ok(queued > 0)
}

/// Queues a range of deliveries again, and answers how many.
pub async fn redeliver_range(tx: &Tx<'_>, receiver: ReceiverId, range: &Range, at: Timestamp) -> Result<u64> {
    let of_state = match range.state {
        None => "(line.delivery_id is null or line.buried_at is not null)",
        Some(State::Delivered) => "line.delivery_id is null",
        Some(State::Dead) => "line.buried_at is not null",
        // Nothing has to be queued that waits.
        Some(State::Pending) => "false",
    };
    let sql = format!(
        "with again as (
             select it.id, it.receiver_id, it.key
             from deliveries it left join delivery_queue line on line.delivery_id = it.id
             where it.receiver_id = $1 and it.body is not null and it.created_at >= $3 and it.created_at < $4 and {of_state}
             order by it.id limit $5
         )
         {QUEUE}"
    );
    let params: Params<'_> = &[
        /* receiver_id */ &receiver.0,
        /* due_at */ &at,
        /* from */ &range.from,
        /* to */ &range.to,
        /* limit */ &range.limit,
    ];
    queue(tx, &sql, params).await
}

/// In two statements. The first one waits for an attempt that is just being recorded; how many there are only the second one can see.
async fn queue(tx: &Tx<'_>, sql: &str, params: Params<'_>) -> Result<u64> {
    let queued = tx.rows(sql, params).await?;
    let queued = queued.iter().map(|q| row::get(q, "delivery_id")).collect::<Result<Vec<i64>>>()?;
    tx.execute(NUMBER, &[/* delivery_id */ &queued]).await?;
    wake(tx).await?;
    Ok(queued.len() as u64)
}
