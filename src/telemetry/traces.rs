//! Traces for the operator's collector (`APP_OTLP_ENDPOINT`): a span for each request, and below it one for
//! each transaction and statement, by its name. What a statement looks for is in no span.

use super::{Resource, sampling::Sampling};
use crate::config::OtlpSettings;
use anyhow::{Context, Result};
use domain::shared::TraceParent;
use egress::collector::Collector;
use opentelemetry::{
    KeyValue,
    trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState, TracerProvider},
};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::{
    self as sdk,
    trace::{BatchConfigBuilder, BatchSpanProcessor, Sampler, SdkTracerProvider},
};
use std::time::Duration;
use tracing::{Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::{Layer, registry::LookupSpan};

/// How many finished spans wait for the collector; further ones are dropped.
const QUEUE: usize = 4096;
/// How many spans are sent at a time.
const BATCH: usize = 512;
/// How long a finished span waits for others at most.
const DELAY: Duration = Duration::from_secs(5);
/// How long the collector may take for the last spans when the server stops.
const LAST: Duration = Duration::from_secs(2);

/// What made the spans and metrics, by the terms of OpenTelemetry: this library of instruments.
pub(super) const SCOPE: &str = "lectern";

/// Sends traces until it is dropped.
pub(super) struct Traces {
    provider: SdkTracerProvider,
    /// Of the traces that begin here.
    percent: u32,
}

impl Traces {
    /// Starts the thread that sends them.
    pub(super) fn start(settings: &OtlpSettings, collector: &Collector, resource: &Resource) -> Result<Self> {
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(collector.clone())
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(collector.traces_url())
            .build()
            .context("APP_OTLP_ENDPOINT")?;
        let batches = BatchConfigBuilder::default()
            .with_max_queue_size(QUEUE)
            .with_max_export_batch_size(BATCH)
            .with_scheduled_delay(DELAY.min(settings.interval))
            .build();
        // What the caller has decided holds; other traces are chosen before there is a span to ask about (see
        // `sampling`).
        let sampler = Sampler::ParentBased(Box::new(Sampler::AlwaysOn));
        let attributes = resource.iter().map(|(name, value)| KeyValue::new(*name, value.clone()));
        let resource = sdk::Resource::builder_empty().with_attributes(attributes).build();
        let provider = SdkTracerProvider::builder()
            .with_span_processor(BatchSpanProcessor::builder(exporter).with_batch_config(batches).build())
            .with_sampler(sampler)
            .with_resource(resource)
            .build();
        Ok(Self { provider, percent: settings.trace_percent })
    }

    /// The layer that makes spans of the crates of this repository into those of a trace that is recorded.
    pub(super) fn layer<S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync>(&self) -> impl Layer<S> + use<S> {
        tracing_opentelemetry::layer()
            .with_tracer(self.provider.tracer(SCOPE))
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_level(false)
            .with_tracked_inactivity(false)
            .with_context_activation(false)
            .with_filter(Sampling { percent: self.percent })
    }
}

impl Drop for Traces {
    /// Sends what waits, as far as the collector takes it at once.
    fn drop(&mut self) {
        let stopped = tokio::task::block_in_place(|| self.provider.shutdown_with_timeout(LAST));
        if let Err(error) = stopped {
            tracing::debug!(%error, "the last traces were not sent");
        }
    }
}

/// Makes a span a part of its caller's trace. Without a collector that means nothing.
pub(crate) fn continue_trace(span: &Span, parent: TraceParent) {
    let flags = if parent.is_sampled { TraceFlags::SAMPLED } else { TraceFlags::default() };
    let (trace, step) = (TraceId::from(parent.trace), SpanId::from(parent.parent));
    let context = SpanContext::new(trace, step, flags, true, TraceState::default());
    // Without the layer there is nothing to set.
    let _ = span.set_parent(opentelemetry::Context::new().with_remote_span_context(context));
}
