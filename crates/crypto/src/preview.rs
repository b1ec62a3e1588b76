//! The tokens of the Delivery API as they are stored, and the signatures of preview URLs that are made with
//! one of them.
//!
//! All tokens are hashes. A preview token is kept sealed beside its hash, because the URL of a preview is
//! signed with its text, as Storyblok does: front ends check `sha1(space:token:timestamp)`.

use crate::{keys::Keys, seal::Seal, token::Hasher};
use domain::shared::{Entropy, Fault, SpaceId};
use secrecy::{ExposeSecret, SecretString};
use sha1::{Digest, Sha1};

/// The keys of delivery tokens.
#[derive(Clone)]
pub struct DeliveryKeys {
    hasher: Hasher,
    seal: Seal,
}

impl DeliveryKeys {
    /// Derives them.
    pub fn new(keys: &Keys) -> Self {
        Self { hasher: Hasher::new(&keys.derive("delivery-token/1")), seal: Seal::new(keys.derive("preview-token/1")) }
    }

    /// The hash of a token.
    pub fn hash(&self, token: &str) -> [u8; 32] {
        self.hasher.hash(token)
    }

    /// The sealed text of a token.
    pub fn seal(&self, token: &SecretString, entropy: &dyn Entropy) -> Result<Vec<u8>, Fault> {
        let text = token.expose_secret();
        self.seal.seal(&purpose(&self.hash(text)), text.as_bytes(), entropy)
    }

    /// The signature of a preview at a time: the hexadecimal SHA-1 of `space:token:timestamp`. `None` for
    /// what was sealed with another `APP_SECRET`.
    pub fn sign_preview(&self, space: SpaceId, (hash, sealed): (&[u8; 32], &[u8]), timestamp: i64) -> Option<String> {
        let token = self.seal.open(&purpose(hash), sealed).ok()?;
        let mut sum = Sha1::new();
        sum.update(format!("{space}:"));
        sum.update(token.expose_secret());
        sum.update(format!(":{timestamp}"));
        Some(hex::encode(sum.finalize()))
    }
}

/// The hash names the token, so that the text of one cannot stand in the row of another.
fn purpose(hash: &[u8; 32]) -> String {
    format!("preview token {}", hex::encode(hash))
}

#[cfg(test)]
mod tests {
    use super::DeliveryKeys;
    use crate::keys::Keys;
    use domain::shared::{Entropy, SpaceId};

    struct Zeros;

    impl Entropy for Zeros {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(0);
        }
    }

    #[test]
    fn a_sealed_token_signs_as_the_hosted_service_does_and_no_other_one() {
        let keys = DeliveryKeys::new(&Keys::new(vec![7; 32].into()));
        let token = "sbprev_0123456789abcdef0123456789abcdef01234567".to_owned();
        let hash = keys.hash(&token);
        let sealed = keys.seal(&token.clone().into(), &Zeros).unwrap();
        // printf '%s' '42:sbprev_0123456789abcdef0123456789abcdef01234567:1772366400' | sha1sum
        let expected = "14d1be85e160366dddca3aff926411dcd2f63824";
        assert_eq!(keys.sign_preview(SpaceId(42), (&hash, &sealed), 1_772_366_400).as_deref(), Some(expected));
        assert_eq!(keys.sign_preview(SpaceId(42), (&keys.hash("other"), &sealed), 1_772_366_400), None);
    }
}
