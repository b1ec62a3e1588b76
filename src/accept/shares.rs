//! How many connections each address has. None has more than its share, and when all places are taken the
//! address with the most gives one up, so that no client can take them all.
//!
//! ```text
//! accept -> enter: over its share                       -> closed
//!        -> a place is free                             -> served
//!        -> make_room: another address has more         -> one of its connections is closed, an idle one first
//!                      this one has as many as any other -> closed
//!                      there is no other one            -> waits; accepting pauses
//! ```
//!
//! The memory of responses that are not taken is shared out in the same way: a request that needs some takes
//! it from the address that has the most.
//!
//! Connections of trusted proxies carry the requests of many people: they are not counted here.

use super::timeouts::Timeouts;
use services::shared::rate_limiter::{CallerKey, by_ip};
use std::{
    collections::{BTreeMap, HashMap},
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::sync::Notify;

/// How long a client must not have taken a byte before its connection gives up its memory: others send theirs
/// in a moment.
const UNREAD_FOR: Duration = Duration::from_secs(1);

/// The open connections by address.
pub(super) struct Shares {
    /// How many one address may have.
    most: usize,
    table: Mutex<ConnectionTable>,
}

#[derive(Default)]
struct ConnectionTable {
    last: u64,
    /// By IPv4 address or IPv6 network of 64 bits, the oldest connection first.
    addresses: HashMap<CallerKey, BTreeMap<u64, Member>>,
}

struct Member {
    timeouts: Timeouts,
    eviction: Arc<Eviction>,
}

/// Tells a connection that it has to go.
#[derive(Default)]
struct Eviction {
    notify: Notify,
    /// Whether it is for the memory of its responses.
    is_for_memory: AtomicBool,
}

/// The place of a connection, which is free again when this is dropped.
pub(super) struct ConnectionSlot {
    /// `None` for a connection that is not counted.
    counted: Option<Counted>,
    eviction: Arc<Eviction>,
}

struct Counted {
    shares: Arc<Shares>,
    address: CallerKey,
    number: u64,
}

/// What is done with a new connection when all places are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WhenFull {
    /// A place will be free in a moment, or whenever a connection ends.
    Wait,
    /// The address has as many connections as any other.
    Refuse,
}

impl Shares {
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, table: Mutex::default() })
    }

    /// A place for a connection; `None` when its address has as many as it may.
    pub(super) fn enter(self: &Arc<Self>, peer: IpAddr, timeouts: &Timeouts) -> Option<ConnectionSlot> {
        let address = by_ip(peer);
        let mut table = self.lock();
        if table.count(&address) >= self.most {
            return None;
        }
        table.last += 1;
        let number = table.last;
        let eviction = Arc::<Eviction>::default();
        let member = Member { timeouts: timeouts.clone(), eviction: eviction.clone() };
        table.addresses.entry(address).or_default().insert(number, member);
        Some(ConnectionSlot { counted: Some(Counted { shares: self.clone(), address, number }), eviction })
    }

    /// Closes a connection of the address with the most, if that has more than the new one's without it. An
    /// idle connection may be closed for any newcomer; one with a request only if its address has two more.
    pub(super) fn make_room(&self, newcomer: &ConnectionSlot) -> WhenFull {
        let table = self.lock();
        let address = newcomer.counted.as_ref().map(|counted| &counted.address);
        // The newcomer itself is one of them. A trusted proxy has no share of its own, so it comes before all
        // others.
        let own = address.map_or(0, |address| table.count(address).saturating_sub(1));
        let others = table.addresses.iter().filter(|(other, _)| Some(*other) != address);
        let mut greatest: Option<&BTreeMap<u64, Member>> = None;
        let mut idle: Option<&BTreeMap<u64, Member>> = None;
        for (_, members) in others {
            let is_greater = |than: Option<&BTreeMap<u64, Member>>| than.is_none_or(|than| members.len() > than.len());
            if is_greater(greatest) {
                greatest = Some(members);
            }
            if is_greater(idle) && members.values().any(Member::is_idle) {
                idle = Some(members);
            }
        }
        let victim = match (idle.filter(|members| members.len() > own), greatest.filter(|members| members.len() > own + 1)) {
            (Some(members), _) => {
                members.values().filter(|member| member.is_idle()).min_by_key(|member| member.timeouts.idle_since())
            }
            (None, Some(members)) => members.values().next(),
            (None, None) => None,
        };
        tracing::debug!(found = victim.is_some(), "all places for connections are taken");
        match (victim, greatest) {
            (Some(member), _) => {
                member.eviction.notify.notify_one();
                WhenFull::Wait
            }
            (None, Some(_)) if own > 0 => WhenFull::Refuse,
            (None, _) => WhenFull::Wait,
        }
    }

    /// Closes a connection that holds responses which its client does not take, of the address that holds the
    /// most of them, for a request from an address that holds less.
    pub(super) fn free_memory(&self, ip: IpAddr) {
        let own = by_ip(ip);
        let table = self.lock();
        let own_bytes = table.addresses.get(&own).map_or(0, held_bytes);
        let others = table.addresses.iter().filter(|(address, _)| **address != own);
        let greatest = others.map(|(_, members)| (held_bytes(members), members)).max_by_key(|(bytes, _)| *bytes);
        let Some((_, members)) = greatest.filter(|(bytes, _)| *bytes > own_bytes) else { return };
        let unread = members.values().filter_map(|member| Some((member.timeouts.unread_for()?, member)));
        let Some((_, victim)) = unread.filter(|(time, _)| *time >= UNREAD_FOR).max_by_key(|(time, _)| *time) else { return };
        victim.eviction.is_for_memory.store(true, Relaxed);
        victim.eviction.notify.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, ConnectionTable> {
        // No code panics while it holds the lock.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ConnectionTable {
    fn count(&self, address: &CallerKey) -> usize {
        self.addresses.get(address).map_or(0, BTreeMap::len)
    }
}

/// The bytes of the responses of connections that are not taken yet.
fn held_bytes(members: &BTreeMap<u64, Member>) -> usize {
    members.values().map(|member| member.timeouts.held_bytes()).sum()
}

impl Member {
    fn is_idle(&self) -> bool {
        self.timeouts.idle_since().is_some()
    }
}

impl ConnectionSlot {
    /// A place that is not counted.
    pub(super) fn uncounted() -> Self {
        Self { counted: None, eviction: Arc::default() }
    }

    /// Waits until the place is needed for another connection, or its memory for another response.
    pub(super) async fn evicted(&self) {
        self.eviction.notify.notified().await;
    }

    /// Whether what is needed is not the place but the memory.
    pub(super) fn is_evicted_for_memory(&self) -> bool {
        self.eviction.is_for_memory.load(Relaxed)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut table = self.shares.lock();
        if let Some(members) = table.addresses.get_mut(&self.address) {
            members.remove(&self.number);
            if members.is_empty() {
                table.addresses.remove(&self.address);
            }
        }
    }
}
