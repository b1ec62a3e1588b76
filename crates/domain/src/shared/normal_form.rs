//! The form in which secrets that people type are compared.

use secrecy::{ExposeSecret, SecretString};
use unicode_normalization::UnicodeNormalization;

/// The form of a password that the rules look at and that a new hash is made of: Unicode normalisation form
/// C, as NIST SP 800-63B advises.
pub fn normalised(password: &SecretString) -> SecretString {
    password.expose_secret().nfc().collect::<String>().into()
}
