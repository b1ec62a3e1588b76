//! The token that an import reads its source with, in a request.

use domain::{content::Checks, shared::FieldCode};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Deserializer};

/// The longest token, in bytes.
const MAX_LENGTH: usize = 4096;

/// Reads it as a secret, so that no message repeats it.
pub(super) fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Option<SecretString>, D::Error> {
    Ok(Option::<String>::deserialize(from)?.map(SecretString::from))
}

/// The token without blanks around it. Its faults are added to the checks.
pub(super) fn checked(token: Option<SecretString>, checks: &mut Checks) -> SecretString {
    let token = token.unwrap_or_default();
    let text = token.expose_secret().trim();
    if text.is_empty() {
        checks.refuse("oauth_token", FieldCode::Blank, "can't be blank");
    } else if text.len() > MAX_LENGTH || text.chars().any(|c| !c.is_ascii_graphic() && c != ' ') {
        checks.refuse("oauth_token", FieldCode::Invalid, "is no token");
    }
    SecretString::from(text.to_owned())
}
