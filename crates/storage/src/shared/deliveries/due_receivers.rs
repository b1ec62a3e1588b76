//! Which receivers have something to be delivered, and how much waits in all.

use super::super::receivers::{self, BREAKER_COLUMNS};
use crate::{Connection, Error, Executor, Result, row};
use domain::shared::{ReceiverId, delivery::CircuitBreaker};
use jiff::Timestamp;
use std::sync::Arc;
use tokio_postgres::Row;

/// A receiver with open deliveries.
#[derive(Debug, Clone)]
pub struct DueReceiver {
    pub receiver: ReceiverId,
    /// Whose it is, unique among owners of all kinds.
    pub owner: Arc<str>,
    /// The circuit breaker in its row.
    pub breaker: CircuitBreaker,
    /// When the first of its deliveries that are not leased is due; `None` when all are leased. It may be one
    /// that waits for an earlier delivery of its key, and cannot be claimed yet.
    pub due_at: Option<Timestamp>,
}

/// The receivers that have open deliveries.
#[derive(Debug, Clone)]
pub struct DueReceivers {
    /// The time of the database's clock, by which the due times are to be read.
    pub now: Timestamp,
    pub receivers: Vec<DueReceiver>,
}

/// Up to which due time a receiver's deliveries were scanned. What is still open there waits for an earlier
/// delivery of its key.
pub type ScanMark = (ReceiverId, Timestamp);

/// The receivers that have open deliveries, are neither paused nor silenced, and are of no kind that the
/// caller leaves to others; none while sending is paused. The statement takes one step in an index for each
/// of them, however many deliveries there are, and leaves out what was scanned before.
pub async fn list_due_receivers(connection: &Connection, scanned: &[ScanMark], unserved: &[&str]) -> Result<DueReceivers> {
    let rows = connection
        .rows(
            &format!("with recursive busy as (
                 (select receiver_id from delivery_queue where dead_at is null order by receiver_id limit 1)
                 union all
                 select (select line.receiver_id from delivery_queue line
                         where line.dead_at is null and line.receiver_id > busy.receiver_id
                         order by line.receiver_id limit 1)
                 from busy where busy.receiver_id is not null
             )
             select statement_timestamp() as now, open.*
             from (select) moment left join (
                 select receiver.id, concat_ws(' ', receiver.kind, receiver.owner) as owner, {BREAKER_COLUMNS},
                        (select line.due_at from delivery_queue line
                         where line.receiver_id = receiver.id and line.dead_at is null
                           and line.due_at > coalesce(scanned.until, '-infinity')
                           and coalesce(line.lease_until <= clock_timestamp(), true)
                         order by line.due_at, line.position limit 1) as due_at
                 from busy join receivers receiver on receiver.id = busy.receiver_id
                 left join unnest($1::bigint[], $2::timestamptz[]) as scanned (receiver_id, until) on scanned.receiver_id = receiver.id
                 where receiver.active and not receiver.silenced and receiver.closed_at is null and receiver.kind <> all($3)
                   and not exists (select from sending where paused_at is not null)
             ) open on true"),
            &[
                /* receiver_id */ &scanned.iter().map(|(id, _)| id.0).collect::<Vec<_>>(),
                /* until */ &scanned.iter().map(|(_, until)| *until).collect::<Vec<_>>(),
                /* kind */ &unserved,
            ],
        )
        .await?;
    // Without a receiver there is one row, which has the time alone.
    let first = rows.first().ok_or_else(|| Error::Internal("the time is missing".to_owned()))?;
    let due_receiver = |row: &Row| {
        let Some(id) = row::get(row, "id")? else { return Ok(None) };
        let (breaker, due_at) = (receivers::breaker(row)?, row::get(row, "due_at")?);
        let owner: &str = row::get(row, "owner")?;
        Ok(Some(DueReceiver { receiver: ReceiverId(id), owner: owner.into(), breaker, due_at }))
    };
    let receivers = rows.iter().filter_map(|row| due_receiver(row).transpose()).collect::<Result<_>>()?;
    Ok(DueReceivers { now: row::get(first, "now")?, receivers })
}

/// What waits, for metrics.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Backlog {
    /// Deliveries that are not finished.
    pub open: i64,
    /// How many of them wait for a receiver whose circuit is open.
    pub waiting: i64,
    /// When the oldest of the others was made. Those of paused receivers are left out: they wait because a
    /// person wants it.
    pub oldest_at: Option<Timestamp>,
    /// How many deliveries are dead.
    pub dead: i64,
    /// Whether nothing is sent.
    pub is_paused: bool,
}

/// Counts the waiting and the dead deliveries.
pub async fn count_backlog(connection: &Connection) -> Result<Backlog> {
    let row = connection
        .row(
            "select count(*) filter (where line.dead_at is null) as open,
                    count(*) filter (where is_served and receiver.circuit <> 'closed') as waiting,
                    min(delivery.created_at) filter (where is_served and receiver.circuit = 'closed') as oldest_at,
                    count(*) filter (where line.dead_at is not null and not line.cancelled) as dead,
                    exists (select from sending where paused_at is not null) as is_paused
             from delivery_queue line
             join deliveries delivery on delivery.id = line.delivery_id
             join receivers receiver on receiver.id = line.receiver_id
             cross join lateral (
                 select line.dead_at is null and receiver.active and not receiver.silenced and receiver.closed_at is null as is_served
             ) served",
            &[],
        )
        .await?;
    Ok(row::read!(&row => Backlog { open, waiting, oldest_at, dead, is_paused }))
}
