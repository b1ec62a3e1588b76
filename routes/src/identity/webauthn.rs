//! `/api/webauthn/…`: making a passkey, and signing in with one.

mod login_finish;
mod login_start;
mod register_finish;
mod register_start;

use super::Identity;
use crate::web::{ApiResponse, Endpoint, ErrorFormat, group as grouped};
use domain::shared::Fault;
use serde::Serialize;
use serde_json::Value;
use services::identity::passkeys::PasskeyChallenge;

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

/// What a browser answered; 400 `validation` when nothing was sent.
fn credential(sent: Option<Value>) -> Result<Value, Fault> {
    let missing = || Fault::required("credential", "Send what the browser answered as credential");
    sent.filter(|credential| !credential.is_null()).ok_or_else(missing)
}

#[derive(Serialize)]
struct Challenge {
    options: Value,
    challenge: String,
}

/// A challenge, for `navigator.credentials`.
pub(super) fn respond(challenge: PasskeyChallenge) -> Result<ApiResponse, Fault> {
    let PasskeyChallenge { options, challenge } = challenge;
    ApiResponse::ok(&Challenge { options, challenge })
}
