//! Whether this database sends. Claims of deliveries and of mails look at the one row of `sending`, so that a
//! pause holds for every process at once.
//!
//! A database that was restored from a dump is a copy: the row says which database was started last, and that
//! was another one. It sends nothing until an operator says so. A standby that was promoted, and a restored
//! base backup, are the same database by every mark that PostgreSQL has.

use crate::{Connection, Executor, Result, Tx, row};
use jiff::Timestamp;

/// Whether anything is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sending {
    /// Whether nothing is sent.
    pub is_paused: bool,
    /// Whether the database was another one at the last start, so that sending was paused just now.
    pub is_copy: bool,
}

/// Notes which database this is, and pauses sending when it was another one before.
pub async fn recognise(connection: &Connection) -> Result<Sending> {
    let found = connection
        .row(
            "with here as (
                 select concat_ws('/', cluster.system_identifier, base.oid) as database
                 from pg_control_system() cluster, pg_database base where base.datname = current_database()
             ), former as (select database from sending)
             update sending
             set database = here.database,
                 paused_at = case when former.database <> here.database then coalesce(paused_at, statement_timestamp()) else paused_at end
             from here, former
             returning paused_at is not null as is_paused, coalesce(former.database <> here.database, false) as is_copy",
            &[],
        )
        .await?;
    Ok(Sending { is_paused: row::get(&found, "is_paused")?, is_copy: row::get(&found, "is_copy")? })
}

/// Whether nothing is sent.
pub async fn is_paused(executor: &impl Executor) -> Result<bool> {
    row::get(&executor.row("select exists (select from sending where paused_at is not null) as is_paused", &[]).await?, "is_paused")
}

/// Pauses sending. Returns whether that changed anything.
pub async fn pause(tx: &Tx<'_>, at: Timestamp) -> Result<bool> {
    let paused = "update sending set paused_at = $1 where paused_at is null";
    Ok(tx.execute(paused, &[/* paused_at */ &at]).await? > 0)
}

/// Resumes sending. Returns whether that changed anything.
pub async fn resume(tx: &Tx<'_>) -> Result<bool> {
    Ok(tx.execute("update sending set paused_at = null where paused_at is not null", &[]).await? > 0)
}
