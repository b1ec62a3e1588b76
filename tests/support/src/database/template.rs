//! The databases that those of the tests are copies of. Each is made by the first test that asks for it.

use super::{administer, clock_files, copy, database, function};
use crate::{TestApp, app::Setup, cluster::cluster};
use futures_util::future::BoxFuture;
use std::{sync::Arc, time::Duration};
use storage::{Executor, connect, identity::oidc::signing_keys::SIGNING_KEYS, queue::JANITOR};
use tokio::sync::OnceCell;

/// One with all migrations, and nothing else.
pub(super) async fn migrated() -> &'static str {
    static MADE: OnceCell<()> = OnceCell::const_new();
    const NAME: &str = "lectern_migrated";
    MADE.get_or_init(|| make_migrated(NAME)).await;
    NAME
}

/// One that a server has used, so that the next one finds its signing keys, and its sweeps done until an hour
/// has passed. Doing them is a good part of the work of a server that lives for one test.
pub(super) fn served() -> BoxFuture<'static, &'static str> {
    static MADE: OnceCell<()> = OnceCell::const_new();
    const NAME: &str = "lectern_served";
    // Boxed, because the server that makes it asks for its database as others do.
    Box::pin(async {
        MADE.get_or_init(|| make_served(NAME)).await;
        NAME
    })
}

/// The statements of the server take the time from the clock of the test. Leases go by `clock_timestamp()`,
/// which is left as it is unless the test asks for it.
async fn make_migrated(name: &str) {
    std::fs::create_dir_all(clock_files()).unwrap();
    administer(&[&format!("create database {name}"), "alter role lectern set search_path = public, test_clock, pg_catalog"]).await;
    let (store, _) = connect::open(&cluster().await.target(name, 1)).await.unwrap();
    let connection = store.connection("template").await.unwrap();
    connection.execute("create schema test_clock", &[]).await.unwrap();
    connection.execute(&function("statement_timestamp", "stable"), &[]).await.unwrap();
    drop(connection);
    store.close();
    seal(name).await;
}

async fn make_served(name: &str) {
    let database = Arc::new(database().await);
    let app = TestApp::with(Setup { database: Some(database.clone()), ..Setup::default() }).await;
    let done = "select string_agg(distinct queue, ' ' order by queue) from jobs
                where not exists (select from jobs where due_at <= statement_timestamp() or lease_until is not null)";
    database.until(done, format!("{} {}", JANITOR.name(), SIGNING_KEYS.name())).await;
    assert!(app.actors.drain(Duration::from_secs(30)).await);
    drop(app);
    database.store.close();
    seal(&database.name).await;
    copy(&database.name, name).await;
}

/// Lets nothing connect to it any more: a database with connections cannot be copied, and a closed one takes
/// a moment to end in PostgreSQL.
async fn seal(name: &str) {
    let farewell = format!("select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '{name}'");
    administer(&[&format!("alter database {name} allow_connections false"), &farewell]).await;
}
