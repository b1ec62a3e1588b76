//! A public document that clients may keep for some minutes.

use crate::web::{ApiResponse, ErrorFormat, etag, headers};
use bytes::Bytes;
use domain::identity::oidc::signing_key::JWKS_MAX_AGE;
use http::{HeaderMap, HeaderValue, StatusCode, header};

/// The bytes and headers of a document.
pub(super) struct Document {
    body: Bytes,
    headers: HeaderMap,
}

impl Document {
    /// A document of this media type. The fingerprint is that of the bytes.
    pub(super) fn new(content_type: &'static str, body: Bytes, fingerprint: &str) -> Self {
        let mut headers = HeaderMap::with_capacity(8);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
        headers.insert(header::CACHE_CONTROL, cache_control());
        // Any web page may read it: there is nothing in it that is not public.
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        if let Ok(etag) = HeaderValue::try_from(format!("\"{fingerprint}\"")) {
            headers.insert(header::ETAG, etag);
        }
        headers::add_defaults(&mut headers, ErrorFormat::OAuth);
        Self { body, headers }
    }

    /// 200, or 304 when the caller has these bytes already.
    pub(super) fn respond(&self, request: &HeaderMap) -> ApiResponse {
        if self.is_known(request) {
            let mut headers = self.headers.clone();
            headers.remove(header::CONTENT_TYPE);
            return ApiResponse::from_parts(StatusCode::NOT_MODIFIED, headers, Bytes::new());
        }
        ApiResponse::from_parts(StatusCode::OK, self.headers.clone(), self.body.clone())
    }

    /// Whether `If-None-Match` names this document.
    fn is_known(&self, request: &HeaderMap) -> bool {
        let tag = self.headers.get(header::ETAG).and_then(|value| value.to_str().ok());
        tag.is_some_and(|tag| etag::is_known(request, tag))
    }
}

fn cache_control() -> HeaderValue {
    HeaderValue::try_from(format!("public, max-age={}", JWKS_MAX_AGE.as_secs())).unwrap_or(HeaderValue::from_static("no-store"))
}
