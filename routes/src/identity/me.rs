//! `/api/me…`: the account of who is signed in.

mod activity;
mod delete;
mod email;
mod export;
mod passkeys;
mod password;
mod read;
mod referrer;
mod sessions;
mod totp;
mod update;

use super::Identity;
use crate::web::{Endpoint, ErrorFormat, group as grouped};
pub(super) use passkeys::{DeviceType, PasskeyView};

/// `/api/me…`.
pub fn group(identity: &Identity) -> Endpoint {
    let endpoints = [
        read::route(identity),
        update::route(identity),
        delete::route(identity),
        email::route(identity),
        sessions::list::route(identity),
        sessions::revoke::route(identity),
        sessions::revoke_others::route(identity),
        sessions::last_revoked_others::route(identity),
        activity::route(identity),
        export::route(identity),
        referrer::route(identity),
    ];
    let more = totp::routes(identity).into_iter().chain(password::routes(identity)).chain(passkeys::routes(identity));
    grouped(ErrorFormat::Identity, endpoints.into_iter().chain(more))
}
