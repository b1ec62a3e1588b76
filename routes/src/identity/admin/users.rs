//! `/api/admin/users…`: accounts.

pub(super) mod create;
pub(super) mod delete;
pub(super) mod export;
pub(super) mod force_logout;
pub(super) mod links;
pub(super) mod list;
pub(super) mod read;
pub(super) mod reset_two_factor;
pub(super) mod roles;
pub(super) mod suspension;
pub(super) mod update;

use crate::identity::Identity;
use domain::{
    identity::Account,
    shared::{Fault, UserId, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;
use storage::identity::accounts;

/// An account as administrators see it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "the members of the contract")]
struct AdminUser {
    id: UserId,
    email: String,
    first_name: String,
    last_name: Option<String>,
    display_name: String,
    locale: String,
    is_admin: bool,
    email_verified: bool,
    #[serde(serialize_with = "timestamp::option::serialize")]
    suspended_at: Option<Timestamp>,
    legacy_sub: Option<String>,
    has_password: bool,
    passkey_count: u32,
    totp_enabled: bool,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::serialize")]
    updated_at: Timestamp,
    #[serde(serialize_with = "timestamp::option::serialize")]
    last_login_at: Option<Timestamp>,
}

/// An account as it is; 404.
async fn find(identity: &Identity, id: UserId) -> Result<AdminUser, Fault> {
    let connection = identity.ctx.store.connection("account.find").await?;
    Ok(accounts::find(&connection, id).await?.ok_or_else(Fault::not_found)?.into())
}

impl From<Account> for AdminUser {
    fn from(account: Account) -> Self {
        Self {
            id: account.id,
            email: account.email.as_str().to_owned(),
            display_name: account.display_name(),
            first_name: account.first_name,
            last_name: account.last_name,
            locale: account.locale,
            is_admin: account.is_admin,
            email_verified: account.email_verified,
            suspended_at: account.suspended_at,
            legacy_sub: account.legacy_sub,
            has_password: account.has_password,
            passkey_count: account.passkeys,
            totp_enabled: account.has_totp,
            created_at: account.created_at,
            updated_at: account.updated_at,
            last_login_at: account.last_login_at,
        }
    }
}
