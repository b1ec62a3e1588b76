//! What lets people in: ending sessions, taking away second factors, and making links that set a password or
//! verify an address.

use super::ActingAdministrator;
use crate::identity::{
    acting_tokens,
    links::{LinkKind, MailedLink},
    notices, session_end,
};
use domain::{
    identity::{Recipient, invite, mail::NoticeKind, one_time::Kind},
    shared::{Fault, UserId},
};
use jiff::Timestamp;
use secrecy::SecretString;
use serde_json::json;
use storage::{
    identity::{
        AuditOutcome, accounts, audit, mails, one_time, passkeys,
        sessions::{self, SessionTimes},
        totp,
    },
    transact,
};
use strum::IntoStaticStr;

/// Ends every session of an account. An administrator who logs out their own keeps the session of the
/// request: then the times for its new cookie are answered. `revokes_tokens` takes the tokens away as well
/// that act for the person; else they go on, as what was granted to clients does. 404.
pub async fn force_logout(
    by: ActingAdministrator<'_>,
    (user, revokes_tokens): (UserId, bool),
) -> Result<Option<SessionTimes>, Fault> {
    let keep = by.own_session(user);
    transact!(by.ctx, "session.force_logout", async |tx| {
        let at = by.at();
        by.lock_user(tx, user).await?;
        let times = if let Some(keep) = keep {
            Some(session_end::log_out_others(tx, user, keep, at).await?.ok_or_else(Fault::unauthorized)?)
        } else {
            session_end::log_out(tx, user, at).await?;
            None
        };
        let attempt = by.attempt(Some(user));
        if revokes_tokens {
            let revoked = acting_tokens::revoke_all(by.ctx, tx, user, &by.in_spaces()).await?;
            audit::record_with(tx, audit::Event::AdminUserForceLogout, &json!({ "revokedTokens": revoked }), attempt).await?;
        } else {
            audit::record(tx, audit::Event::AdminUserForceLogout, AuditOutcome::Success, attempt).await?;
        }
        Ok(times)
    })
    .await
}

/// Who is logged out with everybody. The name is in requests, responses and audit entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(const_into_str, serialize_all = "snake_case")]
pub enum LogoutScope {
    /// Everybody; of the administrator who asks every session but that of the request.
    All,
    /// Everybody, and the session of the request too.
    #[strum(serialize = "all")]
    AllAndSelf,
    /// Everybody but the administrators.
    NonAdmins,
}

/// What came of logging everybody out.
#[derive(Debug, Clone, Copy)]
pub struct LoggedOut {
    /// The number of accounts whose sessions ended.
    pub affected: u64,
    /// For the new cookie of the session of the request, if that goes on and needs one.
    pub kept: Option<SessionTimes>,
}

/// Ends every session of everybody in a scope.
pub async fn force_logout_all(by: ActingAdministrator<'_>, scope: LogoutScope) -> Result<LoggedOut, Fault> {
    transact!(by.ctx, "session.force_logout_all", async |tx| {
        let at = by.at();
        by.check(tx).await?;
        let (is_kept, with_administrators) = (scope == LogoutScope::All, scope != LogoutScope::NonAdmins);
        let affected = session_end::log_out_everybody(tx, by.claims, is_kept, with_administrators, at).await?;
        let kept =
            if is_kept { Some(sessions::keep_signed_in(tx, by.claims).await?.ok_or_else(Fault::unauthorized)?) } else { None };
        let details =
            json!({ "scope": scope.into_str(), "alsoLogOutSelf": scope == LogoutScope::AllAndSelf, "affected": affected });
        audit::record_with(tx, audit::Event::AdminForceLogoutAll, &details, by.attempt(None)).await?;
        Ok(LoggedOut { affected, kept })
    })
    .await
}

/// What was removed.
#[derive(Debug, Clone, Copy)]
pub struct ClearedFactors {
    /// Whether there was an authenticator app.
    pub totp: bool,
    /// How many passkeys there were; those of an account without a password stay, because they are the only
    /// way to sign in.
    pub passkeys: u64,
    /// For the new cookie of an administrator who reset their own factors and keeps the session of the
    /// request.
    pub kept: Option<SessionTimes>,
}

/// Removes the authenticator app of an account with its backup codes, and the passkeys if the account has a
/// password. Its sessions end, and failed attempts are forgotten. The owner is told by mail. 404.
pub async fn reset_two_factor(by: ActingAdministrator<'_>, user: UserId) -> Result<ClearedFactors, Fault> {
    let keep = by.own_session(user);
    transact!(by.ctx, "account.reset_two_factor", async |tx| {
        let at = by.at();
        let account = by.lock_user(tx, user).await?.account;
        let totp = totp::remove(tx, user).await?;
        one_time::remove_all(tx, Kind::BackupCode, user).await?;
        let passkeys = if account.has_password { passkeys::delete_all(tx, user).await? } else { 0 };
        // Before the browsers that have counters of their own are forgotten.
        by.ctx.forget_failures(tx, &account).await?;
        let kept = if let Some(keep) = keep {
            Some(session_end::end_others(tx, user, keep, at).await?.ok_or_else(Fault::unauthorized)?)
        } else {
            session_end::end_all(tx, user, at).await?;
            None
        };
        for (is_removed, notice) in [(totp, NoticeKind::AppRemoved), (passkeys > 0, NoticeKind::PasskeyRemoved)] {
            if is_removed {
                mails::add_if(tx, notices::compose_by_administrator(by.ctx, by.request, &account, notice)?.as_ref()).await?;
            }
        }
        let details = json!({ "clearedTotp": totp, "clearedPasskeys": passkeys });
        let attempt = by.attempt(Some(user));
        audit::record_with(tx, audit::Event::AdminUserTwoFactorReset, &details, attempt).await?;
        Ok(ClearedFactors { totp, passkeys, kept })
    })
    .await
}

/// What a person gets a link for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkPurpose {
    /// The first password of an account that was never signed in to. Earlier invitations end.
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

/// Makes a link for a person. 404; 409 `accountSuspended`, and `invitationAccepted` for an invitation of a
/// person who signs in already.
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
