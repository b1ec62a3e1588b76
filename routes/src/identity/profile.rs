//! An account as its owner sees it.

use domain::{
    identity::{Account, Locales},
    shared::{UserId, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;

/// The profile, as docs/openapi/accounts/profile.yaml describes it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "the members of the contract")]
pub(super) struct Profile {
    id: UserId,
    email: String,
    first_name: String,
    last_name: Option<String>,
    display_name: String,
    locale: String,
    supported_locales: Vec<String>,
    is_admin: bool,
    email_verified: bool,
    has_password: bool,
    passkey_count: u32,
    totp_enabled: bool,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::option::serialize")]
    last_login_at: Option<Timestamp>,
}

impl Profile {
    /// The profile of an account.
    pub(super) fn of(account: Account, locales: &Locales) -> Self {
        Self {
            id: account.id,
            email: account.email.as_str().to_owned(),
            display_name: account.display_name(),
            first_name: account.first_name,
            last_name: account.last_name,
            locale: account.locale,
            supported_locales: locales.supported().to_vec(),
            is_admin: account.is_admin,
            email_verified: account.email_verified,
            has_password: account.has_password,
            passkey_count: account.passkeys,
            totp_enabled: account.has_totp,
            created_at: account.created_at,
            last_login_at: account.last_login_at,
        }
    }
}
