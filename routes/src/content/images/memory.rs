//! Results in the memory of this process, bounded in bytes.

use super::response::ImageResponse;
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter, sync, sync::DefaultLifecycle};
use std::sync::Arc;

/// About how many bytes the tables and the headers take for each result.
const OVERHEAD: usize = 1024;
/// About how many bytes a result has. It only gives the tables their first size.
const USUAL: u64 = 32 << 10;
/// The least bytes of a shard; a result is kept only when it fits into one.
const SHARD: u64 = 16 << 20;
/// The most shards.
const MAX_SHARDS: u64 = 16;

/// A request: its path as it was sent, and whether its client takes WebP.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct MemoryKey {
    path: Box<str>,
    accepts_webp: bool,
}

impl MemoryKey {
    pub(super) fn new(path: &str, accepts_webp: bool) -> Self {
        Self { path: path.into(), accepts_webp }
    }
}

#[derive(Clone)]
struct InBytes;

impl Weighter<MemoryKey, Arc<ImageResponse>> for InBytes {
    fn weight(&self, key: &MemoryKey, response: &Arc<ImageResponse>) -> u64 {
        u64::try_from(response.image.bytes.len() + key.path.len() + OVERHEAD).unwrap_or(u64::MAX)
    }
}

/// The results.
pub(super) struct ImageMemory(sync::Cache<MemoryKey, Arc<ImageResponse>, InBytes>);

impl ImageMemory {
    /// An empty memory for `bytes`.
    pub(super) fn new(bytes: u64) -> Self {
        let shards = usize::try_from((bytes / SHARD).clamp(1, MAX_SHARDS)).unwrap_or(1);
        let estimated = usize::try_from(bytes / USUAL).unwrap_or(usize::MAX).max(16);
        let options = OptionsBuilder::new().weight_capacity(bytes).estimated_items_capacity(estimated).shards(shards).build();
        Self(match options {
            Ok(options) => sync::Cache::with_options(options, InBytes, DefaultHashBuilder::default(), DefaultLifecycle::default()),
            // The options are only refused without the capacities, and both are given.
            Err(_) => sync::Cache::with_weighter(estimated, bytes, InBytes),
        })
    }

    pub(super) fn get(&self, key: &MemoryKey) -> Option<Arc<ImageResponse>> {
        self.0.get(key)
    }

    pub(super) fn insert(&self, key: MemoryKey, response: Arc<ImageResponse>) {
        self.0.insert(key, response);
    }

    /// How many bytes are held now.
    pub(super) fn bytes(&self) -> u64 {
        self.0.weight()
    }
}
