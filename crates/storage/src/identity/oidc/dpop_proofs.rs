//! The DPoP proofs that were shown: the table `dpop_proofs`.

use crate::{Executor, Result, expiry::Expiring};
use jiff::Timestamp;

/// Records a proof. `false` if it was recorded before: of any number of requests with one proof, on any
/// number of processes, one gets `true`.
pub async fn record(executor: &impl Executor, hash: &[u8; 32], expires_at: Timestamp) -> Result<bool> {
    let inserted = executor
        .execute(
            "insert into dpop_proofs (hash, expires_at) values ($1, $2) on conflict do nothing",
            &[/* hash */ &hash.as_slice(), /* expires_at */ &expires_at],
        )
        .await?;
    Ok(inserted == 1)
}

/// Deletes proofs that expired before a time, at most `limit`.
pub async fn remove_expired(executor: &impl Executor, until: Timestamp, limit: i64) -> Result<u64> {
    Expiring { table: "dpop_proofs", key: "hash", at: "expires_at" }.delete_batch(executor, until, limit).await
}
