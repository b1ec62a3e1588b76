//! Removal of what has expired in the identity service, in batches. The time comes from the caller.

use super::audit::days;
use crate::{Connection, Result, expiry::Expiring};
use jiff::Timestamp;

/// Removes sessions that had expired by a time, at most `limit`.
pub async fn remove_expired_sessions(connection: &Connection, until: Timestamp, limit: i64) -> Result<u64> {
    Expiring { table: "sessions", key: "id", at: "expires_at" }.delete_batch(connection, until, limit).await
}

/// Removes entries of the accounts' audit trail that were made up to a time, at most `limit`.
pub async fn remove_old_audit(connection: &Connection, until: Timestamp, limit: i64) -> Result<u64> {
    // First, so that no list counts what is gone.
    days::forget(connection, until).await?;
    Expiring { table: "account_audit", key: "id", at: "created_at" }.delete_batch(connection, until, limit).await
}
