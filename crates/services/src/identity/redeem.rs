//! Redeeming the link that sets a new password, without being signed in; it does not sign in. And what all
//! mailed links have in common.
//!
//! Redeeming a link is one transaction that locks the account first and then uses up the token of the link.

use super::{IdentityContext, RequestContext, notices, password::hash_unused, reauth, secrets::AttemptTarget, session_end};
use domain::{
    identity::{
        Email,
        mail::NoticeKind,
        one_time::{Kind, State},
        password,
    },
    shared::{Code, Detail, Fault},
};
use secrecy::SecretString;
use storage::{
    Result as StoreResult, Tx,
    identity::{
        AuditOutcome,
        accounts::{self, WithPassword},
        audit, lockout, mails,
        oidc::grants,
        one_time::{self, Hash, StoredToken},
        passwords,
    },
    transact,
};

/// 400 `invalidToken` for a link that never existed, was used, or has expired. The answer does not tell
/// which.
pub fn stale_link() -> Fault {
    Fault::of(Code::StaleLink)
}

/// A link as it is stored, used or not, and the account that it is for.
pub(super) struct FoundLink {
    pub(super) stored: StoredToken,
    pub(super) owner: WithPassword,
}

/// Finds a link. `None` when it never existed, or its account was deleted.
pub(super) async fn find(ctx: &IdentityContext, kind: Kind, hash: Hash) -> Result<Option<FoundLink>, Fault> {
    let connection = ctx.store.connection("link.find").await?;
    let Some(stored) = one_time::find(&connection, kind, &hash).await? else { return Ok(None) };
    let Some(user) = stored.token.user else { return Ok(None) };
    Ok(accounts::find_with_password(&connection, user).await?.map(|owner| FoundLink { stored, owner }))
}

/// Checks the password by which a person shows that the account of a link is theirs. A wrong one does not use
/// up the link, and its failures are counted as those of a re-authentication are; `event` is the audit event
/// under which they are recorded.
///
/// 400 `passwordRequired`, 403 `invalidPassword`, 429 after too many of those.
pub(super) async fn check_password(
    ctx: &IdentityContext,
    request: &RequestContext,
    owner: &WithPassword,
    password: Option<SecretString>,
    event: audit::Event,
) -> Result<(), Fault> {
    let missing = || Fault::of(Code::PasswordRequired).about(vec![Detail::required("password")]);
    reauth::check_password(ctx, request, owner.account.id, owner, password.ok_or_else(missing)?, event).await
}

/// Sets a new password by a reset link. The mail proves who owns the address, so the address is verified, and
/// every session and every other reset link of the account ends. A second factor is still asked for at the
/// next login. A password that is refused does not use up the link.
///
/// Returns the address of the account; `None` for a link that cannot be used. 400 `validation` or
/// `passwordReused`, 403 `accountSuspended`, and 429 when the caller tried too many invalid links.
pub async fn reset_password(
    ctx: &IdentityContext,
    request: &RequestContext,
    hash: Option<Hash>,
    new: Option<SecretString>,
) -> Result<Option<Email>, Fault> {
    let Some((hash, stored)) = find_reset(ctx, request, hash).await? else {
        ctx.limits.link_from(&ctx.store, request.ip).await?;
        return Ok(None);
    };
    stored.account.check_not_suspended()?;
    let new = password::check_new(&ctx.settings.password_rules, "newPassword", new, &stored.account.personal_words())?;
    let new_hash = &hash_unused(ctx, &stored, new).await?;
    let lockout_key = ctx.secrets.lockout_key(AttemptTarget::Password(&stored.account.email), None);
    let mail = &notices::compose(ctx, request, &stored.account, NoticeKind::PasswordReset)?;
    let is_reset = transact!(ctx, "account.reset_password", async |tx| {
        let at = request.source.at;
        let Some(locked) = lock_owner(tx, Kind::PasswordReset, &hash).await? else { return Ok(false) };
        let user = locked.account.id;
        if one_time::consume(tx, Kind::PasswordReset, &hash, at).await?.is_none() {
            return Ok(false);
        }
        locked.account.check_not_suspended()?;
        passwords::replace(tx, &locked, new_hash, at).await?;
        one_time::expire_all(tx, Kind::Verification, user, at).await?;
        accounts::set_verified(tx, user, at).await?;
        session_end::end_all(tx, user, at).await?;
        // Also those that outlive sessions: a person resets a password that another person may know.
        grants::revoke_of_user(tx, user, at).await?;
        lockout::remove(tx, &lockout_key).await?;
        audit::record(tx, audit::Event::AuthPasswordReset, AuditOutcome::Success, request.source.attempt(Some(user))).await?;
        mails::add_if(tx, mail.as_ref()).await?;
        Ok(true)
    })
    .await?;
    Ok(is_reset.then_some(stored.account.email))
}

/// Whether a reset link can be used, for the page that it leads to. 429 when the caller tried too many
/// invalid links.
pub async fn is_reset_link(ctx: &IdentityContext, request: &RequestContext, hash: Option<Hash>) -> Result<bool, Fault> {
    let is_usable = find_reset(ctx, request, hash).await?.is_some();
    if !is_usable {
        ctx.limits.link_from(&ctx.store, request.ip).await?;
    }
    Ok(is_usable)
}

/// The account of a usable reset link.
async fn find_reset(
    ctx: &IdentityContext,
    request: &RequestContext,
    hash: Option<Hash>,
) -> Result<Option<(Hash, WithPassword)>, Fault> {
    let Some(hash) = hash else { return Ok(None) };
    let found = find(ctx, Kind::PasswordReset, hash).await?;
    Ok(found.filter(|link| link.stored.state(request.at()) == State::Usable).map(|link| (hash, link.owner)))
}

/// Locks the account of a link. `None` when there is no such link, or its account was deleted.
pub(super) async fn lock_owner(tx: &Tx<'_>, kind: Kind, hash: &Hash) -> StoreResult<Option<WithPassword>> {
    let stored = one_time::find(tx, kind, hash).await?;
    match stored.and_then(|stored| stored.token.user) {
        Some(user) => accounts::lock(tx, user).await,
        None => Ok(None),
    }
}
