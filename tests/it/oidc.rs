//! The OpenID provider, over HTTP.

mod app_roles;
mod attacks;
mod backchannel_logout;
mod client_auth;
mod code_flow;
pub(crate) mod device;
mod documents;
mod dpop;
mod errors;
mod forms;
mod interactions;
mod introspection;
mod keys;
mod misdirected;
pub(crate) mod provider;
mod pushed;
mod refresh;
mod requests;
mod roles;
mod rotation;
mod scripts;
mod session_end;

use support::prelude::*;

/// What a client does with a token and with keys that it has fetched: the claims, if the signature is right.
pub fn verify(token: &str, jwks: &Value) -> Option<Value> {
    let header = jsonwebtoken::decode_header(token).unwrap();
    let keys: jsonwebtoken::jwk::JwkSet = serde_json::from_value(jwks.clone()).unwrap();
    let key = keys.find(header.kid.as_ref().unwrap())?;
    let mut validation = jsonwebtoken::Validation::new(header.alg);
    validation.required_spec_claims.clear();
    validation.validate_exp = false;
    validation.validate_aud = false;
    let key = jsonwebtoken::DecodingKey::from_jwk(key).unwrap();
    Some(jsonwebtoken::decode(token, &key, &validation).unwrap().claims)
}
