//! `/api/me…`: the account of who is signed in.

pub(crate) mod account;
mod credentials;
mod passkeys;
mod referrer;
mod sessions;
mod totp;

use super::{Identity, limits};
use crate::web::{BySession, Endpoints, ErrorFormat, access::checked, endpoint::without_body, proved};
pub(super) use passkeys::{DeviceType, PasskeyView};

/// The endpoints below `/api/me`.
pub(super) fn endpoints(identity: &Identity) -> Endpoints<Identity> {
    Endpoints::new(identity, ErrorFormat::Identity)
        .get("/api/me", BySession, account::read)
        .patch("/api/me", BySession, account::update)
        .delete("/api/me", BySession, account::delete)
        .post("/api/me/email", checked(limits::mail_from, BySession), credentials::change_email)
        .post("/api/me/password", BySession, credentials::change_password)
        .delete("/api/me/password", BySession, credentials::remove_password)
        .post("/api/me/password-reauth", checked(limits::passkey_from, BySession), without_body(credentials::start_reauth))
        .post("/api/me/reauthenticate", BySession, credentials::reauthenticate)
        .get("/api/me/passkeys", BySession, passkeys::list)
        .patch("/api/me/passkeys/{id}", BySession, passkeys::rename)
        .delete("/api/me/passkeys/{id}", BySession, passkeys::remove)
        .get("/api/me/totp", BySession, totp::state)
        .post("/api/me/totp/start", proved(BySession), without_body(totp::start))
        .post("/api/me/totp/confirm", BySession, totp::confirm)
        .post("/api/me/totp/backup-codes", BySession, totp::renew_backup_codes)
        .delete("/api/me/totp", BySession, totp::remove)
        .get("/api/me/sessions", BySession, sessions::list)
        .delete("/api/me/sessions/{id}", BySession, without_body(sessions::revoke))
        .post("/api/me/sessions/revoke-others", BySession, without_body(sessions::revoke_others))
        .get("/api/me/sessions/last-revoked-others", BySession, sessions::last_revoked_others)
        .get("/api/me/activity", BySession, sessions::activity)
        .get_that_writes("/api/me/export", BySession, account::export)
        .get("/api/me/referrer", BySession, referrer::back)
}
