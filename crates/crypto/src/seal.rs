//! Secrets that must be read again, such as the signing secret of a webhook or a token of another service:
//! AES-256-GCM under a derived key, so that a copy of the table reveals none.
//!
//! A sealed secret is a version byte, a nonce of 12 random bytes, and the ciphertext with its tag. Its
//! purpose is authenticated with it (associated data), so that the secret of one row cannot be moved to a row
//! of another kind.

use crate::keys::Key;
use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::shared::{Entropy, Fault};
use secrecy::SecretSlice;

const VERSION: u8 = 1;

/// Seals and opens secrets under one key.
#[derive(Clone)]
pub struct Seal {
    key: Key,
}

impl Seal {
    /// A seal with a derived key, see [`crate::keys::Keys::derive`].
    pub fn new(key: Key) -> Self {
        Self { key }
    }

    /// Encrypts a secret. [`Seal::open`] must be given the same purpose.
    pub fn seal(&self, purpose: &str, plain: &[u8], entropy: &dyn Entropy) -> Result<Vec<u8>, Fault> {
        let mut nonce = [0; NONCE_LEN];
        entropy.fill(&mut nonce);
        let mut sealed = plain.to_vec();
        self.cipher()?
            .seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(purpose.as_bytes()), &mut sealed)
            .map_err(|_| Fault::internal("a secret could not be sealed"))?;
        Ok([&[VERSION], nonce.as_slice(), &sealed].concat())
    }

    /// The same as a text that a browser keeps for a while: base64url.
    pub fn seal_text(&self, purpose: &str, plain: &[u8], entropy: &dyn Entropy) -> Result<String, Fault> {
        self.seal(purpose, plain, entropy).map(|sealed| BASE64_URL_SAFE_NO_PAD.encode(sealed))
    }

    /// Decrypts what [`Seal::seal_text`] made. `None` for any other text, and for another purpose.
    pub fn open_text(&self, purpose: &str, sealed: &str) -> Option<SecretSlice<u8>> {
        let sealed = BASE64_URL_SAFE_NO_PAD.decode(sealed).ok()?;
        self.open(purpose, &sealed).ok()
    }

    /// Decrypts a secret. An error when the key or the purpose is another one, or the text was changed.
    pub fn open(&self, purpose: &str, sealed: &[u8]) -> Result<SecretSlice<u8>, Fault> {
        let wrong = || Fault::internal("a stored secret cannot be opened: was APP_SECRET changed?");
        let Some((&[VERSION], rest)) = sealed.split_at_checked(1) else { return Err(wrong()) };
        let (nonce, text) = rest.split_first_chunk::<NONCE_LEN>().ok_or_else(wrong)?;
        let mut text = text.to_vec();
        let aad = Aad::from(purpose.as_bytes());
        let plain = self.cipher()?.open_in_place(Nonce::assume_unique_for_key(*nonce), aad, &mut text).map_err(|_| wrong())?.len();
        text.truncate(plain);
        Ok(text.into())
    }

    fn cipher(&self) -> Result<LessSafeKey, Fault> {
        let key = UnboundKey::new(&AES_256_GCM, &self.key).map_err(|_| Fault::internal("a key has the wrong length"))?;
        Ok(LessSafeKey::new(key))
    }
}

#[cfg(test)]
mod tests {
    use super::Seal;
    use crate::random::SystemEntropy;
    use secrecy::ExposeSecret;

    #[test]
    fn a_secret_is_opened_with_the_same_key_and_purpose() {
        let seal = Seal::new([1; 32]);
        let sealed = seal.seal("webhook", b"secret", &SystemEntropy).unwrap();
        assert_eq!(seal.open("webhook", &sealed).unwrap().expose_secret(), b"secret");
        assert!(seal.open("import", &sealed).is_err());
        assert!(Seal::new([2; 32]).open("webhook", &sealed).is_err());
    }

    #[test]
    fn no_two_sealed_texts_are_equal_and_none_can_be_changed() {
        let seal = Seal::new([1; 32]);
        let sealed = seal.seal("x", b"secret", &SystemEntropy).unwrap();
        assert_ne!(sealed, seal.seal("x", b"secret", &SystemEntropy).unwrap());
        assert!(!sealed.windows(6).any(|sealed| sealed == b"secret"));
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert!(seal.open("x", &changed).is_err(), "byte {at}");
        }
        for length in 0..sealed.len() {
            assert!(seal.open("x", &sealed[..length]).is_err(), "{length} bytes");
        }
    }
}
