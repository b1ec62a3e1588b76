//! Invitations: reading one, and accepting it with the first password of the account, which starts its first
//! session.

use super::{
    IdentityContext, RequestContext,
    redeem::lock_owner,
    session_start::{LoginAttempt, StartedSession},
};
use domain::{
    identity::{
        Account, AuthMethod,
        invite::{self, Unacceptable},
        one_time::{Kind, State},
        password,
    },
    shared::{Code, Fault},
};
use jiff::Timestamp;
use secrecy::SecretString;
use storage::{
    identity::{
        AuditOutcome, accounts, audit,
        one_time::{self, Hash},
        passwords,
    },
    transact,
};

/// An invitation that can be accepted.
#[derive(Debug)]
pub struct Invitation {
    pub account: Account,
    /// When the invitation expires.
    pub expires_at: Timestamp,
    hash: Hash,
}

/// Reads the invitation of a link, for the page that accepts it. `None` for one that cannot be accepted, for
/// whatever reason: the reason is answered to [`accept`] only. 429 when the caller tried too many of those.
pub async fn read(ctx: &IdentityContext, request: &RequestContext, hash: Option<Hash>) -> Result<Option<Invitation>, Fault> {
    let found = find(ctx, request, hash).await?.ok();
    if found.is_none() {
        ctx.limits.link_from(&ctx.store, request.ip).await?;
    }
    Ok(found)
}

/// Sets the first password of an invited account, and signs in. The mail proves who owns the address, so the
/// address is verified. A password that is refused does not use up the invitation.
///
/// Refuses as [`invite::check_acceptable`] does, with 400 `validation` for the password, with 409 when the
/// account changed meanwhile, and with 429 when the caller tried too many invalid links.
pub async fn accept(
    ctx: &IdentityContext,
    request: &RequestContext,
    hash: Option<Hash>,
    new: Option<SecretString>,
) -> Result<StartedSession, Fault> {
    let found = find(ctx, request, hash).await?;
    if let Err(Unacceptable::Stale) = found {
        ctx.limits.link_from(&ctx.store, request.ip).await?;
    }
    let Invitation { account, hash, .. } = found?;
    let new = password::check_new(&ctx.settings.password_rules, "newPassword", new, &account.personal_words())?;
    let new_hash = &ctx.passwords.hash(new).await?;
    let attempt = LoginAttempt::new(account.id, account.token_version, AuthMethod::Password);
    let prepared = attempt.prepare(ctx, request).await?;
    let (source, session) = (&request.source, &prepared);
    let account = transact!(ctx, "account.accept_invite", async |tx| {
        let at = source.at;
        let Some(locked) = lock_owner(tx, Kind::Invite, &hash).await? else {
            return Err(Fault::from(Unacceptable::Stale).into());
        };
        let user = locked.account.id;
        if one_time::consume(tx, Kind::Invite, &hash, at).await?.is_none() {
            let stored = one_time::find(tx, Kind::Invite, &hash).await?;
            invite::check_acceptable(stored.map_or(State::Expired, |stored| stored.state(at)), &locked.account)
                .map_err(Fault::from)?;
            return Err(Fault::from(Unacceptable::Stale).into());
        }
        invite::check_acceptable(State::Usable, &locked.account).map_err(Fault::from)?;
        passwords::replace(tx, &locked, new_hash, at).await?;
        one_time::expire_all(tx, Kind::Verification, user, at).await?;
        accounts::set_verified(tx, user, at).await?;
        audit::record(tx, audit::Event::AuthInviteAccepted, AuditOutcome::Success, source.attempt(Some(user))).await?;
        // The account is locked, so it is what it was a moment ago.
        session.write(tx).await?.ok_or_else(|| Fault::of(Code::AccountChanged).into())
    })
    .await?;
    Ok(prepared.started(account))
}

/// The invitation of a link, or the reason why it cannot be accepted.
async fn find(
    ctx: &IdentityContext,
    request: &RequestContext,
    hash: Option<Hash>,
) -> Result<Result<Invitation, Unacceptable>, Fault> {
    let Some(hash) = hash else { return Ok(Err(Unacceptable::Stale)) };
    let connection = ctx.store.connection("link.find").await?;
    let stored = one_time::find(&connection, Kind::Invite, &hash).await?;
    let Some((stored, user)) = stored.and_then(|stored| stored.token.user.map(|user| (stored, user))) else {
        return Ok(Err(Unacceptable::Stale));
    };
    let Some(account) = accounts::find(&connection, user).await? else { return Ok(Err(Unacceptable::Stale)) };
    let acceptable = invite::check_acceptable(stored.state(request.at()), &account);
    Ok(acceptable.map(|()| Invitation { account, expires_at: stored.token.expires_at, hash }))
}
