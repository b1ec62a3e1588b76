//! Serves one request: request id, client address, timeout, panics, metrics.

use super::{
    ServerState,
    body_tracker::{TrackedBody, Unread},
};
use crate::{config::Network, telemetry::continue_trace};
use domain::shared::{Code, Fault, TraceParent};
use futures_util::FutureExt;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Version, header};
use hyper::body::{Body, Incoming};
use routes::{
    dispatch::{Dispatch, Response, Route},
    web::HeldBytes,
};
use std::{net::IpAddr, panic::AssertUnwindSafe};
use tokio::time::{Instant, timeout};
use tracing::{Instrument, Span, field::Empty};
use uuid::Uuid;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const TRACE_PARENT: HeaderName = HeaderName::from_static("traceparent");
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The least bytes of a body that are counted: connections need as much beside their responses.
const COUNTED: usize = 16 << 10;

/// Responds to a request; also when it is malformed, when its handler panics, and when it takes too long. The
/// second value counts the bytes of the body, which are to be counted until they are sent; `None` when there
/// are few of them, or when they are counted elsewhere.
///
/// `refusal` is the response to a request whose head was refused, see [`super::head`]; it is the last one of
/// its connection.
pub(super) async fn respond(
    state: &ServerState,
    peer: IpAddr,
    request: Request<Incoming>,
    refusal: Option<Fault>,
) -> (Response, Option<HeldBytes>) {
    let began = Instant::now();
    let (method, version) = (request.method().clone(), request.version());
    let (mut head, body) = request.into_parts();
    head.uri = Dispatch::resolve(head.uri);
    let (body, unread) = TrackedBody::new(body);
    let is_last = refusal.is_some() || version < Version::HTTP_2 && head.headers.contains_key(header::TRANSFER_ENCODING);
    let request = Request::from_parts(head, body);
    let request_id = requested_id(request.headers()).unwrap_or_else(|| state.entropy.uuid());
    let route = state.dispatch.find(&method, request.uri().path());
    let span = request_span(&route, request.headers(), request_id, &method);
    let mut response = match refusal {
        Some(fault) => route.refusal(&fault, request_id),
        None => guarded(state, &route, peer, request, &unread, request_id).instrument(span.clone()).await,
    };
    span.record("http.response.status_code", response.status().as_u16());
    state.dispatch.add_headers(&mut response);
    if let Ok(value) = HeaderValue::from_str(request_id.hyphenated().encode_lower(&mut Uuid::encode_buffer())) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    // Only hyper knows where a chunked body ends, so the head after it would not be inspected (see `head`).
    // The streams of HTTP/2 do not follow each other.
    if is_last || version < Version::HTTP_2 && unread.is_some() {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    state.metrics.record_request(route.label(), route.meter(), &method, response.status(), began.elapsed());
    // A body of unknown size is made piece by piece.
    let bytes = response.body().size_hint().exact().and_then(|bytes| usize::try_from(bytes).ok());
    let counted = bytes.filter(|bytes| *bytes >= COUNTED && !route.counts_its_responses()).map(|bytes| state.memory.hold(bytes));
    (response, counted)
}

async fn guarded(
    state: &ServerState,
    route: &Route<'_>,
    peer: IpAddr,
    request: Request<TrackedBody>,
    unread: &Unread,
    request_id: Uuid,
) -> Response {
    if let Err(fault) = unambiguous(&request) {
        return route.error(&fault, request_id);
    }
    let ip = client_address(peer, request.headers(), &state.trusted_proxies);
    if route.waits_for_room(request.method())
        && let Err(fault) = state.memory.wait_for_room(ip).await
    {
        return route.error(&fault, request_id);
    }
    let answering = AssertUnwindSafe(state.dispatch.respond(route, request, request_id, ip)).catch_unwind();
    match timeout(route.timeout().unwrap_or(state.limits.request), answering).await {
        Ok(Ok(response)) => response,
        // The panic hook has logged the panic itself (see `telemetry`).
        Ok(Err(_)) => route.error(&Fault::internal("a handler panicked"), request_id),
        Err(_) if unread.is_some() => {
            let fault = Fault::new(Code::BodyTimeout, "The body did not come in time");
            route.error(&fault, request_id)
        }
        Err(_) => route.error(&Fault::unavailable("the request took too long"), request_id),
    }
}

/// The span of a request. With a valid `traceparent` it is a part of that trace, and every line of the log
/// about the request has the number of the trace; otherwise the span is for traces and talkative logs only.
fn request_span(route: &Route<'_>, headers: &HeaderMap, request_id: Uuid, method: &http::Method) -> Span {
    let mut lines = headers.get_all(TRACE_PARENT).iter();
    let parent = match (lines.next(), lines.next()) {
        (Some(line), None) => line.to_str().ok().and_then(TraceParent::parse),
        // Several contradict each other.
        _ => None,
    };
    let Some(parent) = parent else {
        return tracing::debug_span!(
            "route", otel.name = route.label(), otel.kind = "server", request.id = %request_id, http.request.method = %method,
            http.response.status_code = Empty
        );
    };
    let span = tracing::error_span!(
        "route", otel.name = route.label(), otel.kind = "server", request.id = %request_id, http.request.method = %method,
        http.response.status_code = Empty, trace.id = %parent
    );
    continue_trace(&span, parent);
    span
}

/// The request id of the client, if it is a UUID. Other text from clients is kept out of the log.
fn requested_id(headers: &HeaderMap) -> Option<Uuid> {
    Uuid::try_parse(headers.get(REQUEST_ID)?.to_str().ok()?).ok()
}

/// A request must have one `Host` at most, since proxies may route by another one than the server; HTTP/1.1
/// requires it (RFC 9112, section 3.2).
fn unambiguous<B>(request: &Request<B>) -> Result<(), Fault> {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    if hosts > 1 || hosts == 0 && request.version() == Version::HTTP_11 {
        return Err(Fault::new(Code::BadHost, "The request must have one Host header"));
    }
    Ok(())
}

/// The address of the client: the peer, or when that is a trusted proxy, the nearest address before it that
/// is none.
fn client_address(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
    let is_trusted = |ip: IpAddr| trusted.iter().any(|network| network.contains(ip));
    if !is_trusted(peer) {
        return peer;
    }
    let named: Vec<&str> =
        headers.get_all(FORWARDED_FOR).iter().filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(',')).collect();
    let mut nearest = peer;
    for text in named.into_iter().rev() {
        let Ok(ip) = text.trim().parse::<IpAddr>().map(|p| p.to_canonical()) else { break };
        nearest = ip;
        if !is_trusted(ip) {
            break;
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::{Network, client_address};
    use http::{HeaderMap, HeaderName, HeaderValue};

    #[test]
    fn a_forwarded_address_is_trusted_only_from_a_trusted_proxy() {
        let trusted: Vec<Network> = vec!["10.0.0.0/8".parse().unwrap(), "192.0.2.1".parse().unwrap()];
        let find = |peer: &str, lines: &[&str]| {
            let name = HeaderName::from_static("x-forwarded-for");
            let headers: HeaderMap = lines.iter().map(|line| (name.clone(), HeaderValue::from_str(line).unwrap())).collect();
            client_address(peer.parse().unwrap(), &headers, &trusted).to_string()
        };
        assert_eq!(find("203.0.113.9", &["198.51.100.1"]), "203.0.113.9", "the peer is no trusted proxy");
        assert_eq!(find("10.1.1.1", &[]), "10.1.1.1");
        assert_eq!(
            find("10.1.1.1", &["198.51.100.1, 203.0.113.9"]),
            "203.0.113.9",
            "a client can forge the addresses further left"
        );
        assert_eq!(find("10.1.1.1", &["198.51.100.1, 192.0.2.1", "10.2.2.2"]), "198.51.100.1");
        assert_eq!(find("10.1.1.1", &["junk, 10.2.2.2"]), "10.2.2.2");
        assert_eq!(find("10.1.1.1", &["::ffff:198.51.100.1"]), "198.51.100.1");
    }
}
