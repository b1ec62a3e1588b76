//! The files of assets: `GET /f/{space}/{width}x{height}/{hash}/{name}`, without the size for files that have
//! none.
//!
//! A file that replaces another one has another URL, and so has one with another name. So a client may keep
//! the file of a URL forever (`immutable`), or until its asset expires. A former URL leads to the file that
//! the asset has now, and is kept for [`FORMER_FOR`]. Before the `publish_at` of its asset and from its
//! `expire_at` on there is no file (404).
//!
//! An author who uploads a file must not be able to run a script in this origin. The content type comes from
//! the bytes of the file, and browsers are told not to guess (`nosniff`). A file that can contain a script
//! (HTML, SVG, XML, PDF and everything unknown) is served as an attachment; an `<img>` shows an SVG
//! nevertheless. Every file has a `sandbox` policy, too, in case a browser shows it. A file that is a script
//! is served as a text, so that no page here can be made to load it as one.

mod range;

use crate::{content::Content, web::ApiRequest};
use bytes::Bytes;
use domain::{
    content::asset::{Asset, ObjectKey, media},
    shared::Fault,
};
use futures_util::stream;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use jiff::{SignedDuration, Timestamp};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use range::Requested;
use std::ops::Range;
use storage::{blobs::ByteStream, content::asset_addresses::ServedAsset};
use warp::{
    Reply,
    reply::{self, Response},
};

/// A file may run nothing, and load nothing but images and media of this origin.
const POLICY: &str =
    "sandbox; default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";
/// The seconds of a year.
const YEAR: i64 = 31_536_000;
/// One year, the usual maximum.
pub(super) const FOREVER: &str = "public, max-age=31536000, immutable";

/// Responds with the file of an asset, or a part of it.
pub(super) async fn respond(
    content: &Content,
    request: &ApiRequest,
    asset: &Asset,
    cache_control: &str,
) -> Result<Response, Fault> {
    let tag = tag(asset);
    let mut headers = shown_headers(&asset.file.content_type, asset.file.name.as_str())?;
    headers.insert(header::CACHE_CONTROL, value(cache_control.to_owned())?);
    headers.insert(header::ETAG, value(tag.clone())?);
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    if request.headers.get_all(header::IF_NONE_MATCH).iter().any(|g| matches(g, &tag)) {
        return Ok(file_response(StatusCode::NOT_MODIFIED, headers, None));
    }
    let length = asset.file.bytes;
    // The client wants a part only of the version that it has (RFC 9110, section 13.1.5).
    let is_same = request.header(header::IF_RANGE).is_none_or(|h| h == tag);
    let requested = range::parse(request.header(header::RANGE).filter(|_| is_same), length);
    let (status, part) = match requested {
        Requested::Whole => (StatusCode::OK, 0..length),
        Requested::Part(part) => (StatusCode::PARTIAL_CONTENT, part),
        Requested::Unsatisfiable => {
            headers.remove(header::CACHE_CONTROL);
            headers.insert(header::CONTENT_RANGE, value(format!("bytes */{length}"))?);
            headers.remove(header::CONTENT_TYPE);
            return Ok(file_response(StatusCode::RANGE_NOT_SATISFIABLE, headers, None));
        }
    };
    if status == StatusCode::PARTIAL_CONTENT {
        headers.insert(header::CONTENT_RANGE, value(format!("bytes {}-{}/{length}", part.start, part.end - 1))?);
    }
    headers.insert(header::CONTENT_LENGTH, HeaderValue::from(part.end - part.start));
    let pieces = if request.meta.is_head { None } else { Some(open(content, asset, part).await?) };
    Ok(file_response(status, headers, pieces))
}

/// How long a client may keep the file of a former URL, before it asks whether it is still the same.
pub(super) const FORMER_FOR: SignedDuration = SignedDuration::from_mins(1);

/// `Cache-Control` of a public file whose asset expires.
pub(super) fn public_until(expire_at: Timestamp, now: Timestamp) -> String {
    format!("public, max-age={}", seconds_until(expire_at, now))
}

fn seconds_until(expire_at: Timestamp, now: Timestamp) -> i64 {
    expire_at.duration_since(now).as_secs().clamp(0, YEAR)
}

async fn open(content: &Content, asset: &Asset, part: Range<u64>) -> Result<ByteStream, Fault> {
    Ok(content.assets.blobs.get(asset.file.key, part).await?)
}

fn file_response(status: StatusCode, headers: HeaderMap, pieces: Option<ByteStream>) -> Response {
    let pieces: ByteStream = pieces.unwrap_or_else(|| Box::pin(stream::empty()));
    let mut response = reply::stream::<_, Bytes, _>(pieces).into_response();
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// `Cache-Control` of a file: no cache may keep it for longer than its asset or the signature is valid. 403
/// for a private asset without a valid signature of the key in the URL.
pub(super) fn cache_control(
    content: &Content,
    request: &ApiRequest,
    served: &ServedAsset,
    key: ObjectKey,
) -> Result<String, Fault> {
    let now = content.clock.now();
    let ServedAsset { asset, is_original } = served;
    let former = (!is_original).then(|| now + FORMER_FOR);
    let until = [asset.meta.expire_at, former].into_iter().flatten().min();
    if !asset.meta.is_private {
        return Ok(until.map_or_else(|| FOREVER.to_owned(), |until| public_until(until, now)));
    }
    let served_for = until.map(|until| seconds_until(until, now));
    let query = request.query()?;
    let (expires, signature) = (query.get("expires").unwrap_or_default(), query.get("signature").unwrap_or_default());
    match content.assets.opens(key, expires, signature, now) {
        Some(left) => Ok(format!("private, max-age={}", served_for.map_or(left, |served_for| left.min(served_for)))),
        None => Err(Fault::forbidden("This file is private, and the signature is missing, wrong or too old")),
    }
}

/// The headers with which a browser shows or saves bytes of a type under a name.
pub(super) fn shown_headers(content_type: &str, name: &str) -> Result<HeaderMap, Fault> {
    let is_inline = media::is_inline(content_type);
    let content_type = match media::served_type(content_type) {
        text if text.starts_with("text/") => format!("{text}; charset=utf-8"),
        other => other.to_owned(),
    };
    let name = utf8_percent_encode(name, NON_ALPHANUMERIC);
    let disposition = format!("{}; filename*=UTF-8''{name}", if is_inline { "inline" } else { "attachment" });
    let mut headers = HeaderMap::new();
    for (name, text) in [
        (header::CONTENT_TYPE, content_type.as_str()),
        (header::CONTENT_DISPOSITION, &disposition),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        // Assets are there to be shown by pages of other origins.
        (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
    ] {
        headers.insert(name, value(text.to_owned())?);
    }
    Ok(headers)
}

/// The name of an asset's file, with the extension of another image type.
pub(super) fn name_with_extension(asset: &Asset, content_type: &str) -> String {
    let name = asset.file.name.as_str();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if content_type == asset.file.content_type {
        return name.to_owned();
    }
    format!("{stem}.{}", content_type.trim_start_matches("image/"))
}

/// A text as the value of a header.
pub(super) fn value(text: String) -> Result<HeaderValue, Fault> {
    HeaderValue::try_from(text).map_err(|error| Fault::internal(format!("header: {error}")))
}

/// The entity tag: the first 128 bits of the hash of the file.
fn tag(asset: &Asset) -> String {
    format!("\"{:.32}\"", asset.file.hash_text())
}

/// Whether `If-None-Match` has the tag or `*`.
pub(super) fn matches(header: &HeaderValue, tag: &str) -> bool {
    let text = header.to_str().unwrap_or_default();
    text.split(',').map(|part| part.trim().trim_start_matches("W/")).any(|part| part == tag || part == "*")
}

/// The object that a path names.
pub(super) struct Address {
    pub(super) key: ObjectKey,
    pub(super) name: String,
}

impl Address {
    /// Reads `/f/{space}/{size?}/{hash}/{name}`. 404 for anything else. The size is for readers of the URL
    /// and is ignored.
    pub(super) fn read(path: &str) -> Result<Self, Fault> {
        let segments: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        let (space, hash, name) = match segments.as_slice() {
            ["f", space, hash, name] => (space, hash, name),
            ["f", space, size, hash, name] if is_size(size) => (space, hash, name),
            _ => return Err(Fault::not_found()),
        };
        let key = format!("f/{space}/{hash}").parse().map_err(|()| Fault::not_found())?;
        let name = percent_decode_str(name).decode_utf8().map_err(|_| Fault::not_found())?;
        Ok(Self { key, name: name.into_owned() })
    }

    /// The same for a URL as stories have it: with an origin, with `//` and a host, or with neither.
    pub(super) fn of_url(url: &str) -> Result<Self, Fault> {
        let path = url.split(['?', '#']).next().unwrap_or_default();
        let begin = path.find("/f/").ok_or_else(Fault::not_found)?;
        Self::read(path.get(begin..).unwrap_or_default())
    }
}

fn is_size(segment: &str) -> bool {
    let is_number = |value: &str| !value.is_empty() && value.bytes().all(|value| value.is_ascii_digit());
    segment.split_once('x').is_some_and(|(width, height)| is_number(width) && is_number(height))
}

/// A path without the part that the image service reads, and that part: what follows the segment `m` behind
/// the name of the file.
pub(super) fn split(path: &str) -> (&str, Option<&str>) {
    let end_of = |number: usize| path.match_indices('/').nth(number).map_or(path.len(), |(at, _)| at);
    // `/f/{space}/{size}`: the size is there or not.
    let has_size = path.split('/').nth(3).is_some_and(is_size);
    let (file, rest) = path.split_at_checked(end_of(if has_size { 5 } else { 4 })).unwrap_or((path, ""));
    match rest.strip_prefix("/m") {
        Some(transformation) if transformation.is_empty() || transformation.starts_with('/') => (file, Some(transformation)),
        _ => (path, None),
    }
}

#[cfg(test)]
mod tests {
    use super::{Address, matches, split};
    use http::HeaderValue;

    const HASH: &str = "0192d3b0000070008000000000000000";

    #[test]
    fn a_path_names_an_object_with_and_without_a_size() {
        for path in [format!("/f/7/{HASH}/a.png"), format!("/f/7/10x20/{HASH}/a.png"), format!("/f/7/x/{HASH}/a.png")] {
            let address = Address::read(&path);
            assert_eq!(
                address.is_ok_and(|address| address.key.to_string() == format!("f/7/{HASH}") && address.name == "a.png"),
                !path.contains("/x/")
            );
        }
        for path in ["/f/7", "/f/7/../etc/passwd", "/f/7/10x20/zz/a.png", "/f/-/0/a", "/f//0/a", "/f/7/10x20/%2e%2e/a"] {
            assert!(Address::read(path).is_err(), "{path}");
        }
        for (path, file, transformation) in [
            ("/f/7/10x20/h/a.png/m/600x0/filters:quality(80)", "/f/7/10x20/h/a.png", Some("/600x0/filters:quality(80)")),
            ("/f/7/h/a.png/m/", "/f/7/h/a.png", Some("/")),
            ("/f/7/h/a.png/m", "/f/7/h/a.png", Some("")),
            ("/f/7/h/m", "/f/7/h/m", None),
            ("/f/7/10x20/h/m", "/f/7/10x20/h/m", None),
            ("/f/7/10x20/h/m/m", "/f/7/10x20/h/m", Some("")),
            ("/f/7/h/a.png/max", "/f/7/h/a.png/max", None),
            ("/f/7", "/f/7", None),
        ] {
            assert_eq!(split(path), (file, transformation), "{path}");
        }
    }

    #[test]
    fn a_url_of_any_origin_is_read_by_its_path() {
        for url in [
            format!("https://cms.example.com/f/7/{HASH}/%C3%BC.png?x"),
            format!("//a/f/7/1x1/{HASH}/ü.png"),
            format!("/f/7/{HASH}/ü.png"),
        ] {
            assert_eq!(Address::of_url(&url).unwrap().name, "ü.png", "{url}");
        }
        assert!(Address::of_url("https://example.com/g/7").is_err());
    }

    #[test]
    fn tags_are_compared_weakly() {
        for (header, is) in
            [("\"a\"", true), ("W/\"a\"", true), ("\"b\", \"a\"", true), ("*", true), ("\"b\"", false), ("a", false)]
        {
            assert_eq!(matches(&HeaderValue::from_static(header), "\"a\""), is, "{header}");
        }
    }
}
