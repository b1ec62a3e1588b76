//! Links for people who have none that works: an invitation once more, and a new password. While mail is on the link is mailed; else the administrator passes it
//! on. A link opens nothing but the form for a password: a second factor is still asked for.

use super::ActingAdministrator;
use crate::identity::links::{LinkKind, MailedLink};
use domain::{
    identity::{Recipient, invite, one_time::Kind},
    shared::{Fault, UserId},
};
use jiff::Timestamp;
use secrecy::SecretString;
use serde_json::json;
use storage::{
    identity::{accounts, audit, one_time},
    transact,
};

/// What a person gets a link for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkPurpose {
    /// The first password of an account that nobody has signed in to. Invitations of before end.
    Invitation,
    /// A new password, of anybody.
    PasswordReset,
}

impl LinkPurpose {
    fn kinds(self) -> (LinkKind, Kind) {
        match self {
            Self::Invitation => (LinkKind::Invite, Kind::Invite),
            Self::PasswordReset => (LinkKind::PasswordReset, Kind::PasswordReset),
        }
    }

    fn event(self) -> audit::Event {
        match self {
            Self::Invitation => audit::Event::AdminUserInviteRenewed,
            Self::PasswordReset => audit::Event::AdminUserResetLinkMade,
        }
    }
}

/// A link that was made.
pub struct MadeLink {
    /// The link, while mail is off; else it was mailed, and only its reader has it.
    pub link: Option<SecretString>,
    /// Until when it works.
    pub expires_at: Timestamp,
}

/// Makes a link for a person. 404; 409 `accountSuspended`, and `invitationAccepted` for an invitation of a person who signs in already.
pub async fn make_link(by: ActingAdministrator<'_>, user: UserId, purpose: LinkPurpose) -> Result<MadeLink, Fault> {
    let connection = by.ctx.store.connection("account.find").await?;
    let account = accounts::find(&connection, user).await?.ok_or_else(Fault::not_found)?;
    drop(connection);
    let (link, url) = MailedLink::with_url(by.ctx, purpose.kinds().0, &Recipient::from(&account))?;
    let (is_mailed, expires_at) = (link.mail.is_some(), link.token.kind.expires_at(link.token.at));
    let link = &link;
    transact!(by.ctx, "account.make_link", async |tx| {
        let account = by.lock_user(tx, user).await?.account;
        invite::check_receivable(&account)?;
        if purpose == LinkPurpose::Invitation {
            invite::check_invitable(&account)?;
            one_time::expire_all(tx, purpose.kinds().1, user, by.at()).await?;
        }
        link.store(tx).await?;
        let details = json!({ "mailed": is_mailed });
        let attempt = by.attempt(Some(user));
        audit::record_with(tx, purpose.event(), &details, attempt).await
    })
    .await?;
    Ok(MadeLink { link: (!is_mailed).then_some(url), expires_at })
}
