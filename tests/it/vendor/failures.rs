//! Every failure of the source has its own error.

use super::{MEMORY, client, number, reader, sample_space, stand_in, values};
use egress::{
    tls,
    vendor::{Error, HttpPool, ImportMemory, Origins, StorySelection, Vendor},
};
use support::{Peer, Reply, prelude::*};
use vendor_stand_in::{Fault, TOKEN, What};

#[tokio::test]
async fn a_token_or_a_space_that_is_wrong_is_told() {
    let stand_in = stand_in().await;
    let space = number(&sample_space());
    for (token, space, expected) in [
        ("another", space, Error::Unauthorized),
        ("", space, Error::Unauthorized),
        ("line\nbreak", space, Error::Unauthorized),
        (TOKEN, space + 1, Error::NotFound),
    ] {
        assert_eq!(client(&stand_in, token, space).space().await.err(), Some(expected), "{token} {space}");
    }
    let vendor = reader(&stand_in);
    assert_eq!(vendor.story(1).await.err(), Some(Error::NotFound));
    let published = vendor.published(&"nobody".into(), "default", StorySelection::Page(1)).await;
    assert_eq!(published.err(), Some(Error::Unauthorized));
}

/// A body that begins so, goes on with a piece, and never ends as JSON does.
fn pieces(head: &str, piece: &str, times: u64) -> What {
    What::Pieces { head: head.to_owned(), piece: piece.to_owned(), times, tail: String::new() }
}

#[tokio::test]
async fn each_fault_has_its_error_and_the_next_request_is_fine() {
    let stand_in = stand_in().await;
    let vendor = reader(&stand_in);
    let status = |code, retry_after| What::Status { code, retry_after };
    for (what, expected) in [
        (status(403, None), Error::Forbidden),
        (status(418, None), Error::Refused(418)),
        (status(429, None), Error::Throttled { retry_after: None }),
        (status(429, Some(0)), Error::Throttled { retry_after: Some(Duration::ZERO) }),
        (status(500, None), Error::Server(500)),
        (status(503, None), Error::Server(503)),
        (What::CutJson, Error::Unreadable),
        (pieces("{\"presets\":[{\"a\":\"", "x", 70_000_000), Error::RecordTooLarge),
        (pieces("{\"presets\":[[", "[],", 1_000_000), Error::RecordTooLarge),
        (pieces("{\"presets\":[", "[],", 20_000_000), Error::OverMemory),
        (pieces("{\"presets\":[", " ", 70_000_000), Error::TooLarge),
        (pieces("{\"other\":\"", "x", 70_000_000), Error::TooLarge),
        (pieces("{\"presets\":", "[", 100_000), Error::TooDeep),
        (What::Header { name: "content-encoding".to_owned(), value: "gzip".to_owned() }, Error::Encoded),
        (What::Cut, Error::Interrupted),
        (What::Reset, Error::Interrupted),
        (What::Body { bytes: 65 * 1024 * 1024 }, Error::TooLarge),
        (What::Redirect { location: "http://127.0.0.1:1/".to_owned() }, Error::Refused(302)),
        (What::Redirect { location: "//127.0.0.1:1/".to_owned() }, Error::Refused(302)),
        (What::Redirect { location: "/_control/counters".to_owned() }, Error::Unreadable),
    ] {
        stand_in.control.set_faults(vec![Fault::of("/presets", what.clone()).times(1)]);
        assert_eq!(vendor.presets().await.err(), Some(expected), "{what:?}");
        assert!(vendor.presets().await.is_ok(), "after {what:?}");
        assert_eq!(vendor.memory().used(), 0, "after {what:?}");
    }
}

#[tokio::test]
async fn a_source_that_lies_about_its_lists_is_read_as_it_is() {
    let stand_in = stand_in().await;
    let vendor = reader(&stand_in);
    let honest = vendor.stories(1).await.unwrap();
    let total = honest.total.unwrap();
    let honest = values(honest.items);
    for (what, expected) in
        [(What::Total { by: 5 }, Some(total + 5)), (What::Total { by: -1_000_000 }, Some(0)), (What::NoTotal, None)]
    {
        stand_in.control.set_faults(vec![Fault::of("/stories", what)]);
        let page = vendor.stories(1).await.unwrap();
        assert_eq!((values(page.items), page.total), (honest.clone(), expected));
    }
    stand_in.control.set_faults(vec![Fault::of("/stories", What::Shuffle)]);
    let (one, other) = (values(vendor.stories(1).await.unwrap().items), values(vendor.stories(1).await.unwrap().items));
    assert!(one != other && one != honest && one.len() == honest.len());
}

#[tokio::test]
async fn a_silent_source_times_out_after_half_a_minute() {
    let stand_in = stand_in().await;
    let vendor = reader(&stand_in);
    // The connection is open, so only the response is pending while the paused clock advances.
    assert!(vendor.presets().await.is_ok());
    stand_in.control.fault(Fault::of("/presets", What::Silence));
    tokio::time::pause();
    let began = tokio::time::Instant::now();
    assert_eq!(vendor.presets().await.err(), Some(Error::Timeout));
    assert!(began.elapsed() >= Duration::from_secs(30));
}

fn at(origin: String) -> Vendor {
    let origins = Origins { management: origin.clone(), delivery: origin };
    Vendor::new(HttpPool::new(tls::system_roots(), None).unwrap(), origins, TOKEN.into(), 1, ImportMemory::new(MEMORY))
}

#[tokio::test]
async fn an_address_that_is_no_source_is_an_error() {
    let free = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    assert_eq!(at(format!("http://{free}")).space().await.err(), Some(Error::Unreachable));
    assert_eq!(at("http://nobody.invalid".to_owned()).space().await.err(), Some(Error::Unreachable));
    let page = Peer::start(|_| Reply::with("200 OK", &[("content-type", "text/html")], "<html>")).await;
    assert_eq!(at(format!("http://{}", page.address)).space().await.err(), Some(Error::Unreadable));
    let other = Peer::start(|_| Reply::with("200 OK", &[], r#"{"space":[],"stories":{}}"#)).await;
    let other = at(format!("http://{}", other.address));
    assert_eq!(other.space().await.err(), Some(Error::Unreadable));
    assert_eq!(other.stories(1).await.err(), Some(Error::Unreadable));
    let stand_in = stand_in().await;
    let secure = stand_in.origin().replace("http://", "https://");
    assert_eq!(at(secure).space().await.err(), Some(Error::Unreachable), "no TLS there");
}
