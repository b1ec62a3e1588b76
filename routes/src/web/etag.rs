//! Entity tags of documents that are the same for everybody (RFC 9110, section 13.1.2).

use http::{HeaderMap, header};

/// Whether `If-None-Match` names this tag, or any.
pub(crate) fn is_known(request: &HeaderMap, tag: &str) -> bool {
    let named = request.get_all(header::IF_NONE_MATCH).iter().filter_map(|line| line.to_str().ok());
    let mut tags = named.flat_map(|line| line.split(',')).map(|named| named.trim().trim_start_matches("W/"));
    tags.any(|named| named == tag.trim_start_matches("W/") || named == "*")
}
