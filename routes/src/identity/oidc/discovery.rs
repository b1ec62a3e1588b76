//! `GET /.well-known/openid-configuration` (OpenID Connect Discovery 1.0, section 4) and `GET
//! /.well-known/oauth-authorization-server` (RFC 8414, section 3): what the provider can do, and where. Both
//! answer the same document.

use super::document::Document;
use crate::{
    identity::Identity,
    web::{Anonymous, ApiRequest, ApiResponse},
};
use crypto::digest;
use domain::{
    identity::oidc::{
        GrantType, SigningAlgorithm, acr, authorization_request::PromptValue, jwk::JwsAlgorithm, response::ResponseMode, scope,
        user_claims,
    },
    shared::Fault,
};
use serde_json::{Value, json};
use strum::VariantNames;

/// 200 with the metadata. The same as the fast path answers.
pub(super) async fn read(identity: Identity, _: Anonymous, request: ApiRequest) -> Result<ApiResponse, Fault> {
    Ok(document(&identity).respond(&request.headers))
}

/// The document. It depends on the configuration alone, so it is made once.
pub(super) fn document(identity: &Identity) -> Document {
    let body = metadata(&identity.oidc.settings.issuer, identity.ctx.settings.locales.supported()).to_string();
    let fingerprint = digest::fingerprint(body.as_bytes());
    Document::new("application/json; charset=utf-8", body.into(), &fingerprint)
}

/// The members, each for what this server really has.
fn metadata(issuer: &str, locales: &[String]) -> Value {
    let claims = ["sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "at_hash", "sid"];
    let claims: Vec<&str> = claims.into_iter().chain(user_claims::BY_SCOPE.map(|(claim, _)| claim)).collect();
    let assertions = JwsAlgorithm::NAMES;
    let client_auth = ["client_secret_basic", "client_secret_post", "private_key_jwt", "none"];
    json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/oidc/authorize"),
        "token_endpoint": format!("{issuer}/oidc/token"),
        "userinfo_endpoint": format!("{issuer}/oidc/userinfo"),
        "end_session_endpoint": format!("{issuer}/oidc/session/end"),
        "jwks_uri": format!("{issuer}/.well-known/jwks.json"),
        "device_authorization_endpoint": format!("{issuer}/oidc/device_authorization"),
        "pushed_authorization_request_endpoint": format!("{issuer}/oidc/par"),
        "revocation_endpoint": format!("{issuer}/oidc/revoke"),
        "introspection_endpoint": format!("{issuer}/oidc/introspect"),
        "scopes_supported": scope::SUPPORTED,
        "response_types_supported": ["code"],
        "response_modes_supported": ResponseMode::VARIANTS,
        "grant_types_supported": GrantType::VARIANTS,
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": SigningAlgorithm::VARIANTS,
        "token_endpoint_auth_methods_supported": client_auth,
        "token_endpoint_auth_signing_alg_values_supported": assertions,
        "revocation_endpoint_auth_methods_supported": client_auth,
        "revocation_endpoint_auth_signing_alg_values_supported": assertions,
        "introspection_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post", "private_key_jwt"],
        "introspection_endpoint_auth_signing_alg_values_supported": assertions,
        "introspection_signing_alg_values_supported": SigningAlgorithm::VARIANTS,
        "require_pushed_authorization_requests": false,
        "dpop_signing_alg_values_supported": assertions,
        "code_challenge_methods_supported": ["S256"],
        "claims_supported": claims,
        "claim_types_supported": ["normal"],
        "claims_parameter_supported": true,
        "request_parameter_supported": false,
        "request_uri_parameter_supported": false,
        "acr_values_supported": acr::SUPPORTED,
        "prompt_values_supported": PromptValue::VARIANTS,
        "display_values_supported": ["page", "popup"],
        "ui_locales_supported": locales,
        "authorization_response_iss_parameter_supported": true,
        "backchannel_logout_supported": true,
        "backchannel_logout_session_supported": true,
    })
}
