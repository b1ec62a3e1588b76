//! Compression of files that are the same for everybody: done once, and kept beside the plain bytes.

use super::{ApiRequest, ApiResponse, etag};
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use std::io::Write;

/// The bytes of a file, plain and compressed.
pub(crate) struct Gzipped {
    plain: Coded,
    gzipped: Option<Coded>,
}

/// The bytes in one of the forms, with the tag of that form.
struct Coded {
    bytes: Bytes,
    tag: HeaderValue,
}

impl Gzipped {
    /// Compresses a file.
    pub(crate) fn new(plain: Bytes) -> Self {
        let fingerprint = crypto::digest::fingerprint(&plain);
        let coded = |bytes, coding: &str| {
            // Hexadecimal digits and letters are a header value.
            let tag = HeaderValue::try_from(format!("\"{fingerprint}{coding}\"")).ok()?;
            Some(Coded { bytes, tag })
        };
        let gzipped = compress(&plain).ok().and_then(|bytes| coded(bytes, "-gzip"));
        let plain = coded(plain.clone(), "").unwrap_or(Coded { bytes: plain, tag: HeaderValue::from_static("\"\"") });
        Self { plain, gzipped }
    }

    /// 200 with the file, compressed where the caller can read that; 304 when the caller has it already.
    pub(crate) fn respond(&self, request: &ApiRequest, content_type: &'static str) -> ApiResponse {
        let takes_gzip = request.header(header::ACCEPT_ENCODING).is_some_and(|accepted| accepted.contains("gzip"));
        let gzipped = self.gzipped.as_ref().filter(|_| takes_gzip);
        let coded = gzipped.unwrap_or(&self.plain);
        let vary = (header::VARY, HeaderValue::from_static("accept-encoding"));
        let mut headers = HeaderMap::from_iter([(header::ETAG, coded.tag.clone()), vary]);
        if coded.tag.to_str().is_ok_and(|tag| etag::is_known(&request.headers, tag)) {
            return ApiResponse::from_parts(StatusCode::NOT_MODIFIED, headers, Bytes::new());
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        if gzipped.is_some() {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        ApiResponse::from_parts(StatusCode::OK, headers, coded.bytes.clone())
    }
}

fn compress(plain: &[u8]) -> std::io::Result<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain)?;
    Ok(encoder.finish()?.into())
}
