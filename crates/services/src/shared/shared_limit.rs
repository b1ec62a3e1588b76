//! A rate limit that all processes count together, in the database. For limits that callers are promised a
//! number for; the others are counted by each process for itself (see [`crate::shared::rate_limiter`]).

mod remembered;

use super::rate_limiter::{CallerKey, by_ip};
use domain::shared::{Fault, Kind, Rate, SharedClock};
use prometheus::IntCounter;
use remembered::Remembered;
use std::net::{IpAddr, Ipv6Addr};
use storage::{
    Executor, Result as StoreResult, Store, Tx,
    shared::rate_limits::{self, Allowance, Exhausted},
};

/// A limit.
pub struct SharedLimit {
    name: &'static str,
    rate: Option<Rate>,
    counted_by: CountedBy,
    /// Spares the database the requests of those who are refused anyway.
    remembered: Remembered,
    /// Whether all callers are remembered that were counted, and not only those who are at the limit.
    remembers_all: bool,
    refused: IntCounter,
}

/// What a limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CountedBy {
    /// A token, a client or an administrator, each by its name.
    Name,
    Address,
    /// Something secret or personal, by a keyed hash of it.
    Hash,
}

impl SharedLimit {
    /// A limit of a rate; `None` limits nothing. It counts tokens, clients and administrators by their names.
    /// For one second after a refusal, further requests of the same caller are refused without asking the
    /// database.
    pub fn new(name: &'static str, rate: Option<Rate>, refused: IntCounter, clock: SharedClock) -> Self {
        Self { name, rate, counted_by: CountedBy::Name, remembered: Remembered::new(clock), remembers_all: false, refused }
    }

    /// The same limit, counting addresses.
    #[must_use]
    pub fn by_address(self) -> Self {
        Self { counted_by: CountedBy::Address, ..self }
    }

    /// The same limit, counting what only keyed hashes are kept of.
    #[must_use]
    pub fn by_hash(self) -> Self {
        Self { counted_by: CountedBy::Hash, ..self }
    }

    /// The same limit, which remembers all callers that it has counted, for [`SharedLimit::check_known`].
    #[must_use]
    pub fn remembering_all(self) -> Self {
        Self { remembers_all: true, ..self }
    }

    /// Counts a request of a caller, and answers what is left; `None` while limits are off. The caller of
    /// this refuses the request if it is one too many.
    pub async fn count(&self, store: &Store, caller: &str) -> Result<Option<Allowance>, Fault> {
        if self.rate.is_none() {
            return Ok(None);
        }
        if let Some(refused) = self.remembered.repeat(caller) {
            self.refused.inc();
            return Ok(Some(refused));
        }
        self.count_on(&store.connection("rate_limit.acquire").await?, caller).await
    }

    async fn count_on(&self, executor: &impl Executor, caller: &str) -> Result<Option<Allowance>, Fault> {
        let Some(rate) = self.rate else { return Ok(None) };
        let allowance = rate_limits::acquire(executor, self.name, caller, rate).await?;
        if self.remembers_all || !allowance.next_after.is_zero() {
            self.remembered.note(caller, &allowance);
        }
        if allowance.refused_for.is_some() {
            self.refused.inc();
        }
        Ok(Some(allowance))
    }

    /// Whether it limits nothing.
    pub(crate) fn is_off(&self) -> bool {
        self.rate.is_none()
    }

    /// The name of the limit.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// How a caller is shown; `None` where only a keyed hash is kept.
    pub(crate) fn shown(&self, caller: &str) -> Option<String> {
        match self.counted_by {
            CountedBy::Hash => None,
            CountedBy::Address if caller.contains(':') => Some(format!("{caller}/64")),
            CountedBy::Address | CountedBy::Name => Some(caller.to_owned()),
        }
    }

    /// Fills the bucket of a caller who is refused. `false` when the caller is not. This process has to
    /// [`SharedLimit::forget`] the caller afterwards; others notice within a second.
    pub(crate) async fn lift(&self, tx: &Tx<'_>, caller: &str) -> StoreResult<bool> {
        match self.rate {
            Some(rate) => rate_limits::lift(tx, self.name, caller, rate).await,
            None => Ok(false),
        }
    }

    /// Forgets that a caller was refused.
    pub(crate) fn forget(&self, caller: &str) {
        self.remembered.forget(caller);
    }

    /// The callers who are refused just now, those who wait longest first, at most `limit`.
    pub async fn exhausted(&self, executor: &impl Executor, limit: i64) -> Result<Vec<Exhausted>, Fault> {
        let Some(rate) = self.rate else { return Ok(Vec::new()) };
        Ok(rate_limits::list_exhausted(executor, self.name, rate, limit).await?)
    }

    /// Counts a request of a caller; 429 with the time to wait when it is one too many.
    pub async fn acquire(&self, store: &Store, caller: &str) -> Result<(), Fault> {
        admit(self.count(store, caller).await?)
    }

    /// The same on a connection that the request uses anyway, after [`SharedLimit::peek`].
    pub async fn acquire_on(&self, executor: &impl Executor, caller: &str) -> Result<(), Fault> {
        admit(self.count_on(executor, caller).await?)
    }

    /// 429 when this process knows that the caller is refused. It neither counts nor asks the database.
    pub fn peek(&self, caller: &str) -> Result<(), Fault> {
        self.refuse(self.remembered.repeat(caller))
    }

    /// 429 when a request of the caller would be one too many. It counts nothing: for limits of failures,
    /// which are counted afterwards.
    pub async fn check_on(&self, executor: &impl Executor, caller: &str) -> Result<(), Fault> {
        let Some(rate) = self.rate else { return Ok(()) };
        let refused = rate_limits::find_refused(executor, self.name, caller, rate).await?;
        if let Some(refused) = &refused {
            self.remembered.note(caller, refused);
        }
        self.refuse(refused)
    }

    /// The same, for a limit that is [`SharedLimit::remembering_all`]: the database is asked only about
    /// callers that this process has counted and whose buckets are not full again. What another process alone
    /// has counted shows here at the first failure, which counts.
    pub async fn check_known(&self, store: &Store, caller: &str) -> Result<(), Fault> {
        if self.rate.is_none() || !self.remembered.may_know(caller) {
            return Ok(());
        }
        self.peek(caller)?;
        self.check_on(&store.connection("rate_limit.check").await?, caller).await
    }

    /// Counts a refusal, and makes a 429 of it.
    fn refuse(&self, refused: Option<Allowance>) -> Result<(), Fault> {
        if refused.is_some() {
            self.refused.inc();
        }
        admit(refused)
    }
}

/// 429 with the time to wait when a request was one too many.
fn admit(left: Option<Allowance>) -> Result<(), Fault> {
    match left.and_then(|left| left.refused_for) {
        Some(wait) => Err(Fault::too_many(wait)),
        None => Ok(()),
    }
}

/// Of two limits the refusal that lasts longer.
pub(crate) fn both(one: Result<(), Fault>, other: Result<(), Fault>) -> Result<(), Fault> {
    match (one, other) {
        (Err(one), Err(other))
            if [&one, &other].iter().all(|fault| fault.kind() == Kind::TooMany) && other.retry_after > one.retry_after =>
        {
            Err(other)
        }
        (one, other) => one.and(other),
    }
}

/// An address as it is counted: of IPv6 the first address of its network of 64 bits.
pub(crate) fn address(ip: IpAddr) -> String {
    Ipv6Addr::from(by_ip(ip)).to_canonical().to_string()
}

/// A keyed hash as it is counted.
pub(crate) fn hash(caller: CallerKey) -> String {
    format!("{:032x}", u128::from_be_bytes(caller))
}
