//! `/api/webauthn/…`: making a passkey, and signing in with one.

mod login_finish;
mod login_start;
mod register_finish;
mod register_start;

use super::Identity;
use crate::web::{Endpoint, ErrorFormat, group as grouped};

/// `/api/webauthn/…`.
pub fn group(identity: &Identity) -> Endpoint {
    let endpoints = [
        register_start::route(identity),
        register_finish::route(identity),
        login_start::route(identity),
        login_finish::route(identity),
    ];
    grouped(ErrorFormat::Identity, endpoints)
}
