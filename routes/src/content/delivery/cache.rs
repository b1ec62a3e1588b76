//! The cache of the Delivery API: what this process remembers of tokens, spaces and responses, so that a read
//! which was made before needs no database.
//!
//! ```text
//! request -> CacheQuery (token, version, cv, canonical path and query)
//!         -> token cache: token -> rights, cv and revision of its space     asks the database after a commit of the space, or without NOTIFY
//!         -> response cache: (space, version, timeline, cv or revision, query) -> bytes with their headers
//!         -> on a miss: a single flight renders for all that wait for the same response; it takes a permit, and makes one round trip
//! ```
//!
//! A rendering of a list may find the keys of its page in a cache of their own: see [`list_keys`].
//!
//! A client that was told that its write is done reads nothing older from this process: the token cache
//! learns of the commit before the writer gets its response, and a response is kept under the `cv` (a draft:
//! under the revision) at which it was rendered, so nothing has to be searched and removed.

mod cache_query;
mod compressor;
mod invalidation;
mod list_keys;
mod metrics;
mod render_limiter;
mod response_cache;
mod single_flight;
mod token_cache;

pub(in crate::content) use cache_query::CacheMiss;
pub(super) use cache_query::CacheQuery;
pub(in crate::content) use invalidation::{Epoch, Invalidation};
pub(in crate::content) use render_limiter::FairQueue;
pub(super) use render_limiter::RenderCost;
pub(super) use response_cache::{CacheKey, CachedResponse};
pub(in crate::content) use single_flight::SingleFlight;

use crate::{
    ops::Metrics,
    web::{
        ApiResponse, ResponseMemory,
        coding::{Accepted, Coding},
    },
};
use actors::{Handles, ReadLoad, content::SpaceEvent};
use compressor::Compressor;
use domain::shared::{Fault, Kind, Rate, SharedClock};
use futures_util::future::BoxFuture;
use list_keys::ListKeysCache;
use metrics::CacheMetrics;
use render_limiter::{RenderLimiter, RenderPermit};
use response_cache::ResponseCache;
use services::shared::{RateLimiter, rate_limiter};
use std::{net::IpAddr, num::NonZeroUsize, sync::Arc, time::Duration};
use storage::{Store, content::delivery::read_access::ReadAccess};
use token_cache::TokenCache;

/// The bounds of the cache and of what is done without it.
#[derive(Debug, Clone, Copy)]
pub struct ReadSettings {
    /// How many bytes of responses are kept; 0 keeps none.
    pub cache_bytes: u64,
    /// How many bytes of keys of lists are kept; 0 keeps none.
    pub list_keys_bytes: u64,
    /// How many pages are rendered at the same time, as far as the connections allow; further ones wait.
    pub at_once: NonZeroUsize,
    /// How many connections the pool has.
    pub connections: usize,
    /// How long a page may be rendered.
    pub render_timeout: Duration,
    /// How many bytes one response may have.
    pub max_response: usize,
    /// How often one token may read; `None` sets no limit.
    pub by_token: Option<Rate>,
    /// How often one address may send an unknown token; `None` sets no limit.
    pub unknown_by_ip: Option<Rate>,
}

/// A response that was made for a key.
pub(super) struct Rendered {
    pub(super) response: ApiResponse,
    /// Whether it is kept under that key: not when a replica showed a later revision than the key has.
    pub(super) is_of_key: bool,
}

/// The cache of a process, with the limits of reads. Cheap to clone.
#[derive(Clone)]
pub struct DeliveryCache {
    inner: Arc<Inner>,
}

struct Inner {
    tokens: Arc<TokenCache>,
    /// `None` keeps no responses.
    responses: Option<Arc<ResponseCache>>,
    list_keys: Arc<ListKeysCache>,
    renderings: Arc<SingleFlight<CacheKey, Result<Arc<CachedResponse>, Fault>>>,
    compressor: Compressor,
    render_limiter: RenderLimiter,
    render_timeout: Duration,
    max_response: usize,
    memory: ResponseMemory,
    by_token: RateLimiter,
    unknown_by_ip: RateLimiter,
    metrics: CacheMetrics,
    read_load: ReadLoad,
}

impl DeliveryCache {
    /// An empty cache, which follows the commits of spaces from now on.
    pub fn new(
        settings: ReadSettings,
        memory: ResponseMemory,
        actors: &Handles,
        clock: SharedClock,
        metrics: &Metrics,
    ) -> Result<Self, Fault> {
        let failed = |error: &dyn std::fmt::Display| Fault::internal(format!("the delivery cache cannot start: {error}"));
        let by_token = RateLimiter::new(settings.by_token, clock.clone()).counted_by(metrics.rate_limited("delivery_token"));
        let unknown_by_ip = RateLimiter::new(settings.unknown_by_ip, clock).counted_by(metrics.rate_limited("delivery_unknown_ip"));
        let list_keys = ListKeysCache::new(settings.list_keys_bytes, metrics.registry()).map_err(|error| failed(&error))?;
        let list_keys = Arc::new(list_keys);
        let metrics = CacheMetrics::new(metrics.registry()).map_err(|error| failed(&error))?;
        let compressor = Compressor::start().map_err(|error| failed(&error))?;
        let tokens = Arc::new(TokenCache::new(actors.notifications.clone()));
        let responses = (settings.cache_bytes > 0).then(|| Arc::new(ResponseCache::new(settings.cache_bytes)));
        let (followed_tokens, followed_responses, followed_keys) = (tokens.clone(), responses.clone(), list_keys.clone());
        actors.notifications.subscribe_spaces(move |event| {
            followed_tokens.handle(event);
            if let SpaceEvent::Resync = event {
                followed_keys.clear();
                if let Some(responses) = &followed_responses {
                    responses.clear();
                }
            }
        });
        let inner = Inner {
            tokens,
            responses,
            list_keys,
            renderings: Arc::default(),
            compressor,
            render_limiter: RenderLimiter::new(settings.at_once.get(), settings.connections),
            render_timeout: settings.render_timeout,
            max_response: settings.max_response,
            memory,
            by_token,
            unknown_by_ip,
            metrics,
            read_load: actors.read_load.clone(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The rights of a token, when they are in the cache and still hold.
    pub(super) fn cached_access(&self, token_hash: &[u8; 32]) -> Option<Arc<ReadAccess>> {
        self.inner.tokens.get(token_hash)
    }

    /// The rights of a token, from the database unless they are in the cache. 401 for an unknown token; 429
    /// for an address that has sent too many of these. A token that was valid before is never refused because
    /// of what other clients at its address send.
    pub(super) async fn find_access(&self, store: &Store, token_hash: [u8; 32], ip: IpAddr) -> Result<Arc<ReadAccess>, Fault> {
        let Inner { tokens, unknown_by_ip, .. } = &*self.inner;
        if tokens.contains(&token_hash) {
            return tokens.get_or_find(store, token_hash).await;
        }
        unknown_by_ip.peek(rate_limiter::by_ip(ip))?;
        let found = tokens.get_or_find(store, token_hash).await;
        if found.as_ref().is_err_and(|fault| fault.kind() == Kind::Unauthorized) {
            unknown_by_ip.acquire(rate_limiter::by_ip(ip))?;
        }
        found
    }

    /// Counts a read of a token; 429 when it is one too many.
    pub(super) fn count_read(&self, token_hash: &[u8; 32]) -> Result<(), Fault> {
        // The limiter takes keys of 16 bytes; half of a keyed hash tells tokens apart as well as all of it.
        let mut key = [0; 16];
        key.iter_mut().zip(token_hash).for_each(|(to, from)| *to = *from);
        self.inner.by_token.acquire(key)
    }

    /// Waits until a response for an address may be rendered; 503 after too long a time, and at once when too
    /// many others of the space or the token wait.
    pub(super) async fn acquire_render_permit(
        &self,
        cost: RenderCost,
        access: &ReadAccess,
        ip: IpAddr,
    ) -> Result<RenderPermit, Fault> {
        self.inner.memory.wait_for_room(ip).await?;
        self.inner.render_limiter.acquire(cost, access.space, access.token).await
    }

    /// The keys of lists.
    pub(super) fn list_keys(&self) -> &Arc<ListKeysCache> {
        &self.inner.list_keys
    }

    /// How long a page may be rendered.
    pub(super) fn render_timeout(&self) -> Duration {
        self.inner.render_timeout
    }

    /// How many bytes a response may have.
    pub(super) fn max_response(&self) -> usize {
        self.inner.max_response
    }

    /// The response in the coding that the client prefers, when it is ready in that coding.
    pub(super) fn get(&self, key: &mut CacheKey, accepted: Accepted) -> Option<Arc<CachedResponse>> {
        let responses = self.inner.responses.as_ref()?;
        let mut found = None;
        if let Some(coding) = accepted.preferred() {
            key.coding = Some(coding);
            found = responses.get(key);
            key.coding = None;
        }
        // A short response is never compressed. A long one has to be compressed first, which is not done
        // here.
        let found = found.or_else(|| {
            let is_ready = |plain: &Arc<CachedResponse>| accepted.preferred().is_none() || !plain.is_worth_compressing();
            responses.get(key).filter(is_ready)
        })?;
        self.inner.metrics.hits.inc();
        Some(found)
    }

    /// The response from the cache, or rendered once for all requests that wait for it; without a key it is
    /// rendered for this request alone. A response is compressed when it is read for the second time.
    pub(super) async fn get_or_render(
        &self,
        key: Option<CacheKey>,
        accepted: Accepted,
        render: impl FnOnce() -> BoxFuture<'static, Result<Rendered, Fault>>,
    ) -> Result<Arc<CachedResponse>, Fault> {
        let Some(key) = key else { return Ok(self.inner.complete(render()).await?.0) };
        if let Some(cached) = self.inner.responses.as_ref().and_then(|responses| responses.get(&key)) {
            self.inner.metrics.hits.inc();
            return match accepted.preferred() {
                Some(coding) if cached.is_worth_compressing() => self.compressed(key, cached, coding).await,
                _ => Ok(cached),
            };
        }
        let inner = self.inner.clone();
        let kept_under = key.clone();
        let rendering = self.inner.renderings.run(key, move || {
            let rendered = render();
            Box::pin(async move {
                // A rendering that ended between the look into the cache above and this one has left its
                // response there.
                if let Some(cached) = inner.responses.as_ref().and_then(|responses| responses.get(&kept_under)) {
                    inner.metrics.hits.inc();
                    return Ok(cached);
                }
                let (cached, is_of_key) = inner.complete(rendered).await?;
                if is_of_key {
                    inner.insert(kept_under, cached.clone());
                }
                Ok(cached)
            })
        });
        rendering.await
    }

    /// The response in a coding; as it is when too many others wait to be compressed.
    async fn compressed(
        &self,
        mut key: CacheKey,
        plain: Arc<CachedResponse>,
        coding: Coding,
    ) -> Result<Arc<CachedResponse>, Fault> {
        key.coding = Some(coding);
        let inner = self.inner.clone();
        let kept_under = key.clone();
        let compression = self.inner.renderings.run(key, move || {
            Box::pin(async move {
                if let Some(cached) = inner.responses.as_ref().and_then(|responses| responses.get(&kept_under)) {
                    return Ok(cached);
                }
                let Some(body) = inner.compressor.compress(plain.body().clone(), coding).await else { return Ok(plain) };
                let cached = Arc::new(plain.encoded(body, coding, &inner.memory)?);
                inner.insert(kept_under, cached.clone());
                Ok(cached)
            })
        });
        compression.await
    }
}

impl Inner {
    /// Waits until a response is rendered. Answers it, and whether it may be kept.
    async fn complete(&self, rendered: BoxFuture<'static, Result<Rendered, Fault>>) -> Result<(Arc<CachedResponse>, bool), Fault> {
        self.metrics.misses.inc();
        let _guard = self.read_load.enter();
        let Rendered { response, is_of_key } = rendered.await?;
        Ok((Arc::new(CachedResponse::new(response, self.max_response, &self.memory)?), is_of_key))
    }

    fn insert(&self, key: CacheKey, cached: Arc<CachedResponse>) {
        if let Some(responses) = &self.responses {
            responses.insert(key, cached);
            self.metrics.bytes.set(i64::try_from(responses.bytes()).unwrap_or(i64::MAX));
        }
    }
}
