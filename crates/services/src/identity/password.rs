//! The password of a signed-in person: changing it, setting the first one, removing it. Every other session
//! of the account ends, and its owner is told by mail. With a changed or removed password ends what was
//! granted to clients, refresh tokens included; the first one takes nothing away.

use super::{
    IdentityContext, RequestContext, notices,
    reauth::{self, Credential},
    session_end,
};
use crypto::passwords::Verdict;
use domain::{
    identity::{mail::NoticeKind, passkey, password},
    shared::{Code, Detail, Fault, UserId},
};
use jiff::Timestamp;
use secrecy::SecretString;
use storage::{
    Error, Result as StoreResult, Tx,
    identity::{
        AuditOutcome,
        accounts::{self, WithPassword},
        audit, mails,
        oidc::grants,
        passkeys::KEEPS_A_FACTOR,
        passwords,
        sessions::{KeepSession, SessionTimes},
    },
    shared::sessions::SessionClaims,
    transact,
};

/// The audit event of a changed password.
const CHANGED: audit::Event = audit::Event::AuthPasswordChanged;
/// The audit event of a removed password.
const REMOVED: audit::Event = audit::Event::AuthPasswordRemoved;

/// What came of a change.
#[derive(Debug)]
pub struct ChangedPassword {
    /// Whether there was a password before; else this is the first one.
    pub had_password: bool,
    /// What the session's new cookie claims.
    pub session: SessionTimes,
}

/// Changes the password, or sets the first one. `None` when the current one is wrong. 400
/// `currentPasswordRequired`, `validation` or `passwordReused`.
pub async fn change(
    ctx: &IdentityContext,
    request: &RequestContext,
    owner: SessionClaims,
    current: Option<SecretString>,
    new: Option<SecretString>,
) -> Result<Option<ChangedPassword>, Fault> {
    let stored = find_own(ctx, owner.user).await?;
    let had_password = stored.password_hash.is_some();
    if had_password && current.is_none() {
        let missing = vec![Detail::required("currentPassword")];
        return Err(Fault::of(Code::CurrentPasswordRequired).about(missing));
    }
    let rules = &ctx.settings.password_rules;
    let new = password::check_new(rules, "newPassword", new, &stored.account.personal_words())?;
    if let Some(current) = current.filter(|_| had_password)
        && !reauth::compare_password(ctx, request, owner.user, &stored, current, CHANGED).await?
    {
        return Ok(None);
    }
    let new_hash = &hash_unused(ctx, &stored, new).await?;
    let notice = if had_password { NoticeKind::PasswordChanged } else { NoticeKind::PasswordSet };
    let mail = &notices::compose(ctx, request, &stored.account, notice)?;
    let keep = request.keep_session(owner.session);
    let session = transact!(ctx, "account.change_password", async |tx| {
        let (user, at) = (owner.user, request.source.at);
        let locked = lock_unchanged(tx, owner).await?;
        passwords::replace(tx, &locked, new_hash, at).await?;
        let times = end_others(tx, user, keep, at).await?;
        if locked.password_hash.is_some() {
            grants::revoke_of_user(tx, user, at).await?;
        }
        let event = if locked.password_hash.is_some() { CHANGED } else { audit::Event::AuthPasswordSet };
        audit::record(tx, event, AuditOutcome::Success, request.source.attempt(Some(user))).await?;
        mails::add_if(tx, mail.as_ref()).await?;
        Ok(times)
    })
    .await?;
    Ok(Some(ChangedPassword { had_password, session }))
}

/// Removes the password: from now on only a passkey signs in. Answers what the session's new cookie claims.
/// 400 `noPassword`, 403 `passkeyRequired` or what a re-authentication refuses; a credential that could not
/// be read is refused only after the account was found to be one that may do without a password.
pub async fn remove(
    ctx: &IdentityContext,
    request: &RequestContext,
    owner: SessionClaims,
    credential: Result<Credential, Fault>,
) -> Result<SessionTimes, Fault> {
    let stored = find_own(ctx, owner.user).await?;
    if !stored.account.has_password {
        return Err(Fault::of(Code::NoPassword));
    }
    if stored.account.passkeys == 0 {
        return Err(passkey::passkey_required());
    }
    let passkey = &reauth::reauthenticate(ctx, request, owner, &stored, credential?, REMOVED).await?;
    let mail = &notices::compose(ctx, request, &stored.account, NoticeKind::PasswordRemoved)?;
    let keep = request.keep_session(owner.session);
    let removed = transact!(ctx, "account.remove_password", async |tx| {
        let (user, at) = (owner.user, request.source.at);
        let Some(old_hash) = lock_unchanged(tx, owner).await?.password_hash else {
            return Err(Fault::unauthorized().into());
        };
        let attempt = request.source.attempt(Some(user));
        if let Some(passkey) = passkey
            && let Err(stale) = passkey.record(tx, attempt).await?
        {
            return Ok(Err(stale));
        }
        passwords::remove(tx, user, &old_hash, at).await.map_err(|error| match error.constraint() {
            Some(KEEPS_A_FACTOR) => Error::from(passkey::passkey_required()),
            _ => error,
        })?;
        let times = end_others(tx, user, keep, at).await?;
        grants::revoke_of_user(tx, user, at).await?;
        audit::record(tx, REMOVED, AuditOutcome::Success, attempt).await?;
        mails::add_if(tx, mail.as_ref()).await?;
        Ok(Ok(times))
    })
    .await?;
    reauth::unless_stale(ctx, request, owner.user, removed, REMOVED).await
}

/// Hashes a new password. 400 `passwordReused` when it is the one that the account has, or one of the last
/// that it had before. That costs a comparison with each, so it is limited for each account: 429.
pub async fn hash_unused(ctx: &IdentityContext, stored: &WithPassword, new: SecretString) -> Result<String, Fault> {
    ctx.limits.new_password(stored.account.id)?;
    let connection = ctx.store.connection("password.former").await?;
    let former = passwords::former(&connection, stored.account.id).await?;
    // Given back before the hashing, which takes longer than any statement.
    drop(connection);
    for hash in stored.password_hash.iter().chain(&former) {
        if let Verdict::Right { .. } = ctx.passwords.verify(new.clone(), Some(hash)).await? {
            return Err(Fault::of(Code::PasswordReused));
        }
    }
    ctx.passwords.hash(new).await
}

/// The account of a signed-in person. 401 when it was deleted at this moment.
pub(super) async fn find_own(ctx: &IdentityContext, user: UserId) -> Result<WithPassword, Fault> {
    let connection = ctx.store.connection("account.find").await?;
    accounts::find_with_password(&connection, user).await?.ok_or_else(Fault::unauthorized)
}

/// Locks the account of a signed-in person. 401 when the account changed since the request began.
async fn lock_unchanged(tx: &Tx<'_>, owner: SessionClaims) -> StoreResult<WithPassword> {
    let locked = accounts::lock(tx, owner.user).await?;
    let unchanged =
        locked.filter(|locked| locked.account.token_version == owner.token_version && locked.account.suspended_at.is_none());
    unchanged.ok_or_else(|| Fault::unauthorized().into())
}

/// Ends the other sessions. 401 when the session of the request has ended.
async fn end_others(tx: &Tx<'_>, user: UserId, keep: KeepSession, at: Timestamp) -> StoreResult<SessionTimes> {
    session_end::end_others(tx, user, keep, at).await?.ok_or_else(|| Fault::unauthorized().into())
}
