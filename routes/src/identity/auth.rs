//! `/api/auth/…`: registering, signing in and out.

mod login;
mod logout;
mod register;

use super::Identity;
use crate::web::{Dialect, Endpoint, group as grouped};
use secrecy::SecretString;
use serde::{Deserialize, Deserializer, de::Error};

/// `/api/auth/…`.
pub fn group(identity: &Identity) -> Endpoint {
    grouped(Dialect::Identity, [login::route(identity), register::route(identity), logout::route(identity)])
}

/// Reads a password. serde would repeat a value of the wrong type in its message; this does not.
fn password<'de, D: Deserializer<'de>>(input: D) -> Result<Option<SecretString>, D::Error> {
    let text = Option::<String>::deserialize(input).map_err(|_| D::Error::custom("the password must be a text"))?;
    Ok(text.map(SecretString::from))
}
