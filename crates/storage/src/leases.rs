//! Leases of jobs and deliveries as a whole; each single one belongs to [`crate::queue`] or [`crate::shared::deliveries`].

use crate::{Connection, Executor, Result};

/// Ends every lease, and returns how many there were: for a process that has a database for itself and has just started. Whoever took them is gone, and
/// what they were for is due again at once. A holder that is still there after all has lost its lease, and can write nothing.
pub async fn end_all(connection: &Connection) -> Result<u64> {
    let jobs =
        connection.execute("update jobs set lease_token = null, lease_until = null where lease_token is not null", &[]).await?;
    let deliveries = connection
        .execute("update delivery_queue set lease_token = null, lease_until = null where lease_token is not null", &[])
        .await?;
    Ok(jobs + deliveries)
}
