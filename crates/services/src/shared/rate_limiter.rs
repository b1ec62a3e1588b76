//! Rate limits, counted in memory: each process counts for itself.

use crypto::{keys::Key, token};
use domain::shared::{Fault, Rate, SharedClock};
use prometheus::IntCounter;
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::Duration,
};

/// How many callers one limiter remembers.
const MAX_CALLERS: usize = 100_000;

/// What a caller is counted by: see [`by_ip`] and [`by_text`].
pub type CallerKey = [u8; 16];

/// One limit: how often each caller may do one thing. A token bucket for each caller, kept as the time at
/// which the bucket is full again.
pub struct RateLimiter {
    rate: Option<Rate>,
    clock: SharedClock,
    max_callers: usize,
    /// When the bucket of each caller is full again, in nanoseconds; a caller that is missing here has a full
    /// one.
    full_at: Mutex<HashMap<CallerKey, i64>>,
    refused: Option<IntCounter>,
}

impl RateLimiter {
    /// A limiter of a rate; `None` limits nothing.
    pub fn new(rate: Option<Rate>, clock: SharedClock) -> Self {
        Self { rate, clock, max_callers: MAX_CALLERS, full_at: Mutex::default(), refused: None }
    }

    /// The same limiter, with a metric that counts its refusals.
    #[must_use]
    pub fn counted_by(self, refused: IntCounter) -> Self {
        Self { refused: Some(refused), ..self }
    }

    /// 429 with the time to wait when one more would be one too many. It counts nothing: for limits of
    /// failures, which are counted afterwards.
    pub fn peek(&self, caller: CallerKey) -> Result<(), Fault> {
        let Some(rate) = self.rate else { return Ok(()) };
        let now = i64::try_from(self.clock.now().as_nanosecond()).unwrap_or(i64::MAX);
        let full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner).get(&caller).copied();
        rate.take(full_at, now).map(|_| ()).map_err(|wait| self.refuse(wait))
    }

    /// Counts one more; 429 with the time to wait when that is one too many. Exact, however many ask at the
    /// same time.
    pub fn acquire(&self, caller: CallerKey) -> Result<(), Fault> {
        self.count(caller).map_err(|wait| self.refuse(wait))
    }

    /// The callers who are refused just now with the time that each has to wait, those who wait longest
    /// first, at most `limit`.
    pub fn exhausted(&self, limit: usize) -> Vec<(CallerKey, Duration)> {
        let Some(rate) = self.rate else { return Vec::new() };
        let now = i64::try_from(self.clock.now().as_nanosecond()).unwrap_or(i64::MAX);
        let full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        let refused = full_at.iter().filter_map(|(caller, full_at)| Some((*caller, rate.take(Some(*full_at), now).err()?)));
        let mut refused: Vec<_> = refused.collect();
        drop(full_at);
        refused.sort_by_key(|(caller, wait)| (std::cmp::Reverse(*wait), *caller));
        refused.truncate(limit);
        refused
    }

    /// Whether a caller is refused just now. Asking counts nowhere.
    pub fn refuses(&self, caller: &CallerKey) -> bool {
        let now = i64::try_from(self.clock.now().as_nanosecond()).unwrap_or(i64::MAX);
        let full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner).get(caller).copied();
        self.rate.is_some_and(|rate| rate.take(full_at, now).is_err())
    }

    /// Fills the bucket of a caller.
    pub fn lift(&self, caller: &CallerKey) {
        self.full_at.lock().unwrap_or_else(PoisonError::into_inner).remove(caller);
    }

    fn refuse(&self, wait: Duration) -> Fault {
        if let Some(refused) = &self.refused {
            refused.inc();
        }
        Fault::too_many(wait)
    }

    /// Counts one more; the time to wait when that is one too many.
    fn count(&self, caller: CallerKey) -> Result<(), Duration> {
        let Some(rate) = self.rate else { return Ok(()) };
        let now = i64::try_from(self.clock.now().as_nanosecond()).unwrap_or(i64::MAX);
        let mut full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        let next = rate.take(full_at.get(&caller).copied(), now)?;
        if full_at.len() >= self.max_callers && !full_at.contains_key(&caller) {
            evict(&mut full_at, now, self.max_callers);
        }
        full_at.insert(caller, next);
        Ok(())
    }
}

/// Forgets the callers whose bucket is full; if those are few, an eighth of all, whose buckets are full
/// soonest. So a crowd of new callers cannot wash out the one that is being slowed down, and the cost of
/// evicting is spread over many calls.
fn evict(full_at: &mut HashMap<CallerKey, i64>, now: i64, max_callers: usize) {
    full_at.retain(|_, at| *at > now);
    let spare = max_callers / 8;
    if full_at.len() + spare < max_callers {
        return;
    }
    let mut times: Vec<i64> = full_at.values().copied().collect();
    let (_, border, _) = times.select_nth_unstable(spare.saturating_sub(1));
    let border = *border;
    let mut left = spare;
    full_at.retain(|_, at| {
        let is_evicted = *at <= border && left > 0;
        left -= usize::from(is_evicted);
        !is_evicted
    });
}

/// Counts an address: for IPv6 the network of 64 bits, which one customer has alone.
pub fn by_ip(ip: IpAddr) -> CallerKey {
    match ip.to_canonical() {
        IpAddr::V4(address) => address.to_ipv6_mapped().octets(),
        IpAddr::V6(address) => (u128::from(address) >> 64 << 64).to_be_bytes(),
    }
}

/// Counts something secret or personal, such as a mail address: only a keyed hash of it is kept.
pub fn by_text(key: &Key, text: impl AsRef<[u8]>) -> CallerKey {
    let mut caller = CallerKey::default();
    caller.iter_mut().zip(token::sign(key, text.as_ref())).for_each(|(to, from)| *to = from);
    caller
}

#[cfg(test)]
mod tests;
