//! A rate limit that all processes count together, in the database. For limits whose number callers rely on; the others are counted by each process for itself
//! (see [`crate::shared::rate_limiter`]).

use domain::shared::{Fault, Rate};
use prometheus::IntCounter;
use storage::{
    Executor, Result as StoreResult, Store, Tx,
    identity::rate_limits::{self, Allowance, Exhausted},
};

/// A limit.
pub struct SharedLimit {
    name: &'static str,
    rate: Option<Rate>,
    /// Counts the refusals.
    refused: IntCounter,
}

impl SharedLimit {
    /// A limit of a rate; `None` limits nothing.
    pub fn new(name: &'static str, rate: Option<Rate>, refused: IntCounter) -> Self {
        Self { name, rate, refused }
    }

    /// Counts a request of a caller, and answers what is left; `None` while limits are off. The caller of this refuses the request if it is one too many.
    pub async fn count(&self, store: &Store, caller: &str) -> Result<Option<Allowance>, Fault> {
        let Some(rate) = self.rate else { return Ok(None) };
        let connection = store.connection("rate_limit.acquire").await?;
        let allowance = rate_limits::acquire(&connection, self.name, caller, rate).await?;
        if allowance.refused_for.is_some() {
            self.refused.inc();
        }
        Ok(Some(allowance))
    }

    /// The name of the limit.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Fills the bucket of a caller who is refused. `false` when the caller is not.
    pub(super) async fn lift(&self, tx: &Tx<'_>, caller: &str) -> StoreResult<bool> {
        match self.rate {
            Some(rate) => rate_limits::lift(tx, self.name, caller, rate).await,
            None => Ok(false),
        }
    }

    /// The callers who are refused just now, at most `limit`.
    pub async fn exhausted(&self, executor: &impl Executor, limit: i64) -> Result<Vec<Exhausted>, Fault> {
        let Some(rate) = self.rate else { return Ok(Vec::new()) };
        Ok(rate_limits::list_exhausted(executor, self.name, rate, limit).await?)
    }

    /// Counts a request of a caller; 429 with the time to wait when it is one too many.
    pub async fn acquire(&self, store: &Store, caller: &str) -> Result<(), Fault> {
        match self.count(store, caller).await?.and_then(|allowance| allowance.refused_for) {
            Some(wait) => Err(Fault::too_many(wait)),
            None => Ok(()),
        }
    }
}
