//! Putting right what was written before the clock of the database went back.

use crate::{Connection, Executor, Result};
use std::time::Duration;

/// How many deliveries of one receiver are put right at a time.
const BATCH: i64 = 500;

/// A delivery that is due further ahead than deliveries are ever put off is due now; a lease that holds for
/// longer than any lease begins anew; an age that begins later begins now. Returns how many deliveries were
/// put off. Rows that a process is using just now are left to the next call.
///
/// Due times are found with one step in an index for each receiver that has open deliveries. Leases and ages
/// are in no index, because an index would have to be written for every attempt, so all open deliveries are
/// read: call it when the clock is known to have gone back, and not all the time.
pub async fn draw_back(connection: &Connection, longest_wait: Duration, lease_for: Duration) -> Result<u64> {
    let due = connection
        .execute(
            "with recursive busy as (
                 (select receiver_id from delivery_queue where dead_at is null order by receiver_id limit 1)
                 union all
                 select (select line.receiver_id from delivery_queue line
                         where line.dead_at is null and line.receiver_id > busy.receiver_id
                         order by line.receiver_id limit 1)
                 from busy where busy.receiver_id is not null
             ), ahead as materialized (
                 select late.delivery_id
                 from busy cross join lateral (
                     select line.delivery_id from delivery_queue line
                     where line.receiver_id = busy.receiver_id and line.dead_at is null
                       and line.due_at > statement_timestamp() + make_interval(secs => $1)
                     order by line.due_at limit $2 for update of line skip locked
                 ) late
             )
             update delivery_queue line set due_at = statement_timestamp() from ahead where line.delivery_id = ahead.delivery_id",
            &[/* longest_wait */ &longest_wait.as_secs_f64(), /* limit */ &BATCH],
        )
        .await?;
    connection
        .execute(
            "update delivery_queue set age_from = statement_timestamp() where dead_at is null and age_from > statement_timestamp()",
            &[],
        )
        .await?;
    let leased = connection
        .execute(
            "update delivery_queue line set lease_until = clock_timestamp() + make_interval(secs => $1)
             where line.delivery_id in (
                 select held.delivery_id from delivery_queue held
                 where held.dead_at is null and held.lease_until > clock_timestamp() + make_interval(secs => $1)
                 for update skip locked
             )",
            &[/* lease_for */ &lease_for.as_secs_f64()],
        )
        .await?;
    Ok(due + leased)
}
