//! Deleting expired rows in batches: each statement is short, and rows that a transaction is using are left
//! to the next batch.

use crate::{Executor, Result};
use jiff::Timestamp;

/// A table whose rows expire at the time in one of their columns.
pub(crate) struct Expiring {
    pub(crate) table: &'static str,
    /// The columns of its primary key, or of another unique key.
    pub(crate) key: &'static str,
    /// The column with the time; rows where it is null do not expire.
    pub(crate) at: &'static str,
}

impl Expiring {
    /// Deletes rows that expired up to a time: at most `limit`, the oldest first. Returns how many.
    pub(crate) async fn delete_batch(&self, executor: &impl Executor, until: Timestamp, limit: i64) -> Result<u64> {
        let Self { table, key, at } = self;
        let sql = format!(
            "delete from {table} where ({key}) in (
                 select {key} from {table} where {at} <= $1 order by {at} limit $2 for update skip locked
             )"
        );
        executor.execute(&sql, &[/* until */ &until, /* limit */ &limit]).await
    }
}
