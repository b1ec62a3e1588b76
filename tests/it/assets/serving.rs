//! Serving files under their public URLs.

use super::{GIF, Kept, fetch, on_both, uploaded};
use support::prelude::*;

on_both!(a_file_is_served_whole_in_part_and_not_at_all_when_it_is_cached);

async fn a_file_is_served_whole_in_part_and_not_at_all_when_it_is_cached(kept: &Kept) {
    let fixture = &kept.fixture;
    let bytes: Vec<u8> = (0..300_000_u32).map(|value| u8::try_from(value % 253).unwrap()).collect();
    let url = uploaded(fixture, "data.bin", &bytes).await["filename"].clone();
    let (status, headers, body) = fetch(fixture, &url, &[]).await;
    assert_eq!((status, body == bytes), (200, true));
    let tag = headers["etag"].to_str().unwrap();
    for (name, value) in [
        ("content-length", "300000"),
        ("accept-ranges", "bytes"),
        ("cache-control", "public, max-age=31536000, immutable"),
        ("access-control-allow-origin", "*"),
        ("cross-origin-resource-policy", "cross-origin"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(headers[name], value, "{name}");
    }
    for (range, status, content_range, part) in [
        ("bytes=0-9", 206, "bytes 0-9/300000", &bytes[..10]),
        ("bytes=70000-140000", 206, "bytes 70000-140000/300000", &bytes[70_000..=140_000]),
        ("bytes=-5", 206, "bytes 299995-299999/300000", &bytes[299_995..]),
        ("bytes=299999-", 206, "bytes 299999-299999/300000", &bytes[299_999..]),
        ("bytes=300000-", 416, "bytes */300000", &[][..]),
    ] {
        let (got, headers, body) = fetch(fixture, &url, &[("range", range)]).await;
        assert_eq!((got, headers["content-range"].to_str().unwrap(), body == part), (status, content_range, true), "{range}");
    }
    assert_eq!(fetch(fixture, &url, &[("range", "bytes=0-1,5-6")]).await.0, 200, "several ranges are not answered as such");
    let (status, _, body) = fetch(fixture, &url, &[("range", "bytes=0-9"), ("if-range", "\"other\"")]).await;
    assert_eq!((status, body.len()), (200, 300_000));
    assert_eq!(fetch(fixture, &url, &[("range", "bytes=0-9"), ("if-range", tag)]).await.0, 206);
    let (status, headers, body) = fetch(fixture, &url, &[("if-none-match", tag)]).await;
    assert_eq!((status, headers["etag"].to_str().unwrap(), body.len()), (304, tag, 0));
    assert_eq!(fetch(fixture, &url, &[("if-none-match", "\"other\"")]).await.0, 200);

    let head = fixture.app.client.head(url.as_str().unwrap()).send().await.unwrap();
    assert_eq!((head.status().as_u16(), head.headers()["content-length"].to_str().unwrap()), (200, "300000"));
}

#[tokio::test]
async fn what_can_run_a_script_is_to_be_saved_and_never_run() {
    let kept = Kept::on_disk().await;
    for (name, bytes, content_type, disposition) in [
        ("a.svg", &b"<svg onload='alert(1)'/>"[..], "image/svg+xml", "attachment"),
        ("a.png", b"<!DOCTYPE html><script>alert(1)</script>", "text/html; charset=utf-8", "attachment"),
        ("a.gif", b"<?xml version='1.0'?><x:script xmlns:x='http://www.w3.org/1999/xhtml'/>", "application/xml", "attachment"),
        ("a.pdf", b"%PDF-1.7", "application/pdf", "attachment"),
        ("a.html", b"\x01\x02", "application/octet-stream", "attachment"),
        ("a.js", b"alert(1)", "text/plain; charset=utf-8", "attachment"),
        ("a.mjs", b"export default alert(1)", "text/plain; charset=utf-8", "attachment"),
        ("a.js", GIF, "image/gif", "inline"),
        ("a.html", b"only words", "text/plain; charset=utf-8", "inline"),
    ] {
        let url = uploaded(&kept.fixture, name, bytes).await["filename"].clone();
        let (status, headers, body) = fetch(&kept.fixture, &url, &[]).await;
        assert_eq!((status, body.as_slice()), (200, bytes));
        assert_eq!(headers["content-type"], content_type, "{name}");
        assert!(headers["content-disposition"].to_str().unwrap().starts_with(disposition), "{name}");
        assert!(headers["content-security-policy"].to_str().unwrap().starts_with("sandbox; default-src 'none'"), "{name}");
        assert_eq!(headers["x-content-type-options"], "nosniff");
        assert_eq!(headers["cross-origin-resource-policy"], "cross-origin");
    }
}

/// To get around a cache, clients add parameters to the addresses of files.
#[tokio::test]
async fn a_file_takes_any_parameter() {
    let kept = Kept::on_disk().await;
    let url = uploaded(&kept.fixture, "a.gif", GIF).await["filename"].as_str().unwrap().to_owned();
    for query in ["", "?", "?v=1", "?cv=1772366400000", "?t=%ff", "?a&b=c&a", "?expires=x&signature=y"] {
        let (status, _, body) = fetch(&kept.fixture, &json!(format!("{url}{query}")), &[]).await;
        assert_eq!((status, body.as_slice()), (200, GIF), "{query}");
    }
    let (status, ..) = fetch(&kept.fixture, &json!(format!("{url}/m/2x2?v=1")), &[]).await;
    assert_eq!(status, 200);
}

#[tokio::test]
async fn a_path_that_names_no_file_is_404_in_json() {
    let fixture = &Kept::on_disk().await;
    let path = super::path_of(fixture, &uploaded(fixture, "ü.gif", GIF).await["filename"]);
    assert!(path.ends_with("/%C3%BC.gif"), "{path}");
    let other = path.replace(".gif", ".html");
    let foreign = path.replacen(&format!("/f/{}/", fixture.space), "/f/999/", 1);
    for path in [&other, &foreign, "/f", "/f/", "/f/1", "/f/1/3x2/0/%2e%2e%2f", "/f/1/3x2/%00/a"] {
        let reply = fixture.get(support::space_fixture::Caller::Anonymous, path).await;
        assert_eq!((reply.status, reply.body), (404, json!({ "error": "This record could not be found" })), "{path}");
    }
    let sized = path.replace("/3x2/", "/1x1/");
    assert_eq!(fixture.get(support::space_fixture::Caller::Anonymous, &sized).await.status, 200, "the size is for people");
}
