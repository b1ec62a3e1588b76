//! Public keys, parsed once and used for many verifications.

use super::jwk::{Jwk, Material};
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, ED25519, ParsedPublicKey, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};

/// A public key of one algorithm; it verifies no signature of another one.
#[derive(Debug)]
pub struct PublicKey(ParsedPublicKey);

impl PublicKey {
    /// Parses a JWK; `None` when its members make no key.
    pub fn of(jwk: &Jwk) -> Option<Self> {
        let decode = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text).ok();
        let parsed = match jwk.material() {
            Material::Rsa { n, e } => {
                let components = RsaPublicKeyComponents { n: decode(n)?, e: decode(e)? };
                components.to_parsed_public_key(&RSA_PKCS1_2048_8192_SHA256)
            }
            Material::Ec { x, y, .. } => {
                let (x, y) = (decode(x)?, decode(y)?);
                ParsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, [&[4], x.as_slice(), y.as_slice()].concat())
            }
            Material::Okp { x, .. } => ParsedPublicKey::new(&ED25519, decode(x)?),
        };
        parsed.ok().map(Self)
    }

    /// Whether a message was signed with the private key.
    pub fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        self.0.verify_sig(message, signature).is_ok()
    }
}
