//! Changing an account: its profile, whether its address counts as verified, and whether its owner is an administrator.

use super::ActingAdministrator;
use crate::identity::administrators;
use domain::{
    identity::{
        Account, ProfileChange,
        admin::{UserChange, UserChangeRequest},
        one_time::Kind,
    },
    shared::{Code, Fault, UserId},
};
use serde_json::{Map, Value, json};
use storage::{
    identity::{account_rights, accounts, audit, one_time},
    transact,
};

/// Changes an account, and answers it as it is then. 400 for invalid fields and `cannotRemoveOwnAdmin`, 404, 409 `lastAdmin`.
pub async fn update_user(by: ActingAdministrator<'_>, user: UserId, changes: UserChangeRequest) -> Result<Account, Fault> {
    let change = &changes.validate(&by.ctx.settings.locales)?;
    if user == by.claims.user && change.is_admin == Some(false) {
        let message = "You cannot take away your own right to administer; another administrator can";
        return Err(Fault::new(Code::CannotRemoveOwnAdmin, message));
    }
    transact!(by.ctx, "account.update", async |tx| {
        let at = by.at();
        let UserChange { profile, email_verified, is_admin } = change;
        let is_mail_on = by.ctx.mail_queue.is_on();
        if *is_admin == Some(false) || is_mail_on && *email_verified == Some(false) {
            administrators::keep_another_than(tx, user, is_mail_on).await?;
        }
        let account = by.lock_user(tx, user).await?.account;
        let differing = change.differing(&account);
        if differing.is_empty() {
            return Ok(account);
        }
        if *profile != ProfileChange::default() {
            accounts::set_profile(tx, user, profile, at).await?;
        }
        if let Some(is_verified) = email_verified.filter(|new| *new != account.email_verified) {
            account_rights::set_email_verified(tx, user, is_verified, at).await?;
            one_time::expire_all(tx, Kind::Verification, user, at).await?;
        }
        if let Some(is_admin) = is_admin.filter(|new| *new != account.is_admin) {
            account_rights::set_admin(tx, user, is_admin, at).await?;
        }
        let mut details = Map::from_iter([("changed".to_owned(), json!(differing))]);
        for (name, value) in [("isAdmin", is_admin), ("emailVerified", email_verified)] {
            if differing.contains(&name) {
                details.insert(name.to_owned(), json!(value));
            }
        }
        let details = Value::Object(details);
        audit::record_with(tx, audit::Event::AdminUserUpdated, &details, by.attempt(Some(user))).await?;
        Ok(accounts::lock(tx, user).await?.ok_or_else(Fault::not_found)?.account)
    })
    .await
}
