//! The lane: one connection for lookups by key that many requests make at every moment, such as whether a session lives.
//!
//! A connection of the pool belongs to one caller until it has its answer. Here all callers share one: each sends its statement behind those of
//! the others and waits for its own answer only (pipelining). That costs a fraction of the work on both sides, and under load many statements
//! travel together. Each is still a statement of its own that sees whatever was committed before it was sent.

use super::{Executor, Params};
use crate::{Error, Result};
use deadpool_postgres::{ClientWrapper, Object, Pool};
use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};
use tokio_postgres::Row;

/// How long an answer may take before the connection counts as broken. Lookups by key take less than a millisecond and wait for no lock.
const PATIENCE: Duration = Duration::from_secs(5);

/// The connection, once somebody has needed it.
#[derive(Default)]
pub(super) struct Slot {
    open: Mutex<Option<Arc<ClientWrapper>>>,
    /// Held while a connection is opened: one is enough.
    opening: tokio::sync::Mutex<()>,
}

impl Slot {
    async fn connection(&self, pool: &Pool) -> Result<Arc<ClientWrapper>> {
        if let Some(open) = self.current() {
            return Ok(open);
        }
        let _alone = self.opening.lock().await;
        if let Some(open) = self.current() {
            return Ok(open);
        }
        // Taken out of the pool, which makes another one in its place when it needs it: nobody ever waits for this one.
        let opened = Arc::new(Object::take(pool.get().await?));
        *self.lock() = Some(Arc::clone(&opened));
        Ok(opened)
    }

    fn current(&self) -> Option<Arc<ClientWrapper>> {
        self.lock().as_ref().filter(|value| !value.is_closed()).cloned()
    }

    /// Whoever comes next opens another one.
    fn leave(&self, broken: &Arc<ClientWrapper>) {
        let mut open = self.lock();
        if open.as_ref().is_some_and(|open| Arc::ptr_eq(open, broken)) {
            *open = None;
        }
    }

    pub(super) fn close(&self) {
        *self.lock() = None;
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<Arc<ClientWrapper>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place in the lane, for lookups by key.
pub struct SharedConnection {
    pub(super) slot: Arc<Slot>,
    pub(super) client: Arc<ClientWrapper>,
    pub(super) statements: Arc<AtomicU64>,
}

impl SharedConnection {
    pub(super) async fn on(slot: &Arc<Slot>, pool: &Pool, statements: &Arc<AtomicU64>) -> Result<Self> {
        let client = slot.connection(pool).await?;
        Ok(Self { slot: Arc::clone(slot), client, statements: Arc::clone(statements) })
    }

    async fn answered<T>(&self, answer: impl Future<Output = std::result::Result<T, tokio_postgres::Error>>) -> Result<T> {
        self.statements.fetch_add(1, Ordering::Relaxed);
        match tokio::time::timeout(PATIENCE, answer).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => Err(error.into()),
            Err(_) => {
                self.slot.leave(&self.client);
                Err(Error::TimedOut)
            }
        }
    }
}

impl Executor for SharedConnection {
    async fn rows(&self, sql: &str, params: Params<'_>) -> Result<Vec<Row>> {
        self.answered(async { self.client.query(&self.client.prepare_cached(sql).await?, params).await }).await
    }

    async fn row_opt(&self, sql: &str, params: Params<'_>) -> Result<Option<Row>> {
        self.answered(async { self.client.query_opt(&self.client.prepare_cached(sql).await?, params).await }).await
    }
}
