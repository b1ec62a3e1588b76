//! Creating an account as an administrator, with a password or with an invitation.

use super::{attempt, check_administrator};
use crate::identity::{
    IdentityContext, RequestContext,
    links::{LinkKind, MailedLink},
};
use domain::{
    identity::{
        Account, Recipient,
        admin::{FirstSignIn, NewUser, NewUserRequest},
    },
    shared::{Code, Fault, UserId},
};
use secrecy::SecretString;
use serde_json::json;
use storage::{
    Result as StoreResult, Tx, TxOperation,
    identity::{Source, accounts, audit},
    shared::sessions::SessionClaims,
};

/// An account that was created.
pub struct CreatedUser {
    pub account: Account,
    /// The link by which its owner sets a password, if they were invited. It is mailed as well, if mail is on.
    pub invite_link: Option<SecretString>,
}

/// Creates an account. 400 for invalid fields, 409 `emailTaken`.
pub async fn create_user(
    ctx: &IdentityContext,
    request: &RequestContext,
    administrator: SessionClaims,
    new: NewUserRequest,
) -> Result<CreatedUser, Fault> {
    let new = new.validate(&ctx.settings.password_rules, &ctx.settings.locales)?;
    let id = UserId(ctx.entropy.uuid());
    let (mut password_hash, mut invitation, mut invite_link) = (None, None, None);
    match &new.first_sign_in {
        FirstSignIn::Password(password) => password_hash = Some(ctx.passwords.hash(password.clone()).await?),
        FirstSignIn::Invite => {
            let (email, name, locale) = (new.email.clone(), new.first_name.clone(), new.locale.clone());
            let (link, url) = MailedLink::with_url(ctx, LinkKind::Invite, &Recipient { user: id, email, name, locale })?;
            (invitation, invite_link) = (Some(link), Some(url));
        }
    }
    let create = CreateUser { id, new, password_hash, invitation, administrator, source: request.source.clone() };
    let created = ctx.store.transact(&create).await?;
    let taken = || Fault::of(Code::EmailTaken);
    Ok(CreatedUser { account: created.ok_or_else(taken)?, invite_link })
}

struct CreateUser {
    id: UserId,
    new: NewUser,
    /// A PHC string; `None` for an invited person.
    password_hash: Option<String>,
    invitation: Option<MailedLink>,
    administrator: SessionClaims,
    source: Source,
}

impl TxOperation for CreateUser {
    /// `None` when the address is taken.
    type Output = Option<Account>;

    const NAME: &'static str = "account.create";

    async fn run(&self, tx: &Tx<'_>) -> StoreResult<Option<Account>> {
        check_administrator(tx, self.administrator, self.source.at).await?;
        let new = &self.new;
        let row = accounts::NewRow {
            id: self.id,
            email: &new.email,
            first_name: &new.first_name,
            last_name: new.last_name.as_deref(),
            display_name: None,
            locale: &new.locale,
            password_hash: self.password_hash.as_deref(),
            email_verified: self.password_hash.is_some(),
            is_admin: new.is_admin,
            at: self.source.at,
        };
        if !accounts::insert(tx, row).await? {
            return Ok(None);
        }
        // There is an account now: whoever registers next is not the first, and is not promoted.
        accounts::register_first(tx, self.id, false).await?;
        if let Some(invitation) = &self.invitation {
            invitation.store(tx).await?;
        }
        let mode = if self.invitation.is_some() { "invite" } else { "set" };
        let details = json!({ "passwordMode": mode, "isAdmin": new.is_admin });
        audit::record_with(tx, audit::Event::AdminUserCreated, &details, attempt(&self.source, self.administrator, Some(self.id)))
            .await?;
        Ok(accounts::lock(tx, self.id).await?.map(|created| created.account))
    }
}
