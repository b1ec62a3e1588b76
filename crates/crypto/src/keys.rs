//! Derived keys: each key of the server is derived from the root secret by HKDF-SHA256 (RFC 5869) under a
//! label of its own.

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

    /// Keys that are derived from this root secret.
    pub fn new(root: SecretSlice<u8>) -> Self {
        Self { root }
    }

    /// Derives the key of a label. Labels have a version (`delivery-token/1`), so that one key can be changed
    /// without the others.
    ///
    /// # Panics
    /// Never: 32 bytes are within the bound of HKDF (RFC 5869).
    pub fn derive(&self, label: &str) -> Key {
        let mut key = [0; 32];
        let stretched = Hkdf::<Sha256>::new(Some(b"lectern"), self.root.expose_secret()).expand(label.as_bytes(), &mut key);
        assert!(stretched.is_ok(), "32 bytes are always within HKDF's bound of 255 blocks");
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
    fn every_label_has_a_key_of_its_own() {
        let keys = Keys::new(vec![7; 32].into());
        assert_eq!(keys.derive("a"), keys.derive("a"));
        assert_ne!(keys.derive("a"), keys.derive("b"));
        assert_ne!(keys.derive("a"), [0; 32]);
    }

    #[test]
    fn a_log_shows_no_key() {
        assert_eq!(format!("{:?}", Keys::new(vec![7; 32].into())), "Keys(…)");
    }
}
