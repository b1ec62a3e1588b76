//! A database of its own for each test, cloned from a migrated template.

use super::cluster;
use std::sync::atomic::{AtomicU32, Ordering};
use storage::{
    Store,
    connect::{self, Target},
};
use tokio::sync::OnceCell;
use tokio_postgres::NoTls;

const TEMPLATE: &str = "lectern_template";

/// A migrated database. Dropped together with its connections when the test ends.
pub struct Database {
    /// A pool on it.
    pub store: Store,
    /// Its address, for a second pool or a single connection.
    pub target: Target,
    name: String,
}

impl Database {
    /// Refuses new connections; open ones stay.
    pub async fn refuse_connections(&self) {
        administer(&[&format!("alter database {} allow_connections false", self.name)]).await;
    }
}

/// Clones the template.
pub async fn database() -> Database {
    static TEMPLATE_MADE: OnceCell<()> = OnceCell::const_new();
    static COUNT: AtomicU32 = AtomicU32::new(0);
    TEMPLATE_MADE.get_or_init(make_template).await;
    let name = format!("test_{}", COUNT.fetch_add(1, Ordering::Relaxed));
    administer(&[&format!("create database {name} template {TEMPLATE}")]).await;
    let target = cluster().await.target(&name, 8);
    let (store, applied) = connect::open(&target).await.unwrap();
    assert_eq!(applied, 0, "the template was migrated");
    Database { store, target, name }
}

async fn make_template() {
    administer(&[&format!("create database {TEMPLATE}")]).await;
    let (store, _) = connect::open(&cluster().await.target(TEMPLATE, 1)).await.unwrap();
    store.close();
    // A template must have no connections, and a closed one takes a moment to end in PostgreSQL.
    let farewell = format!("select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '{TEMPLATE}'");
    administer(&[&farewell, &format!("alter database {TEMPLATE} allow_connections false")]).await;
}

/// Runs statements on the whole cluster.
async fn administer(statements: &[&str]) {
    use secrecy::ExposeSecret;
    let target = cluster().await.target("postgres", 1);
    let (client, connection) = tokio_postgres::connect(target.url.expose_secret(), NoTls).await.unwrap();
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
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(administer(&[&statement]));
        });
        let _ = dropped.join();
    }
}
