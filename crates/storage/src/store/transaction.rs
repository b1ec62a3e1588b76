//! Transactions.

use super::{Connection, Executor, Params, statement_log::note};
use crate::{Error, Result};
use futures_util::future::{BoxFuture, try_join};
use std::{
    future::Future,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};
use tokio::sync::SetOnce;
use tokio_postgres::Row;

/// An operation that is one transaction. After a conflict it is run again from the start, so it takes itself by reference.
pub trait TxOperation: Sync {
    /// The result of the operation.
    type Output: Send;

    /// Its name in traces and in the count of round trips, `noun.verb`.
    const NAME: &'static str;

    /// The name of this one: another one than of its type, when it carries an operation of any type.
    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// Whether what it wrote is kept. An outcome that its caller expects, and that must change nothing, is an output and no error: it rolls back.
    fn keeps(_output: &Self::Output) -> bool {
        true
    }

    /// Runs its statements. An error rolls all of them back.
    fn run(&self, tx: &Tx<'_>) -> impl Future<Output = Result<Self::Output>> + Send;
}

/// An operation of any type, which keeps its output.
pub(super) trait ErasedOperation: Sync {
    fn name(&self) -> &'static str;

    /// Runs it, and answers whether what it wrote is kept.
    fn run<'a>(&'a self, tx: &'a Tx<'_>) -> BoxFuture<'a, Result<bool>>;
}

/// An operation with the place for its output.
pub(super) struct Capture<'a, O: TxOperation> {
    operation: &'a O,
    output: Mutex<Option<O::Output>>,
}

impl<'a, O: TxOperation> Capture<'a, O> {
    pub(super) fn new(operation: &'a O) -> Self {
        Self { operation, output: Mutex::new(None) }
    }

    /// The output of the last run.
    pub(super) fn into_output(self) -> Result<O::Output> {
        let output = self.output.into_inner().unwrap_or_else(PoisonError::into_inner);
        output.ok_or_else(|| Error::Internal(format!("{} ended without an output", self.operation.name())))
    }
}

impl<O: TxOperation> ErasedOperation for Capture<'_, O> {
    fn name(&self) -> &'static str {
        self.operation.name()
    }

    fn run<'a>(&'a self, tx: &'a Tx<'_>) -> BoxFuture<'a, Result<bool>> {
        Box::pin(async move {
            let output = self.operation.run(tx).await?;
            let keeps = O::keeps(&output);
            *self.output.lock().unwrap_or_else(PoisonError::into_inner) = Some(output);
            Ok(keeps)
        })
    }
}

/// A transaction. What it wrote exists after [`Tx::commit`] and not before.
///
/// `begin` is sent together with the first statement, which saves a round trip. After a statement has failed, PostgreSQL refuses all further
/// ones with the error 25P02, those too that were sent already. What this reports instead is always the error of the statement that failed:
/// a conflict can be retried, and 25P02 cannot.
pub struct Tx<'a> {
    connection: &'a Connection,
    /// Whether `begin` was sent and neither `commit` nor `rollback` was.
    is_open: AtomicBool,
    /// The error of the first statement that failed.
    failure: SetOnce<Error>,
}

impl<'a> Tx<'a> {
    pub(super) fn new(connection: &'a Connection) -> Self {
        Self { connection, is_open: AtomicBool::new(false), failure: SetOnce::new() }
    }

    /// Commits. An error of any earlier statement is an error of the commit: PostgreSQL would roll back and report success.
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

    /// The error that aborted the transaction. Its statement was answered before, but its future may be polled later.
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

/// Marks the transaction as failed when a statement's future is dropped before its answer: it may have failed without anything noticing.
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
