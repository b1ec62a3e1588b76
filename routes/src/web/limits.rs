//! Rate limits, kept in memory: each process counts for itself.

use crypto::{keys::Key, token};
use domain::shared::{Fault, Rate, SharedClock};
use prometheus::IntCounter;
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::Duration,
};

/// How many callers one limit remembers.
const MAX_CALLERS: usize = 100_000;

/// Who is counted.
pub(crate) type Caller = [u8; 16];

/// One limit: how often each caller may do one thing.
pub(crate) struct Limit {
    rate: Option<Rate>,
    clock: SharedClock,
    max_callers: usize,
    /// When the bucket of each caller is full again, in nanoseconds; who is not here has a full one.
    full_at: Mutex<HashMap<Caller, i64>>,
    /// Who was turned away.
    refused: Option<IntCounter>,
}

impl Limit {
    /// `None` counts nobody.
    pub(crate) fn new(rate: Option<Rate>, clock: SharedClock) -> Self {
        Self { rate, clock, max_callers: MAX_CALLERS, full_at: Mutex::default(), refused: None }
    }

    /// Has everybody counted who is turned away.
    pub(crate) fn counted_by(self, refused: IntCounter) -> Self {
        Self { refused: Some(refused), ..self }
    }

    /// 429 with the time to wait when one more would be one too many. Counts nothing: for who is counted only when something went wrong.
    pub(crate) fn check(&self, caller: Caller) -> Result<(), Fault> {
        let Some(rate) = self.rate else { return Ok(()) };
        let now = i64::try_from(self.clock.now().as_nanosecond()).unwrap_or(i64::MAX);
        let full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner).get(&caller).copied();
        rate.take(full_at, now).map(|_| ()).map_err(|wait| self.refuse(wait))
    }

    /// Counts one more; 429 with the time to wait when that is one too many. Exact, however many ask at the same time.
    pub(crate) fn take(&self, caller: Caller) -> Result<(), Fault> {
        self.count(caller).map_err(|wait| self.refuse(wait))
    }

    /// Counts one more and turns nobody away: for who passed [`Limit::check`] before it was known that there is something to count.
    pub(crate) fn note(&self, caller: Caller) {
        let _ = self.count(caller);
    }

    fn refuse(&self, wait: Duration) -> Fault {
        if let Some(refused) = &self.refused {
            refused.inc();
        }
        Fault::too_many(wait)
    }

    /// Counts one more; the time to wait when that is one too many.
    fn count(&self, caller: Caller) -> Result<(), Duration> {
        let Some(rate) = self.rate else { return Ok(()) };
        let now = i64::try_from(self.clock.now().as_nanosecond()).unwrap_or(i64::MAX);
        let mut full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        let next = rate.take(full_at.get(&caller).copied(), now)?;
        if full_at.len() >= self.max_callers && !full_at.contains_key(&caller) {
            make_room(&mut full_at, now, self.max_callers);
        }
        full_at.insert(caller, next);
        Ok(())
    }
}

/// Forgets whose bucket is full anyway; if those are few, an eighth of all, who are the nearest to it. So a crowd of new callers
/// cannot wash out the one that is being slowed down, and the work is spread over many calls.
fn make_room(full_at: &mut HashMap<Caller, i64>, now: i64, max_callers: usize) {
    full_at.retain(|_, at| *at > now);
    let spare = max_callers / 8;
    if full_at.len() + spare < max_callers {
        return;
    }
    let mut times: Vec<i64> = full_at.values().copied().collect();
    let (_, border, _) = times.select_nth_unstable(spare);
    let border = *border;
    let mut left = spare;
    full_at.retain(|_, at| {
        let goes = *at <= border && left > 0;
        left -= usize::from(goes);
        !goes
    });
}

/// An address, or for IPv6 the network of 64 bits that one customer has to himself.
pub(crate) fn by_ip(ip: IpAddr) -> Caller {
    match ip.to_canonical() {
        IpAddr::V4(it) => it.to_ipv6_mapped().octets(),
        IpAddr::V6(it) => (u128::from(it) >> 64 << 64).to_be_bytes(),
    }
}

/// Something secret or personal, such as a mail address, of which only a keyed hash is kept.
pub(crate) fn by_text(key: &Key, text: impl AsRef<[u8]>) -> Caller {
    let mut caller = Caller::default();
    caller.iter_mut().zip(token::sign(key, text.as_ref())).for_each(|(to, from)| *to = from);
    caller
}

#[cfg(test)]
mod tests;
