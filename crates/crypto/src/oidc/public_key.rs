//! The public keys of this server. As JSON Web Keys (RFC 7517) they have no private members, so none can be
//! published.

use super::jws::Unverified;
use domain::shared::Fault;
use jsonwebtoken::{
    Algorithm, DecodingKey, Validation, decode,
    jwk::{Jwk, PublicKeyUse, ThumbprintHash},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

/// A public key of one algorithm; it verifies no signature of another one.
#[derive(Debug)]
pub struct PublicKey {
    jwk: Jwk,
    kid: String,
    key: DecodingKey,
    validation: Validation,
}

impl PublicKey {
    /// The key of an algorithm. Its id is the SHA-256 thumbprint (RFC 7638).
    pub(super) fn new(algorithm: Algorithm, key: DecodingKey) -> Result<Self, Fault> {
        let unusable = |error| Fault::internal(format!("a public key cannot be used: {error}"));
        let mut jwk = Jwk::from_decoding_key(&key, Some(algorithm)).map_err(unusable)?;
        let kid = jwk.thumbprint(ThumbprintHash::SHA256).map_err(unusable)?;
        jwk.common.public_key_use = Some(PublicKeyUse::Signature);
        jwk.common.key_id = Some(kid.clone());
        let mut validation = Validation::new(algorithm);
        // The library would read the clock of the system; the caller checks the times, and for whom the token
        // is.
        validation.required_spec_claims.clear();
        (validation.validate_exp, validation.validate_aud) = (false, false);
        Ok(Self { jwk, kid, key, validation })
    }

    /// Reads what [`PublicKey::to_json`] wrote; `None` when it was damaged since.
    pub fn from_json(value: &Value) -> Option<Self> {
        let jwk = Jwk::deserialize(value).ok()?;
        let algorithm = Algorithm::try_from(jwk.common.key_algorithm?).ok()?;
        let read = Self::new(algorithm, DecodingKey::from_jwk(&jwk).ok()?).ok()?;
        (read.jwk == jwk).then_some(read)
    }

    /// As it is stored and published.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(&self.jwk).unwrap_or_default()
    }

    /// The id.
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// The claims of a token that was signed with the private key. Whether it has expired is for the caller
    /// to check.
    pub fn claims<T: DeserializeOwned>(&self, token: &Unverified<'_>) -> Option<T> {
        decode(token.text, &self.key, &self.validation).ok().map(|token| token.claims)
    }
}
