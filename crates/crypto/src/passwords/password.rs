//! The form of a password: as it was typed, and normalised.

use secrecy::{ExposeSecret, SecretString};
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// A password as typed, and normalised if that differs.
pub(super) struct Password {
    typed: SecretString,
    /// In Unicode normalisation form C, as NIST SP 800-63B advises, where that differs: an `é` may arrive as one code point or as two.
    composed: Option<SecretString>,
}

impl Password {
    pub(super) fn of(typed: SecretString) -> Self {
        let text = typed.expose_secret();
        let composed = (!is_nfc(text)).then(|| text.nfc().collect::<String>().into());
        Self { typed, composed }
    }

    /// The bytes of which a new hash is made.
    pub(super) fn composed(&self) -> &[u8] {
        self.composed.as_ref().unwrap_or(&self.typed).expose_secret().as_bytes()
    }

    /// The bytes of which a stored hash may have been made, and whether they are those of which a new hash is made. As typed comes first: another
    /// system, whose hash it may be, hashed the bytes that it received.
    pub(super) fn forms(&self) -> impl Iterator<Item = (&[u8], bool)> {
        let composed = self.composed.as_ref().map(|composed| (composed, true));
        [Some((&self.typed, self.composed.is_none())), composed]
            .into_iter()
            .flatten()
            .map(|(value, is)| (value.expose_secret().as_bytes(), is))
    }
}
