//! Device authorization (RFC 8628): a device without a browser or keyboard shows a short code, and a person
//! types it on a page of this server.
//!
//! ```text
//! device  -> authorize()             -> device code, user code
//! person  -> find(), decide()        the page: who asks for what; allow or deny
//! device  -> the token endpoint with the device code, again and again, until the person has decided
//! ```

mod verification;

use super::OidcContext;
use crypto::{codes, opaque_token};
use domain::{
    identity::oidc::{
        Client, UserCode,
        device_code::{INTERVAL, requested},
        lifetimes,
    },
    shared::{Fault, Parameters},
};
use jiff::Timestamp;
use secrecy::SecretString;
use std::time::Duration;
use storage::{
    identity::{
        oidc::device_codes::{self, DeviceRequest, NewDeviceCode},
        one_time::Hash,
    },
    transact,
};
pub use verification::{DeviceView, decide, find};

/// How many user codes are tried: one in 25,600,000,000 is taken for each device that waits.
const MAX_TRIES: usize = 3;

/// What a device is given.
#[derive(Debug)]
pub struct DeviceAuthorization {
    /// What the device asks for tokens with.
    pub device_code: SecretString,
    /// What the person types.
    pub user_code: UserCode,
    /// How long both are valid.
    pub expires_in: Duration,
    /// The seconds between two requests for tokens.
    pub interval: u32,
}

/// Begins an authorization for a client that has authenticated. `dpop_jkt` is the thumbprint of the key whose
/// proof came with the request, if any: the device code is bound to it. 400 `unauthorized_client`,
/// `invalid_scope` or `invalid_target`.
pub async fn authorize(
    ctx: &OidcContext,
    client: &Client,
    parameters: &Parameters,
    dpop_jkt: Option<String>,
    at: Timestamp,
) -> Result<DeviceAuthorization, Fault> {
    let (scope, resources) = requested(parameters, client, &ctx.settings.resource_audiences)?;
    let entropy = ctx.identity.entropy.as_ref();
    let expires_at = at.checked_add(lifetimes::DEVICE_CODE).unwrap_or(Timestamp::MAX);
    let request = DeviceRequest { id: ctx.identity.entropy.uuid(), client_id: client.id.clone(), scope, resources, dpop_jkt };
    let (device_code, device_hash) = opaque_token::generate(entropy);
    for _ in 0..MAX_TRIES {
        let user_code = codes::user_code(entropy);
        let user_hash = user_hash(ctx, &user_code);
        let new = &NewDeviceCode { request: request.clone(), device_hash, user_hash, interval: INTERVAL, at, expires_at };
        let begin = transact!(ctx.identity, "oidc.begin_device_authorization", async |tx| { device_codes::insert(tx, new).await });
        // Unless the user code is taken.
        if begin.await? {
            return Ok(DeviceAuthorization { device_code, user_code, expires_in: lifetimes::DEVICE_CODE, interval: INTERVAL });
        }
    }
    Err(Fault::internal("no user code is free"))
}

/// The hash of a user code that is stored.
fn user_hash(ctx: &OidcContext, code: &UserCode) -> Hash {
    codes::hash(&ctx.identity.secrets.codes, "device", code.letters())
}
