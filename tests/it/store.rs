//! The pool: a connection that somebody left in the middle of something is nobody else's.

use crate::support;
use futures_util::poll;
use std::{pin::pin, time::Duration};
use storage::{Executor, Store};

const SLEEP: &str = "select pg_sleep($1)::text as slept";
/// Seconds: longer than anybody is to wait.
const LONG: f64 = 25.0;

/// Sends a statement that takes long, within a transaction or not, and does not wait for it.
async fn leave(store: &Store, in_transaction: bool) {
    let mut session = store.connection("test").await.unwrap();
    // Prepared, so that the next time it is sent at once.
    session.row(SLEEP, &[&0.0]).await.unwrap();
    if in_transaction {
        let tx = session.begin();
        let mut slow = pin!(tx.row(SLEEP, &[&LONG]));
        assert!(poll!(&mut slow).is_pending());
    } else {
        let mut slow = pin!(session.row(SLEEP, &[&LONG]));
        assert!(poll!(&mut slow).is_pending());
    }
}

#[tokio::test]
async fn nobody_waits_for_an_answer_that_somebody_else_did_not_wait_for() {
    let database = support::database().await;
    for in_transaction in [false, true] {
        leave(&database.store, in_transaction).await;
        let next = async { database.store.connection("test").await.unwrap().row("select 1 as one", &[]).await.unwrap() };
        let row = tokio::time::timeout(Duration::from_secs(10), next).await.expect("an answer at once");
        assert_eq!(row.get::<_, i32>("one"), 1);
    }
}

#[tokio::test]
async fn a_connection_whose_statements_were_answered_is_used_again() {
    let database = support::database().await;
    let process = async || {
        let session = database.store.connection("test").await.unwrap();
        session.row("select pg_backend_pid() as process", &[]).await.unwrap().get::<_, i32>("process")
    };
    assert_eq!(process().await, process().await, "the one that was used last");
}

#[tokio::test]
async fn a_statement_that_cannot_be_sent_says_nothing_of_the_database() {
    let database = support::database().await;
    let session = database.store.connection("test").await.unwrap();
    let error = session.rows("select '\0'", &[]).await.unwrap_err();
    assert!(!error.is_transient(), "{error}");
}
