//! Compression of files that are the same for everybody: done once, and kept beside the plain bytes.

use super::{ApiRequest, ApiResponse};
use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use http::{HeaderValue, StatusCode, header};
use std::io::Write;

/// The bytes of a file, plain and compressed.
pub(crate) struct Gzipped {
    plain: Bytes,
    gzipped: Option<Bytes>,
}

impl Gzipped {
    /// Compresses a file.
    pub(crate) fn new(plain: Bytes) -> Self {
        Self { gzipped: compress(&plain).ok(), plain }
    }

    /// 200 with the file, compressed where the caller can read that.
    pub(crate) fn respond(&self, request: &ApiRequest, content_type: &'static str) -> ApiResponse {
        let takes_gzip = request.header(header::ACCEPT_ENCODING).is_some_and(|accepted| accepted.contains("gzip"));
        let response = match self.gzipped.as_ref().filter(|_| takes_gzip) {
            Some(gzipped) => ApiResponse::bytes(StatusCode::OK, content_type, gzipped.clone())
                .with(header::CONTENT_ENCODING, HeaderValue::from_static("gzip")),
            None => ApiResponse::bytes(StatusCode::OK, content_type, self.plain.clone()),
        };
        response.with(header::VARY, HeaderValue::from_static("accept-encoding"))
    }
}

fn compress(plain: &[u8]) -> std::io::Result<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain)?;
    Ok(encoder.finish()?.into())
}
