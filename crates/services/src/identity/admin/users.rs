//! Accounts: creating one with a password or with an invitation, changing, suspending and deleting it.

use super::ActingAdministrator;
use crate::identity::{
    acting_tokens, administrators,
    links::{LinkKind, MailedLink},
    session_end,
};
use domain::{
    identity::{
        Account, ProfileChange, Recipient,
        admin::{FirstSignIn, NewUserRequest, UserChange, UserChangeRequest},
        oidc::client_notice::Deleter,
        one_time::Kind,
    },
    shared::{Code, Fault, UserId},
};
use secrecy::SecretString;
use serde_json::{Map, Value, json};
use storage::{
    identity::{AuditOutcome, account_rights, accounts, audit, oidc::grants, one_time},
    transact,
};

/// An account that was created.
pub struct CreatedUser {
    pub account: Account,
    /// The link by which its owner sets a password, if they were invited. It is mailed as well, if mail is
    /// on.
    pub invite_link: Option<SecretString>,
}

/// Creates an account. 400 for invalid fields, 409 `emailTaken`.
pub async fn create_user(by: ActingAdministrator<'_>, new: NewUserRequest) -> Result<CreatedUser, Fault> {
    let new = &new.validate(&by.ctx.settings.password_rules, &by.ctx.settings.locales)?;
    let id = UserId(by.ctx.entropy.uuid());
    let (mut password_hash, mut invitation, mut invite_link) = (None, None, None);
    match &new.first_sign_in {
        FirstSignIn::Password(password) => password_hash = Some(by.ctx.passwords.hash(password.clone()).await?),
        FirstSignIn::Invite => {
            let (email, name, locale) = (new.email.clone(), new.first_name.clone(), new.locale.clone());
            let (link, url) = MailedLink::with_url(by.ctx, LinkKind::Invite, &Recipient { user: id, email, name, locale })?;
            (invitation, invite_link) = (Some(link), Some(url));
        }
    }
    let (password_hash, invitation) = (password_hash.as_deref(), &invitation);
    let created = transact!(by.ctx, "account.create", async |tx| {
        by.check(tx).await?;
        let row = accounts::NewRow {
            id,
            email: &new.email,
            first_name: &new.first_name,
            last_name: new.last_name.as_deref(),
            display_name: None,
            locale: &new.locale,
            password_hash,
            email_verified: password_hash.is_some(),
            is_admin: new.is_admin,
            at: by.at(),
        };
        if !accounts::insert(tx, row).await? {
            return Ok(None);
        }
        // There is an account now: the next person to register is not the first, and is not promoted.
        accounts::register_first(tx, id, false).await?;
        if let Some(invitation) = invitation {
            invitation.store(tx).await?;
        }
        let mode = if invitation.is_some() { "invite" } else { "set" };
        let details = json!({ "passwordMode": mode, "isAdmin": new.is_admin });
        audit::record_with(tx, audit::Event::AdminUserCreated, &details, by.attempt(Some(id))).await?;
        Ok(accounts::lock(tx, id).await?.map(|created| created.account))
    })
    .await?;
    let taken = || Fault::of(Code::EmailTaken);
    Ok(CreatedUser { account: created.ok_or_else(taken)?, invite_link })
}

/// Changes an account, and answers it as it is then. 400 for invalid fields and `cannotRemoveOwnAdmin`, 404,
/// 409 `lastAdmin`.
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

/// Suspends an account: its sessions end, what it has granted to clients is revoked, and it cannot be signed
/// in to. Nothing changes for one that is suspended. 400 `cannotSuspendSelf`, 404, 409 `lastAdmin`.
pub async fn suspend(by: ActingAdministrator<'_>, user: UserId) -> Result<(), Fault> {
    if user == by.claims.user {
        return Err(Fault::of(Code::CannotSuspendSelf));
    }
    let at = by.at();
    transact!(by.ctx, "account.suspend", async |tx| {
        administrators::keep_another_than(tx, user, by.ctx.mail_queue.is_on()).await?;
        if by.lock_user(tx, user).await?.account.suspended_at.is_some() {
            return Ok(());
        }
        session_end::end_all(tx, user, at).await?;
        // Also those that outlive sessions.
        grants::revoke_of_user(tx, user, at).await?;
        account_rights::set_suspended(tx, user, true, at).await?;
        let attempt = by.attempt(Some(user));
        audit::record(tx, audit::Event::AdminUserSuspended, AuditOutcome::Success, attempt).await
    })
    .await
}

/// Ends the suspension of an account, and forgets failed sign-ins. Its owner has to sign in again. Nothing
/// changes for one that is not suspended. 404.
pub async fn unsuspend(by: ActingAdministrator<'_>, user: UserId) -> Result<(), Fault> {
    let at = by.at();
    transact!(by.ctx, "account.unsuspend", async |tx| {
        let account = by.lock_user(tx, user).await?.account;
        if account.suspended_at.is_none() {
            return Ok(());
        }
        account_rights::set_suspended(tx, user, false, at).await?;
        by.ctx.forget_failures(tx, &account).await?;
        let attempt = by.attempt(Some(user));
        audit::record(tx, audit::Event::AdminUserUnsuspended, AuditOutcome::Success, attempt).await
    })
    .await
}

/// Deletes an account with everything that belongs to it; clients are told. 400 `cannotDeleteSelf`, 404, 409
/// `lastAdmin`.
pub async fn delete_user(by: ActingAdministrator<'_>, user: UserId) -> Result<(), Fault> {
    if user == by.claims.user {
        return Err(Fault::of(Code::CannotDeleteSelf));
    }
    transact!(by.ctx, "account.delete_other", async |tx| {
        administrators::keep_another_than(tx, user, by.ctx.mail_queue.is_on()).await?;
        by.lock_user(tx, user).await?;
        let revoked = acting_tokens::leave_all(by.ctx, tx, user, &by.in_spaces()).await?;
        session_end::delete_account(tx, user, Deleter::Admin, by.at()).await?;
        let details = if revoked > 0 { json!({ "revokedTokens": revoked }) } else { json!({}) };
        let attempt = by.attempt(Some(user));
        audit::record_with(tx, audit::Event::AdminUserDeleted, &details, attempt).await
    })
    .await
}
