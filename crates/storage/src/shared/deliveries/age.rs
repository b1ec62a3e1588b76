//! The age of deliveries. It is counted by the clock of their receiver, which stands still while the receiver
//! is paused or silenced, and while all sending is paused.
//!
//! Triggers keep the clocks, so that whatever pauses a receiver or sending stops them: see the migration
//! `0065_circuits`.

use super::{
    DeliveryLease, LeasedDelivery,
    claim::{RECEIVER_CLOCK, lease, leased},
};
use crate::{Connection, Executor, Result, Tx, row};
use domain::shared::delivery::DeadReason;
use jiff::Timestamp;
use std::time::Duration;

/// Leases deliveries that are of an age or older, due or not: at most `limit`, for `lease_for`. None of a
/// receiver that is paused, silenced or closed, or of a kind that the caller leaves to others, and none while
/// sending is paused. Rows that another process is claiming at this moment are skipped.
///
/// It reads all open deliveries, because an index on their ages would have to be written for every attempt.
pub async fn claim_expired(
    connection: &Connection,
    max_age: Duration,
    limit: i64,
    unserved: &[&str],
    lease_for: Duration,
) -> Result<Vec<LeasedDelivery>> {
    let sql = format!(
        "with served as materialized (
             select receiver.id, {RECEIVER_CLOCK} - make_interval(secs => $1) as oldest from receivers receiver
             where receiver.active and not receiver.silenced and receiver.closed_at is null and receiver.kind <> all($4)
               and not exists (select from sending where paused_at is not null)
         ), open as materialized (
             select line.delivery_id from delivery_queue line join served on served.id = line.receiver_id
             where line.dead_at is null and line.age_from <= served.oldest and coalesce(line.lease_until <= clock_timestamp(), true)
             limit $2 for update of line skip locked
         ), {lease}",
        lease = lease(),
    );
    let rows = connection
        .rows(
            &sql,
            &[
                /* max_age */ &max_age.as_secs_f64(),
                /* limit */ &limit,
                /* lease_for */ &lease_for.as_secs_f64(),
                /* kind */ &unserved,
            ],
        )
        .await?;
    rows.iter().map(leased).collect()
}

/// Marks deliveries dead that are too old, without an attempt. Returns the leases of those; the others were
/// leased by another process meanwhile.
pub(super) async fn mark_expired_dead(tx: &Tx<'_>, all: &[DeliveryLease], at: Timestamp) -> Result<Vec<DeliveryLease>> {
    let rows = tx
        .rows(
            "update delivery_queue line
             set dead_at = $3, dead_reason = $4, cancelled = false, lease_token = null, lease_until = null
             from unnest($1::bigint[], $2::uuid[]) as held (delivery_id, lease_token)
             where line.delivery_id = held.delivery_id and line.lease_token = held.lease_token
             returning line.delivery_id",
            &[
                /* delivery_id */ &all.iter().map(|lease| lease.delivery).collect::<Vec<_>>(),
                /* lease_token */ &all.iter().map(|lease| lease.token).collect::<Vec<_>>(),
                /* dead_at */ &at,
                /* dead_reason */ &DeadReason::Age.into_str(),
            ],
        )
        .await?;
    let dead = rows.iter().map(|row| row::get(row, "delivery_id")).collect::<Result<Vec<i64>>>()?;
    Ok(all.iter().copied().filter(|lease| dead.contains(&lease.delivery)).collect())
}
