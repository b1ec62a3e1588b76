//! Bearer tokens: 160 random bits behind a prefix, kept as HMAC-SHA256 under a derived key, so that a dump of the table gives none away.

use crate::keys::Key;
use domain::shared::Entropy;
use hmac::{Hmac, KeyInit, Mac};
use secrecy::SecretString;
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// A new token with a prefix such as `sbpub_`: 40 hexadecimal characters follow.
pub fn generate(prefix: &str, entropy: &dyn Entropy) -> SecretString {
    let mut bytes = [0; 20];
    entropy.fill(&mut bytes);
    format!("{prefix}{}", hex::encode(bytes)).into()
}

/// Hashes tokens: what comes out is stored and looked up. The key is worked in once, which is half of the work for a text as short as these.
#[derive(Clone)]
pub struct Hasher(Hmac<Sha256>);

impl Hasher {
    /// Under a key.
    pub fn new(key: &Key) -> Self {
        // HMAC pads a short key with zeros to the length of a block; padded here, it has the length that the type asks for.
        let mut block = [0; 64];
        block.iter_mut().zip(key).for_each(|(to, from)| *to = *from);
        Self(Hmac::new(&block.into()))
    }

    /// The hash of a token: HMAC-SHA256 (RFC 2104).
    pub fn hash(&self, token: &str) -> [u8; 32] {
        self.0.clone().chain_update(token).finalize().into_bytes().into()
    }
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

#[cfg(test)]
mod tests {
    use super::{Hasher, sign};

    #[test]
    fn a_hasher_signs_with_its_key() {
        for key in [[0; 32], [7; 32], [255; 32]] {
            for token in ["", "sbpub_0123456789abcdef0123456789abcdef01234567", &"long".repeat(100)] {
                assert_eq!(Hasher::new(&key).hash(token), sign(&key, token.as_bytes()));
            }
        }
    }
}
