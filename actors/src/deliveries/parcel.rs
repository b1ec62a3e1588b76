//! Making a parcel of a delivery: headers and signatures. And reading what came back.

use super::courier::{Answer, Failure, Parcel};
use crypto::webhook::Signer;
use domain::shared::delivery::{ANSWER_LIMIT, Outcome};
use jiff::Timestamp;
use std::time::Duration;
use storage::shared::deliveries::Leased;

const USER_AGENT: &str = concat!("lectern/", env!("CARGO_PKG_VERSION"));

/// The parcel of a delivery for an attempt at a time. The signers are those of its valid secrets, the newest first.
pub(super) fn parcel(it: &Leased, signers: &[Signer], at: Timestamp) -> Parcel {
    let id = it.id.to_string();
    let mut headers = vec![
        ("content-type", it.content_type.clone()),
        ("user-agent", USER_AGENT.to_owned()),
        ("x-webhook-event", it.event.clone()),
        ("x-webhook-delivery", id.clone()),
    ];
    // While a secret is being replaced, receivers may know either: both signatures are sent.
    for (name, signer) in ["x-webhook-signature", "x-webhook-signature-previous"].into_iter().zip(signers) {
        headers.push((name, signer.hex(&it.body)));
    }
    if !signers.is_empty() {
        let second = at.as_second();
        let signed: Vec<_> = signers.iter().map(|signer| signer.standard(&id, second, &it.body)).collect();
        headers.push(("webhook-signature", signed.join(" ")));
        headers.push(("webhook-timestamp", second.to_string()));
        headers.push(("webhook-id", id));
    }
    Parcel { url: it.url.clone(), headers, body: it.body.clone() }
}

/// What an attempt came to: its outcome, the status, and a piece of the answer that a text column can hold.
pub(super) fn read(answer: Result<Answer, Failure>, now: Timestamp) -> (Outcome, Option<u16>, Option<String>) {
    match answer {
        Ok(answer) => {
            let outcome = match answer.status {
                200..=299 => Outcome::Delivered,
                410 => Outcome::Gone,
                _ => Outcome::Rejected { retry_after: answer.retry_after.and_then(|r| retry_after(&r, now)) },
            };
            (outcome, Some(answer.status), text(&answer.piece))
        }
        Err(Failure::TimedOut) => (Outcome::TimedOut, None, None),
        Err(Failure::Unreachable) => (Outcome::Unreachable, None, None),
        Err(Failure::Blocked) => (Outcome::Blocked, None, None),
    }
}

/// Seconds, or a date (RFC 9110, section 10.2.3).
fn retry_after(text: &str, now: Timestamp) -> Option<Duration> {
    if let Ok(seconds) = text.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let at = jiff::fmt::rfc2822::parse(text.trim()).ok()?.timestamp();
    Duration::try_from(at.duration_since(now)).ok()
}

fn text(piece: &[u8]) -> Option<String> {
    let piece = piece.get(..ANSWER_LIMIT).unwrap_or(piece);
    let mut text = String::from_utf8_lossy(piece).replace('\0', "\u{fffd}");
    // What is no text grows when it is marked as such.
    let end = (0..=ANSWER_LIMIT.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    text.truncate(end);
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::{Answer, Failure, Outcome, read, retry_after};
    use std::time::Duration;

    #[test]
    fn every_2xx_is_a_delivery_and_nothing_else_is() {
        let outcome = |status| read(Ok(Answer { status, ..Answer::default() }), jiff::Timestamp::UNIX_EPOCH).0;
        for status in [200, 201, 202, 204, 299] {
            assert_eq!(outcome(status), Outcome::Delivered, "{status}");
        }
        for status in [100, 199, 300, 301, 302, 307, 400, 404, 429, 500, 599] {
            assert_eq!(outcome(status), Outcome::Rejected { retry_after: None }, "{status}");
        }
        assert_eq!(outcome(410), Outcome::Gone);
        assert_eq!(read(Err(Failure::Blocked), jiff::Timestamp::UNIX_EPOCH).0, Outcome::Blocked);
    }

    #[test]
    fn a_wait_comes_in_seconds_or_as_a_date() {
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
        let piece =
            |bytes: Vec<u8>| read(Ok(Answer { status: 200, piece: bytes, ..Answer::default() }), jiff::Timestamp::UNIX_EPOCH).2;
        assert_eq!(piece(b"a\0b".to_vec()).unwrap(), "a\u{fffd}b");
        assert_eq!(piece(Vec::new()), None);
        for bytes in [vec![b'x'; 5000], vec![0xff; 5000], "ü".repeat(5000).into_bytes()] {
            let kept = piece(bytes).unwrap().len();
            assert!((4094..=4096).contains(&kept), "{kept}");
        }
    }
}
