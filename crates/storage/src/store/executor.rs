//! Running statements, whatever they run on.

use super::statement_log::note;
use crate::{Error, Result};
use futures_util::future::BoxFuture;
use tokio_postgres::{Row, types::ToSql};

/// The values of a statement's parameters, `$1` first.
pub type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

/// Runs statements: a [`Connection`](super::Connection), a transaction ([`Tx`](super::Tx)) or the
/// [`SharedConnection`](super::SharedConnection).
///
/// A function that only reads takes an `&impl Executor`: its caller decides whether the statement sees what a
/// transaction has written so far. A function that writes as a part of something larger takes a `&Tx`.
///
/// Futures of one executor that are polled together (`try_join!`) are pipelined: their statements are sent
/// one behind the other without waiting for answers, and PostgreSQL runs them in that order.
pub trait Executor: Sync {
    /// Runs a query and returns all its rows.
    #[track_caller]
    fn rows<'a>(&'a self, sql: &'a str, params: Params<'a>) -> BoxFuture<'a, Result<Vec<Row>>>;

    /// Runs a statement and returns how many rows it touched.
    #[track_caller]
    fn execute<'a>(&'a self, sql: &'a str, params: Params<'a>) -> BoxFuture<'a, Result<u64>>;

    /// Runs a query that has at most one row.
    #[track_caller]
    fn row_opt<'a>(&'a self, sql: &'a str, params: Params<'a>) -> BoxFuture<'a, Result<Option<Row>>> {
        note(sql);
        Box::pin(async move {
            let mut rows = self.rows(sql, params).await?;
            let row = rows.pop();
            if rows.is_empty() { Ok(row) } else { Err(Error::Internal("a query has more than one row".to_owned())) }
        })
    }

    /// Runs a query that always has one row.
    #[track_caller]
    fn row<'a>(&'a self, sql: &'a str, params: Params<'a>) -> BoxFuture<'a, Result<Row>> {
        note(sql);
        Box::pin(async move {
            let row = self.row_opt(sql, params).await?;
            row.ok_or_else(|| Error::Internal("a query that always has a row has none".to_owned()))
        })
    }

    /// Runs a statement that must touch exactly one row. `statement` names it in the error.
    #[track_caller]
    fn execute_one<'a>(&'a self, statement: &'static str, sql: &'a str, params: Params<'a>) -> BoxFuture<'a, Result<()>> {
        note(sql);
        Box::pin(async move {
            match self.execute(sql, params).await? {
                1 => Ok(()),
                touched => Err(Error::RowCount { statement, touched }),
            }
        })
    }
}

/// Lets a `&dyn Executor` be passed on as an `&impl Executor`.
impl<E: Executor + ?Sized> Executor for &E {
    fn rows<'a>(&'a self, sql: &'a str, params: Params<'a>) -> BoxFuture<'a, Result<Vec<Row>>> {
        note(sql);
        (**self).rows(sql, params)
    }

    fn execute<'a>(&'a self, sql: &'a str, params: Params<'a>) -> BoxFuture<'a, Result<u64>> {
        note(sql);
        (**self).execute(sql, params)
    }
}
