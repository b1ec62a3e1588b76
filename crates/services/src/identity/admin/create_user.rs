//! Creating an account as an administrator, with a password or with an invitation.

use super::ActingAdministrator;
use crate::identity::links::{LinkKind, MailedLink};
use domain::{
    identity::{
        Account, Recipient,
        admin::{FirstSignIn, NewUserRequest},
    },
    shared::{Code, Fault, UserId},
};
use secrecy::SecretString;
use serde_json::json;
use storage::{
    identity::{accounts, audit},
    transact,
};

/// An account that was created.
pub struct CreatedUser {
    pub account: Account,
    /// The link by which its owner sets a password, if they were invited. It is mailed as well, if mail is on.
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
        // There is an account now: whoever registers next is not the first, and is not promoted.
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
