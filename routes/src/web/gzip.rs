//! Compression of files that are the same for everybody: done once, and kept beside the plain bytes.

use super::{
    ApiRequest, ApiResponse,
    coding::{Accepted, Coding},
    etag,
};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, StatusCode, header};

/// The bytes of a file, plain and compressed.
pub(crate) struct Gzipped {
    plain: Bytes,
    compressed: Option<Bytes>,
    /// Weak, because the plain and the compressed bytes have the same.
    tag: Option<HeaderValue>,
}

impl Gzipped {
    /// Compresses a file.
    pub(crate) fn new(plain: Bytes) -> Self {
        let tag = HeaderValue::try_from(format!("W/\"{}\"", crypto::digest::fingerprint(&plain))).ok();
        Self { compressed: compression::smallest_gzip(&plain).ok().map(Bytes::from), plain, tag }
    }

    /// 200 with the file, compressed where the caller can read that; 304 when the caller has it already.
    pub(crate) fn respond(&self, request: &ApiRequest, content_type: &'static str) -> ApiResponse {
        let mut headers = HeaderMap::new();
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        if let Some(tag) = &self.tag {
            headers.insert(header::ETAG, tag.clone());
            if tag.to_str().is_ok_and(|tag| etag::is_known(&request.headers, tag)) {
                return ApiResponse::from_parts(StatusCode::NOT_MODIFIED, headers, Bytes::new());
            }
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        let takes_gzip = Accepted::parse(&request.headers).takes(Coding::Gzip);
        let body = match self.compressed.as_ref().filter(|_| takes_gzip) {
            Some(compressed) => {
                headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                compressed.clone()
            }
            None => self.plain.clone(),
        };
        ApiResponse::from_parts(StatusCode::OK, headers, body)
    }
}
