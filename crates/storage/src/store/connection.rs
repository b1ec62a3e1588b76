//! A connection of the pool.

use super::{Executor, InFlight, Params, ResultBound, abandoned, statement_log::note};
use crate::{
    Error, Result,
    connect::{Connector, Object, Timeline},
};
use futures_util::{FutureExt, TryStreamExt, future::BoxFuture};
use std::{pin::pin, sync::Arc};
use tokio_postgres::{Row, Statement, types::ToSql};

/// How many statements stay prepared on a connection. Readers choose among thousands of texts (see
/// `content::delivery`), and PostgreSQL keeps each with its plan until it is told to forget it.
const MAX_PREPARED: usize = 400;

/// A connection of the pool. It goes back when it is dropped; with a statement in flight that is cancelled
/// first.
pub struct Connection {
    /// Always there until the connection is dropped.
    client: Option<Object>,
    in_flight: InFlight,
    result_bound: ResultBound,
    /// Makes the connection of a cancel request.
    connector: Arc<Connector>,
}

impl Connection {
    pub(super) fn new(client: Object, in_flight: InFlight, result_bound: ResultBound, connector: Arc<Connector>) -> Self {
        Self { client: Some(client), in_flight, result_bound, connector }
    }

    /// The timeline that it writes on; `None` on a standby.
    pub fn timeline(&self) -> Option<Timeline> {
        self.client.as_ref()?.origin().timeline()
    }

    /// Runs a query and visits each row as it arrives: for results that should not be held in memory as a
    /// whole. They have no bound in bytes.
    #[track_caller]
    pub fn for_each_row<'a>(
        &'a self,
        sql: &'a str,
        params: Params<'a>,
        mut visit: impl FnMut(&Row) -> Result<()> + Send + 'a,
    ) -> impl Future<Output = Result<()>> + Send + 'a {
        note(sql);
        async move {
            let answer = async {
                let statement = self.prepare(sql).await?;
                let params = params.iter().map(|value| *value as &dyn ToSql);
                let mut rows = pin!(self.client()?.query_raw(&statement, params).await?);
                while let Some(row) = rows.try_next().await? {
                    visit(&row)?;
                }
                Ok(())
            };
            self.in_flight.track(answer).await
        }
    }

    /// Runs a query without counting it as in flight: [`Tx`](super::Tx) does that together with its `begin`.
    pub(super) async fn query(&self, sql: &str, params: Params<'_>) -> Result<Vec<Row>> {
        let statement = self.prepare(sql).await?;
        let params = params.iter().map(|value| *value as &dyn ToSql);
        let mut answer = pin!(self.client()?.query_raw(&statement, params).await?);
        let mut rows = Vec::new();
        while let Some(row) = answer.try_next().await? {
            self.result_bound.add(row.raw_size_bytes())?;
            rows.push(row);
        }
        Ok(rows)
    }

    /// The same for a statement of which only the number of rows is wanted.
    pub(super) async fn run(&self, sql: &str, params: Params<'_>) -> Result<u64> {
        let statement = self.prepare(sql).await?;
        Ok(self.client()?.execute(&statement, params).await?)
    }

    /// Runs `begin`, `commit` or `rollback`.
    pub(super) async fn control(&self, command: &'static str) -> Result<()> {
        Ok(self.client()?.batch_execute(command).await?)
    }

    /// Sends a `rollback` whose answer nothing waits for: what is sent on the connection later is run after
    /// it.
    pub(super) fn send_rollback(&self) {
        // The first poll of the future sends the command.
        let _ = self.control("rollback").now_or_never();
    }

    pub(super) fn in_flight(&self) -> &InFlight {
        &self.in_flight
    }

    /// A statement that is prepared on this connection. Only the first use costs a round trip.
    pub(super) async fn prepare(&self, sql: &str) -> Result<Statement> {
        let client = self.client()?;
        if client.statement_cache.size() >= MAX_PREPARED {
            // PostgreSQL is told with the next message. A statement that is in use stays until its last user
            // drops it.
            client.statement_cache.clear();
        }
        Ok(client.prepare_cached(sql).await?)
    }

    fn client(&self) -> Result<&Object> {
        self.client.as_ref().ok_or_else(|| Error::Internal("the connection was dropped".to_owned()))
    }
}

impl Executor for Connection {
    fn rows<'a>(&'a self, sql: &'a str, params: Params<'a>) -> BoxFuture<'a, Result<Vec<Row>>> {
        note(sql);
        Box::pin(self.in_flight.track(self.query(sql, params)))
    }

    fn execute<'a>(&'a self, sql: &'a str, params: Params<'a>) -> BoxFuture<'a, Result<u64>> {
        note(sql);
        Box::pin(self.in_flight.track(self.run(sql, params)))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        if self.in_flight.is_read_only() {
            self.connector.look_for_another();
        }
        if self.in_flight.is_any()
            && let Some(client) = self.client.take()
        {
            if self.in_flight.is_overdue() {
                // It does not even answer that its own limit has passed, so there is nothing to wait for.
                drop(Object::take(client));
            } else {
                abandoned::recover(client, self.result_bound.is_exceeded(), Arc::clone(&self.connector));
            }
        }
    }
}
