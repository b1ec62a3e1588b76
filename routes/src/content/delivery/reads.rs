//! The read path: what this process remembers of tokens, spaces and answers, so that a hot read asks nobody.
//!
//! ```text
//! request -> Asked (token, version, cv, canonical query)
//!         -> cells: token -> reader (space, cv, revision)       the database only after news of the space, or in safe mode
//!         -> cache: (space, copy, cv | revision, query) -> bytes with their headers
//!         -> a miss: one flight renders for all who ask the same; it waits for its turn, and asks one statement
//! ```
//!
//! Whoever was told that a write is done reads nothing older from this process: [`cells`] hears of the commit before the writer is
//! answered, and an answer is kept under the `cv` (drafts: the revision) that it was rendered at, so nothing has to be searched and removed.

mod asked;
mod cache;
mod cells;
mod coding;
mod flights;
mod heard;
mod metrics;
mod press;
mod turns;

pub(super) use asked::Asked;
pub(super) use cache::{Entry, Key};
pub(super) use coding::Accepted;
pub(super) use turns::Size;

use crate::{ops::Metrics, web::ApiResponse};
use actors::{Handles, ReadLoad};
use cache::Cache;
use cells::Cells;
use coding::Coding;
use domain::shared::{Fault, Kind, Rate, SharedClock, SpaceId};
use flights::Flights;
use futures_util::future::BoxFuture;
use metrics::ReadMetrics;
use press::Press;
use services::shared::{RateLimiter, rate_limiter};
use std::{net::IpAddr, num::NonZeroUsize, sync::Arc};
use storage::{Store, content::delivery::read_access::ReadAccess};
use turns::{Turn, Turns};

/// The bounds of the read path.
#[derive(Debug, Clone, Copy)]
pub struct ReadSettings {
    /// How many bytes of answers are kept; 0 keeps none.
    pub cache_bytes: u64,
    /// How many pages are rendered at a time; more wait in line.
    pub at_once: NonZeroUsize,
    /// How often one token may read; `None` counts nobody.
    pub by_token: Option<Rate>,
    /// How often one address may come with a token that opens nothing; `None` counts nobody.
    pub unknown_by_ip: Option<Rate>,
}

/// What the read path works with. Cheap to clone.
#[derive(Clone)]
pub struct Reads {
    inner: Arc<Inner>,
}

struct Inner {
    cells: Arc<Cells>,
    /// `None`: nothing is kept.
    cache: Option<Arc<Cache>>,
    rendering: Arc<Flights<Key, Result<Arc<Entry>, Fault>>>,
    press: Press,
    turns: Turns,
    by_token: RateLimiter,
    unknown_by_ip: RateLimiter,
    metrics: ReadMetrics,
    read_load: ReadLoad,
}

impl Reads {
    /// With nothing remembered yet.
    pub fn new(settings: ReadSettings, actors: &Handles, clock: SharedClock, metrics: &Metrics) -> Result<Self, Fault> {
        let broken = |error: &dyn std::fmt::Display| Fault::internal(format!("the read path cannot start: {error}"));
        let by_token = RateLimiter::new(settings.by_token, clock.clone()).counted_by(metrics.rate_limited("delivery_token"));
        let unknown_by_ip = RateLimiter::new(settings.unknown_by_ip, clock).counted_by(metrics.rate_limited("delivery_unknown_ip"));
        let metrics = ReadMetrics::new(metrics.registry()).map_err(|error| broken(&error))?;
        let press = Press::start().map_err(|error| broken(&error))?;
        let cells = Arc::new(Cells::new(actors.notifications.clone()));
        let cache = (settings.cache_bytes > 0).then(|| Arc::new(Cache::new(settings.cache_bytes)));
        let (hearing, forgetting) = (cells.clone(), cache.clone());
        actors.notifications.subscribe_spaces(move |news| {
            hearing.tell(news);
            if let (actors::content::SpaceEvent::Resync, Some(cache)) = (news, &forgetting) {
                cache.clear();
            }
        });
        let turns = Turns::new(settings.at_once.get());
        let inner = Inner {
            cells,
            cache,
            rendering: Arc::default(),
            press,
            turns,
            by_token,
            unknown_by_ip,
            metrics,
            read_load: actors.read_load.clone(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Who reads, without asking the database; `None` when that needs asking.
    pub(super) fn remembered(&self, token: &[u8; 32]) -> Option<Arc<ReadAccess>> {
        self.inner.cells.remembered(token)
    }

    /// Who reads. 401 when the token opens nothing; 429 for an address that has come with too many of those. Who reads with a token that has
    /// opened something is never held up by what others behind his address do.
    pub(super) async fn reader(&self, store: &Store, token: [u8; 32], ip: IpAddr) -> Result<Arc<ReadAccess>, Fault> {
        let Inner { cells, unknown_by_ip, .. } = &*self.inner;
        if cells.is_known(&token) {
            return cells.find(store, token).await;
        }
        unknown_by_ip.peek(rate_limiter::by_ip(ip))?;
        let found = cells.find(store, token).await;
        if found.as_ref().is_err_and(|fault| fault.kind == Kind::Unauthorized) {
            unknown_by_ip.acquire(rate_limiter::by_ip(ip))?;
        }
        found
    }

    /// Counts a read of the token; 429 when that is one too many.
    pub(super) fn count(&self, token: &[u8; 32]) -> Result<(), Fault> {
        // Half of a keyed hash tells tokens apart as well as all of it.
        let mut caller = [0; 16];
        caller.iter_mut().zip(token).for_each(|(to, from)| *to = *from);
        self.inner.by_token.acquire(caller)
    }

    /// Waits until it may be rendered. 503 for who has waited too long.
    pub(super) async fn turn(&self, size: Size, space: SpaceId) -> Result<Turn, Fault> {
        self.inner.turns.take(size, space).await
    }

    /// The answer in the coding that the caller likes best, when it lies ready in it.
    pub(super) fn ready(&self, key: &mut Key, accepted: Accepted) -> Option<Arc<Entry>> {
        let cache = self.inner.cache.as_ref()?;
        if let Some(coding) = accepted.best() {
            key.coding = Some(coding);
            if let Some(entry) = cache.get(key) {
                self.inner.metrics.hits.inc();
                return Some(entry);
            }
            key.coding = None;
            // Short answers are never compressed; for a long one somebody has to do it first.
            let entry = cache.get(key).filter(|cache| !cache.is_worth_compressing())?;
            self.inner.metrics.hits.inc();
            return Some(entry);
        }
        let entry = cache.get(key)?;
        self.inner.metrics.hits.inc();
        Some(entry)
    }

    /// The answer: kept, or rendered, by one for all who ask it at the same time. An answer that is asked a second time is compressed.
    pub(super) async fn obtain(
        &self,
        key: Key,
        accepted: Accepted,
        render: impl FnOnce() -> BoxFuture<'static, Result<ApiResponse, Fault>>,
    ) -> Result<Arc<Entry>, Fault> {
        if let Some(entry) = self.inner.cache.as_ref().and_then(|cache| cache.get(&key)) {
            self.inner.metrics.hits.inc();
            return match accepted.best() {
                Some(coding) if entry.is_worth_compressing() => self.compressed(key, entry, coding).await,
                _ => Ok(entry),
            };
        }
        let inner = self.inner.clone();
        let kept_as = key.clone();
        let flight = self.inner.rendering.join(key, move || {
            let rendered = render();
            Box::pin(async move {
                // Whoever came between a look into the cache and the flight that has just landed finds it here.
                if let Some(entry) = inner.cache.as_ref().and_then(|cache| cache.get(&kept_as)) {
                    inner.metrics.hits.inc();
                    return Ok(entry);
                }
                inner.metrics.misses.inc();
                let _read = inner.read_load.enter();
                let entry = Arc::new(Entry::new(rendered.await?)?);
                inner.keep(kept_as, entry.clone());
                Ok(entry)
            })
        });
        flight.await
    }

    /// The same in a coding; as it is when there are too many to compress.
    async fn compressed(&self, mut key: Key, plain: Arc<Entry>, coding: Coding) -> Result<Arc<Entry>, Fault> {
        key.coding = Some(coding);
        let inner = self.inner.clone();
        let kept_as = key.clone();
        let flight = self.inner.rendering.join(key, move || {
            Box::pin(async move {
                if let Some(entry) = inner.cache.as_ref().and_then(|cache| cache.get(&kept_as)) {
                    return Ok(entry);
                }
                let Some(body) = inner.press.compress(plain.body().clone(), coding).await else { return Ok(plain) };
                let entry = Arc::new(plain.encoded(body, coding)?);
                inner.keep(kept_as, entry.clone());
                Ok(entry)
            })
        });
        flight.await
    }
}

impl Inner {
    fn keep(&self, key: Key, entry: Arc<Entry>) {
        if let Some(cache) = &self.cache {
            cache.insert(key, entry);
            self.metrics.bytes.set(i64::try_from(cache.bytes()).unwrap_or(i64::MAX));
        }
    }
}
