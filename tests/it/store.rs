//! The pool, transactions, and the count of round trips.

use futures_util::{
    future::{try_join, try_join_all},
    poll, try_join,
};
use std::{
    pin::pin,
    sync::atomic::{AtomicU32, Ordering},
};
use storage::{Connection, End, Error, Result, Tx, store::Params, transact, transact_if};
use support::prelude::*;
use tokio::time::sleep;

const SLEEP: &str = "select pg_sleep($1)::text as slept";
/// Seconds: longer than the tests wait.
const LONG: f64 = 25.0;
/// Long enough for PostgreSQL to answer two statements.
const BOTH_ANSWERED: Duration = Duration::from_millis(50);

/// Sends a statement that takes long, within a transaction or not, and does not wait for it.
async fn abandon_a_statement(store: &Store, in_transaction: bool) {
    let mut connection = store.connection("test").await.unwrap();
    // Prepared, so that the next time it is sent at once.
    connection.row(SLEEP, &[&0.0]).await.unwrap();
    if in_transaction {
        let tx = connection.begin();
        let mut slow = pin!(tx.row(SLEEP, &[&LONG]));
        assert!(poll!(&mut slow).is_pending());
    } else {
        let mut slow = pin!(connection.row(SLEEP, &[&LONG]));
        assert!(poll!(&mut slow).is_pending());
    }
}

#[tokio::test]
async fn the_place_of_an_abandoned_statement_is_free_again_once_that_is_cancelled() {
    let database = support::database().await;
    for in_transaction in [false, true] {
        abandon_a_statement(&database.store, in_transaction).await;
        let next = async { database.row("select 1 as one", &[]).await };
        let row = tokio::time::timeout(Duration::from_secs(10), next).await.expect("an answer at once");
        assert_eq!(row.get::<_, i32>("one"), 1);
    }
}

/// Callers that leave do not make the pool open more connections than it may have.
#[tokio::test]
async fn abandoned_statements_end_and_their_connections_stay_in_the_pool() {
    let database = support::database().await;
    let running = "select count(*) filter (where query = 'select pg_sleep($1)::text as slept' and state = 'active') as asleep, count(*) as all
                   from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
    let (observer, driver) = storage::connect::single(&database.target, "").await.unwrap();
    let size = database.target.pool_size;
    for round in 0..4 * size {
        abandon_a_statement(&database.store, round % 2 == 0).await;
        let row = observer.query_one(running, &[]).await.unwrap();
        let (asleep, all): (i64, i64) = (row.get("asleep"), row.get("all"));
        assert!(usize::try_from(all).unwrap() <= size, "{all} connections, {asleep} of them with an abandoned statement");
    }
    // Every place of the pool is free again before the statements would have ended.
    let places = try_join_all((0..size).map(|_| database.store.connection("test")));
    let places = tokio::time::timeout(Duration::from_secs(10), places).await.expect("connections at once").unwrap();
    assert_eq!(observer.query_one(running, &[]).await.unwrap().get::<_, i64>("asleep"), 0);
    for connection in &places {
        connection.row(SLEEP, &[&0.0]).await.unwrap();
    }
    driver.abort();
}

/// A cancel request ends one statement, and each of those that were sent behind it would run its full time.
#[tokio::test]
async fn statements_that_were_sent_one_behind_the_other_are_all_cancelled() {
    let database = support::database().await;
    let connection = database.connection().await;
    connection.row(SLEEP, &[&0.0]).await.unwrap();
    let process: i32 = connection.row("select pg_backend_pid() as process", &[]).await.unwrap().get("process");
    let params: Params<'_> = &[&LONG];
    let mut all: Vec<_> = (0..3).map(|_| Box::pin(connection.row(SLEEP, params))).collect();
    for slow in &mut all {
        assert!(poll!(slow).is_pending());
    }
    drop(all);
    drop(connection);
    let places = try_join_all((0..database.target.pool_size).map(|_| database.store.connection("test")));
    let places = tokio::time::timeout(Duration::from_secs(10), places).await.expect("connections at once").unwrap();
    let running =
        "select count(*) as asleep from pg_stat_activity where pid = $1 and query like 'select pg_sleep%' and state = 'active'";
    assert_eq!(places[0].row(running, &[&process]).await.unwrap().get::<_, i64>("asleep"), 0);
}

async fn process(store: &Store) -> i32 {
    let connection = store.connection("test").await.unwrap();
    connection.row("select pg_backend_pid() as process", &[]).await.unwrap().get("process")
}

#[tokio::test]
async fn a_connection_whose_statements_were_answered_is_used_again() {
    let database = support::database().await;
    let first = process(&database.store).await;
    assert_eq!(first, process(&database.store).await, "the one that was used last");
    // Also when nothing waited for the answer, but it came soon: on a busy machine, one of many.
    let mut tries = 0..20;
    while !is_used_again_after_a_quick_statement(&database).await {
        tries.next().expect("a connection whose answer came soon is used again");
    }
}

async fn is_used_again_after_a_quick_statement(database: &Database) -> bool {
    let first = process(&database.store).await;
    let connection = database.connection().await;
    connection.row(SLEEP, &[&0.0]).await.unwrap();
    {
        let mut quick = pin!(connection.row(SLEEP, &[&0.0]));
        assert!(poll!(&mut quick).is_pending());
    }
    drop(connection);
    let places = (0..database.target.pool_size).map(|_| database.store.connection("test"));
    let places = try_join_all(places).await.unwrap();
    let processes = places.iter().map(|connection| connection.row("select pg_backend_pid() as process", &[]));
    let processes = try_join_all(processes).await.unwrap();
    processes.iter().any(|row| row.get::<_, i32>("process") == first)
}

/// A cancel request may arrive late, and would cancel what another caller has sent on the connection since.
#[tokio::test]
async fn a_connection_that_was_sent_a_cancel_request_is_never_used_again() {
    let database = support::database().await;
    let before = process(&database.store).await;
    abandon_a_statement(&database.store, false).await;
    let places = (0..database.target.pool_size).map(|_| database.store.connection("test"));
    let places = try_join_all(places).await.unwrap();
    let processes = places.iter().map(|connection| connection.row("select pg_backend_pid() as process", &[]));
    let processes = try_join_all(processes).await.unwrap();
    assert!(processes.iter().all(|row| row.get::<_, i32>("process") != before));
}

#[tokio::test]
async fn a_statement_that_cannot_be_sent_is_not_a_failure_of_the_database() {
    let database = support::database().await;
    let connection = database.connection().await;
    let error = connection.rows("select '\0'", &[]).await.unwrap_err();
    assert!(!error.is_transient(), "{error}");
}

/// A connection to a database with a table of one row.
async fn table(store: &Store) -> Connection {
    let connection = store.connection("test").await.unwrap();
    connection.execute("create table one (id int constraint one_pkey primary key)", &[]).await.unwrap();
    connection.execute("insert into one values (1)", &[]).await.unwrap();
    connection
}

#[tokio::test]
async fn a_transaction_that_was_not_committed_is_rolled_back_and_one_that_was_is_not() {
    let database = support::database().await;
    let mut connection = table(&database.store).await;
    for (id, is_committed) in [(2, false), (3, true)] {
        let tx = connection.begin();
        tx.execute("insert into one values ($1)", &[&id]).await.unwrap();
        if is_committed {
            tx.commit().await.unwrap();
        } else {
            drop(tx);
        }
        let is_there = connection.row_opt("select 1 from one where id = $1", &[&id]).await.unwrap().is_some();
        assert_eq!(is_there, is_committed);
    }
}

#[tokio::test]
async fn a_transaction_with_a_failed_statement_cannot_be_committed() {
    let database = support::database().await;
    let mut connection = table(&database.store).await;
    let tx = connection.begin();
    tx.execute("insert into one values (2)", &[]).await.unwrap();
    assert!(tx.execute("insert into one values (1)", &[]).await.is_err());
    let error = tx.commit().await.unwrap_err();
    assert_eq!(error.constraint(), Some("one_pkey"), "PostgreSQL would roll back and say nothing");
}

/// Two pipelined statements of which the first one sent fails; the other one is polled first.
async fn fail_first(tx: &Tx<'_>, failing: &str, id: i32) -> Result<()> {
    // The callers have run both before: prepared, they are sent when they are polled for the first time.
    let params: Params<'_> = &[&id];
    let mut first = pin!(tx.execute(failing, params));
    assert!(poll!(&mut first).is_pending());
    let mut second = pin!(tx.rows("select 1", &[]));
    assert!(poll!(&mut second).is_pending());
    sleep(BOTH_ANSWERED).await;
    try_join(second, first).await.map(|_| ())
}

#[tokio::test]
async fn what_followed_a_failed_statement_does_not_hide_its_error() {
    const INSERT: &str = "insert into one values ($1)";
    let database = support::database().await;
    let mut connection = table(&database.store).await;
    let tx = connection.begin();
    tx.rows("select 1", &[]).await.unwrap();
    tx.execute(INSERT, &[&2]).await.unwrap();
    let error = fail_first(&tx, INSERT, 1).await.unwrap_err();
    assert_eq!(error.constraint(), Some("one_pkey"), "{error}");
    let later = tx.rows("select 1", &[]).await.unwrap_err();
    assert_eq!(later.constraint(), Some("one_pkey"), "{later}");
}

#[tokio::test]
async fn an_outcome_that_keeps_nothing_is_answered_and_rolled_back() {
    let database = support::database().await;
    let other = table(&database.store).await;
    let written = async || other.rows("select from one where id = 77", &[]).await.unwrap().len();
    let write = async |is_kept: bool| {
        let written = transact_if!(database.store, "test.write", async |tx| {
            tx.execute("insert into one values (77)", &[]).await?;
            Ok(if is_kept { End::Commit("kept") } else { End::RollBack("refused") })
        });
        written.await.unwrap()
    };
    assert_eq!(write(false).await, "refused");
    assert_eq!(written().await, 0);
    assert_eq!(write(true).await, "kept");
    assert_eq!(written().await, 1);
}

const LOCK: &str = "select 1 from one where id = $1 for update nowait";

#[tokio::test]
async fn a_conflict_in_a_pipeline_is_retried() {
    let database = support::database().await;
    let other = table(&database.store).await;
    other.execute("begin", &[]).await.unwrap();
    other.rows("select 1 from one where id = 1 for update", &[]).await.unwrap();
    let (runs, other) = (&AtomicU32::new(0), &other);
    // Needs a row that another transaction has locked until this is run for the second time.
    let locked = transact!(database.store, "test.lock", async |tx| {
        if runs.fetch_add(1, Ordering::Relaxed) > 0 {
            other.execute("rollback", &[]).await?;
        }
        tx.rows("select 1", &[]).await?;
        tx.execute(LOCK, &[&2]).await?;
        fail_first(tx, LOCK, 1).await
    });
    locked.await.unwrap();
    assert_eq!(runs.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn round_trips_are_counted_and_pipelined_statements_share_one() {
    let database = support::database().await;
    let store = database.store.counting_apart();
    let mut connection = store.connection("test.count").await.unwrap();
    connection.rows("select 1", &[]).await.unwrap();
    connection.rows("select 1", &[]).await.unwrap();
    assert_eq!(store.round_trips(), 2);
    try_join!(connection.rows("select 1", &[]), connection.rows("select 2", &[]), connection.rows("select 3", &[])).unwrap();
    assert_eq!(store.round_trips(), 3, "three statements at once");

    let tx = connection.begin();
    tx.rows("select 1", &[]).await.unwrap();
    assert_eq!(store.round_trips(), 4, "with `begin`");
    try_join!(tx.rows("select 1", &[]), tx.rows("select 2", &[])).unwrap();
    tx.commit().await.unwrap();
    assert_eq!(store.round_trips(), 6, "with `commit`");
    assert_eq!((store.round_trips_of("test.count"), store.round_trips_of("test")), (6, 0));

    connection.begin().commit().await.unwrap();
    assert_eq!(store.round_trips(), 6, "a transaction without statements is not begun");
    let shared = store.shared("test.shared").await.unwrap();
    try_join!(shared.rows("select 1", &[]), shared.rows("select 2", &[])).unwrap();
    assert_eq!(store.round_trips_of("test.shared"), 2, "its callers know nothing of each other");
}

#[tokio::test]
async fn more_rows_than_one_are_an_error_where_one_is_expected() {
    let database = support::database().await;
    let connection = database.connection().await;
    let two = "select * from generate_series(1, 2)";
    assert!(matches!(connection.row_opt(two, &[]).await, Err(Error::Internal(_))));
    assert!(matches!(connection.row("select 1 where false", &[]).await, Err(Error::Internal(_))));
}
