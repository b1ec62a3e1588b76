//! The content of the session cookie: a JWT (RFC 7519) signed with HS256 that names a session. It proves that
//! this server issued the cookie; the row of the session decides whether the session is still active.
//!
//! `typ`, `aud` and `iss` are checked, so that no other token of this server passes as a session (RFC 8725,
//! section 3.11). Times are compared with the clock that is passed in; the library would read the clock of
//! the system.

use crate::keys::{Key, Keys};
use domain::shared::{SessionId, UserId};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};

const TYPE: &str = "session+jwt";
const AUDIENCE: &str = "session";
/// The longest token that is parsed, in bytes; valid tokens have about 400.
const MAX_LENGTH: usize = 2048;

/// The claims of a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    pub sub: UserId,
    pub sid: SessionId,
    /// The account's `token_version` at sign-in.
    pub tv: i32,
    /// When the person authenticated, in Unix seconds.
    pub auth_time: i64,
    /// When it was signed, in Unix seconds.
    pub iat: i64,
    /// When it expires, in Unix seconds.
    pub exp: i64,
}

/// The claims with the issuer and the audience.
#[derive(Serialize, Deserialize)]
struct Signed {
    iss: String,
    aud: String,
    #[serde(flatten)]
    claims: Claims,
}

/// Signs and verifies session tokens. Cheap to share, not to clone.
pub struct SessionTokens {
    issuer: String,
    encoding: EncodingKey,
    decoding: DecodingKey,
    validation: Validation,
}

impl SessionTokens {
    /// Makes the signer of an issuer, which is the base URL without a trailing slash.
    pub fn new(keys: &Keys, issuer: &str) -> Self {
        let key: Key = keys.derive("session-cookie/1");
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_audience(&[AUDIENCE]);
        validation.set_issuer(&[issuer]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        validation.validate_exp = false;
        Self {
            issuer: issuer.to_owned(),
            encoding: EncodingKey::from_secret(&key),
            decoding: DecodingKey::from_secret(&key),
            validation,
        }
    }

    /// Signs a token with these claims.
    pub fn sign(&self, claims: Claims) -> Result<String, domain::shared::Fault> {
        let header = Header { typ: Some(TYPE.to_owned()), ..Header::new(Algorithm::HS256) };
        let signed = Signed { iss: self.issuer.clone(), aud: AUDIENCE.to_owned(), claims };
        encode(&header, &signed, &self.encoding).map_err(|error| domain::shared::Fault::internal(format!("sign session: {error}")))
    }

    /// The claims of a token that this server issued and that has not expired at `now` (Unix seconds).
    pub fn verify(&self, token: &str, now: i64) -> Option<Claims> {
        if token.len() > MAX_LENGTH {
            return None;
        }
        let data = decode::<Signed>(token, &self.decoding, &self.validation).ok()?;
        let claims = data.claims.claims;
        (data.header.typ.as_deref() == Some(TYPE) && claims.exp > now).then_some(claims)
    }
}

#[cfg(test)]
mod tests;
