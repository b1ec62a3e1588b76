//! Bearer tokens: 160 random bits behind a prefix, kept as HMAC-SHA256 under a derived key, so that a dump of the table gives none away.

use crate::keys::Key;
use domain::shared::Entropy;
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// A new token with a prefix such as `sbpub_`: 40 hexadecimal characters follow.
pub fn generate(prefix: &str, entropy: &dyn Entropy) -> SecretString {
    let mut bytes = [0; 20];
    entropy.fill(&mut bytes);
    format!("{prefix}{}", hex::encode(bytes)).into()
}

/// What is stored and looked up.
pub fn hash(key: &Key, token: &SecretString) -> [u8; 32] {
    sign(key, token.expose_secret().as_bytes())
}

/// HMAC-SHA256 (RFC 2104).
pub fn sign(key: &Key, message: &[u8]) -> [u8; 32] {
    // A key of any length is valid for HMAC; 32 bytes always are.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(key) else { return [0; 32] };
    mac.update(message);
    mac.finalize().into_bytes().into()
}

/// The same as text, in lower case hexadecimal.
pub fn signature(key: &Key, message: &str) -> String {
    hex::encode(sign(key, message.as_bytes()))
}

/// Compares two secrets in a time that does not depend on where they differ.
pub fn same(one: &[u8], other: &[u8]) -> bool {
    one.ct_eq(other).into()
}
