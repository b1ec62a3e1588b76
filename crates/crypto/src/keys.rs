//! Every key of the house comes from the root secret, by HKDF-SHA256 (RFC 5869) with a label of its own.

use hkdf::Hkdf;
use secrecy::{ExposeSecret, SecretSlice};
use sha2::Sha256;

/// The root secret (`APP_SECRET`), at least 32 bytes.
#[derive(Clone)]
pub struct Keys {
    root: SecretSlice<u8>,
}

/// A key for one purpose.
pub type Key = [u8; 32];

impl Keys {
    /// The shortest root secret that is accepted, in bytes.
    pub const MIN_LENGTH: usize = 32;

    /// Takes the root secret.
    pub fn new(root: SecretSlice<u8>) -> Self {
        Self { root }
    }

    /// The key for a purpose. Labels are versioned (`delivery-token/1`), so that one key can be changed alone.
    pub fn derive(&self, label: &str) -> Key {
        let mut key = [0; 32];
        let stretched = Hkdf::<Sha256>::new(Some(b"lectern"), self.root.expose_secret()).expand(label.as_bytes(), &mut key);
        debug_assert!(stretched.is_ok(), "32 bytes are always within HKDF's bound of 255 blocks");
        key
    }
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Keys(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::Keys;

    #[test]
    fn labels_give_keys_of_their_own() {
        let keys = Keys::new(vec![7; 32].into());
        assert_eq!(keys.derive("a"), keys.derive("a"));
        assert_ne!(keys.derive("a"), keys.derive("b"));
        assert_ne!(keys.derive("a"), [0; 32]);
    }
}
