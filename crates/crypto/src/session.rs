//! The session cookie's content: a JWT (RFC 7519) signed with HS256 that names a session row. It proves who may ask for the row; whether
//! the session still lives is the row's business.
//!
//! `typ`, `aud` and `iss` are checked, so that no other token of ours can pass as a session (RFC 8725, section 3.11). Times are compared with
//! the clock that is passed in; the library would read the system's.

use crate::keys::{Key, Keys};
use domain::shared::{SessionId, UserId};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation, decode, encode};
use serde::{Deserialize, Serialize};

const TYPE: &str = "session+jwt";
const AUDIENCE: &str = "session";
/// The longest token that is looked at; ours are about 400 bytes.
const MAX_LENGTH: usize = 2048;

/// What the token says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// Whose session.
    pub sub: UserId,
    /// Which row.
    pub sid: SessionId,
    /// The account's `token_version` at sign-in.
    pub tv: i32,
    /// When the account was proved, Unix seconds.
    pub auth_time: i64,
    /// When it was signed, Unix seconds.
    pub iat: i64,
    /// When it ends, Unix seconds.
    pub exp: i64,
}

/// The claims with who made them and for whom.
#[derive(Serialize, Deserialize)]
struct Signed {
    iss: String,
    aud: String,
    #[serde(flatten)]
    claims: Claims,
}

/// Signs and checks session tokens. Cheap to share, not to clone.
pub struct SessionTokens {
    issuer: String,
    encoding: EncodingKey,
    decoding: DecodingKey,
    validation: Validation,
}

impl SessionTokens {
    /// For an issuer: the base URL without a trailing slash.
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

    /// Signs.
    pub fn sign(&self, claims: Claims) -> Result<String, domain::shared::Fault> {
        let header = Header { typ: Some(TYPE.to_owned()), ..Header::new(Algorithm::HS256) };
        let signed = Signed { iss: self.issuer.clone(), aud: AUDIENCE.to_owned(), claims };
        encode(&header, &signed, &self.encoding).map_err(|error| domain::shared::Fault::internal(format!("sign session: {error}")))
    }

    /// The claims of a token that is ours and not expired at `now` (Unix seconds).
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
