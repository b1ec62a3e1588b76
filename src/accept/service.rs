//! One request: its id, its caller, its time limit, its panic, its count.

use super::{
    Front,
    unread::{Unread, Watched},
};
use crate::config::Network;
use domain::shared::{Fault, Kind};
use futures_util::FutureExt;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Version, header};
use hyper::body::Incoming;
use routes::dispatch::{Lane, Response};
use std::{net::IpAddr, panic::AssertUnwindSafe};
use tokio::time::{Instant, timeout};
use tracing::Instrument;
use uuid::Uuid;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Answers a request, whatever happens.
pub(super) async fn answer(front: &Front, peer: IpAddr, request: Request<Incoming>) -> Response {
    let began = Instant::now();
    let (method, version) = (request.method().clone(), request.version());
    let (head, body) = request.into_parts();
    let (body, unread) = Watched::new(body);
    let is_last = version < Version::HTTP_2 && head.headers.contains_key(header::TRANSFER_ENCODING);
    let request = Request::from_parts(head, body);
    let request_id = requested_id(request.headers()).unwrap_or_else(|| front.entropy.uuid());
    let lane = front.dispatch.find(request.uri().path());
    let span = tracing::debug_span!("route", otel.name = lane.name, request.id = %request_id, http.method = %method);
    let mut response = guarded(front, lane, peer, request, &unread, request_id).instrument(span).await;
    front.dispatch.complete(&mut response);
    if let Ok(value) = HeaderValue::from_str(request_id.hyphenated().encode_lower(&mut Uuid::encode_buffer())) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    // Where a chunked body ends only hyper knows, and the head after it would not be looked at (see `head`). The streams of HTTP/2 are
    // apart from each other anyway.
    if is_last || version < Version::HTTP_2 && unread.is_some() {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    front.metrics.answered(lane.name, lane.meter.as_ref(), &method, response.status(), began.elapsed());
    response
}

async fn guarded(
    front: &Front,
    lane: &Lane,
    peer: IpAddr,
    request: Request<Watched>,
    unread: &Unread,
    request_id: Uuid,
) -> Response {
    if let Err(fault) = unambiguous(&request) {
        return lane.refuse(&fault, request_id);
    }
    let ip = caller(peer, request.headers(), &front.trusted_proxies);
    let answering = AssertUnwindSafe(front.dispatch.answer(lane, request, request_id, ip)).catch_unwind();
    match timeout(lane.patience.unwrap_or(front.limits.request), answering).await {
        Ok(Ok(response)) => response,
        // The panic itself is in the log: see `telemetry`.
        Ok(Err(_)) => lane.refuse(&Fault::internal("a handler panicked"), request_id),
        Err(_) if unread.is_some() => {
            let fault = Fault::new(Kind::Timeout, "bodyTimeout", "The body did not come in time");
            lane.refuse(&fault, request_id)
        }
        Err(_) => lane.refuse(&Fault::unavailable("the request took too long"), request_id),
    }
}

/// The caller's own id, when it is a UUID: anything else would be somebody's text in our log.
fn requested_id(headers: &HeaderMap) -> Option<Uuid> {
    Uuid::try_parse(headers.get(REQUEST_ID)?.to_str().ok()?).ok()
}

/// A request for two hosts is a trick on whoever stands between, and HTTP/1.1 wants one (RFC 9112, 3.2).
fn unambiguous<B>(request: &Request<B>) -> Result<(), Fault> {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    if hosts > 1 || hosts == 0 && request.version() == Version::HTTP_11 {
        return Err(Fault::bad_request("badHost", "The request must have one Host header"));
    }
    Ok(())
}

/// Whose request it is: the peer, or when that is a trusted proxy, the nearest address before it that is none.
fn caller(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
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
    use super::{Network, caller};
    use http::{HeaderMap, HeaderName, HeaderValue};

    #[test]
    fn a_forwarded_address_is_believed_only_from_a_trusted_proxy() {
        let trusted: Vec<Network> = vec!["10.0.0.0/8".parse().unwrap(), "192.0.2.1".parse().unwrap()];
        let find = |peer: &str, lines: &[&str]| {
            let name = HeaderName::from_static("x-forwarded-for");
            let headers: HeaderMap = lines.iter().map(|line| (name.clone(), HeaderValue::from_str(line).unwrap())).collect();
            caller(peer.parse().unwrap(), &headers, &trusted).to_string()
        };
        assert_eq!(find("203.0.113.9", &["198.51.100.1"]), "203.0.113.9", "the peer is no proxy of ours");
        assert_eq!(find("10.1.1.1", &[]), "10.1.1.1");
        assert_eq!(find("10.1.1.1", &["198.51.100.1, 203.0.113.9"]), "203.0.113.9", "what stands further left anybody can write");
        assert_eq!(find("10.1.1.1", &["198.51.100.1, 192.0.2.1", "10.2.2.2"]), "198.51.100.1");
        assert_eq!(find("10.1.1.1", &["junk, 10.2.2.2"]), "10.2.2.2");
        assert_eq!(find("10.1.1.1", &["::ffff:198.51.100.1"]), "198.51.100.1");
    }
}
