//! `GET /.well-known/openid-configuration` (OpenID Connect Discovery 1.0, section 4) and `GET /.well-known/oauth-authorization-server` (RFC 8414,
//! section 3): what the provider can do, and where. Both answer the same document.

use super::document::Document;
use crate::{
    identity::Identity,
    web::{Anonymous, ApiRequest, ApiResponse},
};
use crypto::digest;
use domain::{identity::oidc::SigningAlgorithm, shared::Fault};
use serde_json::{Value, json};

/// 200 with the metadata. The same as the fast path answers.
pub(super) async fn read(identity: Identity, _: Anonymous, request: ApiRequest) -> Result<ApiResponse, Fault> {
    Ok(document(&identity).respond(&request.headers))
}

/// The document. It depends on the configuration alone, so it is made once.
pub(super) fn document(identity: &Identity) -> Document {
    let body = metadata(&identity.oidc.settings.issuer).to_string();
    let fingerprint = digest::fingerprint(body.as_bytes());
    Document::new("application/json; charset=utf-8", body.into(), &fingerprint)
}

/// The members, each for what this server really has.
fn metadata(issuer: &str) -> Value {
    json!({
        "issuer": issuer,
        "jwks_uri": format!("{issuer}/.well-known/jwks.json"),
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": SigningAlgorithm::ALL.map(SigningAlgorithm::name),
    })
}
