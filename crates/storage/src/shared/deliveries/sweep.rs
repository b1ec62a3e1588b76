//! Keeping deliveries for as long as promised and no longer, in batches; and how many wait.

use crate::{Connection, Executor, Result, row};
use jiff::Timestamp;

/// Removes deliveries that arrived and were made before a time, with their attempts.
pub async fn remove_delivered(connection: &Connection, before: Timestamp, limit: i64) -> Result<u64> {
    connection
        .execute(
            "delete from deliveries where id in (
                 select it.id from deliveries it
                 where it.created_at <= $1 and not exists (select from delivery_queue line where line.delivery_id = it.id)
                 order by it.created_at limit $2 for update skip locked
             )",
            &[/* before */ &before, /* limit */ &limit],
        )
        .await
}

/// Takes the bytes and the answers from deliveries that were given up and made before a time. That they were given up stays.
pub async fn expunge(connection: &Connection, before: Timestamp, limit: i64) -> Result<u64> {
    connection
        .execute(
            "with old as (
                 select it.id from deliveries it join delivery_queue line on line.delivery_id = it.id
                 where it.created_at <= $1 and it.body is not null and line.buried_at is not null
                 order by it.created_at limit $2 for update of it skip locked
             ), answers as (
                 update delivery_attempts attempt set answer = null from old where attempt.delivery_id = old.id and attempt.answer is not null
             )
             update deliveries it set body = null from old where it.id = old.id",
            &[/* before */ &before, /* limit */ &limit],
        )
        .await
}

/// Removes deliveries that were given up before a time, and those that a paused receiver has not taken since.
pub async fn remove_dead(connection: &Connection, before: Timestamp, limit: i64) -> Result<u64> {
    connection
        .execute(
            "delete from deliveries where id in (
                 select it.id from deliveries it join delivery_queue line on line.delivery_id = it.id
                 join receivers receiver on receiver.id = it.receiver_id
                 where it.created_at <= $1 and (line.buried_at <= $1 or not receiver.active)
                 order by it.created_at limit $2 for update of it skip locked
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
                 select it.id from deliveries it join receivers receiver on receiver.id = it.receiver_id
                 where receiver.closed_at is not null limit $1 for update of it skip locked
             )",
            &[/* limit */ &limit],
        )
        .await?;
    if removed > 0 {
        return Ok(removed);
    }
    connection
        .execute(
            "delete from receivers it
             where it.closed_at is not null and not exists (select from deliveries where deliveries.receiver_id = it.id)",
            &[],
        )
        .await
}

/// What waits, for metrics.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Backlog {
    /// Deliveries that are not finished.
    pub open: i64,
    /// When the oldest of them was due for the first time, those left out that wait because their receiver is paused.
    pub oldest_at: Option<Timestamp>,
    /// Deliveries that were given up.
    pub dead: i64,
}

/// Counts what waits.
pub async fn backlog(connection: &Connection) -> Result<Backlog> {
    let row = connection
        .row(
            "select count(*) filter (where line.buried_at is null) as open,
                    min(it.created_at) filter (
                        where line.buried_at is null and receiver.active and receiver.closed_at is null
                    ) as oldest_at,
                    count(*) filter (where line.buried_at is not null) as dead
             from delivery_queue line
             join deliveries it on it.id = line.delivery_id
             join receivers receiver on receiver.id = line.receiver_id",
            &[],
        )
        .await?;
    Ok(Backlog { open: row::get(&row, "open")?, oldest_at: row::get(&row, "oldest_at")?, dead: row::get(&row, "dead")? })
}
