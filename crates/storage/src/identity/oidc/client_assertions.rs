//! The assertions that clients have authenticated with: the table `client_assertions`.

use crate::{Connection, Executor, Result, expiry::Expiring};
use jiff::Timestamp;

/// Records an assertion. `false` if it was recorded before: of any number of requests with one assertion, on
/// any number of processes, one gets `true`.
///
/// It must be committed whatever becomes of the request: an assertion that was shown once is used up.
pub async fn record(executor: &impl Executor, client: &str, jti_hash: &[u8; 32], expires_at: Timestamp) -> Result<bool> {
    let inserted = executor
        .execute(
            "insert into client_assertions (client_id, jti_hash, expires_at) values ($1, $2, $3) on conflict do nothing",
            &[/* client_id */ &client, /* jti_hash */ &jti_hash.as_slice(), /* expires_at */ &expires_at],
        )
        .await?;
    Ok(inserted == 1)
}

/// Deletes assertions that expired before a time, at most `limit`.
pub async fn remove_expired(connection: &Connection, until: Timestamp, limit: i64) -> Result<u64> {
    Expiring { table: "client_assertions", key: "client_id, jti_hash", at: "expires_at" }
        .delete_batch(connection, until, limit)
        .await
}
