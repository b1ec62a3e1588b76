//! Tokens in the compact serialization of JWS (RFC 7515, section 7.1).

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::{
    identity::oidc::{SigningAlgorithm, TokenType},
    shared::Fault,
};
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
    /// Extensions that have to be understood (RFC 7515, section 4.1.11). We have none, so a token that names any is refused.
    #[serde(default)]
    crit: Option<serde::de::IgnoredAny>,
}

/// A token taken apart. Nothing in it is verified yet.
#[derive(Debug)]
pub struct Unverified<'a> {
    pub header: Header,
    /// What is signed: header and payload.
    pub message: &'a str,
    pub signature: Vec<u8>,
    payload: Vec<u8>,
}

impl<'a> Unverified<'a> {
    /// Takes a token apart; `None` when it is none.
    pub fn parse(token: &'a str) -> Option<Self> {
        if token.len() > MAX_LENGTH {
            return None;
        }
        let (message, signature) = token.rsplit_once('.')?;
        let (header, payload) = message.split_once('.')?;
        let header: Header = serde_json::from_slice(&decode(header)?).ok()?;
        if header.crit.is_some() {
            return None;
        }
        Some(Self { header, message, signature: decode(signature)?, payload: decode(payload)? })
    }

    /// The claims; `None` when they cannot be read.
    pub fn claims<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_slice(&self.payload).ok()
    }
}

/// What is to be signed of a token: its header and its claims.
pub fn signing_input<T: Serialize>(algorithm: SigningAlgorithm, typ: TokenType, kid: &str, claims: &T) -> Result<String, Fault> {
    let claims = serde_json::to_vec(claims).map_err(|error| Fault::internal(format!("claims: {error}")))?;
    // None of the three needs an escape in JSON: two are constants, and a thumbprint is base64url.
    let header = format!(r#"{{"alg":"{algorithm}","typ":"{}","kid":"{kid}"}}"#, typ.name());
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

fn decode(segment: &str) -> Option<Vec<u8>> {
    BASE64_URL_SAFE_NO_PAD.decode(segment).ok()
}
