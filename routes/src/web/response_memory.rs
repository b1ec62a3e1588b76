//! The bound in bytes of all responses under way: rendered, and not yet taken by their clients.
//!
//! ```text
//! a request whose response has to be made -> wait_for_room: less than the bound is under way -> it is made
//!                                                           otherwise another's response is given up (see `on_shortage`), and it waits for the bytes
//!                                                           none in time -> 503
//! ```
//!
//! What is counted is memory. The bytes of a response of the Delivery API are counted once, however many
//! clients get them, until the last of them has; those that lie in the cache have a bound of their own and do
//! not count. So a response from the cache needs no room, and costs nothing here.

use bytes::Bytes;
use domain::shared::Fault;
use std::{
    net::IpAddr,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::{sync::Notify, time::timeout};

/// How long a request waits for bytes before it gets 503; as long as for a connection to the database.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often the server is asked again to make room while a request waits.
const ASK_AGAIN: Duration = Duration::from_millis(100);

/// So many bytes under way at once are a flood. It is over when an eighth of them is left.
const FLOOD: u64 = 32 << 20;

/// Makes room for a request from an address.
type MakeRoom = Box<dyn Fn(IpAddr) + Send + Sync>;
/// Gives the memory of a flood back to the system. It is called where a response ends, so it must not take
/// long.
type GiveBack = Box<dyn Fn() + Send + Sync>;

/// The count of the bytes of all responses. Cheap to clone.
#[derive(Clone)]
pub struct ResponseMemory {
    inner: Arc<Inner>,
}

struct Inner {
    limit: u64,
    /// Bytes of all responses that exist.
    held: AtomicU64,
    /// Those among them that the cache holds.
    cached: AtomicU64,
    /// Requests that wait for bytes.
    waiting: AtomicUsize,
    freed: Notify,
    make_room: OnceLock<MakeRoom>,
    /// Whether there was a flood, whose memory has not been given back.
    is_flooded: AtomicBool,
    give_back: OnceLock<GiveBack>,
}

/// Bytes that are counted until this is dropped.
pub struct HeldBytes {
    inner: Arc<Inner>,
    bytes: u64,
}

/// Bytes that are in the cache until this is dropped.
pub(crate) struct CachedBytes {
    inner: Arc<Inner>,
    bytes: u64,
}

impl ResponseMemory {
    /// A count with a bound.
    pub fn new(limit: u64) -> Self {
        let inner = Inner {
            limit,
            held: AtomicU64::new(0),
            cached: AtomicU64::new(0),
            waiting: AtomicUsize::new(0),
            freed: Notify::new(),
            make_room: OnceLock::new(),
            is_flooded: AtomicBool::new(false),
            give_back: OnceLock::new(),
        };
        Self { inner: Arc::new(inner) }
    }

    /// Sets how room is made for a request. The first call counts.
    pub fn on_shortage(&self, make_room: impl Fn(IpAddr) + Send + Sync + 'static) {
        // A second server in one process would have a count of its own.
        let _ = self.inner.make_room.set(Box::new(make_room));
    }

    /// Sets what is done after a flood of responses. The first call counts.
    pub fn on_flood_over(&self, give_back: impl Fn() + Send + Sync + 'static) {
        let _ = self.inner.give_back.set(Box::new(give_back));
    }

    /// How many bytes are under way.
    pub fn under_way(&self) -> u64 {
        self.inner.under_way()
    }

    /// Waits until less than the bound is under way; 503 after too long a time. One response may go beyond
    /// the bound.
    pub async fn wait_for_room(&self, ip: IpAddr) -> Result<(), Fault> {
        let inner = &*self.inner;
        if inner.has_room() {
            return Ok(());
        }
        let _waiting = Waiting::new(&inner.waiting);
        let waiting = async {
            loop {
                let freed = inner.freed.notified();
                if inner.has_room() {
                    return;
                }
                if let Some(make_room) = inner.make_room.get() {
                    make_room(ip);
                }
                // Room is made only of responses that were not taken for a while, so there may be some later.
                let _ = timeout(ASK_AGAIN, freed).await;
            }
        };
        timeout(PATIENCE, waiting)
            .await
            .map_err(|_| Fault::unavailable("responses that were not taken hold all memory for responses"))
    }

    /// Counts bytes.
    pub fn hold(&self, bytes: usize) -> HeldBytes {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        self.inner.held.fetch_add(bytes, Relaxed);
        if self.inner.under_way() >= FLOOD {
            self.inner.is_flooded.store(true, Relaxed);
        }
        HeldBytes { inner: self.inner.clone(), bytes }
    }

    /// Counts the bytes of a body until its last clone is dropped.
    pub(crate) fn hold_body(&self, body: Bytes) -> Bytes {
        let held = self.hold(body.len());
        Bytes::from_owner(HeldBody { body, _held: held })
    }

    /// Leaves out bytes while they are in the cache.
    pub(crate) fn cache(&self, bytes: usize) -> CachedBytes {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        self.inner.cached.fetch_add(bytes, Relaxed);
        CachedBytes { inner: self.inner.clone(), bytes }
    }
}

impl Inner {
    fn under_way(&self) -> u64 {
        self.held.load(Relaxed).saturating_sub(self.cached.load(Relaxed))
    }

    fn has_room(&self) -> bool {
        self.under_way() < self.limit
    }

    fn wake(&self) {
        if self.waiting.load(Relaxed) > 0 {
            self.freed.notify_waiters();
        }
    }

    /// A response has ended.
    fn note_end(&self) {
        let is_over = self.is_flooded.load(Relaxed) && self.under_way() < FLOOD / 8;
        if is_over
            && self.is_flooded.swap(false, Relaxed)
            && let Some(give_back) = self.give_back.get()
        {
            give_back();
        }
    }
}

impl Drop for HeldBytes {
    fn drop(&mut self) {
        self.inner.held.fetch_sub(self.bytes, Relaxed);
        self.inner.wake();
        self.inner.note_end();
    }
}

impl Drop for CachedBytes {
    fn drop(&mut self) {
        self.inner.cached.fetch_sub(self.bytes, Relaxed);
    }
}

/// A body that is counted.
struct HeldBody {
    body: Bytes,
    _held: HeldBytes,
}

impl AsRef<[u8]> for HeldBody {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

/// Counts a request that waits, until it is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Relaxed);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{FLOOD, PATIENCE, ResponseMemory};
    use bytes::Bytes;
    use domain::shared::Kind;
    use futures_util::{FutureExt, future::join};
    use std::{
        net::{IpAddr, Ipv4Addr},
        sync::{
            Arc,
            atomic::{AtomicUsize, Ordering::Relaxed},
        },
    };

    const IP: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    #[tokio::test(start_paused = true)]
    async fn a_body_counts_once_until_its_last_clone_is_dropped_and_not_while_it_is_in_the_cache() {
        let memory = ResponseMemory::new(10);
        let body = memory.hold_body(Bytes::from_static(b"ten bytes."));
        let (clone, slice) = (body.clone(), body.slice(9..));
        assert_eq!((memory.under_way(), &body[..], &slice[..]), (10, &b"ten bytes."[..], &b"."[..]));
        let cached = memory.cache(10);
        assert_eq!(memory.under_way(), 0);
        drop((cached, body, clone));
        assert_eq!(memory.under_way(), 10, "one byte of it holds all of it");
        drop(slice);
        assert_eq!(memory.under_way(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn a_request_waits_for_bytes_for_a_while() {
        let memory = ResponseMemory::new(10);
        let held = memory.hold(9);
        assert!(memory.wait_for_room(IP).now_or_never().is_some(), "one response may go beyond the bound");
        let more = memory.hold(9);
        let began = tokio::time::Instant::now();
        let fault = memory.wait_for_room(IP).await.unwrap_err();
        assert_eq!((fault.kind(), began.elapsed(), fault.retry_after.is_some()), (Kind::Unavailable, PATIENCE, true));
        let (waited, ()) = join(memory.wait_for_room(IP), async { drop(held) }).await;
        assert!(waited.is_ok());
        drop(more);
    }

    #[test]
    fn memory_is_given_back_once_after_a_flood_and_not_during_one() {
        let (memory, given_back) = (ResponseMemory::new(10 * FLOOD), Arc::new(AtomicUsize::new(0)));
        let count = given_back.clone();
        memory.on_flood_over(move || {
            count.fetch_add(1, Relaxed);
        });
        let page = usize::try_from(FLOOD / 4).unwrap();
        let pages: Vec<_> = (0..6).map(|_| memory.hold(page)).collect();
        for (number, page) in pages.into_iter().enumerate() {
            assert_eq!(given_back.load(Relaxed), 0, "{number} have ended");
            drop(page);
        }
        assert_eq!(given_back.load(Relaxed), 1);
        for _ in 0..8 {
            drop(memory.hold(page));
        }
        assert_eq!(given_back.load(Relaxed), 1, "one after the other they are no flood");
    }

    #[tokio::test(start_paused = true)]
    async fn room_is_made_for_a_request_that_waits() {
        let memory = ResponseMemory::new(1);
        let held = std::sync::Mutex::new(Some(memory.hold(1)));
        memory.on_shortage(move |ip| {
            assert_eq!(ip, IP);
            held.lock().unwrap().take();
        });
        assert!(memory.wait_for_room(IP).await.is_ok());
    }
}
