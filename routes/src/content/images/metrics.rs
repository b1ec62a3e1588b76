//! The metrics of the image service.

use prometheus::{Histogram, HistogramOpts, IntCounter, IntCounterVec, IntGauge, Opts, Registry};

/// Seconds of work on one image.
const BUCKETS: [f64; 10] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// Where results came from, and what they cost.
pub(super) struct ImageMetrics {
    pub(super) from_memory: IntCounter,
    pub(super) from_store: IntCounter,
    pub(super) made: IntCounter,
    /// Requests without a result, by reason.
    pub(super) refused: IntCounterVec,
    pub(super) seconds: Histogram,
    pub(super) memory_bytes: IntGauge,
    pub(super) given_up: IntGauge,
}

impl ImageMetrics {
    /// Registers the metrics.
    pub(super) fn new(registry: &Registry) -> prometheus::Result<Self> {
        let results =
            IntCounterVec::new(Opts::new("svc_images_total", "Results of the image service, by where they came from"), &["from"])?;
        let refused = IntCounterVec::new(
            Opts::new("svc_images_refused_total", "Requests to the image service without a result, by reason"),
            &["reason"],
        )?;
        let seconds = Histogram::with_opts(
            HistogramOpts::new("svc_image_seconds", "Time of a thread to make a result").buckets(BUCKETS.into()),
        )?;
        let memory_bytes = IntGauge::new("svc_image_memory_bytes", "Bytes of results in the memory")?;
        let given_up = IntGauge::new("svc_image_threads_given_up", "Threads that still work on an image that took too long")?;
        registry.register(Box::new(results.clone()))?;
        registry.register(Box::new(refused.clone()))?;
        registry.register(Box::new(seconds.clone()))?;
        registry.register(Box::new(memory_bytes.clone()))?;
        registry.register(Box::new(given_up.clone()))?;
        for reason in ["busy", "pixels", "bytes", "broken", "time"] {
            refused.with_label_values(&[reason]).inc_by(0);
        }
        let from = |source| results.with_label_values(&[source]);
        Ok(Self {
            from_memory: from("memory"),
            from_store: from("store"),
            made: from("made"),
            refused,
            seconds,
            memory_bytes,
            given_up,
        })
    }
}
