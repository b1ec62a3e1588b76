//! Keeping deliveries for as long as promised and no longer, in batches.

use crate::{Connection, Executor, Result};
use jiff::Timestamp;

/// Removes deliveries that arrived and were made before a time, with their attempts.
pub async fn remove_delivered(connection: &Connection, before: Timestamp, limit: i64) -> Result<u64> {
    connection
        .execute(
            "delete from deliveries where id in (
                 select delivery.id from deliveries delivery
                 where delivery.created_at <= $1 and not exists (select from delivery_queue line where line.delivery_id = delivery.id)
                 order by delivery.created_at limit $2 for update skip locked
             )",
            &[/* before */ &before, /* limit */ &limit],
        )
        .await
}

/// Clears the bodies and the answers of dead deliveries that were made before a time. The deliveries
/// themselves stay.
pub async fn purge_dead_bodies(connection: &Connection, before: Timestamp, limit: i64) -> Result<u64> {
    connection
        .execute(
            "with old as (
                 select delivery.id from deliveries delivery join delivery_queue line on line.delivery_id = delivery.id
                 where delivery.created_at <= $1 and delivery.body is not null and line.dead_at is not null
                 order by delivery.created_at limit $2 for update of delivery skip locked
             ), answers as (
                 update delivery_attempts attempt set answer = null from old where attempt.delivery_id = old.id and attempt.answer is not null
             )
             update deliveries delivery set body = null from old where delivery.id = old.id",
            &[/* before */ &before, /* limit */ &limit],
        )
        .await
}

/// Removes deliveries that died before a time, and those that a paused receiver has not taken since.
pub async fn remove_dead(connection: &Connection, before: Timestamp, limit: i64) -> Result<u64> {
    connection
        .execute(
            "delete from deliveries where id in (
                 select delivery.id from deliveries delivery join delivery_queue line on line.delivery_id = delivery.id
                 join receivers receiver on receiver.id = delivery.receiver_id
                 where delivery.created_at <= $1 and (line.dead_at <= $1 or not receiver.active)
                 order by delivery.created_at limit $2 for update of delivery skip locked
             )",
            &[/* before */ &before, /* limit */ &limit],
        )
        .await
}

/// Removes deliveries of receivers that are closed, and then the receivers; 0 when nothing is left.
pub async fn remove_closed(connection: &Connection, limit: i64) -> Result<u64> {
    let removed = connection
        .execute(
            "delete from deliveries where id in (
                 select delivery.id from deliveries delivery join receivers receiver on receiver.id = delivery.receiver_id
                 where receiver.closed_at is not null limit $1 for update of delivery skip locked
             )",
            &[/* limit */ &limit],
        )
        .await?;
    if removed > 0 {
        return Ok(removed);
    }
    connection
        .execute(
            "delete from receivers receiver
             where receiver.closed_at is not null
               and not exists (select from deliveries where deliveries.receiver_id = receiver.id)",
            &[],
        )
        .await
}
