//! The settings of a session, and whether the database keeps them.
//!
//! They are set by a statement right after connecting and not as start-up options, which poolers refuse or leave out silently. A pooler that gives each
//! transaction another session of PostgreSQL is refused at the start: settings, prepared statements, LISTEN and locks of sessions do not survive it.

use super::connector::Connector;
use crate::{Error, Result};
use std::sync::LazyLock;
use tokio_postgres::{Client, SimpleQueryMessage};

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

/// Asks whether the session can write nothing.
const READ_ONLY: &str = "show transaction_read_only";

/// The statements that begin a session. Their only row answers [`READ_ONLY`].
pub(super) fn beginning(session: Session) -> &'static str {
    static LIMITED: LazyLock<String> = LazyLock::new(|| {
        let set: String = SETTINGS.iter().flat_map(|(name, value)| ["set ", name, " = '", value, "'; "]).collect();
        set + READ_ONLY
    });
    static READING: LazyLock<String> = LazyLock::new(|| "set default_transaction_read_only = on; ".to_owned() + &LIMITED);
    match session {
        Session::Limited => &LIMITED,
        Session::ReadOnly => &READING,
        Session::Plain => READ_ONLY,
    }
}

/// Whether the answer to [`beginning`] says that nothing can be written.
pub(super) fn is_read_only(answer: &[SimpleQueryMessage]) -> bool {
    value(answer) == Some("on")
}

/// Checks that a connection is one session of PostgreSQL for as long as it lasts, with the settings that it was given.
pub(super) async fn check(connector: &Connector) -> Result<()> {
    let (first, second) = (connector.open(Session::Limited).await?, connector.open(Session::Limited).await?);
    let outcome = is_kept(&first.client, &second.client).await;
    for opened in [first, second] {
        opened.origin.close();
    }
    outcome
}

async fn is_kept(first: &Client, second: &Client) -> Result<()> {
    // The second one holds a transaction, so a pooler that shares sessions between transactions has to give the first one another session, unless it
    // has given the session of the first one away already.
    let before = process(first, "").await?;
    let other = process(second, "begin; ").await?;
    let after = process(first, "").await?;
    second.batch_execute("rollback").await?;
    if before == other || before != after {
        return Err(Error::Internal(
            "there is a pooler in front of the database that gives each transaction another session, and with it settings, prepared statements, \
             LISTEN and locks are lost: set it to session mode (pgbouncer: pool_mode = session), or name PostgreSQL itself"
                .to_owned(),
        ));
    }
    for (name, expected) in SETTINGS {
        let answer = first.simple_query(&format!("select setting from pg_settings where lower(name) = '{name}'")).await?;
        let found = value(&answer);
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

/// The process of PostgreSQL that answers, after a statement that goes with the question.
async fn process(client: &Client, before: &str) -> Result<Option<String>> {
    let answer = client.simple_query(&format!("{before}select pg_backend_pid()")).await?;
    Ok(value(&answer).map(str::to_owned))
}

/// The first value of the first row.
pub(super) fn value(answer: &[SimpleQueryMessage]) -> Option<&str> {
    answer.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0),
        _ => None,
    })
}
