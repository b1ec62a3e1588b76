//! Fetching files: redirects are checked one by one, and a body may neither be too large nor too slow.

use super::GuardFixture;
use egress::{
    client::HttpError,
    fetch::{FetchLimits, Fetched, Fetcher},
    guard::GuardRefusal,
};
use futures_util::StreamExt;
use support::{Authority, Peer, Reply, prelude::*};

/// The bytes of a file, or why it broke off.
async fn read(fetched: Fetched) -> Result<Vec<u8>, HttpError> {
    let pieces: Vec<_> = fetched.body.collect().await;
    pieces.into_iter().collect::<Result<Vec<_>, _>>().map(|piece| piece.concat())
}

#[tokio::test]
async fn a_file_comes_with_what_is_said_about_it() {
    let peer = Peer::start(|_| Reply::with("200 OK", &[("content-type", "image/png")], "picture")).await;
    let fixture = GuardFixture::new(&["127.0.0.1"]).await;
    let fetched = fixture.fetcher().get(&format!("http://{}/a.png", peer.address), FetchLimits::default()).await.unwrap();
    assert_eq!((fetched.status.as_u16(), fetched.content_type.as_deref(), fetched.length), (200, Some("image/png"), Some(7)));
    assert_eq!(read(fetched).await.unwrap(), b"picture");
    let missing = Peer::start(|_| Reply::with("404 Not Found", &[], "no")).await;
    let fetched = fixture.fetcher().get(&format!("http://{}/", missing.address), FetchLimits::default()).await.unwrap();
    assert_eq!(fetched.status, 404, "the caller decides");
}

/// A server that leads from `/n` to `/n-1` and so on to `/0`.
async fn stairs() -> Peer {
    Peer::start(|path| match path.trim_start_matches('/').parse::<u32>() {
        Ok(0) => Reply::with("200 OK", &[("set-cookie", "a=b")], "down"),
        Ok(step) => Reply::to(&format!("/{}#there", step - 1)),
        Err(_) => Reply::to(path.trim_start_matches("/to/")),
    })
    .await
}

#[tokio::test]
async fn three_redirects_are_followed_and_a_fourth_is_not() {
    let peer = stairs().await;
    let fixture = GuardFixture::new(&["127.0.0.1"]).await;
    let url = |step: u32| format!("http://{}/{step}", peer.address);
    assert_eq!(read(fixture.fetcher().get(&url(3), FetchLimits::default()).await.unwrap()).await.unwrap(), b"down");
    assert_eq!(fixture.fetcher().get(&url(4), FetchLimits::default()).await.err(), Some(HttpError::Redirects));
    let seen = peer.seen().concat().to_lowercase();
    assert!(!seen.contains("cookie") && !seen.contains("referer"), "{seen}");
}

#[tokio::test]
async fn each_redirect_goes_through_the_guard() {
    let authority = Authority::new("files.example.com");
    let inside = Peer::start(|_| Reply::with("200 OK", &[], "secret")).await;
    let peer = Peer::at("127.0.0.2:0", |path| Reply::to(path.trim_start_matches("/to/"))).await;
    let fixture = GuardFixture::new(&["127.0.0.2"]).await;
    fixture.dns.points("inside.example.com", &["127.0.0.1"]);
    fixture.dns.points("files.example.com", &["127.0.0.2"]);
    let port = inside.address.port();
    for (location, refusal) in [
        (format!("http://127.0.0.1:{port}/"), GuardRefusal::Address),
        (format!("//127.0.0.1:{port}/"), GuardRefusal::Address),
        (format!("http://2130706433:{port}/"), GuardRefusal::Spelling),
        (format!("http://inside.example.com:{port}/"), GuardRefusal::Resolved),
        ("http://[::1]/".to_owned(), GuardRefusal::Address),
        ("gopher://127.0.0.1:6379/_FLUSHALL".to_owned(), GuardRefusal::Scheme),
        ("file:///etc/passwd".to_owned(), GuardRefusal::Scheme),
        ("http://user@files.example.com/".to_owned(), GuardRefusal::Parts),
    ] {
        let fetched = fixture.fetcher().get(&format!("http://{}/to/{location}", peer.address), FetchLimits::default()).await;
        assert_eq!(fetched.err(), Some(HttpError::Blocked(refusal)), "{location}");
    }
    let secure = Peer::secure(&authority, move |_| Reply::to(&format!("http://files.example.com:{port}/"))).await;
    let fixture = GuardFixture::new(&["127.0.0.1"]).await;
    fixture.dns.points("files.example.com", &["127.0.0.1"]);
    let fetcher = Fetcher::new(fixture.trusting(&authority));
    let down = fetcher.get(&format!("https://files.example.com:{}/", secure.address.port()), FetchLimits::default()).await;
    assert_eq!(down.err(), Some(HttpError::Blocked(GuardRefusal::Downgrade)));
    assert_eq!(fixture.refusals("downgrade"), 1);
    assert_eq!(inside.seen(), Vec::<String>::new());
}

/// A body, sent by a server that says the length.
async fn get(limits: FetchLimits, said: Option<u64>, body: Vec<u8>) -> Result<Vec<u8>, HttpError> {
    let said = said.map_or(String::new(), |said| format!("content-length: {said}\r\n"));
    let bytes = [format!("HTTP/1.1 200 OK\r\n{said}\r\n").into_bytes(), body].concat();
    let peer = Peer::start(move |_| Reply::Bytes(bytes.clone())).await;
    let fixture = GuardFixture::new(&["127.0.0.1"]).await;
    read(fixture.fetcher().get(&format!("http://{}/", peer.address), limits).await?).await
}

#[tokio::test]
async fn a_body_is_measured_by_what_comes() {
    let limits = FetchLimits { bytes: 1000, ..FetchLimits::default() };
    assert_eq!(get(limits, None, vec![1; 1000]).await.unwrap().len(), 1000);
    assert_eq!(get(limits, None, vec![1; 1001]).await, Err(HttpError::TooLarge));
    assert_eq!(get(limits, Some(1001), vec![1; 1001]).await, Err(HttpError::TooLarge), "it says so itself");
    assert_eq!(get(limits, Some(10), vec![1; 100_000]).await.unwrap().len(), 10, "what follows is no part of it");
    let limits = FetchLimits { bytes: u64::MAX, ..limits };
    assert_eq!(
        get(limits, Some(5_368_709_120), vec![1; 10]).await,
        Err(HttpError::Interrupted),
        "no room is made for what is only said"
    );
    assert_eq!(get(limits, Some(0), Vec::new()).await.unwrap(), b"");
}

#[tokio::test]
async fn a_compressed_body_is_not_taken() {
    let fixture = GuardFixture::new(&["127.0.0.1"]).await;
    for (coding, is_taken) in [("gzip", false), ("gzip, gzip", false), ("br", false), ("identity", true)] {
        let peer = Peer::start(move |_| Reply::with("200 OK", &[("content-encoding", coding)], "x")).await;
        let fetched = fixture.fetcher().get(&format!("http://{}/", peer.address), FetchLimits::default()).await;
        assert_eq!(fetched.err(), (!is_taken).then_some(HttpError::Encoded), "{coding}");
    }
}

#[tokio::test]
async fn a_body_that_trickles_is_given_up_and_one_that_flows_is_not() {
    let whole = Duration::from_millis(200);
    let fixture = GuardFixture::new(&["127.0.0.1"]).await;
    let head = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    let trickle = head.clone();
    let peer = Peer::start(move |_| Reply::Hold([trickle.clone(), b"abc".to_vec()].concat())).await;
    let limits = FetchLimits { whole, ..FetchLimits::default() };
    let stopped = StoppedTimers::now();
    let fetched = fixture.fetcher().get(&format!("http://{}/", peer.address), limits).await.unwrap();
    drop(stopped);
    assert_eq!(read(fetched).await, Err(HttpError::TimedOut));
    // Each byte earns a second here: it ends at the size and not at the time.
    let peer = Peer::start(move |_| Reply::Endless(head.clone(), vec![b'x'; 65_536])).await;
    let limits = FetchLimits { whole, rate: 1, bytes: 1_000_000_000, ..FetchLimits::default() };
    let stopped = StoppedTimers::now();
    let mut body = fixture.fetcher().get(&format!("http://{}/", peer.address), limits).await.unwrap().body;
    drop(stopped);
    let began = tokio::time::Instant::now();
    let mut last = None;
    while let Some(piece) = body.next().await {
        last = Some(piece);
    }
    assert_eq!(last.unwrap(), Err(HttpError::TooLarge));
    assert!(began.elapsed() > whole, "a gigabyte takes longer than that");
}
