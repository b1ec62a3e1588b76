//! Makes the signed request of a webhook, and reads how an attempt ended from the response.

use super::transport::{OutboundRequest, TransportError, TransportResponse};
use crypto::webhook::Signer;
use domain::shared::delivery::{AttemptOutcome, MAX_ANSWER_BYTES};
use jiff::Timestamp;
use std::time::Duration;
use storage::shared::deliveries::LeasedDelivery;

/// What requests of deliveries call this server.
pub(crate) const USER_AGENT: &str = concat!("lectern/", env!("CARGO_PKG_VERSION"));

/// The request for an attempt at a time. The signers are those of the receiver's valid secrets, the newest
/// first.
pub(super) fn build_request(delivery: &LeasedDelivery, signers: &[Signer], at: Timestamp) -> OutboundRequest {
    let id = delivery.id.to_string();
    let mut headers = vec![
        ("content-type", delivery.content_type.clone()),
        ("user-agent", USER_AGENT.to_owned()),
        ("x-webhook-event", delivery.event.clone()),
        ("x-webhook-delivery", id.clone()),
    ];
    // While a secret is being replaced, a receiver may know either one, so both signatures are sent.
    for (name, signer) in ["x-webhook-signature", "x-webhook-signature-previous"].into_iter().zip(signers) {
        headers.push((name, signer.hex(&delivery.body)));
    }
    // The headers of Standard Webhooks (standardwebhooks.com): all signatures in one, separated by spaces.
    if !signers.is_empty() {
        let second = at.as_second();
        let signatures: Vec<_> = signers.iter().map(|signer| signer.standard(&id, second, &delivery.body)).collect();
        headers.push(("webhook-signature", signatures.join(" ")));
        headers.push(("webhook-timestamp", second.to_string()));
        headers.push(("webhook-id", id));
    }
    OutboundRequest { url: delivery.url.clone(), headers, body: delivery.body.clone() }
}

/// How an attempt ended, and what of the response is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AttemptResult {
    pub(super) outcome: AttemptOutcome,
    /// The HTTP status, if there was a response.
    pub(super) status: Option<u16>,
    /// The beginning of the response's body, as text.
    pub(super) answer: Option<String>,
}

impl AttemptResult {
    /// An attempt without a response.
    pub(super) fn without_response(outcome: AttemptOutcome) -> Self {
        Self { outcome, status: None, answer: None }
    }
}

/// What a response, or its absence, means. `outcome` knows what a status means, with the time that the
/// receiver asks for; a date in `Retry-After` counts from `now`.
pub(super) fn classify(
    response: Result<TransportResponse, TransportError>,
    now: Timestamp,
    outcome: impl FnOnce(u16, Option<Duration>) -> AttemptOutcome,
) -> AttemptResult {
    match response {
        Ok(response) => {
            let outcome = outcome(response.status, response.retry_after.and_then(|value| retry_after(&value, now)));
            AttemptResult { outcome, status: Some(response.status), answer: snippet_text(&response.body_snippet) }
        }
        Err(TransportError::TimedOut) => AttemptResult::without_response(AttemptOutcome::TimedOut),
        Err(TransportError::Unreachable) => AttemptResult::without_response(AttemptOutcome::Unreachable),
        Err(TransportError::Blocked) => AttemptResult::without_response(AttemptOutcome::Blocked),
    }
}

/// What the status of a webhook's receiver means.
pub(super) fn webhook_outcome(status: u16, retry_after: Option<Duration>) -> AttemptOutcome {
    match status {
        200..=299 => AttemptOutcome::Delivered,
        410 => AttemptOutcome::Gone,
        _ => AttemptOutcome::Rejected { retry_after },
    }
}

/// Reads `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3).
fn retry_after(text: &str, now: Timestamp) -> Option<Duration> {
    if let Ok(seconds) = text.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let at = jiff::fmt::rfc2822::parse(text.trim()).ok()?.timestamp();
    Duration::try_from(at.duration_since(now)).ok()
}

/// A snippet as a text column of PostgreSQL can hold it: valid UTF-8, without U+0000, at most
/// [`MAX_ANSWER_BYTES`] long.
fn snippet_text(snippet: &[u8]) -> Option<String> {
    let snippet = snippet.get(..MAX_ANSWER_BYTES).unwrap_or(snippet);
    let mut text = String::from_utf8_lossy(snippet).replace('\0', "\u{fffd}");
    // Each replaced byte grows to three, so the text may be too long again.
    let end = (0..=MAX_ANSWER_BYTES.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    text.truncate(end);
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::{AttemptOutcome, TransportError, TransportResponse, classify, retry_after, webhook_outcome};
    use jiff::Timestamp;
    use std::time::Duration;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    #[test]
    fn every_2xx_is_a_delivery_and_nothing_else_is() {
        let outcome =
            |status| classify(Ok(TransportResponse { status, ..TransportResponse::default() }), NOW, webhook_outcome).outcome;
        for status in [200, 201, 202, 204, 299] {
            assert_eq!(outcome(status), AttemptOutcome::Delivered, "{status}");
        }
        for status in [100, 199, 300, 301, 302, 307, 400, 404, 429, 500, 599] {
            assert_eq!(outcome(status), AttemptOutcome::Rejected { retry_after: None }, "{status}");
        }
        assert_eq!(outcome(410), AttemptOutcome::Gone);
        assert_eq!(classify(Err(TransportError::Blocked), NOW, webhook_outcome).outcome, AttemptOutcome::Blocked);
    }

    #[test]
    fn retry_after_comes_in_seconds_or_as_a_date() {
        let now = "2015-10-21T07:28:00Z".parse().unwrap();
        for (text, seconds) in [
            ("120", Some(120)),
            (" 0 ", Some(0)),
            ("Wed, 21 Oct 2015 07:29:00 GMT", Some(60)),
            ("Wed, 21 Oct 2015 07:27:00 GMT", None),
            ("-5", None),
            ("soon", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(retry_after(text, now), seconds.map(Duration::from_secs), "{text}");
        }
    }

    #[test]
    fn an_answer_is_cut_to_what_is_kept_whatever_its_bytes_are() {
        let answer = |body_snippet: Vec<u8>| {
            classify(Ok(TransportResponse { status: 200, body_snippet, ..TransportResponse::default() }), NOW, webhook_outcome)
                .answer
        };
        assert_eq!(answer(b"a\0b".to_vec()).unwrap(), "a\u{fffd}b");
        assert_eq!(answer(Vec::new()), None);
        for bytes in [vec![b'x'; 5000], vec![0xff; 5000], "ü".repeat(5000).into_bytes()] {
            let kept = answer(bytes).unwrap().len();
            assert!((4094..=4096).contains(&kept), "{kept}");
        }
    }
}
