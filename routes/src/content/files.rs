//! The files of assets: `GET /f/{space}/{width}x{height}/{hash}/{name}`, without the size for files that have none.
//!
//! The file of a URL never changes: a file that replaces another one has another URL. So a client may keep it forever (`immutable`).
//!
//! An author who uploads a file must not be able to run a script in this origin. The content type comes from the bytes of the file, and browsers are told
//! not to guess (`nosniff`). A file that can contain a script (HTML, SVG, XML, PDF and everything unknown) is served as an attachment; an `<img>` shows an
//! SVG nevertheless. Every file has a `sandbox` policy, too, in case a browser shows it.

mod range;

use crate::{
    content::Content,
    web::{Anonymous, ApiRequest, Endpoints, ErrorFormat, Public, path::Rest},
};
use bytes::Bytes;
use domain::{
    content::asset::{Asset, ObjectKey, media},
    shared::{Fault, Kind},
};
use futures_util::stream;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use range::Requested;
use std::ops::Range;
use storage::{blobs::ByteStream, content::assets};
use warp::{
    Reply,
    reply::{self, Response},
};

/// A file may run nothing, and load nothing but images and media of this origin.
const POLICY: &str =
    "sandbox; default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";
/// One year, the usual maximum.
const FOREVER: &str = "public, max-age=31536000, immutable";

/// The endpoint of all files. What follows the space is read by [`Address::read`].
pub(super) fn endpoints(content: &Content) -> Endpoints<Content> {
    Endpoints::new(content, ErrorFormat::Delivery).get("/f/{space}/{file..}", Public, serve)
}

async fn serve(content: Content, _: Anonymous, _: String, _: Rest, request: ApiRequest) -> Result<Response, Fault> {
    let address = Address::read(request.path())?;
    let connection = content.store.connection("file.find").await?;
    let found = assets::find_served(&connection, address.key).await?;
    drop(connection);
    let asset = found.filter(|f| f.file.name.as_str() == address.name).ok_or_else(Fault::not_found)?;
    let cache_control = cache_control(&content, &request, &asset)?;
    let tag = tag(&asset);
    let mut headers = headers(&asset, &cache_control, &tag)?;
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
    let pieces = if request.meta.is_head { None } else { Some(open(&content, &asset, part).await?) };
    Ok(file_response(status, headers, pieces))
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

/// `Cache-Control` of a file. 403 for a private asset without a valid signature.
fn cache_control(content: &Content, request: &ApiRequest, asset: &Asset) -> Result<String, Fault> {
    if !asset.meta.is_private {
        return Ok(FOREVER.to_owned());
    }
    let query = request.query()?;
    let (expires, signature) = (query.get("expires").unwrap_or_default(), query.get("signature").unwrap_or_default());
    match content.assets.opens(asset.file.key, expires, signature, content.clock.now()) {
        Some(left) => Ok(format!("private, max-age={left}")),
        None => Err(Fault::forbidden("This file is private, and the signature is missing, wrong or too old")),
    }
}

fn headers(asset: &Asset, cache_control: &str, tag: &str) -> Result<HeaderMap, Fault> {
    let file = &asset.file;
    let is_inline = media::is_inline(&file.content_type);
    let content_type = match file.content_type.as_str() {
        text if text.starts_with("text/") => format!("{text}; charset=utf-8"),
        other => other.to_owned(),
    };
    let name = utf8_percent_encode(file.name.as_str(), NON_ALPHANUMERIC);
    let disposition = format!("{}; filename*=UTF-8''{name}", if is_inline { "inline" } else { "attachment" });
    let mut headers = HeaderMap::new();
    for (name, text) in [
        (header::CONTENT_TYPE, content_type.as_str()),
        (header::CONTENT_DISPOSITION, &disposition),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, cache_control),
        (header::ETAG, tag),
        (header::ACCEPT_RANGES, "bytes"),
        // Assets are there to be shown by pages of other origins.
        (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
    ] {
        headers.insert(name, value(text.to_owned())?);
    }
    Ok(headers)
}

fn value(text: String) -> Result<HeaderValue, Fault> {
    HeaderValue::try_from(text).map_err(|error| Fault::internal(format!("header: {error}")))
}

/// The entity tag: the first 128 bits of the hash of the file.
fn tag(asset: &Asset) -> String {
    format!("\"{:.32}\"", asset.file.hash_text())
}

/// Whether `If-None-Match` has the tag or `*`.
fn matches(header: &HeaderValue, tag: &str) -> bool {
    let text = header.to_str().unwrap_or_default();
    text.split(',').map(|part| part.trim().trim_start_matches("W/")).any(|part| part == tag || part == "*")
}

/// The object that a path names.
pub(super) struct Address {
    pub(super) key: ObjectKey,
    pub(super) name: String,
}

impl Address {
    /// Reads `/f/{space}/{size?}/{hash}/{name}`. 404 for anything else. The size is for readers of the URL and is ignored.
    pub(super) fn read(path: &str) -> Result<Self, Fault> {
        let segments: Vec<&str> = path.trim_start_matches('/').split('/').collect();
        let (space, hash, name) = match segments.as_slice() {
            ["f", space, hash, name] => (space, hash, name),
            ["f", space, size, hash, name] if is_size(size) => (space, hash, name),
            ["f", .., "m"] | ["f", .., "m", _] | ["f", .., "m", _, _] => return Err(no_image_service()),
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

fn no_image_service() -> Fault {
    Fault::new(Kind::NotFound, "notFound", "There is no image service here: ask for the file without /m/…")
}

#[cfg(test)]
mod tests {
    use super::{Address, matches};
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
        let fault = Address::read(&format!("/f/7/10x20/{HASH}/a.png/m/600x0/filters:quality(80)")).err().unwrap();
        assert!(fault.message.contains("image service"), "{fault}");
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
