//! `/f/bridge.js` and `/f/storyblok-v2-latest.js`: what a site loads so that its preview speaks with the
//! studio of this server. Any query is taken, because sites append one against caches.

use super::Studio;
use crate::web::{Anonymous, ApiRequest, ApiResponse, etag};
use bytes::Bytes;
use crypto::digest::fingerprint;
use domain::shared::Fault;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

/// What stands in the scripts for the origin of the studio. It is the server's to say: a site that took it
/// from its own address would speak with anybody who frames it.
const ORIGIN: &str = "__LECTERN_ORIGIN__";

/// A script of this server.
pub(super) struct Relay {
    name: &'static str,
    text: Bytes,
    tag: String,
}

impl Relay {
    /// The script of a server at this address.
    pub(super) fn new(name: &'static str, text: &str, base_url: &str) -> Self {
        let text = text.replace(ORIGIN, base_url);
        let tag = format!("\"{}\"", fingerprint(text.as_bytes()));
        Self { name, text: text.into(), tag }
    }

    fn respond(&self, request: &HeaderMap) -> ApiResponse {
        let mut headers = HeaderMap::new();
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=300"));
        headers.insert(HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin"));
        if let Ok(tag) = HeaderValue::try_from(&self.tag) {
            headers.insert(header::ETAG, tag);
        }
        if etag::is_known(request, &self.tag) {
            return ApiResponse::from_parts(StatusCode::NOT_MODIFIED, headers, Bytes::new());
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8"));
        ApiResponse::from_parts(StatusCode::OK, headers, self.text.clone())
    }
}

/// 200 with the script, or 304; 404 in a server that was built without the studio.
pub(super) async fn serve(studio: Studio, _: Anonymous, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let relay = studio.relays.iter().find(|relay| request.path().ends_with(relay.name)).ok_or_else(Fault::not_found)?;
    Ok(relay.respond(&request.headers))
}
