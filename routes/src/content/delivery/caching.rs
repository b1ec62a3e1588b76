//! How long an answer may be kept (decisions 9), and 304 for who has it already.

use super::access::Reading;
use crate::web::{Answer, Call};
use domain::shared::Fault;
use http::{HeaderValue, StatusCode, header};
use storage::content::delivery::Copy;

/// Adds a strong `ETag` and `Cache-Control`; 304 without a body when the caller's `If-None-Match` names it (RFC 9110, section 13.1.2).
pub(super) fn cached(answer: Answer, reading: &Reading, call: &Call) -> Result<Answer, Fault> {
    let tag = format!("\"{}\"", crypto::digest::fingerprint(answer.body()));
    let tag_header = HeaderValue::from_str(&tag).map_err(|error| Fault::internal(error.to_string()))?;
    let lifetime = match (reading.copy, reading.is_current) {
        (Copy::Draft, _) => "private, max-age=0, must-revalidate",
        (Copy::Published, true) => "public, max-age=0, s-maxage=604800",
        (Copy::Published, false) => "public, max-age=0, s-maxage=2",
    };
    let is_known = call.header(header::IF_NONE_MATCH).is_some_and(|tags| names(tags, &tag));
    let answer = if is_known { answer.without_body(StatusCode::NOT_MODIFIED) } else { answer };
    Ok(answer.with(header::ETAG, tag_header).with(header::CACHE_CONTROL, HeaderValue::from_static(lifetime)))
}

fn names(tags: &str, tag: &str) -> bool {
    tags.split(',').map(str::trim).any(|it| it == "*" || it.strip_prefix("W/").unwrap_or(it) == tag)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_tag_is_found_in_a_list_weak_or_strong() {
        for tags in ["\"a\"", "\"b\", \"a\"", "W/\"a\"", "*"] {
            assert!(super::names(tags, "\"a\""), "{tags}");
        }
        assert!(!super::names("\"b\"", "\"a\""));
    }
}
