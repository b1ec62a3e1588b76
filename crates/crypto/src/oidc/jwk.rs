//! Public keys as JSON Web Keys (RFC 7517). The type has no place for a private member, so none can be published.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::identity::oidc::SigningAlgorithm;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The members that make the key, each in base64url without padding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kty")]
pub enum Material {
    /// RFC 7518, section 6.3.1.
    #[serde(rename = "RSA")]
    Rsa { n: String, e: String },
    /// RFC 7518, section 6.2.1.
    #[serde(rename = "EC")]
    Ec {
        crv: Curve,
        /// The first coordinate.
        x: String,
        y: String,
    },
    /// RFC 8037, section 2.
    #[serde(rename = "OKP")]
    Okp { crv: EdwardsCurve, x: String },
}

/// The curve of ES256.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Curve {
    /// P-256.
    #[serde(rename = "P-256")]
    P256,
}

/// The curve of `EdDSA`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum EdwardsCurve {
    /// Ed25519.
    Ed25519,
}

/// A public key with what it is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Jwk {
    #[serde(flatten)]
    material: Material,
    #[serde(rename = "use")]
    usage: Usage,
    alg: String,
    kid: String,
}

/// What a key is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Usage {
    #[serde(rename = "sig")]
    Signature,
}

impl Jwk {
    /// The JWK of a key that signs with an algorithm. Its id is the thumbprint.
    pub(super) fn new(algorithm: SigningAlgorithm, material: Material) -> Self {
        let kid = material.thumbprint();
        Self { material, usage: Usage::Signature, alg: algorithm.name().to_owned(), kid }
    }

    /// The id.
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// The members that make the key.
    pub(super) fn material(&self) -> &Material {
        &self.material
    }

    /// Reads what [`Jwk::to_json`] wrote.
    pub fn from_json(value: &Value) -> Option<Self> {
        Self::deserialize(value).ok()
    }

    /// As it is stored and published.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl Material {
    /// The SHA-256 thumbprint (RFC 7638): over the members that make the key, in the order of their names.
    pub fn thumbprint(&self) -> String {
        let required = match self {
            Self::Rsa { n, e } => json!({ "e": e, "kty": "RSA", "n": n }),
            Self::Ec { crv, x, y } => json!({ "crv": crv, "kty": "EC", "x": x, "y": y }),
            Self::Okp { crv, x } => json!({ "crv": crv, "kty": "OKP", "x": x }),
        };
        BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(required.to_string()))
    }
}
