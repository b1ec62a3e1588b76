//! A database of its own for each test, cloned from a template.

mod template;

use crate::{
    PATIENCE,
    cluster::{cluster, folder},
    waiting::short_wait,
};
use futures_util::future::{join_all, try_join_all};
use secrecy::ExposeSecret;
use std::{
    fmt::Display,
    path::PathBuf,
    sync::atomic::{AtomicU32, AtomicUsize, Ordering},
    time::Duration,
};
use storage::{
    Executor, Store, Tx,
    connect::{self, DatabaseTarget},
    store::{Connection, Params},
};
use tokio::sync::{OnceCell, oneshot};
use tokio_postgres::{Client, NoTls, Row, types::FromSql};

/// Lets a transaction wait for the test for as long as that takes. PostgreSQL would end it after ten seconds.
pub const NEVER_IDLE: &str = "set local idle_in_transaction_session_timeout = 0";

/// How many sessions wait for a lock that this transaction has. Not those that wait for another lock: commits
/// that notify wait for one another, whatever database they are in.
pub async fn waiting_for(tx: &Tx<'_>) -> i64 {
    let sql = "select count(distinct pid) from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))";
    tx.row(sql, &[]).await.unwrap().get(0)
}

/// Waits until a session waits for a lock that this transaction has.
pub async fn until_waited_for(tx: &Tx<'_>) {
    let asking = async {
        while waiting_for(tx).await == 0 {
            short_wait().await;
        }
    };
    tokio::time::timeout(PATIENCE, asking).await.expect("a session waits for a lock of this transaction");
}

/// How many databases are made and dropped at once.
const ADMINISTRATORS: usize = 2;

/// A migrated database. Dropped together with its connections when the test ends.
pub struct Database {
    /// A pool on it.
    pub store: Store,
    /// Its address, for a second pool or a single connection.
    pub target: DatabaseTarget,
    name: String,
}

impl Database {
    /// The file with the time by which work of this database is due. Without it that is the time of the
    /// machine.
    pub fn clock_file(&self) -> PathBuf {
        clock_files().join(&self.name)
    }

    /// Lets leases go by that file too. Only for what is connected later: a statement that is prepared knows
    /// its functions.
    pub async fn set_leases_by_clock(&self) {
        let clock = function("clock_timestamp", "volatile");
        self.sql(&clock).await;
    }

    /// A connection of its own, for a transaction or for what is set on a session.
    pub async fn connection(&self) -> Connection {
        self.store.connection("test").await.unwrap()
    }

    /// Runs a statement. Returns how many rows it touched.
    pub async fn sql(&self, statement: &str) -> u64 {
        self.execute(statement, &[]).await
    }

    /// The same with parameters.
    pub async fn execute(&self, statement: &str, params: Params<'_>) -> u64 {
        self.connection().await.execute(statement, params).await.unwrap()
    }

    /// The rows of a query.
    pub async fn rows(&self, query: &str, params: Params<'_>) -> Vec<Row> {
        self.connection().await.rows(query, params).await.unwrap()
    }

    /// The only row of a query.
    pub async fn row(&self, query: &str, params: Params<'_>) -> Row {
        self.connection().await.row(query, params).await.unwrap()
    }

    /// The first column of all rows of a query.
    pub async fn column<T: for<'a> FromSql<'a>>(&self, query: &str) -> Vec<T> {
        self.rows(query, &[]).await.iter().map(|row| row.get(0)).collect()
    }

    /// The one value of a query.
    pub async fn value<T: for<'a> FromSql<'a>>(&self, query: &str) -> T {
        self.row(query, &[]).await.get(0)
    }

    /// The number that a query, or an expression, has.
    pub async fn count(&self, query: &str) -> i64 {
        self.value(&format!("select ({query})::bigint")).await
    }

    /// Waits until a query, or an expression, has this value.
    pub async fn until(&self, query: &str, value: impl Display) {
        let (connection, value) = (self.connection().await, value.to_string());
        let statement = format!("select ({query})::text as value");
        let asking = async {
            while connection.row(&statement, &[]).await.unwrap().get::<_, Option<String>>("value").as_ref() != Some(&value) {
                short_wait().await;
            }
        };
        tokio::time::timeout(PATIENCE, asking).await.unwrap_or_else(|_| panic!("{query} is not {value}"));
    }

    /// Refuses new connections; open ones stay.
    pub async fn refuse_connections(&self) {
        administer(&[&format!("alter database {} allow_connections false", self.name)]).await;
    }
}

fn new_name() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("test_{}", COUNT.fetch_add(1, Ordering::Relaxed))
}

/// How many connections a pool has at most, unless the test asks for more. Servers open all of theirs when
/// they start, and each is a process that reads the catalogues.
pub const POOL: usize = 3;

/// A migrated database, which no server has used yet.
pub async fn database() -> Database {
    clone(template::migrated().await, POOL).await
}

/// A database like the one that a server of the tests leaves, with a pool of `pool` connections.
pub(crate) async fn served_database(pool: usize) -> Database {
    clone(template::served().await, pool).await
}

async fn clone(template: &str, pool: usize) -> Database {
    let name = new_name();
    copy(template, &name).await;
    let target = target(&name, pool).await;
    Database { store: connect::open_migrated(&target).unwrap(), target, name }
}

/// Makes a database from a template.
async fn copy(template: &str, name: &str) {
    // Copying the files takes a third of the time of writing each page to the log.
    administer(&[&format!("create database {name} template {template} strategy file_copy")]).await;
}

async fn target(name: &str, pool: usize) -> DatabaseTarget {
    // A busy machine must not fail a test that is about something else.
    DatabaseTarget { acquire_timeout: Duration::from_secs(30), ..cluster().await.target(name, pool) }
}

impl Database {
    /// An empty database that a program fills, such as `pg_restore`: it is given the address.
    pub async fn filled(fill: impl FnOnce(&str)) -> Self {
        let name = new_name();
        administer(&[&format!("create database {name} template template0")]).await;
        let target = target(&name, POOL).await;
        fill(target.url.expose_secret());
        let store = connect::open_beside(&target).await.unwrap();
        Self { store, target, name }
    }
}

/// Where the clocks of the databases are. PostgreSQL reads them, as another user.
fn clock_files() -> PathBuf {
    folder().join("clocks")
}

/// A function that the template has before the one of PostgreSQL with the same name, and that reads the clock
/// of the test.
fn function(name: &str, volatility: &str) -> String {
    format!(
        "create function test_clock.{name}() returns timestamptz {volatility} language sql as $$
             select coalesce(
                 pg_catalog.pg_read_file('{}/' || current_database(), 0, 64, true)::timestamptz, pg_catalog.{name}()
             )
         $$",
        clock_files().display()
    )
}

/// Runs statements on the whole cluster.
async fn administer(statements: &[&str]) {
    let administrator = administrator().await;
    for statement in statements {
        administrator.batch_execute(statement).await.unwrap();
    }
}

/// One of the connections to the cluster that all tests share: a process of PostgreSQL is dear beside what is
/// said here. They outlive the runtime of each test, and so have a thread of their own.
async fn administrator() -> &'static Client {
    static ALL: OnceCell<Vec<Client>> = OnceCell::const_new();
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let all = ALL.get_or_init(|| async {
        let target = cluster().await.target("postgres", ADMINISTRATORS);
        let (opened, clients) = oneshot::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async move {
                let connections = (0..ADMINISTRATORS).map(|_| tokio_postgres::connect(target.url.expose_secret(), NoTls));
                let (clients, driving): (_, Vec<_>) = try_join_all(connections).await.unwrap().into_iter().unzip();
                opened.send(clients).unwrap_or_else(|_| panic!("the first test waits"));
                join_all(driving).await;
            });
        });
        clients.await.unwrap()
    });
    let all = all.await;
    &all[NEXT.fetch_add(1, Ordering::Relaxed) % all.len()]
}

/// Runs statements in a database, by a connection of their own.
pub(crate) async fn run_at(url: &str, statements: &[&str]) {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    let work = async {
        for statement in statements {
            client.batch_execute(statement).await.unwrap();
        }
    };
    tokio::select! {
        () = work => {}
        ended = connection => panic!("the connection ended: {ended:?}"),
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.store.close();
        let statement = format!("drop database if exists {} with (force)", self.name);
        // The runtime of the test is ending, so this needs another one.
        let dropped = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            runtime.block_on(administer(&[&statement]));
        });
        let _ = dropped.join();
    }
}
