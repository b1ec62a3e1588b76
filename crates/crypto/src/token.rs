//! API tokens: 160 random bits behind a prefix, stored as HMAC-SHA256 under a derived key, so that a copy of
//! the table reveals no token.

use crate::keys::Key;
use domain::shared::Entropy;
use hmac::{Hmac, KeyInit, Mac};
use secrecy::SecretString;
use sha2::Sha256;
use subtle::ConstantTimeEq;

/// Generates a token: a prefix such as `sbpub_` and 40 hexadecimal characters.
pub fn generate(prefix: &str, entropy: &dyn Entropy) -> SecretString {
    let mut bytes = [0; 20];
    entropy.fill(&mut bytes);
    format!("{prefix}{}", hex::encode(bytes)).into()
}

/// Hashes tokens for storing them and finding them again. The key is hashed once, here: for a text as short
/// as a token that is half of the work.
#[derive(Clone)]
pub struct Hasher(Hmac<Sha256>);

impl Hasher {
    /// A hasher with this key.
    pub fn new(key: &Key) -> Self {
        // HMAC pads a short key with zeros to the length of a block; `Hmac::new` takes a key of that length.
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

/// The same as lower-case hexadecimal text.
pub fn signature(key: &Key, message: &str) -> String {
    hex::encode(sign(key, message.as_bytes()))
}

/// Compares two secrets in a time that does not depend on where they differ (constant time).
pub fn same(one: &[u8], other: &[u8]) -> bool {
    one.ct_eq(other).into()
}

#[cfg(test)]
mod tests {
    use super::{Hasher, generate, sign, signature};
    use domain::shared::Entropy;
    use secrecy::ExposeSecret;

    #[test]
    fn a_hasher_signs_with_its_key() {
        for key in [[0; 32], [7; 32], [255; 32]] {
            for token in ["", "sbpub_0123456789abcdef0123456789abcdef01234567", &"long".repeat(100)] {
                assert_eq!(Hasher::new(&key).hash(token), sign(&key, token.as_bytes()));
            }
        }
    }

    struct Same(u8);

    impl Entropy for Same {
        fn fill(&self, buffer: &mut [u8]) {
            buffer.fill(self.0);
        }
    }

    #[test]
    fn a_token_is_160_random_bits_behind_its_prefix() {
        assert_eq!(generate("sbpub_", &Same(0xa5)).expose_secret(), format!("sbpub_{}", "a5".repeat(20)));
    }

    #[test]
    fn a_signature_is_that_of_rfc_4231() {
        // Test case 1: a key of 20 bytes, which HMAC pads with zeros.
        let mut key = [0; 32];
        key[..20].fill(0x0b);
        assert_eq!(signature(&key, "Hi There"), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    }
}
