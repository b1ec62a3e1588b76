//! A rate limit that all processes count together, in the database. For limits whose number callers rely on; the others are counted by each process for itself
//! (see [`crate::shared::rate_limiter`]).

use domain::shared::{Fault, Rate};
use prometheus::IntCounter;
use storage::{
    Store,
    identity::rate_limits::{self, Allowance},
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

    /// Counts a request of a caller; 429 with the time to wait when it is one too many.
    pub async fn acquire(&self, store: &Store, caller: &str) -> Result<(), Fault> {
        match self.count(store, caller).await?.and_then(|allowance| allowance.refused_for) {
            Some(wait) => Err(Fault::too_many(wait)),
            None => Ok(()),
        }
    }
}
