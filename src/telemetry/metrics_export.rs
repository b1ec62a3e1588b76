//! The metrics of `/metrics`, in the messages of OTLP for the operator's collector.

use super::{Resource, traces::SCOPE};
use crate::VERSION;
use opentelemetry_proto::tonic::{
    collector::metrics::v1::ExportMetricsServiceRequest,
    common::v1::{AnyValue, InstrumentationScope, KeyValue, any_value},
    metrics::v1::{
        AggregationTemporality, Gauge, Histogram, HistogramDataPoint, Metric, NumberDataPoint, ResourceMetrics, ScopeMetrics, Sum,
        metric::Data, number_data_point,
    },
    resource::v1,
};
use prometheus::proto::{MetricFamily, MetricType};
use prost::Message;

/// The span of time that counters cover, in nanoseconds since 1970.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    /// The start of the process.
    pub(super) since: u64,
    pub(super) now: u64,
}

/// The body of a request with these metrics.
pub(super) fn encode(families: &[MetricFamily], resource: &Resource, window: Window) -> Vec<u8> {
    let scope = InstrumentationScope { name: SCOPE.to_owned(), version: VERSION.to_owned(), ..InstrumentationScope::default() };
    let metrics = families.iter().filter_map(|family| metric(family, window)).collect();
    let attributes = resource.iter().map(|(name, value)| attribute(name, value)).collect();
    let resource = v1::Resource { attributes, ..v1::Resource::default() };
    let scope_metrics = vec![ScopeMetrics { scope: Some(scope), metrics, ..ScopeMetrics::default() }];
    let resource_metrics = vec![ResourceMetrics { resource: Some(resource), scope_metrics, ..ResourceMetrics::default() }];
    ExportMetricsServiceRequest { resource_metrics }.encode_to_vec()
}

fn metric(family: &MetricFamily, window: Window) -> Option<Metric> {
    let data = match family.get_field_type() {
        MetricType::COUNTER => Data::Sum(Sum {
            data_points: numbers(family, window, |metric| metric.get_counter().get_value()),
            aggregation_temporality: AggregationTemporality::Cumulative.into(),
            is_monotonic: true,
        }),
        MetricType::GAUGE => Data::Gauge(Gauge { data_points: numbers(family, window, |metric| metric.get_gauge().get_value()) }),
        MetricType::HISTOGRAM => Data::Histogram(Histogram {
            data_points: family.get_metric().iter().map(|metric| histogram(metric, window)).collect(),
            aggregation_temporality: AggregationTemporality::Cumulative.into(),
        }),
        // There are none of these.
        MetricType::SUMMARY | MetricType::UNTYPED => return None,
    };
    let unit = if family.name().ends_with("_seconds") {
        "s"
    } else if family.name().ends_with("_bytes") {
        "By"
    } else {
        ""
    };
    Some(Metric {
        name: family.name().to_owned(),
        description: family.help().to_owned(),
        unit: unit.to_owned(),
        data: Some(data),
        ..Metric::default()
    })
}

fn numbers(family: &MetricFamily, window: Window, value: impl Fn(&prometheus::proto::Metric) -> f64) -> Vec<NumberDataPoint> {
    let point = |metric| NumberDataPoint {
        attributes: attributes(metric),
        start_time_unix_nano: window.since,
        time_unix_nano: window.now,
        value: Some(number_data_point::Value::AsDouble(value(metric))),
        ..NumberDataPoint::default()
    };
    family.get_metric().iter().map(point).collect()
}

/// A histogram. Prometheus counts in each bucket also what is in the smaller ones; OTLP does not, and has one
/// bucket more, for what is above all bounds.
fn histogram(metric: &prometheus::proto::Metric, window: Window) -> HistogramDataPoint {
    let histogram = metric.get_histogram();
    let (mut bucket_counts, mut explicit_bounds, mut below) = (Vec::new(), Vec::new(), 0);
    for bucket in histogram.get_bucket().iter().filter(|bucket| bucket.upper_bound().is_finite()) {
        bucket_counts.push(bucket.cumulative_count().saturating_sub(below));
        explicit_bounds.push(bucket.upper_bound());
        below = bucket.cumulative_count();
    }
    let count = histogram.get_sample_count();
    bucket_counts.push(count.saturating_sub(below));
    HistogramDataPoint {
        attributes: attributes(metric),
        start_time_unix_nano: window.since,
        time_unix_nano: window.now,
        count,
        sum: Some(histogram.get_sample_sum()),
        bucket_counts,
        explicit_bounds,
        ..HistogramDataPoint::default()
    }
}

fn attributes(metric: &prometheus::proto::Metric) -> Vec<KeyValue> {
    metric.get_label().iter().map(|label| attribute(label.name(), label.value())).collect()
}

fn attribute(key: &str, value: &str) -> KeyValue {
    let value = AnyValue { value: Some(any_value::Value::StringValue(value.to_owned())) };
    KeyValue { key: key.to_owned(), value: Some(value), ..KeyValue::default() }
}

#[cfg(test)]
mod tests {
    use super::{Window, encode};
    use crate::telemetry::resource;
    use opentelemetry_proto::tonic::{collector::metrics::v1::ExportMetricsServiceRequest, metrics::v1::metric::Data};
    use prometheus::{Histogram, HistogramOpts, IntCounterVec, Opts, Registry};
    use prost::Message;

    #[test]
    fn counters_and_histograms_keep_their_labels_and_counts() {
        let registry = Registry::new();
        let requests = IntCounterVec::new(Opts::new("requests_total", "Requests"), &["status"]).unwrap();
        let duration = Histogram::with_opts(HistogramOpts::new("duration_seconds", "Time").buckets(vec![1.0, 2.0])).unwrap();
        registry.register(Box::new(requests.clone())).unwrap();
        registry.register(Box::new(duration.clone())).unwrap();
        requests.with_label_values(&["200"]).inc_by(3);
        for seconds in [0.5, 1.5, 1.5, 9.0] {
            duration.observe(seconds);
        }
        let body = encode(&registry.gather(), &resource(uuid::Uuid::nil()), Window { since: 1, now: 2 });
        let read = ExportMetricsServiceRequest::decode(body.as_slice()).unwrap();
        let metrics = &read.resource_metrics[0].scope_metrics[0].metrics;
        let find = |name: &str| metrics.iter().find(|metric| metric.name == name).unwrap().data.clone().unwrap();
        let Data::Sum(sum) = find("requests_total") else { panic!() };
        assert!(sum.is_monotonic);
        assert_eq!(sum.data_points[0].attributes[0].key, "status");
        let Data::Histogram(histogram) = find("duration_seconds") else { panic!() };
        let point = &histogram.data_points[0];
        assert_eq!((&point.bucket_counts[..], &point.explicit_bounds[..]), (&[1, 2, 1][..], &[1.0, 2.0][..]));
        assert_eq!((point.count, point.sum), (4, Some(12.5)));
    }
}
