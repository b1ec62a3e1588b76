//! JWT access tokens that were revoked before they expired: the table `oidc_denied_tokens`.

use crate::{Executor, Result, expiry::Expiring};
use jiff::Timestamp;

/// Denies a token from now on.
pub async fn insert(executor: &impl Executor, jti: &str, expires_at: Timestamp) -> Result<()> {
    executor
        .execute(
            "insert into oidc_denied_tokens (jti, expires_at) values ($1, $2) on conflict do nothing",
            &[/* jti */ &jti, /* expires_at */ &expires_at],
        )
        .await
        .map(|_| ())
}

/// Deletes those that expired before a time, at most `limit`.
pub async fn remove_expired(executor: &impl Executor, until: Timestamp, limit: i64) -> Result<u64> {
    Expiring { table: "oidc_denied_tokens", key: "jti", at: "expires_at" }.delete_batch(executor, until, limit).await
}
