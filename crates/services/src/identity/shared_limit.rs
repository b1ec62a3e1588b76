//! A rate limit that all processes count together, in the database. For limits that callers are promised a number for; the others are counted by each process for itself
//! (see [`crate::shared::rate_limiter`]).

mod refusals;

use crate::shared::rate_limiter::{Caller, by_ip};
use domain::shared::{Fault, Rate, SharedClock};
use prometheus::IntCounter;
use refusals::Refusals;
use std::{
    net::{IpAddr, Ipv6Addr},
    time::Duration,
};
use storage::{
    Executor, Result as StoreResult, Store, Tx,
    identity::rate_limits::{self, Allowance, Exhausted},
};

/// A limit.
pub struct SharedLimit {
    name: &'static str,
    rate: Option<Rate>,
    counted_by: CountedBy,
    /// Spares the database the requests of those who are refused anyway.
    refusals: Option<Refusals>,
    /// Counts the refusals.
    refused: IntCounter,
}

/// What a limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CountedBy {
    /// A token, a client or an administrator, each by its name.
    Name,
    /// An address.
    Address,
    /// Something secret or personal, by a keyed hash of it.
    Hash,
}

impl SharedLimit {
    /// A limit of a rate; `None` limits nothing. It counts tokens, clients and administrators by their names.
    pub fn new(name: &'static str, rate: Option<Rate>, refused: IntCounter) -> Self {
        Self { name, rate, counted_by: CountedBy::Name, refusals: None, refused }
    }

    /// The same limit, counting addresses. For one second after a refusal, further requests of the same caller are refused without asking the database.
    #[must_use]
    pub fn by_address(self, clock: SharedClock) -> Self {
        Self { counted_by: CountedBy::Address, ..self }.remembered(clock)
    }

    /// The same limit, counting what only keyed hashes are kept of.
    #[must_use]
    pub fn by_hash(self) -> Self {
        Self { counted_by: CountedBy::Hash, ..self }
    }

    /// The same limit. For one second after a refusal, further requests of the same caller are refused without asking the database.
    #[must_use]
    pub fn remembered(self, clock: SharedClock) -> Self {
        Self { refusals: Some(Refusals::new(clock)), ..self }
    }

    /// Counts a request of a caller, and answers what is left; `None` while limits are off. The caller of this refuses the request if it is one too many.
    pub async fn count(&self, store: &Store, caller: &str) -> Result<Option<Allowance>, Fault> {
        if self.rate.is_none() {
            return Ok(None);
        }
        self.count_on(&store.connection("rate_limit.acquire").await?, caller).await
    }

    async fn count_on(&self, executor: &impl Executor, caller: &str) -> Result<Option<Allowance>, Fault> {
        let Some(rate) = self.rate else { return Ok(None) };
        let allowance = rate_limits::acquire(executor, self.name, caller, rate).await?;
        // Of addresses only those that are at the limit: the others are many.
        let is_noted = !allowance.next_after.is_zero() || self.counted_by == CountedBy::Hash;
        if let Some(refusals) = self.refusals.as_ref().filter(|_| is_noted) {
            refusals.note(caller, &allowance);
        }
        if allowance.refused_for.is_some() {
            self.refused.inc();
        }
        Ok(Some(allowance))
    }

    /// The name of the limit.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// How a caller is shown; `None` where only a keyed hash is kept.
    pub(super) fn shown(&self, caller: &str) -> Option<String> {
        match self.counted_by {
            CountedBy::Hash => None,
            CountedBy::Address if caller.contains(':') => Some(format!("{caller}/64")),
            CountedBy::Address | CountedBy::Name => Some(caller.to_owned()),
        }
    }

    /// Fills the bucket of a caller who is refused. `false` when the caller is not. This process has to [`SharedLimit::forget`] the caller afterwards; others
    /// notice within a second.
    pub(super) async fn lift(&self, tx: &Tx<'_>, caller: &str) -> StoreResult<bool> {
        match self.rate {
            Some(rate) => rate_limits::lift(tx, self.name, caller, rate).await,
            None => Ok(false),
        }
    }

    /// Forgets that a caller was refused.
    pub(super) fn forget(&self, caller: &str) {
        if let Some(refusals) = &self.refusals {
            refusals.forget(caller);
        }
    }

    /// The callers who are refused just now, at most `limit`.
    pub async fn exhausted(&self, executor: &impl Executor, limit: i64) -> Result<Vec<Exhausted>, Fault> {
        let Some(rate) = self.rate else { return Ok(Vec::new()) };
        Ok(rate_limits::list_exhausted(executor, self.name, rate, limit).await?)
    }

    /// Counts a request of a caller; 429 with the time to wait when it is one too many.
    pub async fn acquire(&self, store: &Store, caller: &str) -> Result<(), Fault> {
        self.peek(caller)?;
        admit(self.count(store, caller).await?)
    }

    /// The same on a connection that the request uses anyway, after [`SharedLimit::peek`].
    pub async fn acquire_on(&self, executor: &impl Executor, caller: &str) -> Result<(), Fault> {
        admit(self.count_on(executor, caller).await?)
    }

    /// 429 when this process knows that the caller is refused. It neither counts nor asks the database.
    pub fn peek(&self, caller: &str) -> Result<(), Fault> {
        match self.refusals.as_ref().and_then(|refusals| refusals.wait(caller)) {
            Some(wait) => Err(self.refuse(wait)),
            None => Ok(()),
        }
    }

    /// 429 when a request of the caller would be one too many. It counts nothing: for limits of failures, which are counted afterwards.
    pub async fn check_on(&self, executor: &impl Executor, caller: &str) -> Result<(), Fault> {
        let Some(rate) = self.rate else { return Ok(()) };
        match rate_limits::refused_for(executor, self.name, caller, rate).await? {
            Some(wait) => Err(self.refuse(wait)),
            None => Ok(()),
        }
    }

    /// The same, for a limit that is [`SharedLimit::by_hash`] and [`SharedLimit::remembered`]: the database is asked only about callers that this process has
    /// counted and whose buckets are not full again. What another process alone has counted shows here at the first failure, which counts.
    pub async fn check_known(&self, store: &Store, caller: &str) -> Result<(), Fault> {
        if self.rate.is_none() || self.refusals.as_ref().is_some_and(|refusals| !refusals.may_know(caller)) {
            return Ok(());
        }
        self.peek(caller)?;
        self.check_on(&store.connection("rate_limit.check").await?, caller).await
    }

    fn refuse(&self, wait: Duration) -> Fault {
        self.refused.inc();
        Fault::too_many(wait)
    }
}

/// 429 with the time to wait when a request was one too many.
fn admit(left: Option<Allowance>) -> Result<(), Fault> {
    match left.and_then(|left| left.refused_for) {
        Some(wait) => Err(Fault::too_many(wait)),
        None => Ok(()),
    }
}

/// An address as it is counted: of IPv6 the first address of its network of 64 bits.
pub(super) fn address(ip: IpAddr) -> String {
    Ipv6Addr::from(by_ip(ip)).to_canonical().to_string()
}

/// A keyed hash as it is counted.
pub(super) fn hash(caller: Caller) -> String {
    format!("{:032x}", u128::from_be_bytes(caller))
}
