//! Cancelling what waits for receivers, because their owner is deleted.

use super::DeliveryLease;
use crate::{
    Connection, Executor, Result, Tx,
    queue::{self, CANCELLED_DELIVERIES},
    row,
};
use domain::shared::ReceiverId;
use jiff::Timestamp;

/// Cancels every delivery to these receivers that is not finished, and returns how many. Processes that are
/// sending one are told when the transaction commits.
///
/// Leases stay: the outcome of an attempt that is under way is recorded, and says whether it arrived all the
/// same.
///
/// A backlog of millions takes longer than a statement may take otherwise. What was deleted must not come
/// back because of that.
pub async fn cancel(tx: &Tx<'_>, receivers: &[ReceiverId], at: Timestamp) -> Result<u64> {
    tx.execute("set local statement_timeout = '10min'", &[]).await?;
    let cancelled = tx
        .execute(
            "with open as materialized (
                 select delivery_id from delivery_queue where receiver_id = any($1) and dead_at is null order by delivery_id for update
             )
             update delivery_queue line set dead_at = $2, cancelled = true from open where line.delivery_id = open.delivery_id",
            &[
                /* receiver_id */ &receivers,
                /* dead_at */ &at,
            ],
        )
        .await?;
    if cancelled > 0 {
        queue::notify(tx, CANCELLED_DELIVERIES).await?;
    }
    Ok(cancelled)
}

/// Those of these leases whose delivery was cancelled since.
pub async fn list_cancelled(connection: &Connection, leases: &[DeliveryLease]) -> Result<Vec<DeliveryLease>> {
    let rows = connection
        .rows(
            "select line.delivery_id, line.lease_token
             from unnest($1::bigint[], $2::uuid[]) as held (delivery_id, lease_token)
             join delivery_queue line on line.delivery_id = held.delivery_id and line.lease_token = held.lease_token
             where line.cancelled",
            &[
                /* delivery_id */ &leases.iter().map(|lease| lease.delivery).collect::<Vec<_>>(),
                /* lease_token */ &leases.iter().map(|lease| lease.token).collect::<Vec<_>>(),
            ],
        )
        .await?;
    rows.iter()
        .map(|row| Ok(DeliveryLease { delivery: row::get(row, "delivery_id")?, token: row::get(row, "lease_token")? }))
        .collect()
}
