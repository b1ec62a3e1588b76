//! Request bodies, read with a limit that is the same for `Content-Length` and for chunked framing.

use bytes::{Bytes, BytesMut};
use domain::shared::{Code, Fault};
use futures_util::{Stream, StreamExt};
use http::{HeaderMap, HeaderValue, header};

/// The usual limit of a request body, in bytes.
pub const DEFAULT_LIMIT: usize = 1 << 20;
/// The limit of a form, in bytes.
pub const FORM_LIMIT: usize = 64 << 10;
/// The limit of a story's body, in bytes: the largest one known of a real website is 130 KB.
pub const STORY_LIMIT: usize = 5 << 20;

/// Reads the body. 413 as soon as it is known to be too large; 415 when it is compressed.
pub(crate) async fn collect<S>(body: &mut S, headers: &HeaderMap, limit: usize) -> Result<Bytes, Fault>
where
    S: Stream<Item = Result<Bytes, warp::Error>> + Unpin,
{
    if headers.contains_key(header::CONTENT_ENCODING) {
        return Err(Fault::new(Code::UnsupportedEncoding, "Send the body without a content encoding"));
    }
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|header| header.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > limit as u64) {
        return Err(too_large(limit));
    }
    let mut collected = BytesMut::new();
    while let Some(piece) = body.next().await {
        let piece = piece
            .map_err(|error| Fault::new(Code::BodyBroken, "The body ended before it was complete").because(error.to_string()))?;
        if collected.len() + piece.len() > limit {
            return Err(too_large(limit));
        }
        collected.extend_from_slice(&piece);
    }
    Ok(collected.freeze())
}

/// Whether the `Content-Type` is that of a form.
pub(crate) fn is_form(headers: &HeaderMap) -> bool {
    headers.get(header::CONTENT_TYPE).is_some_and(|value| essence(value) == "application/x-www-form-urlencoded")
}

/// 400 for a `Content-Type` that is not that of a form, or none: only the OpenID provider reads forms this
/// way, and whatever is wrong with a request is 400 there (RFC 6749, section 5.2).
pub(crate) fn require_form(headers: &HeaderMap) -> Result<(), Fault> {
    if is_form(headers) {
        return Ok(());
    }
    Err(Fault::new(Code::InvalidRequest, "Send the body as application/x-www-form-urlencoded"))
}

/// The media type without its parameters, in lower case.
fn essence(value: &HeaderValue) -> String {
    value.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// 415 for a `Content-Type` that is not JSON. Without one the body is read as JSON, as users of curl expect.
pub(crate) fn require_json(headers: &HeaderMap) -> Result<(), Fault> {
    let Some(value) = headers.get(header::CONTENT_TYPE) else { return Ok(()) };
    let essence = essence(value);
    if essence == "application/json" || essence.ends_with("+json") {
        return Ok(());
    }
    Err(Fault::new(Code::UnsupportedMediaType, "Send the body as application/json"))
}

fn too_large(limit: usize) -> Fault {
    Fault::new(Code::TooLarge, format!("The body is larger than {limit} bytes"))
}
