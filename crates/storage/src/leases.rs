//! Leases of jobs and deliveries as a whole; each single one belongs to [`crate::queue`] or
//! [`crate::shared::deliveries`].

use crate::{Connection, Executor, Result};

/// Ends every lease, and returns how many there were: for a process that has a database for itself and has
/// just started. The processes that took them have ended, so their jobs and deliveries are due again at once.
/// A process that still runs after all has lost its leases and can record nothing.
pub async fn end_all(connection: &Connection) -> Result<u64> {
    let jobs =
        connection.execute("update jobs set lease_token = null, lease_until = null where lease_token is not null", &[]).await?;
    let deliveries = connection
        .execute("update delivery_queue set lease_token = null, lease_until = null where lease_token is not null", &[])
        .await?;
    Ok(jobs + deliveries)
}
