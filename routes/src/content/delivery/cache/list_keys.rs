//! The keys of lists: which stories a list has, in their order, so that a later page of it costs the look-up
//! of its own stories.
//!
//! ```text
//! first page of a list   its own statement, unless the keys are here already
//! a later page           keys from here; else one statement works them out, for all requests that wait for the same list
//! ```
//!
//! They are kept for the state of the space that they are of. The statement of each page asks whether the
//! space is still in that state, so nothing has to be removed when it changes.

use super::{CacheKey, SingleFlight};
use domain::{content::query::Plan, shared::Fault};
use futures_util::future::BoxFuture;
use prometheus::{IntCounter, IntGauge, Registry};
use quick_cache::{Weighter, sync::Cache};
use std::{mem::size_of, sync::Arc};
use storage::content::delivery::{ContentVersion, read_access::ReadAccess, stories::ListKeys};

/// About how many bytes an entry takes beside its keys and its text.
const OVERHEAD: usize = 256;
/// About how many bytes an entry has. It only gives the tables their first size.
const USUAL: u64 = 8 << 10;
/// One list may take this part of the memory.
const PARTS: u64 = 4;

/// The keys of the lists that were paged through last, bounded in bytes.
pub(in crate::content::delivery) struct ListKeysCache {
    entries: Cache<CacheKey, Arc<ListKeys>, InBytes>,
    flights: Arc<SingleFlight<CacheKey, Result<Arc<ListKeys>, Fault>>>,
    bytes: u64,
    hits: IntCounter,
    misses: IntCounter,
    size: IntGauge,
}

impl ListKeysCache {
    /// An empty cache for `bytes`; with 0 it keeps nothing and is never asked.
    pub(super) fn new(bytes: u64, registry: &Registry) -> prometheus::Result<Self> {
        let hits = IntCounter::new("svc_delivery_list_keys_hits_total", "Pages of lists whose keys were known")?;
        let misses = IntCounter::new("svc_delivery_list_keys_misses_total", "Lists whose keys were worked out")?;
        let size = IntGauge::new("svc_delivery_list_keys_bytes", "Bytes of the keys of lists that are kept")?;
        registry.register(Box::new(hits.clone()))?;
        registry.register(Box::new(misses.clone()))?;
        registry.register(Box::new(size.clone()))?;
        let estimated = usize::try_from(bytes / USUAL).unwrap_or(usize::MAX).max(16);
        Ok(Self { entries: Cache::with_weighter(estimated, bytes, InBytes), flights: Arc::default(), bytes, hits, misses, size })
    }

    /// The key of the list of a plan, whatever its page; `None` where a list of all stories of the space
    /// would take too much of the memory, and while the timeline of the database is not known.
    pub(in crate::content::delivery) fn key(&self, access: &ReadAccess, version: ContentVersion, plan: &Plan) -> Option<CacheKey> {
        let most = access.story_count.saturating_mul(8);
        let timeline = access.timeline.filter(|_| most < self.bytes / PARTS)?;
        Some(CacheKey::new(access, timeline, version, plan.list()))
    }

    /// The keys of a list, if they are known.
    pub(in crate::content::delivery) fn get(&self, key: &CacheKey) -> Option<Arc<ListKeys>> {
        let found = self.entries.get(key)?;
        self.hits.inc();
        Some(found)
    }

    /// The keys of a list, worked out by `find` unless they are known or another request works them out
    /// already.
    pub(in crate::content::delivery) async fn get_or_find(
        self: &Arc<Self>,
        key: CacheKey,
        find: impl FnOnce() -> BoxFuture<'static, Result<ListKeys, Fault>>,
    ) -> Result<Arc<ListKeys>, Fault> {
        let (cache, kept_under) = (self.clone(), key.clone());
        let flight = self.flights.run(key, move || {
            let finding = find();
            Box::pin(async move {
                // Others may have found them between the caller's look into the cache and this one.
                if let Some(found) = cache.get(&kept_under) {
                    return Ok(found);
                }
                cache.misses.inc();
                let found = Arc::new(finding.await?);
                cache.entries.insert(kept_under, found.clone());
                cache.size.set(i64::try_from(cache.entries.weight()).unwrap_or(i64::MAX));
                Ok(found)
            })
        });
        flight.await
    }

    /// Forgets all keys.
    pub(super) fn clear(&self) {
        self.entries.clear();
        self.size.set(0);
    }
}

#[derive(Clone)]
struct InBytes;

impl Weighter<CacheKey, Arc<ListKeys>> for InBytes {
    fn weight(&self, key: &CacheKey, keys: &Arc<ListKeys>) -> u64 {
        let bytes = keys.bytes() + key.target_bytes() + size_of::<CacheKey>() + OVERHEAD;
        u64::try_from(bytes).unwrap_or(u64::MAX)
    }
}
