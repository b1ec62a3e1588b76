//! A password as it came, and as we hash it.

use secrecy::{ExposeSecret, SecretString};
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// A password, in one form or in two.
pub(super) struct Password {
    typed: SecretString,
    /// As every keyboard writes it (NFC, as NIST SP 800-63B advises): an `é` may come as one code point or as two. Only where that differs.
    composed: Option<SecretString>,
}

impl Password {
    pub(super) fn of(typed: SecretString) -> Self {
        let text = typed.expose_secret();
        let composed = (!is_nfc(text)).then(|| text.nfc().collect::<String>().into());
        Self { typed, composed }
    }

    /// What a new hash is made of.
    pub(super) fn composed(&self) -> &[u8] {
        self.composed.as_ref().unwrap_or(&self.typed).expose_secret().as_bytes()
    }

    /// What a stored hash may have been made of, and whether that is the form that we hash. As typed first: another system, whose hash it may
    /// be, hashed the bytes that it got.
    pub(super) fn forms(&self) -> impl Iterator<Item = (&[u8], bool)> {
        let composed = self.composed.as_ref().map(|composed| (composed, true));
        [Some((&self.typed, self.composed.is_none())), composed]
            .into_iter()
            .flatten()
            .map(|(value, is)| (value.expose_secret().as_bytes(), is))
    }
}
