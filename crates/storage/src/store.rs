//! The store: a pool of connections, read sessions, named transactions.
//!
//! ```text
//! store.connection("story.find").await?  -> Connection   one connection, for lookups
//! store.shared("session.find")    -> SharedConnection    the connection that all short lookups share
//! store.begin("token.insert")      -> Tx        commit() or it never happened
//! store.transact(&work)                 -> Done      a Tx around `work`, run again when transactions met (40001, 40P01)
//! ```

mod shared;
mod under_way;

pub use shared::SharedConnection;

use crate::{Error, Result};
use deadpool_postgres::{Object, Pool};
use futures_util::TryStreamExt;
use shared::Slot;
use std::{
    future::Future,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};
use tokio_postgres::{Row, Statement, types::ToSql};
use tracing::Instrument;
use under_way::UnderWay;

/// Values bound to a statement, in order.
pub type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

/// How often a transaction that met another one is run again.
const RUNS: u32 = 4;
/// How many statements stay prepared on a connection. Whoever reads may choose among thousands of texts, and PostgreSQL keeps each, with
/// its plan, until it is told otherwise.
const MOST_PREPARED: usize = 400;

/// The database, shared by all. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    pool: Pool,
    shared: Arc<Slot>,
    /// Statements sent outside of transactions.
    statements: Arc<AtomicU64>,
}

/// TxOperation for one transaction that may have to be run again, so it takes itself by reference.
pub trait TxOperation: Sync {
    /// What it answers.
    type Output: Send;

    /// The name in traces, `noun.verb`.
    const NAME: &'static str;

    /// Does it. An error rolls everything back.
    fn run(&self, tx: &Tx<'_>) -> impl Future<Output = Result<Self::Output>> + Send;
}

impl Store {
    /// A store on a pool; see [`crate::connect`].
    pub fn new(pool: Pool) -> Self {
        Self { pool, shared: Arc::default(), statements: Arc::default() }
    }

    /// A connection for lookups.
    pub async fn connection(&self, name: &'static str) -> Result<Connection> {
        let client = self.pool.get().instrument(tracing::debug_span!("db.connection", otel.name = name)).await?;
        Ok(Connection::on(client, self.statements.clone()))
    }

    /// A place in the shared: for a lookup by key that every request makes.
    pub async fn shared(&self, name: &'static str) -> Result<SharedConnection> {
        SharedConnection::on(&self.shared, &self.pool, &self.statements)
            .instrument(tracing::debug_span!("db.shared", otel.name = name))
            .await
    }

    /// Runs work in a transaction of its own, again when it met another transaction.
    pub async fn transact<W: TxOperation>(&self, work: &W) -> Result<W::Output> {
        let mut left = RUNS;
        loop {
            left -= 1;
            let outcome = self.attempt(work).instrument(tracing::debug_span!("db.transaction", otel.name = W::NAME)).await;
            match outcome {
                Err(error) if error.is_retryable() && left > 0 => {
                    tracing::info!(work = W::NAME, %error, "transaction is run again");
                }
                outcome => return outcome,
            }
        }
    }

    async fn attempt<W: TxOperation>(&self, work: &W) -> Result<W::Output> {
        let mut connection = self.connection(W::NAME).await?;
        let tx = connection.begin().await?;
        let done = work.run(&tx).await?;
        tx.commit().await?;
        Ok(done)
    }

    /// Whether the database answers.
    pub async fn ping(&self) -> Result<()> {
        self.connection("store.ping").await?.row("select 1 as alive", &[]).await.map(|_| ())
    }

    /// The same database, and a count of statements of its own.
    #[must_use]
    pub fn counting_apart(&self) -> Self {
        Self { pool: self.pool.clone(), shared: Arc::clone(&self.shared), statements: Arc::default() }
    }

    /// How many statements reads have sent: each is a round trip.
    pub fn statements(&self) -> u64 {
        self.statements.load(Ordering::Relaxed)
    }

    /// Connections in use and open, for metrics.
    pub fn connections(&self) -> (usize, usize) {
        let status = self.pool.status();
        (status.size - status.available.min(status.size), status.size)
    }

    /// Closes every connection; waiting callers get an error.
    pub fn close(&self) {
        self.shared.close();
        self.pool.close();
    }
}

/// A connection from the pool. Left behind with a statement under way it is closed, and not given back: whoever came next would wait for an answer that
/// nobody wants any more.
pub struct Connection {
    client: Option<Object>,
    under_way: UnderWay,
    statements: Arc<AtomicU64>,
}

impl Connection {
    fn on(client: Object, statements: Arc<AtomicU64>) -> Self {
        Self { client: Some(client), under_way: UnderWay::default(), statements }
    }

    /// Starts a transaction on this connection. Dropped without [`Tx::commit`], it is rolled back.
    pub async fn begin(&mut self) -> Result<Tx<'_>> {
        let client = self.client.as_mut().ok_or_else(given_back)?;
        make_room(client);
        let inner = self.under_way.answered(client.transaction()).await?;
        Ok(Tx { inner, under_way: &self.under_way })
    }

    /// All rows of a query.
    pub async fn rows(&self, sql: &str, params: Params<'_>) -> Result<Vec<Row>> {
        let answer = async { Ok::<_, Error>(self.client()?.query(&self.prepared(sql).await?, params).await?) };
        self.under_way.answered(answer).await
    }

    /// Each row of a query as it comes in: for more of them than should be held at once.
    pub async fn each(&self, sql: &str, params: Params<'_>, mut take: impl FnMut(&Row) -> Result<()> + Send) -> Result<()> {
        let answer = async {
            let statement = self.prepared(sql).await?;
            let params = params.iter().map(|param| *param as &dyn ToSql);
            let mut rows = pin!(self.client()?.query_raw(&statement, params).await?);
            while let Some(row) = rows.try_next().await? {
                take(&row)?;
            }
            Ok::<_, Error>(())
        };
        self.under_way.answered(answer).await
    }

    /// The row of a query that has at most one.
    pub async fn row_opt(&self, sql: &str, params: Params<'_>) -> Result<Option<Row>> {
        let answer = async { Ok::<_, Error>(self.client()?.query_opt(&self.prepared(sql).await?, params).await?) };
        self.under_way.answered(answer).await
    }

    /// The row of a query that always has one.
    pub async fn row(&self, sql: &str, params: Params<'_>) -> Result<Row> {
        let answer = async { Ok::<_, Error>(self.client()?.query_one(&self.prepared(sql).await?, params).await?) };
        self.under_way.answered(answer).await
    }

    /// Runs one statement outside of any transaction and answers how many rows it touched.
    pub async fn execute(&self, sql: &str, params: Params<'_>) -> Result<u64> {
        let answer = async { Ok::<_, Error>(self.client()?.execute(&self.prepared(sql).await?, params).await?) };
        self.under_way.answered(answer).await
    }

    async fn prepared(&self, sql: &str) -> Result<Statement> {
        self.statements.fetch_add(1, Ordering::Relaxed);
        let client = self.client()?;
        make_room(client);
        Ok(client.prepare_cached(sql).await?)
    }

    fn client(&self) -> Result<&Object> {
        self.client.as_ref().ok_or_else(given_back)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if self.under_way.is_any()
            && let Some(client) = self.client.take()
        {
            drop(Object::take(client));
        }
    }
}

/// Only a dropped session has no connection.
fn given_back() -> Error {
    Error::Broken("the connection was given back".to_owned())
}

/// Forgets all prepared statements when they have become too many. PostgreSQL hears of it with the next one; what is in use stays.
fn make_room(client: &Object) {
    if client.statement_cache.size() >= MOST_PREPARED {
        client.statement_cache.clear();
    }
}

/// A transaction. What it wrote exists only after [`Tx::commit`].
pub struct Tx<'a> {
    inner: deadpool_postgres::Transaction<'a>,
    under_way: &'a UnderWay,
}

impl Tx<'_> {
    /// Makes it true.
    pub async fn commit(self) -> Result<()> {
        self.under_way.answered(self.inner.commit()).await
    }

    /// All rows of a query.
    pub async fn rows(&self, sql: &str, params: Params<'_>) -> Result<Vec<Row>> {
        self.under_way.answered(async { self.inner.query(&self.inner.prepare_cached(sql).await?, params).await }).await
    }

    /// The row of a query that has at most one.
    pub async fn row_opt(&self, sql: &str, params: Params<'_>) -> Result<Option<Row>> {
        self.under_way.answered(async { self.inner.query_opt(&self.inner.prepare_cached(sql).await?, params).await }).await
    }

    /// The row of a query that always has one.
    pub async fn row(&self, sql: &str, params: Params<'_>) -> Result<Row> {
        self.under_way.answered(async { self.inner.query_one(&self.inner.prepare_cached(sql).await?, params).await }).await
    }

    /// Runs a statement and answers how many rows it touched.
    pub async fn execute(&self, sql: &str, params: Params<'_>) -> Result<u64> {
        self.under_way.answered(async { self.inner.execute(&self.inner.prepare_cached(sql).await?, params).await }).await
    }

    /// Runs a statement that must touch exactly one row.
    pub async fn execute_one(&self, statement: &'static str, sql: &str, params: Params<'_>) -> Result<()> {
        match self.execute(sql, params).await? {
            1 => Ok(()),
            touched => Err(Error::RowCount { statement, touched }),
        }
    }
}

/// What can be asked: a [`Connection`] or a [`Tx`]. For lookups that reads and writes share.
pub trait Executor: Sync {
    /// All rows of a query.
    fn rows(&self, sql: &str, params: Params<'_>) -> impl Future<Output = Result<Vec<Row>>> + Send;

    /// The row of a query that has at most one.
    fn row_opt(&self, sql: &str, params: Params<'_>) -> impl Future<Output = Result<Option<Row>>> + Send;
}

impl Executor for Connection {
    async fn rows(&self, sql: &str, params: Params<'_>) -> Result<Vec<Row>> {
        Self::rows(self, sql, params).await
    }

    async fn row_opt(&self, sql: &str, params: Params<'_>) -> Result<Option<Row>> {
        Self::row_opt(self, sql, params).await
    }
}

impl Executor for Tx<'_> {
    async fn rows(&self, sql: &str, params: Params<'_>) -> Result<Vec<Row>> {
        Self::rows(self, sql, params).await
    }

    async fn row_opt(&self, sql: &str, params: Params<'_>) -> Result<Option<Row>> {
        Self::row_opt(self, sql, params).await
    }
}

/// The one or the other, for lookups whose caller knows only then which it has.
#[derive(Clone, Copy)]
pub enum Either<'a> {
    /// Within a transaction.
    Tx(&'a Tx<'a>),
    /// On its own.
    Connection(&'a Connection),
}

impl Executor for Either<'_> {
    async fn rows(&self, sql: &str, params: Params<'_>) -> Result<Vec<Row>> {
        match self {
            Self::Tx(tx) => tx.rows(sql, params).await,
            Self::Connection(connection) => connection.rows(sql, params).await,
        }
    }

    async fn row_opt(&self, sql: &str, params: Params<'_>) -> Result<Option<Row>> {
        match self {
            Self::Tx(tx) => tx.row_opt(sql, params).await,
            Self::Connection(connection) => connection.row_opt(sql, params).await,
        }
    }
}
