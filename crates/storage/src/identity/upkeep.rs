//! Removing what has expired, in batches that are small enough to disturb nobody. The time comes from the caller.

use crate::{Connection, Executor, Result};
use jiff::Timestamp;

/// Removes sessions that had expired by a time, at most so many.
pub async fn remove_expired_sessions(session: &Connection, until: Timestamp, limit: i64) -> Result<u64> {
    session
        .execute(
            "delete from sessions where id in (
                 select id from sessions where expires_at <= $1 order by expires_at limit $2 for update skip locked
             )",
            &[/* until */ &until, /* limit */ &limit],
        )
        .await
}

/// Removes entries of the account side's audit trail that were made up to a time, at most so many.
pub async fn remove_old_audit(session: &Connection, until: Timestamp, limit: i64) -> Result<u64> {
    session
        .execute(
            "delete from account_audit where id in (
                 select id from account_audit where created_at <= $1 order by created_at limit $2 for update skip locked
             )",
            &[/* until */ &until, /* limit */ &limit],
        )
        .await
}
