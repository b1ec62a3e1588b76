//! The client: to a checked address and no other, with the name where it belongs, in time, and with nothing
//! kept between calls.

use super::GuardFixture;
use bytes::Bytes;
use egress::{
    client::{BodyEnd, GuardedClient, HttpError, HttpRequest, HttpResponse},
    guard::GuardRefusal,
};
use http::{HeaderMap, HeaderValue, Method};
use rustls::RootCertStore;
use support::{Authority, Peer, Record, Reply, prelude::*};
use tokio::time::Instant;

/// Longer than anything takes that is not meant to be late.
const AMPLE: Duration = Duration::from_secs(20);
const SHORT: Duration = Duration::from_millis(300);

async fn send(client: &GuardedClient, url: &str, call: HttpRequest, within: Duration) -> Result<HttpResponse, HttpError> {
    let target = client.guard().check(url).map_err(HttpError::Blocked)?;
    client.send(&target, call, Instant::now() + within).await
}

async fn get(client: &GuardedClient, url: &str) -> Result<HttpResponse, HttpError> {
    send(client, url, HttpRequest::default(), AMPLE).await
}

#[tokio::test]
async fn a_request_arrives_as_it_was_given_and_its_answer_comes_back() {
    let peer = Peer::start(|path| Reply::with("201 Created", &[("x-seen", "yes")], path)).await;
    let fixture = GuardFixture::new(&["127.0.0.1"]).await;
    fixture.dns.points("hooks.example.com", &["127.0.0.1"]);
    let client = fixture.client(RootCertStore::empty());
    let mut headers = HeaderMap::new();
    headers.insert("content-type", HeaderValue::from_static("application/json"));
    headers.insert("host", HeaderValue::from_static("other.example.com"));
    let call = HttpRequest { method: Method::POST, headers, body: Bytes::from_static(b"{}") };
    let url = format!("http://hooks.example.com.:{}/in/../hook?a=%20b", peer.address.port());
    let answer = send(&client, &url, call, AMPLE).await.unwrap();
    assert_eq!(answer.status, 201);
    assert_eq!(answer.headers["x-seen"], "yes");
    assert_eq!(answer.body.prefix(100).await, (Bytes::from_static(b"/hook?a=%20b"), BodyEnd::Whole));
    let seen = peer.seen().concat().to_lowercase();
    assert!(seen.starts_with("post /hook?a=%20b http/1.1\r\n"), "{seen}");
    for line in [
        format!("host: hooks.example.com:{}\r\n", peer.address.port()),
        "content-type: application/json\r\n".to_owned(),
        "content-length: 2\r\n".to_owned(),
        "accept-encoding: identity\r\n".to_owned(),
    ] {
        assert!(seen.contains(&line), "{line}{seen}");
    }
    assert!(!seen.contains("other.example.com"));
}

#[tokio::test]
async fn only_a_checked_address_is_dialled() {
    // The first turn is allowed, the second is not: a client that resolved once to check and once to dial
    // would go there.
    let inside = Peer::start(|_| Reply::with("200 OK", &[], "")).await;
    let fixture = GuardFixture::new(&["127.0.0.2"]).await;
    let port = inside.address.port();
    let allowed = Peer::at(&format!("127.0.0.2:{port}"), |_| Reply::with("200 OK", &[], "")).await;
    let turns = ["127.0.0.2", "127.0.0.1"].map(|value| vec![value.parse().unwrap()]);
    fixture.dns.set("hooks.example.com", Record::Turns(turns.to_vec()));
    let client = fixture.client(RootCertStore::empty());
    // The resolver asks again when it has no answer after a third of a second.
    let _timers = StoppedTimers::now();
    let url = format!("http://hooks.example.com:{port}/");
    assert_eq!(get(&client, &url).await.unwrap().status, 200);
    assert_eq!((allowed.seen().len(), fixture.dns.asked("hooks.example.com")), (1, 1));
    assert_eq!(get(&client, &url).await.err(), Some(HttpError::Blocked(GuardRefusal::Resolved)));
    assert_eq!(get(&client, &format!("http://127.0.0.1:{port}/")).await.err(), Some(HttpError::Blocked(GuardRefusal::Address)));
    assert_eq!(inside.seen(), Vec::<String>::new());
}

#[tokio::test]
async fn an_address_that_does_not_answer_is_followed_by_the_next_of_the_same_check() {
    let peer = Peer::at("127.0.0.3:0", |_| Reply::with("200 OK", &[], "")).await;
    let fixture = GuardFixture::new(&["127.0.0.0/8"]).await;
    fixture.dns.points("hooks.example.com", &["127.0.0.2", "127.0.0.3"]);
    let client = fixture.client(RootCertStore::empty());
    assert!(get(&client, &format!("http://hooks.example.com:{}/", peer.address.port())).await.is_ok());
    fixture.dns.points("hooks.example.com", &["127.0.0.2"]);
    let nobody = get(&client, &format!("http://hooks.example.com:{}/", peer.address.port())).await;
    assert_eq!(nobody.err(), Some(HttpError::Unreachable));
}

#[tokio::test]
async fn tls_names_the_host_connects_to_the_pinned_address_and_needs_a_trusted_certificate() {
    let authority = Authority::new("hooks.example.com");
    let peer = Peer::secure(&authority, |_| Reply::with("200 OK", &[], "")).await;
    let fixture = GuardFixture::new(&["127.0.0.1"]).await;
    fixture.dns.points("hooks.example.com", &["127.0.0.1"]);
    fixture.dns.points("others.example.com", &["127.0.0.1"]);
    let port = peer.address.port();
    let url = format!("https://hooks.example.com.:{port}/");
    let trusting = fixture.trusting(&authority);
    assert_eq!(get(&trusting, &url).await.unwrap().status, 200);
    let seen = peer.seen().concat();
    assert!(seen.contains("sni: hooks.example.com\r\n"), "{seen}");
    assert_eq!(get(&trusting, &format!("https://others.example.com:{port}/")).await.err(), Some(HttpError::Tls), "another's name");
    assert_eq!(get(&trusting, &format!("https://127.0.0.1:{port}/")).await.err(), Some(HttpError::Tls), "no name");
    assert_eq!(
        get(&fixture.client(RootCertStore::empty()), &url).await.err(),
        Some(HttpError::Tls),
        "no root certificate is trusted"
    );
    assert_eq!(peer.seen().len(), 1, "no request was sent to whom we do not trust");
}

#[tokio::test]
async fn a_redirect_is_an_answer_and_nothing_is_kept_for_the_next_call() {
    let headers = [("location", "http://127.0.0.1:1/"), ("set-cookie", "a=b"), ("refresh", "0; url=/again")];
    let peer = Peer::start(move |_| Reply::with("307 Temporary Redirect", &headers, "")).await;
    let fixture = GuardFixture::new(&["127.0.0.1"]).await;
    let client = fixture.client(RootCertStore::empty());
    let url = format!("http://{}/", peer.address);
    for calls in 1..=2 {
        assert_eq!(get(&client, &url).await.unwrap().status, 307);
        assert_eq!(peer.seen().len(), calls);
    }
    assert!(!peer.seen().concat().to_lowercase().contains("cookie"));
}

#[tokio::test]
async fn a_slow_server_is_given_up_at_the_timeout() {
    let authority = Authority::new("hooks.example.com");
    let mute = Peer::secure(&authority, |_| Reply::Mute).await;
    let silent = Peer::start(|_| Reply::Hold(Vec::new())).await;
    let half = Peer::start(|_| Reply::Hold(b"HTTP/1.1 200 OK\r\ncontent-le".to_vec())).await;
    let fixture = GuardFixture::new(&["127.0.0.1"]).await;
    fixture.dns.points("hooks.example.com", &["127.0.0.1"]);
    fixture.dns.set("silent.example.com", Record::Silence);
    let client = fixture.trusting(&authority);
    for url in [
        format!("https://hooks.example.com:{}/", mute.address.port()),
        format!("http://{}/", silent.address),
        format!("http://{}/", half.address),
        "http://silent.example.com/".to_owned(),
    ] {
        let began = Instant::now();
        assert_eq!(send(&client, &url, HttpRequest::default(), SHORT).await.err(), Some(HttpError::TimedOut), "{url}");
        assert!(began.elapsed() < AMPLE / 2, "{url}");
    }
    let body = Peer::start(|_| Reply::Hold(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc".to_vec())).await;
    let stopped = StoppedTimers::now();
    let answer = send(&client, &format!("http://{}/", body.address), HttpRequest::default(), SHORT).await.unwrap();
    drop(stopped);
    assert_eq!(answer.body.prefix(100).await, (Bytes::from_static(b"abc"), BodyEnd::Failed(HttpError::TimedOut)));
}

#[tokio::test]
async fn only_the_beginning_of_an_endless_body_is_read() {
    let head = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    let peer = Peer::start(move |_| Reply::Endless(head.clone(), vec![b'x'; 4096])).await;
    let fixture = GuardFixture::new(&["127.0.0.1"]).await;
    let answer = get(&fixture.client(RootCertStore::empty()), &format!("http://{}/", peer.address)).await.unwrap();
    let (kept, ended) = answer.body.prefix(65_536).await;
    assert_eq!((kept.len(), ended), (65_536, BodyEnd::More));
}

#[tokio::test]
async fn a_malformed_response_differs_from_a_truncated_one() {
    let fixture = GuardFixture::new(&["127.0.0.1"]).await;
    let client = fixture.client(RootCertStore::empty());
    let many = "x: 1\r\n".repeat(200);
    let long = format!("x: {}\r\n", "y".repeat(200_000));
    for (text, expected) in [
        (String::new(), HttpError::Interrupted),
        ("HTTP/1.1 200 OK\r\ncontent".to_owned(), HttpError::Interrupted),
        ("SSH-2.0-OpenSSH_9.2\r\n\r\n".to_owned(), HttpError::Unreadable),
        (format!("HTTP/1.1 200 OK\r\n{many}\r\n"), HttpError::Unreadable),
        (format!("HTTP/1.1 200 OK\r\n{long}\r\n"), HttpError::Unreadable),
    ] {
        let begin: String = text.chars().take(30).collect();
        let peer = Peer::start(move |_| Reply::Bytes(text.clone().into_bytes())).await;
        let answer = get(&client, &format!("http://{}/", peer.address)).await;
        assert_eq!(answer.err(), Some(expected), "{begin:?}");
    }
}
