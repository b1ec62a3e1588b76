//! Traces and metrics for a collector, which is a real server here that decodes what it is sent; and the
//! trace of a caller in the log.

mod sinks;

use crate::import::vendor::wanted;
use http::HeaderMap;
use opentelemetry_proto::tonic::{
    collector::{metrics::v1::ExportMetricsServiceRequest, trace::v1::ExportTraceServiceRequest},
    common::v1::{KeyValue, any_value::Value},
    metrics::v1::{Metric, metric::Data, number_data_point},
    trace::v1::Span,
};
use prost::Message;
use support::{free_address::FreeAddress, prelude::*, spaces::sample_space};
use tokio::sync::watch;
use vendor_stand_in::{Options, StandIn};
use warp::Filter;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

/// What has arrived.
#[derive(Default)]
struct Arrived {
    headers: Vec<HeaderMap>,
    /// Every body, as it came.
    raw: Vec<u8>,
    spans: Vec<Span>,
    metrics: Vec<Metric>,
    /// The names and the processes of what has sent it.
    services: Vec<(String, String)>,
}

struct Collector {
    address: SocketAddr,
    arrived: Arc<watch::Sender<Arrived>>,
    _serving: JoinSet<()>,
}

/// An attribute as text.
fn attribute(attributes: &[KeyValue], key: &str) -> Option<String> {
    let value = attributes.iter().find(|attribute| attribute.key == key)?.value.clone()?.value?;
    Some(match value {
        Value::StringValue(text) => text,
        Value::IntValue(number) => number.to_string(),
        other => format!("{other:?}"),
    })
}

/// The name of what has sent something, and its process.
fn service(attributes: &[KeyValue]) -> (String, String) {
    let [name, instance] = ["service.name", "service.instance.id"].map(|key| attribute(attributes, key).unwrap());
    (name, instance)
}

impl Collector {
    async fn start() -> Self {
        let arrived = Arc::new(watch::Sender::new(Arrived::default()));
        let keep = arrived.clone();
        let route = warp::post().and(warp::path::full()).and(warp::header::headers_cloned()).and(warp::body::bytes()).map(
            move |path: warp::path::FullPath, headers: HeaderMap, body: bytes::Bytes| {
                assert_eq!(headers["content-type"], "application/x-protobuf");
                keep.send_modify(|all: &mut Arrived| {
                    all.headers.push(headers);
                    all.raw.extend_from_slice(&body);
                    match path.as_str() {
                        "/v1/traces" => {
                            for resource in ExportTraceServiceRequest::decode(body).unwrap().resource_spans {
                                all.services.push(service(&resource.resource.unwrap().attributes));
                                all.spans.extend(resource.scope_spans.into_iter().flat_map(|scope| scope.spans));
                            }
                        }
                        "/v1/metrics" => {
                            for resource in ExportMetricsServiceRequest::decode(body).unwrap().resource_metrics {
                                all.services.push(service(&resource.resource.unwrap().attributes));
                                all.metrics = resource.scope_metrics.into_iter().flat_map(|scope| scope.metrics).collect();
                            }
                        }
                        other => panic!("{other}"),
                    }
                });
                ""
            },
        );
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut serving = JoinSet::new();
        serving.spawn(warp::serve(route).incoming(listener).run());
        Self { address, arrived, _serving: serving }
    }

    /// Waits until what has arrived is enough.
    async fn has(&self, is_enough: impl FnMut(&Arrived) -> bool) {
        let mut arriving = self.arrived.subscribe();
        let waiting = timeout(Duration::from_mins(1), arriving.wait_for(is_enough)).await;
        assert!(waiting.is_ok(), "{:?}", self.arrived.borrow().spans.iter().map(|span| &span.name).collect::<Vec<_>>());
    }
}

/// A GET with a caller's trace.
async fn traced(server: &Server, path: &str, trace_parent: &str) -> u16 {
    support::browser().get(server.url(path)).header("traceparent", trace_parent).send().await.unwrap().status().as_u16()
}

#[tokio::test]
async fn a_request_is_a_part_of_its_callers_trace_with_the_names_of_its_statements() {
    let (collector, data) = (Collector::start().await, support::data_directory());
    let endpoint = format!("http://{}", collector.address);
    let variables = [
        ("APP_OTLP_ENDPOINT", endpoint.as_str()),
        ("APP_OTLP_HEADERS", "authorization=Bearer of the tests"),
        ("APP_OTLP_TRACE_PERCENT", "0"),
        ("APP_OTLP_INTERVAL", "1"),
    ];
    let server = Server::start(data.path(), &variables).await;
    // Of these only the last is recorded: the caller before it does not want it, and none of a hundred others
    // is.
    assert_eq!(server.get("/api/ready").await, 200);
    assert_eq!(traced(&server, "/api/health", &format!("00-{TRACE}-{PARENT}-00")).await, 200);
    assert_eq!(traced(&server, "/api/ready", &format!("00-{TRACE}-{PARENT}-01")).await, 200);
    let request = |span: &&Span| span.name == "/api/ready";
    collector.has(|all| all.spans.iter().any(|span| request(&span))).await;
    {
        let arrived = collector.arrived.borrow();
        assert_eq!(arrived.headers[0]["authorization"], "Bearer of the tests");
        assert!(arrived.services.iter().all(|(name, _)| name == "lectern"), "{:?}", arrived.services);
        assert!(arrived.spans.iter().all(|span| hex::encode(&span.trace_id) == TRACE), "nothing else is recorded");
        let request = arrived.spans.iter().find(request).unwrap();
        assert_eq!(hex::encode(&request.parent_span_id), PARENT);
        assert_eq!(attribute(&request.attributes, "http.response.status_code").as_deref(), Some("200"));
        assert_eq!(attribute(&request.attributes, "http.request.method").as_deref(), Some("GET"));
        assert!(request.end_time_unix_nano >= request.start_time_unix_nano);
        // The one statement of a ping, below the request.
        let statement = arrived.spans.iter().find(|span| span.name == "store.ping" && span.kind == 3).unwrap();
        assert_eq!(statement.parent_span_id, request.span_id);
        assert_eq!(attribute(&statement.attributes, "db.system.name").as_deref(), Some("postgresql"));
    }
    let counts = |all: &Arrived| {
        let points = all.metrics.iter().find(|metric| metric.name == "svc_http_requests_total")?.data.clone()?;
        let Data::Sum(sum) = points else { return None };
        let ready =
            sum.data_points.into_iter().find(|point| attribute(&point.attributes, "route").as_deref() == Some("/api/ready"))?;
        (ready.value == Some(number_data_point::Value::AsDouble(2.0))).then_some(())
    };
    collector.has(|all| counts(all).is_some()).await;
    server.stop().await;
    // Traces and metrics of a process belong together; those of another process are another's.
    let first = collector.arrived.borrow().services.clone();
    assert!(first.iter().all(|service| service == &first[0]), "{first:?}");
    let server = Server::start(data.path(), &variables).await;
    collector.has(|all| all.services.last().is_some_and(|last| last.0 == "lectern" && last.1 != first[0].1)).await;
    server.stop().await;
}

/// A server that stops gives the collector two seconds.
#[tokio::test(flavor = "multi_thread")]
async fn a_trace_of_our_own_begins_with_the_request() {
    let (collector, data) = (Collector::start().await, support::data_directory());
    let endpoint = format!("http://{}", collector.address);
    let variables = [("APP_OTLP_ENDPOINT", endpoint.as_str()), ("APP_OTLP_TRACE_PERCENT", "100")];
    let server = Server::start(data.path(), &variables).await;
    // This header is none, and two contradict each other: neither is followed.
    assert_eq!(traced(&server, "/api/ready", &format!("00-{}-{PARENT}-01", TRACE.to_uppercase())).await, 200);
    let both = support::browser().get(server.url("/api/health"));
    let both = [TRACE, "0af7651916cd43dd8448eb211c80319c"]
        .iter()
        .fold(both, |request, trace| request.header("traceparent", format!("00-{trace}-{PARENT}-01")));
    assert_eq!(both.send().await.unwrap().status(), 200);
    // What waits is sent when the server stops.
    server.stop().await;
    let arrived = collector.arrived.borrow();
    let request = arrived.spans.iter().find(|span| span.name == "/api/ready").unwrap();
    assert!(request.parent_span_id.is_empty() && hex::encode(&request.trace_id) != TRACE);
    let contradicted = arrived.spans.iter().find(|span| span.name == "/api/health").unwrap();
    assert!(contradicted.parent_span_id.is_empty());
    assert!(arrived.spans.iter().any(|span| span.name == "store.ping" && span.trace_id == request.trace_id));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_part_of_the_traces_is_recorded_each_of_them_whole() {
    let (collector, data) = (Collector::start().await, support::data_directory());
    let endpoint = format!("http://{}", collector.address);
    let variables = [("APP_OTLP_ENDPOINT", endpoint.as_str()), ("APP_OTLP_TRACE_PERCENT", "50")];
    let server = Server::start(data.path(), &variables).await;
    for _ in 0..200 {
        assert_eq!(server.get("/api/ready").await, 200);
    }
    server.stop().await;
    let arrived = collector.arrived.borrow();
    let traces = |name: &str| -> Vec<_> {
        let mut traces: Vec<_> = arrived.spans.iter().filter(|span| span.name == name).map(|span| &span.trace_id).collect();
        traces.sort();
        traces
    };
    let requests = traces("/api/ready");
    // A hundred, with a standard deviation of seven.
    assert!((60..140).contains(&requests.len()), "{}", requests.len());
    let of_requests = |trace: &&Vec<u8>| requests.binary_search(trace).is_ok();
    let pings: Vec<_> = arrived
        .spans
        .iter()
        .filter(|span| span.name == "store.ping" && span.kind == 3)
        .map(|span| &span.trace_id)
        .filter(of_requests)
        .collect();
    assert_eq!(pings.len(), requests.len(), "each with its statement");
    let alone = arrived.spans.iter().find(|span| span.parent_span_id.is_empty() && span.kind == 3);
    assert!(alone.is_none(), "no statement without what it is for: {alone:?}");
}

#[tokio::test]
async fn a_step_of_an_import_and_a_round_of_an_actor_have_traces_with_their_statements() {
    let (collector, data) = (Collector::start().await, support::data_directory());
    let source = StandIn::start(Options::of([sample_space()])).await;
    let (endpoint, origin, target) = (format!("http://{}", collector.address), source.origin(), source.address.to_string());
    let variables = [
        ("APP_OTLP_ENDPOINT", endpoint.as_str()),
        ("APP_OTLP_TRACE_PERCENT", "100"),
        ("APP_OTLP_INTERVAL", "1"),
        ("APP_VENDOR_MAPI_URL", &origin),
        ("APP_VENDOR_CDN_URL", &origin),
        ("APP_ALLOWED_PRIVATE_TARGETS", &target),
    ];
    let server = Server::start(data.path(), &variables).await;
    let space = server.person("ann@example.org").await.space().await;
    assert_eq!(space.post("/import/vendor", wanted(&sample_space())).await.status, 202);
    for name in ["import.step", "importer"] {
        let is_whole = |all: &Arrived| {
            let mut beginnings = all.spans.iter().filter(|span| span.name == name && span.parent_span_id.is_empty());
            beginnings.any(|beginning| all.spans.iter().any(|span| span.kind == 3 && span.trace_id == beginning.trace_id))
        };
        collector.has(is_whole).await;
    }
    server.stop().await;
}

/// It refuses connections, or accepts them and says nothing.
#[tokio::test]
async fn a_collector_that_does_not_answer_holds_up_nothing() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let refused = FreeAddress::new();
    for address in [refused.address, silent.local_addr().unwrap()] {
        let data = support::data_directory();
        let endpoint = format!("http://{address}");
        let variables = [("APP_OTLP_ENDPOINT", endpoint.as_str()), ("APP_OTLP_TRACE_PERCENT", "100"), ("APP_OTLP_INTERVAL", "1")];
        let mut server = Server::start(data.path(), &variables).await;
        for _ in 0..50 {
            assert_eq!(server.get("/api/health").await, 200);
        }
        // It is said once, and a start that takes long says it before it is ready.
        let unreachable = "the collector of traces and metrics cannot be reached";
        if !server.welcome.contains(unreachable) {
            server.says(unreachable).await;
        }
        assert_eq!(server.get("/api/ready").await, 200);
        server.stop().await;
    }
}

#[tokio::test]
async fn the_log_names_the_trace_of_the_caller() {
    let data = support::data_directory();
    // Without a collector, too.
    let server = Server::start(data.path(), &[("APP_LOG_FORMAT", "pretty"), ("APP_LOG_LEVEL", "debug")]).await;
    assert_eq!(traced(&server, "/api/me", &format!("00-{TRACE}-{PARENT}-01")).await, 401);
    assert_eq!(traced(&server, "/api/me/sessions", &format!("00-{TRACE}-{PARENT}-0")).await, 401);
    let log = server.stop_and_tell().await;
    let lines: Vec<&str> = log.lines().filter(|line| line.contains("request refused")).collect();
    assert_eq!(lines.len(), 2, "{log}");
    assert!(lines[0].contains(TRACE) && !lines[1].contains(TRACE), "{lines:?}");
}
