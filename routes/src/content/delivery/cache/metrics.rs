//! The metrics of the cache.

use prometheus::{IntCounter, IntGauge, Registry};

/// Hits, misses and size of the response cache.
pub(super) struct CacheMetrics {
    pub(super) hits: IntCounter,
    pub(super) misses: IntCounter,
    pub(super) bytes: IntGauge,
}

impl CacheMetrics {
    /// Registers the metrics.
    pub(super) fn new(registry: &Registry) -> prometheus::Result<Self> {
        let hits = IntCounter::new("svc_delivery_cache_hits_total", "Delivery responses that were in the cache")?;
        let misses = IntCounter::new("svc_delivery_cache_misses_total", "Delivery responses that had to be rendered")?;
        let bytes = IntGauge::new("svc_delivery_cache_bytes", "Bytes of delivery responses in the cache")?;
        registry.register(Box::new(hits.clone()))?;
        registry.register(Box::new(misses.clone()))?;
        registry.register(Box::new(bytes.clone()))?;
        Ok(Self { hits, misses, bytes })
    }
}
