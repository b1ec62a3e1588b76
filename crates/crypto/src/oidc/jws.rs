//! Tokens in the compact serialization of JWS (RFC 7515, section 7.1).
//!
//! The library `jsonwebtoken` checks them: those of this server as a whole ([`super::PublicKey::claims`]),
//! and the signatures of those of others. Before that, this module reads what the library does not look at:
//! the length, `typ`, `crit`, and the key in the header as it was sent.

use super::foreign_key;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::{
    identity::oidc::{PublicJwk, SigningAlgorithm, TokenType, jwk::JwsAlgorithm},
    shared::Fault,
};
use jsonwebtoken::dangerous::insecure_decode_claims;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

/// The longest token that is parsed, in bytes; ours have less than 2 KiB.
const MAX_LENGTH: usize = 8192;

/// What the header of a token says.
#[derive(Debug, Deserialize)]
pub struct Header {
    pub alg: String,
    /// The type of the token.
    #[serde(default)]
    pub typ: Option<String>,
    /// The id of the key.
    #[serde(default)]
    pub kid: Option<String>,
    /// The key that the token was signed with, where the token brings it along.
    #[serde(default)]
    pub jwk: Option<Map<String, Value>>,
    /// Extensions that have to be understood (RFC 7515, section 4.1.11). We have none, so a token that names
    /// any is refused.
    #[serde(default)]
    crit: Option<serde::de::IgnoredAny>,
}

/// A token whose header was read. Nothing in it is verified yet.
#[derive(Debug)]
pub struct Unverified<'a> {
    pub header: Header,
    pub(super) text: &'a str,
}

impl<'a> Unverified<'a> {
    /// Reads the header of a token; `None` when it has none that can be understood, and for a text that is
    /// not three parts in base64url: the library takes whatever stands before the last two for the header.
    pub fn parse(text: &'a str) -> Option<Self> {
        if text.len() > MAX_LENGTH {
            return None;
        }
        let mut parts = text.split('.').map(|part| BASE64_URL_SAFE_NO_PAD.decode(part).ok());
        let (header, _payload, _signature) = (parts.next()??, parts.next()??, parts.next()??);
        if parts.next().is_some() {
            return None;
        }
        let header: Header = serde_json::from_slice(&header).ok()?;
        header.crit.is_none().then_some(Self { header, text })
    }

    /// The claims, which are not verified; `None` when they cannot be read.
    pub fn claims<T: DeserializeOwned>(&self) -> Option<T> {
        insecure_decode_claims(self.text).ok()
    }

    /// Whether it was signed with the private key that belongs to this public one of another party, by an
    /// algorithm that the key is for.
    pub fn is_signed_by(&self, key: &PublicJwk) -> bool {
        let algorithm = self.header.alg.parse::<JwsAlgorithm>().ok();
        let parts = self.text.rsplit_once('.');
        algorithm
            .zip(parts)
            .is_some_and(|(algorithm, (message, signature))| foreign_key::verifies(key, algorithm, message, signature))
    }
}

/// What is to be signed of a token: its header and its claims.
pub fn signing_input<T: Serialize>(algorithm: SigningAlgorithm, typ: TokenType, kid: &str, claims: &T) -> Result<String, Fault> {
    let claims = serde_json::to_vec(claims).map_err(|error| Fault::internal(format!("claims: {error}")))?;
    // None of the three needs an escape in JSON: two are constants, and a thumbprint is base64url.
    let header = format!(r#"{{"alg":"{algorithm}","typ":"{}","kid":"{kid}"}}"#, typ.into_str());
    let mut input = String::with_capacity((header.len() + claims.len()).div_ceil(3) * 4 + 360);
    BASE64_URL_SAFE_NO_PAD.encode_string(header, &mut input);
    input.push('.');
    BASE64_URL_SAFE_NO_PAD.encode_string(claims, &mut input);
    Ok(input)
}

/// The token of what was signed and its signature.
pub(super) fn complete(mut input: String, signature: &[u8]) -> String {
    input.push('.');
    BASE64_URL_SAFE_NO_PAD.encode_string(signature, &mut input);
    input
}
