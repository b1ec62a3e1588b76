//! Transactions.

use super::{Connection, Executor, Params, statement_log::note};
use crate::{Error, Result};
use futures_util::future::{BoxFuture, try_join};
use std::{
    future::Future,
    ops::Deref,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};
use tokio::sync::SetOnce;
use tokio_postgres::Row;

/// How a transaction ends, with what its caller gets.
#[derive(Debug)]
pub enum End<T> {
    /// What was written is kept.
    Commit(T),
    /// Nothing that was written is kept: an outcome that the caller expects, and that must change nothing.
    RollBack(T),
}

/// The statements of a transaction, which keep their output and answer whether what they wrote is kept. They
/// borrow from `'env`: `&'a Tx<'env>` says that it outlives `'a`.
pub(super) type Work<'env, 'w> = &'w (dyn for<'a> Fn(&'a Tx<'env>) -> BoxFuture<'a, Result<bool>> + Sync + 'w);

/// `transact!(store, "story.move", async |tx| { … })` is
/// [`Store::in_transaction`](super::Store::in_transaction): the closure returns its future in a box, because
/// the compiler cannot say yet that the future of an `async` closure is `Send`. What it borrows must outlive
/// the call. Something else that has a function `in_transaction` may stand in place of the store.
#[macro_export]
macro_rules! transact {
    ($store:expr, $name:expr, async |$tx:ident| $statements:block) => {
        $store.in_transaction($name, |$tx| ::std::boxed::Box::pin(async move $statements))
    };
}

/// The same for [`Store::in_transaction_if`](super::Store::in_transaction_if).
#[macro_export]
macro_rules! transact_if {
    ($store:expr, $name:expr, async |$tx:ident| $statements:block) => {
        $store.in_transaction_if($name, |$tx| ::std::boxed::Box::pin(async move $statements))
    };
}

/// The place for the output of a transaction, which is taken after its commit.
pub(super) struct Output<T>(Arc<Mutex<Option<T>>>);

impl<T> Output<T> {
    /// Keeps the output of statements. Answers whether what they wrote is kept as well.
    pub(super) async fn keep(self, end: BoxFuture<'_, Result<End<T>>>) -> Result<bool> {
        let (output, is_kept) = match end.await? {
            End::Commit(output) => (output, true),
            End::RollBack(output) => (output, false),
        };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(output);
        Ok(is_kept)
    }

    /// The output of the last run.
    pub(super) fn take(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl<T> Default for Output<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Clone for Output<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// A transaction. What it wrote exists after [`Tx::commit`] and not before.
///
/// `begin` is sent together with the first statement, which saves a round trip. After a statement has failed,
/// PostgreSQL refuses all further ones with the error 25P02, those too that were sent already. What this
/// reports instead is always the error of the statement that failed: a conflict can be retried, and 25P02
/// cannot.
///
/// It lives no longer than `'env`, so the closure of [`Store::in_transaction`](super::Store::in_transaction)
/// may borrow what outlives that.
pub struct Tx<'env> {
    connection: Held<'env>,
    /// Whether `begin` was sent and neither `commit` nor `rollback` was.
    is_open: AtomicBool,
    /// The error of the first statement that failed.
    failure: SetOnce<Error>,
}

#[expect(clippy::large_enum_variant, reason = "nearly all are owned")]
enum Held<'env> {
    Own(Connection),
    Lent(&'env Connection),
}

impl Deref for Held<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        match self {
            Self::Own(connection) => connection,
            Self::Lent(connection) => connection,
        }
    }
}

impl Connection {
    /// Begins a transaction. Dropped without [`Tx::commit`], it is rolled back.
    pub fn begin(&mut self) -> Tx<'_> {
        Tx::lent(self)
    }
}

impl<'env> Tx<'env> {
    /// On a connection that is given back with it.
    pub(super) fn owning(connection: Connection) -> Self {
        Self::new(Held::Own(connection))
    }

    pub(super) fn lent(connection: &'env Connection) -> Self {
        Self::new(Held::Lent(connection))
    }

    fn new(connection: Held<'env>) -> Self {
        Self { connection, is_open: AtomicBool::new(false), failure: SetOnce::new() }
    }

    /// Commits. An error of any earlier statement is an error of the commit: PostgreSQL would roll back and
    /// report success.
    pub async fn commit(self) -> Result<()> {
        if let Some(error) = self.failure.get() {
            return Err(error.clone());
        }
        if self.is_open.swap(false, Relaxed) {
            self.connection.in_flight().track(self.connection.control("commit")).await?;
        }
        Ok(())
    }

    /// Awaits a statement, and `begin` before the first one.
    async fn run<T>(&self, statement: impl Future<Output = Result<T>>) -> Result<T> {
        let begin = async { if self.is_open.swap(true, Relaxed) { Ok(()) } else { self.connection.control("begin").await } };
        let guard = AbandonGuard(Some(&self.failure));
        // Both are polled in this order, so `begin` is sent first.
        let outcome = self.connection.in_flight().track(try_join(begin, statement)).await;
        guard.disarm();
        match outcome {
            Ok(((), output)) => Ok(output),
            Err(Error::TransactionAborted) => Err(self.first_failure().await),
            Err(error) => {
                // Only the first one is kept.
                let _ = self.failure.set(error.clone());
                Err(error)
            }
        }
    }

    /// The error that aborted the transaction. Its statement was answered before, but its future may be
    /// polled later.
    async fn first_failure(&self) -> Error {
        if self.failure.initialized() || self.connection.in_flight().is_any() {
            return self.failure.wait().await.clone();
        }
        Error::TransactionAborted
    }
}

impl Executor for Tx<'_> {
    fn rows<'a>(&'a self, sql: &'a str, params: Params<'a>) -> BoxFuture<'a, Result<Vec<Row>>> {
        note(sql);
        Box::pin(self.run(self.connection.query(sql, params)))
    }

    fn execute<'a>(&'a self, sql: &'a str, params: Params<'a>) -> BoxFuture<'a, Result<u64>> {
        note(sql);
        Box::pin(self.run(self.connection.run(sql, params)))
    }
}

impl Drop for Tx<'_> {
    fn drop(&mut self) {
        if *self.is_open.get_mut() {
            self.connection.send_rollback();
        }
    }
}

/// Marks the transaction as failed when a statement's future is dropped before its answer: it may have failed
/// without anything noticing.
struct AbandonGuard<'a>(Option<&'a SetOnce<Error>>);

impl AbandonGuard<'_> {
    fn disarm(mut self) {
        self.0 = None;
    }
}

impl Drop for AbandonGuard<'_> {
    fn drop(&mut self) {
        if let Some(failure) = self.0 {
            let _ = failure.set(Error::Internal("a statement of the transaction was abandoned".to_owned()));
        }
    }
}
