//! The settings of a session, and whether the database keeps them.
//!
//! They are set by a statement right after connecting and not as start-up options, which poolers refuse or leave out silently. A pooler that gives each
//! transaction another session of PostgreSQL is refused at the start: settings, prepared statements, LISTEN and locks of sessions do not survive it.

use super::connector::Connector;
use crate::{Error, Result};
use futures_util::future;
use std::{sync::LazyLock, time::Duration};
use tokio::time::timeout;
use tokio_postgres::{Client, SimpleQueryMessage, SimpleQueryRow};

/// What every session of the pool has. A statement that takes longer than these limits is a defect, and ends within two seconds of the process that sent
/// it. JIT compilation is off, because it takes longer than any statement here. Each statement has one plan for all values (`force_generic_plan`):
/// statements are written so that one plan is good for all, and planning takes longer than running most of them. Random reads cost about as much as
/// sequential ones on solid-state disks. Times are in milliseconds.
const SETTINGS: [(&str, &str); 8] = [
    ("statement_timeout", "30000"),
    ("idle_in_transaction_session_timeout", "10000"),
    ("lock_timeout", "5000"),
    ("client_connection_check_interval", "2000"),
    ("timezone", "UTC"),
    ("jit", "off"),
    ("random_page_cost", "1.1"),
    ("plan_cache_mode", "force_generic_plan"),
];

/// How long the database may take to answer the questions of [`check`].
const CHECK_LIMIT: Duration = Duration::from_secs(5);

/// Whose limits and habits a session has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Session {
    /// Those of the pool.
    Limited,
    /// Those of the pool, and nothing can be written.
    ReadOnly,
    /// PostgreSQL's own: for migrations, which may take long, and for LISTEN.
    Plain,
}

/// Asks whether the session can write nothing, and on which timeline a primary writes.
const ROLE_AND_TIMELINE: &str =
    "select current_setting('transaction_read_only'), (select system_identifier from pg_control_system()),
    case when not pg_is_in_recovery() then ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::integer end";

/// A timeline of PostgreSQL's log. A primary writes on one for as long as a connection lasts; a standby that is promoted begins one with a higher number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeline {
    /// The identifier of the cluster, which its physical replicas have too.
    pub cluster: i64,
    /// Its number in the cluster.
    pub number: i32,
}

/// The statements that begin a session. Their only row answers [`ROLE_AND_TIMELINE`].
pub(super) fn beginning(session: Session) -> &'static str {
    static LIMITED: LazyLock<String> = LazyLock::new(|| {
        let set: String = SETTINGS.iter().flat_map(|(name, value)| ["set ", name, " = '", value, "'; "]).collect();
        set + ROLE_AND_TIMELINE
    });
    static READING: LazyLock<String> = LazyLock::new(|| "set default_transaction_read_only = on; ".to_owned() + &LIMITED);
    match session {
        Session::Limited => &LIMITED,
        Session::ReadOnly => &READING,
        Session::Plain => ROLE_AND_TIMELINE,
    }
}

/// Whether the answer to [`beginning`], or to `show transaction_read_only`, says that nothing can be written.
pub(crate) fn is_read_only(answer: &[SimpleQueryMessage]) -> bool {
    value(answer) == Some("on")
}

/// The timeline in the answer to [`beginning`]; `None` on a standby.
pub(super) fn timeline(answer: &[SimpleQueryMessage]) -> Option<Timeline> {
    let row = rows(answer).next()?;
    Some(Timeline { cluster: row.get(1)?.parse().ok()?, number: row.get(2)?.parse().ok()? })
}

/// Checks that a connection is one session of PostgreSQL for as long as it lasts, with the settings that it was given.
pub(super) async fn check(connector: &Connector, session: Session) -> Result<()> {
    // On the heap, so that the futures of those who ask stay small.
    let open = || Box::pin(connector.open(session));
    let (first, second) = future::try_join(open(), open()).await?;
    let outcome = timeout(CHECK_LIMIT, is_kept(&first.client, &second.client)).await.unwrap_or(Err(Error::TimedOut));
    for opened in [first, second] {
        opened.origin.close();
    }
    outcome
}

async fn is_kept(first: &Client, second: &Client) -> Result<()> {
    if !has_own_process(first, second).await? {
        return Err(Error::Internal(
            "there is a pooler in front of the database that gives each transaction another session, and with it settings, prepared statements, \
             LISTEN and locks are lost: set it to session mode (pgbouncer: pool_mode = session), or name PostgreSQL itself"
                .to_owned(),
        ));
    }
    let kept = first.simple_query("select lower(name), setting from pg_settings").await?;
    for (name, expected) in SETTINGS {
        let found = rows(&kept).find(|row| row.get(0) == Some(name)).and_then(|row| row.get(1));
        if found != Some(expected) {
            return Err(Error::Internal(format!(
                "the database does not keep the settings of a session: {name} is {} and was set to {expected}. Is there a pooler in front of it that \
                 is not in session mode?",
                found.unwrap_or("unknown")
            )));
        }
    }
    Ok(())
}

/// Whether the first connection has a process of PostgreSQL for itself while the second one begins a transaction, holds it and ends it.
///
/// A pooler that shares processes between transactions chooses the one that was used last, or each in its turn. Asked in this order, both give the first
/// connection's away, or give it another one.
async fn has_own_process(first: &Client, second: &Client) -> Result<bool> {
    let own = process(first, "").await?;
    // With only one process to share, whatever the first one asks now would wait for this transaction.
    if process(second, "begin; ").await? == own {
        return Ok(false);
    }
    let during = process(first, "").await?;
    second.batch_execute("rollback").await?;
    let after = [process(first, "").await?, process(first, "").await?];
    Ok(during == own && after.iter().all(|process| *process == own))
}

/// The process of PostgreSQL that answers, after a statement that goes with the question.
async fn process(client: &Client, before: &str) -> Result<Option<String>> {
    let answer = client.simple_query(&format!("{before}select pg_backend_pid()")).await?;
    Ok(value(&answer).map(str::to_owned))
}

/// The first value of the first row.
pub(super) fn value(answer: &[SimpleQueryMessage]) -> Option<&str> {
    rows(answer).next()?.get(0)
}

fn rows(answer: &[SimpleQueryMessage]) -> impl Iterator<Item = &SimpleQueryRow> {
    answer.iter().filter_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    })
}
