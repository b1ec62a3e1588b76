//! Measuring the backlog, and deleting finished mails.

use crate::{Connection, Executor, Result, expiry::Expiring, row};
use jiff::Timestamp;

/// The backlog, for metrics.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Backlog {
    /// Mails that are neither sent nor given up.
    pub open: i64,
    /// When the oldest of them was written.
    pub oldest_at: Option<Timestamp>,
}

/// Measures the backlog.
pub async fn backlog(connection: &Connection) -> Result<Backlog> {
    let row = connection
        .row("select count(*) as open, min(created_at) as oldest_at from mails where sent_at is null and dead_at is null", &[])
        .await?;
    Ok(Backlog { open: row::get(&row, "open")?, oldest_at: row::get(&row, "oldest_at")? })
}

/// Erases the content of mails that were given up before a time, at most `limit`. They cannot be sent again
/// after that.
pub async fn erase_dead(connection: &Connection, until: Timestamp, limit: i64) -> Result<u64> {
    connection
        .execute(
            "update mails set sealed = null where id in (
                 select id from mails where dead_at <= $1 and sealed is not null order by dead_at, id limit $2 for update skip locked
             )",
            &[/* dead_at */ &until, /* limit */ &limit],
        )
        .await
}

/// Deletes mails that were sent before one time, and those that were given up before another, at most `limit`
/// of each.
pub async fn remove_old(connection: &Connection, sent_before: Timestamp, dead_before: Timestamp, limit: i64) -> Result<u64> {
    let sent = Expiring { table: "mails", key: "id", at: "sent_at" }.delete_batch(connection, sent_before, limit).await?;
    let dead = Expiring { table: "mails", key: "id", at: "dead_at" }.delete_batch(connection, dead_before, limit).await?;
    Ok(sent + dead)
}
