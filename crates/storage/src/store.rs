//! The store: a pool of connections to PostgreSQL, named transactions, and one connection that short lookups
//! share.
//!
//! ```text
//! store.connection("story.find").await?  -> Connection         from the pool, for one caller; it can begin a transaction
//! store.shared("session.find").await?    -> SharedConnection   one connection that the lookups of all requests share
//! transact!(store, "story.move", async |tx| { … }).await?  -> its output  a transaction, run again after a conflict (40001, 40P01, 55P03)
//! ```
//!
//! Statements are run through [`Executor`], which all of them and [`Tx`] implement.

mod abandoned;
mod connection;
mod disk_alarm;
mod executor;
mod in_flight;
mod reader;
mod replicas;
mod result_bound;
mod round_trips;
mod shared_connection;
mod statement_log;
mod transaction;

pub use connection::Connection;
pub use executor::{Executor, Params};
pub use reader::{ReadMark, Reader};
pub use replicas::{ReadCounts, Replicas};
pub use shared_connection::SharedConnection;
pub use statement_log::listen_to_statements;
pub use transaction::{End, Tx};

use crate::{
    Error, Result,
    connect::{Connector, Object, Pool, Starting},
};
use disk_alarm::DiskAlarm;
use futures_util::future::BoxFuture;
use in_flight::InFlight;
use result_bound::ResultBound;
use round_trips::RoundTrips;
use shared_connection::SharedSlot;
use std::{sync::Arc, time::Duration};
use tokio::time::timeout;
use tracing::Instrument;
use transaction::{Output, Work};

/// How often a transaction is run at most, when each time it conflicts with another one.
const MAX_RUNS: u32 = 4;

/// The database of a process. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    pool: Pool,
    connector: Arc<Connector>,
    replicas: Option<Arc<Replicas>>,
    shared: Arc<SharedSlot>,
    round_trips: RoundTrips,
    disk_alarm: DiskAlarm,
    /// How many bytes of rows one connection may read between taking it from the pool and giving it back.
    max_result: usize,
}

impl Store {
    /// A store on a pool and what makes its connections; see [`crate::connect`].
    pub(crate) fn new(pool: Pool, connector: Arc<Connector>) -> Self {
        Self {
            pool,
            connector,
            replicas: None,
            shared: Arc::default(),
            round_trips: RoundTrips::default(),
            disk_alarm: DiskAlarm::default(),
            max_result: usize::MAX,
        }
    }

    /// For a start, of which nothing is served yet: until what is returned is dropped, a host that is slow is
    /// waited for up to 15 seconds when no other one can be used.
    pub fn starting(&self) -> Starting {
        self.connector.starting()
    }

    /// The same database with its replicas, on which the reads of [`Store::reader`] are made.
    #[must_use]
    pub fn with_replicas(self, replicas: Replicas) -> Self {
        Self { replicas: Some(Arc::new(replicas)), ..self }
    }

    /// The same database for callers that hold what they read in memory: a connection that has read `bytes`
    /// of rows refuses the next one, and the rest is not read. Without it there is no bound.
    #[must_use]
    pub fn with_max_result(&self, bytes: usize) -> Self {
        Self { max_result: bytes, ..self.clone() }
    }

    pub(crate) fn connector(&self) -> &Arc<Connector> {
        &self.connector
    }

    /// A connection of the pool. The name, `noun.verb`, stands in traces and in the count of round trips.
    pub async fn connection(&self, name: &'static str) -> Result<Connection> {
        let client = self.pooled().instrument(tracing::debug_span!("db.connection", otel.name = name)).await?;
        Ok(self.connection_on(client, name, &self.connector))
    }

    /// What the pool does to find a client is compiled here, once, and not in every crate that asks for a
    /// connection.
    fn pooled(&self) -> BoxFuture<'_, Result<Object>> {
        Box::pin(async { Ok(self.pool.get().await?) })
    }

    /// A connection for the statements of one read, on a replica when there is one that has come as far as
    /// the mark.
    pub async fn reader(&self, name: &'static str, mark: ReadMark) -> Result<Reader> {
        Reader::open(self, name, mark).await
    }

    fn connection_on(&self, client: Object, name: &'static str, connector: &Arc<Connector>) -> Connection {
        let in_flight = InFlight::new(name, self.round_trips.clone(), self.disk_alarm.clone(), connector.last_answer().clone());
        Connection::new(client, in_flight, ResultBound::new(self.max_result), Arc::clone(connector))
    }

    /// The shared connection: for a lookup by key that every request makes.
    pub async fn shared(&self, name: &'static str) -> Result<SharedConnection> {
        SharedConnection::open(&self.shared, &self.pool, (name, self.round_trips.clone()))
            .instrument(tracing::debug_span!("db.shared_connection", otel.name = name))
            .await
    }

    /// Runs statements in a transaction of its own and commits it; an error rolls them back. After a conflict
    /// with another transaction all of them are run again, so the closure leaves what it borrows as it is.
    /// The name, `noun.verb`, stands in traces, logs and the count of round trips.
    pub async fn in_transaction<'env, T: Send + 'env>(
        &self,
        name: &'static str,
        work: impl for<'a> Fn(&'a Tx<'env>) -> BoxFuture<'a, Result<T>> + Sync,
    ) -> Result<T> {
        self.in_transaction_if(name, |tx| {
            let output = work(tx);
            Box::pin(async move { output.await.map(End::Commit) })
        })
        .await
    }

    /// The same for statements that decide at their end whether what they wrote is kept.
    pub async fn in_transaction_if<'env, T: Send + 'env>(
        &self,
        name: &'static str,
        work: impl for<'a> Fn(&'a Tx<'env>) -> BoxFuture<'a, Result<End<T>>> + Sync,
    ) -> Result<T> {
        let output = Output::default();
        self.transact_erased(name, &|tx| Box::pin(output.clone().keep(work(tx)))).await?;
        output.take().ok_or_else(|| Error::Internal(format!("{name} ended without an output")))
    }

    /// One function for the transactions of all types, because the compiler would make one of each.
    async fn transact_erased(&self, name: &'static str, work: Work<'_, '_>) -> Result<()> {
        let mut runs_left = MAX_RUNS;
        loop {
            runs_left -= 1;
            let outcome = self.attempt(name, work).instrument(tracing::debug_span!("db.transaction", otel.name = name)).await;
            match outcome {
                Err(error) if error.is_retryable() && runs_left > 0 => {
                    tracing::info!(operation = name, %error, "transaction is run again");
                }
                outcome => return outcome,
            }
        }
    }

    async fn attempt(&self, name: &'static str, work: Work<'_, '_>) -> Result<()> {
        let tx = Tx::owning(self.connection(name).await?);
        if work(&tx).await? { tx.commit().await } else { Ok(()) }
    }

    /// Does work on the database that may take `limit`. `None` when it has taken longer although the database
    /// is there: it is too much. An error when the database has fallen silent, or has moved to another host
    /// meanwhile.
    pub async fn in_time<T>(&self, limit: Duration, work: impl Future<Output = T>) -> Result<Option<T>> {
        let generation = self.connector.generation();
        if let Ok(done) = timeout(limit, work).await {
            return Ok(Some(done));
        }
        if self.connector.is_there().await && !generation.is_cancelled() {
            return Ok(None);
        }
        Err(Error::Unavailable("it does not answer, or has moved to another host".to_owned()))
    }

    /// Checks that the database answers, and that the tables of this server can be read in it.
    pub async fn ping(&self) -> Result<()> {
        self.connection("store.ping").await?.row("select exists (select from spaces) as is_used", &[]).await.map(|_| ())
    }

    /// Whether PostgreSQL has refused a statement within the last minute because its disk is full.
    pub fn is_disk_full(&self) -> bool {
        self.disk_alarm.is_raised()
    }

    /// How often this process has waited for an answer of PostgreSQL; tests bound the cost of a request by
    /// it.
    ///
    /// A round trip begins when a statement is sent on a connection that awaits no other answer; `begin` and
    /// `commit` are statements, too. What is sent before that answer is there is pipelined and costs no round
    /// trip of its own: the statements of one `try_join!` count as one, and so does `begin` with the first
    /// statement of its transaction. On the shared connection every statement counts, because its callers
    /// know nothing of each other. Preparing a statement is not counted: it happens once on each connection.
    pub fn round_trips(&self) -> u64 {
        self.round_trips.total()
    }

    /// The same for the connections and transactions of one name.
    pub fn round_trips_of(&self, name: &str) -> u64 {
        self.round_trips.of(name)
    }

    /// The same database with a count of round trips of its own.
    #[must_use]
    pub fn counting_apart(&self) -> Self {
        Self { round_trips: RoundTrips::default(), ..self.clone() }
    }

    /// How many connections are in use and how many are open, for metrics.
    pub fn connections(&self) -> (usize, usize) {
        let status = self.pool.status();
        (status.size - status.available.min(status.size), status.size)
    }

    /// Where the reads of the Delivery API were made; `None` without replicas.
    pub fn read_counts(&self) -> Option<ReadCounts> {
        Some(self.replicas.as_ref()?.counts())
    }

    /// Closes every connection when it is given back; callers that wait for one get an error.
    pub fn close(&self) {
        self.shared.close();
        self.pool.close();
        self.connector.close();
        if let Some(replicas) = &self.replicas {
            replicas.close();
        }
    }
}
