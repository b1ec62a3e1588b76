//! The connection that short lookups share.
//!
//! A connection of the pool belongs to one caller until it has its answer. This one belongs to all callers:
//! each sends its statement behind those of the others and awaits its own answer only (pipelining). That is a
//! fraction of the work for both sides, and under load many statements travel in one packet. Each is still a
//! statement of its own, which sees whatever was committed before it was sent.
//!
//! It is for lookups by key, such as whether a session is active. A slow statement, or one that waits for a
//! lock, would hold up all others.

use super::{Executor, Params, RoundTrips, statement_log::note};
use crate::{
    Error, Result,
    connect::{Object, Pool, PooledClient},
};
use futures_util::future::BoxFuture;
use std::{
    future::Future,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::time::timeout;
use tokio_postgres::Row;

/// How long an answer may take before the connection counts as broken. Lookups by key take less than a
/// millisecond and wait for no lock.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The place in a store for its shared connection, which is opened when it is first needed.
#[derive(Default)]
pub(super) struct SharedSlot {
    client: Mutex<Option<Arc<PooledClient>>>,
    /// Held while a connection is opened, so that concurrent callers open one.
    opening: tokio::sync::Mutex<()>,
}

impl SharedSlot {
    async fn get_or_open(&self, pool: &Pool) -> Result<Arc<PooledClient>> {
        if let Some(client) = self.current() {
            return Ok(client);
        }
        // One limit for both: many may wait for a connection that cannot be opened, and the last one waits no
        // longer than the first.
        let limit = pool.timeouts().wait.unwrap_or(TIMEOUT);
        timeout(limit, self.open(pool)).await.unwrap_or(Err(Error::TimedOut))
    }

    async fn open(&self, pool: &Pool) -> Result<Arc<PooledClient>> {
        let _opening = self.opening.lock().await;
        if let Some(client) = self.current() {
            return Ok(client);
        }
        // Taken out of the pool, which opens another connection in its place when it needs one.
        let client = Arc::new(Object::take(pool.get().await?));
        *self.lock() = Some(Arc::clone(&client));
        Ok(client)
    }

    fn current(&self) -> Option<Arc<PooledClient>> {
        self.lock().as_ref().filter(|client| client.is_usable()).cloned()
    }

    /// Forgets a broken connection; the next caller opens another one.
    fn discard(&self, broken: &Arc<PooledClient>) {
        let mut client = self.lock();
        if client.as_ref().is_some_and(|current| Arc::ptr_eq(current, broken)) {
            *client = None;
        }
    }

    pub(super) fn close(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> MutexGuard<'_, Option<Arc<PooledClient>>> {
        self.client.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A share of the connection, for lookups by key.
pub struct SharedConnection {
    slot: Arc<SharedSlot>,
    client: Arc<PooledClient>,
    name: &'static str,
    round_trips: RoundTrips,
}

impl SharedConnection {
    pub(super) async fn open(slot: &Arc<SharedSlot>, pool: &Pool, (name, round_trips): (&'static str, RoundTrips)) -> Result<Self> {
        let client = slot.get_or_open(pool).await?;
        Ok(Self { slot: Arc::clone(slot), client, name, round_trips })
    }

    async fn run<T>(&self, answer: impl Future<Output = std::result::Result<T, tokio_postgres::Error>>) -> Result<T> {
        self.round_trips.add(self.name);
        if let Ok(answer) = timeout(TIMEOUT, answer).await {
            Ok(answer?)
        } else {
            self.slot.discard(&self.client);
            Err(Error::TimedOut)
        }
    }
}

impl Executor for SharedConnection {
    fn rows<'a>(&'a self, sql: &'a str, params: Params<'a>) -> BoxFuture<'a, Result<Vec<Row>>> {
        note(sql);
        Box::pin(self.run(async move { self.client.query(&self.client.prepare_cached(sql).await?, params).await }))
    }

    fn execute<'a>(&'a self, sql: &'a str, params: Params<'a>) -> BoxFuture<'a, Result<u64>> {
        note(sql);
        Box::pin(self.run(async move { self.client.execute(&self.client.prepare_cached(sql).await?, params).await }))
    }
}
