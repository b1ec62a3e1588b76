//! Whether the database keeps a session: a pooler that gives each transaction another session of PostgreSQL
//! is refused at the start, because settings, prepared statements, LISTEN and locks of sessions do not
//! survive it.

use super::{
    connector::Connector,
    session::{SETTINGS, Session, rows, value},
};
use crate::{Error, Result};
use futures_util::future;
use std::time::Duration;
use tokio::time::timeout;
use tokio_postgres::Client;

/// How long the database may take to answer the questions of [`check_session`].
const CHECK_LIMIT: Duration = Duration::from_secs(5);

/// Checks that a connection is one session of PostgreSQL for as long as it lasts, with the settings that it
/// was given.
pub(crate) async fn check_session(connector: &Connector, session: Session) -> Result<()> {
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

/// Whether the first connection has a process of PostgreSQL for itself while the second one begins a
/// transaction, holds it and ends it.
///
/// A pooler that shares processes between transactions chooses the one that was used last, or each in its
/// turn. Asked in this order, both give the first connection's away, or give it another one.
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
