//! Compressed responses.

use super::{fixture, publish};
use std::io::Read;
use support::prelude::*;

struct Got {
    status: u16,
    coding: Option<String>,
    tag: String,
    body: Vec<u8>,
}

/// The story with these headers.
async fn get(fixture: &SpaceFixture, accept: &str, known: Option<&str>) -> Got {
    let mut request = fixture.app.get(&format!("/api/v2/cdn/stories/s?token={}", fixture.public)).header("accept-encoding", accept);
    if let Some(known) = known {
        request = request.header("if-none-match", known);
    }
    let response = request.send().await.unwrap();
    let header = |name: &str| response.headers().get(name).map(|header| header.to_str().unwrap().to_owned());
    assert_eq!(header("vary").as_deref(), Some("accept-encoding"));
    let (status, coding, tag) = (response.status().as_u16(), header("content-encoding"), header("etag").unwrap());
    Got { status, coding, tag, body: response.bytes().await.unwrap().to_vec() }
}

#[tokio::test]
async fn a_response_is_compressed_when_it_is_read_again() {
    let fixture = fixture(&[]).await;
    publish(&fixture, "s", &"Lectern ".repeat(1_000)).await;
    let plain = get(&fixture, "br, gzip", None).await;
    assert_eq!((plain.status, &plain.coding), (200, &None), "the first one does not wait for it");
    for _ in 0..2 {
        let (brotli, gzip) = (get(&fixture, "gzip, deflate, br", None).await, get(&fixture, "gzip", None).await);
        assert_eq!((brotli.coding.as_deref(), gzip.coding.as_deref()), (Some("br"), Some("gzip")));
        assert!(brotli.body.len() * 10 < plain.body.len() && gzip.body.len() * 10 < plain.body.len());
        let (mut one, mut other) = (Vec::new(), Vec::new());
        brotli::Decompressor::new(&*brotli.body, 4096).read_to_end(&mut one).unwrap();
        flate2::read::GzDecoder::new(&*gzip.body).read_to_end(&mut other).unwrap();
        assert!(one == plain.body && other == plain.body);
        assert_eq!(get(&fixture, "identity", None).await.body, plain.body);
        assert!(brotli.tag != plain.tag && gzip.tag != plain.tag && brotli.tag != gzip.tag, "other bytes, another tag");
    }
}

#[tokio::test]
async fn an_entity_tag_of_any_accepted_coding_gives_304() {
    let fixture = fixture(&[]).await;
    publish(&fixture, "s", &"Lectern ".repeat(1_000)).await;
    let mut tags = Vec::new();
    for accept in ["identity", "br", "gzip"] {
        tags.push((accept, get(&fixture, accept, None).await.tag));
    }
    for (accept, tag) in &tags {
        let same = get(&fixture, accept, Some(tag)).await;
        assert_eq!((same.status, &same.tag, same.body.len(), same.coding), (304, tag, 0, None), "{accept}");
        assert_eq!(get(&fixture, "br, gzip", Some(tag)).await.status, 304, "{accept}");
        assert_eq!(get(&fixture, accept, Some(&format!("\"other\", W/{tag}"))).await.status, 304, "{accept}");
    }
    assert_eq!(get(&fixture, "gzip", Some(&tags[1].1)).await.status, 200, "it does not take brotli any more");
    assert_eq!(get(&fixture, "br", Some("\"other\"")).await.status, 200);
}

#[tokio::test]
async fn a_short_response_is_never_compressed() {
    let fixture = fixture(&[]).await;
    for _ in 0..3 {
        let response = fixture.app.get(&format!("/api/v2/cdn/spaces/me?token={}", fixture.public)).header("accept-encoding", "br");
        let response = response.send().await.unwrap();
        assert!(response.headers().get("content-encoding").is_none());
        assert_eq!(response.headers()["vary"], "accept-encoding");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_at_once_get_it_compressed_once() {
    let fixture = fixture(&[]).await;
    publish(&fixture, "s", &"Lectern ".repeat(10_000)).await;
    let plain = get(&fixture, "identity", None).await;
    let all = futures_util::future::join_all((0..30).map(|_| get(&fixture, "br", None))).await;
    for got in &all {
        assert_eq!((got.coding.as_deref(), &got.body), (Some("br"), &all[0].body));
    }
    assert!(all[0].body.len() < plain.body.len());
}
