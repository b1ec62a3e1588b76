//! Changing the mail address of an account.
//!
//! While mail is on, the change takes effect when the link in a mail to the new address is redeemed; the old
//! address gets a notice at once. While mail is off, nothing could confirm the new address, so the change
//! takes effect at once.
//!
//! A request does not reveal whether another account has the address: that shows only when the link is
//! redeemed ([`confirm()`]), to the owner of the account or a reader of the address's mail.

mod confirm;

pub use confirm::{ConfirmedAddress, OpenLink, confirm, look_at};

use super::{
    IdentityContext, RequestContext,
    links::{LinkKind, MailedLink},
    notices,
    password::find_own,
    reauth::{self, Credential},
    session_end,
};
use domain::{
    identity::{Account, AddressChange, Email, Recipient, address_change, mail::NoticeKind, one_time::Kind},
    shared::Fault,
};
use storage::{
    Error, Result as StoreResult, Tx,
    identity::{
        AuditOutcome, AuditSource,
        accounts::{self, UNIQUE_EMAIL, WithPassword},
        audit, mails,
        one_time::{self, NewOneTime},
        passkeys::PasskeyUse,
        sessions::{self, KeepSession, SessionTimes},
    },
    shared::sessions::SessionClaims,
    transact,
};

/// The audit event of a requested change.
const REQUESTED: audit::Event = audit::Event::AuthEmailChangeRequested;

/// The outcome of a request that was not refused.
#[derive(Debug)]
pub enum AddressChangeOutcome {
    /// A link was mailed to the new address.
    LinkSent,
    /// The account has the new address. Every other session ended; this is what the new cookie of the
    /// request's session claims.
    Changed(SessionTimes),
}

/// Requests another address, after a re-authentication. `credential` reads the credential that was sent; its
/// argument is whether the account has a password. 400 `validation`, 409 `emailTaken` while mail is off, 429
/// when too many mails went to the address, or what a re-authentication refuses.
pub async fn request(
    ctx: &IdentityContext,
    request: &RequestContext,
    owner: SessionClaims,
    new_email: Option<&str>,
    credential: impl FnOnce(bool) -> Result<Credential, Fault> + Send,
) -> Result<AddressChangeOutcome, Fault> {
    let stored = find_own(ctx, owner.user).await?;
    let email = &address_change::parse_new_email(new_email, &stored.account)?;
    let credential = credential(stored.account.has_password)?;
    ctx.limits.mail_from(&ctx.store, request.ip).await?;
    let passkey = reauth::reauthenticate(ctx, request, owner, &stored, credential, REQUESTED).await?;
    let passkey = passkey.as_ref();
    if ctx.mail_queue.is_on() {
        ctx.limits.mail_to(&ctx.store, email).await?;
        send_link(ctx, request, owner, passkey, &stored.account, email.clone()).await?;
        return Ok(AddressChangeOutcome::LinkSent);
    }
    let keep = request.keep_session(owner.session);
    let changed = transact!(ctx, "account.set_address", async |tx| {
        let locked = sessions::lock_signed_in(tx, owner, request.source.at).await?;
        if let Some(passkey) = passkey
            && let Err(stale) = passkey.record(tx, request.source.attempt(Some(owner.user))).await?
        {
            return Ok(Err(stale));
        }
        let times = change(tx, &locked, email, Some(keep), &request.source).await?;
        times.map(Ok).ok_or_else(|| Fault::unauthorized().into())
    })
    .await?;
    reauth::unless_stale(ctx, request, owner.user, changed, REQUESTED).await.map(AddressChangeOutcome::Changed)
}

async fn send_link(
    ctx: &IdentityContext,
    request: &RequestContext,
    owner: SessionClaims,
    passkey: Option<&PasskeyUse>,
    account: &Account,
    email: Email,
) -> Result<(), Fault> {
    let link = MailedLink::new(ctx, LinkKind::AddressChange, &Recipient { email: email.clone(), ..Recipient::from(account) })?;
    let change = AddressChange { email, token_version: owner.token_version };
    let notice = notices::compose(ctx, request, account, NoticeKind::AddressChange)?;
    let token = &NewOneTime { payload: change.to_json()?, ..link.token };
    let mails = &link.mail.into_iter().chain(notice).collect::<Vec<_>>();
    let requested = transact!(ctx, "account.request_address", async |tx| {
        let (user, at) = (owner.user, request.source.at);
        sessions::lock_signed_in(tx, owner, at).await?;
        let attempt = request.source.attempt(Some(user));
        if let Some(passkey) = passkey
            && let Err(stale) = passkey.record(tx, attempt).await?
        {
            return Ok(Err(stale));
        }
        one_time::expire_all(tx, Kind::AddressChange, user, at).await?;
        one_time::add(tx, token).await?;
        for mail in mails {
            mails::add(tx, mail).await?;
        }
        audit::record(tx, REQUESTED, AuditOutcome::Success, attempt).await.map(Ok)
    })
    .await?;
    reauth::unless_stale(ctx, request, owner.user, requested, REQUESTED).await
}

/// Changes the address of a locked account. The links that were mailed to the old address expire, and every
/// session ends except for `keep`. Answers what the new cookie of that session claims; `None` when there is
/// none, or it had ended.
async fn change(
    tx: &Tx<'_>,
    locked: &WithPassword,
    email: &Email,
    keep: Option<KeepSession>,
    source: &AuditSource,
) -> StoreResult<Option<SessionTimes>> {
    let (user, at) = (locked.account.id, source.at);
    accounts::set_email(tx, user, email, at).await.map_err(|error| match error.constraint() {
        Some(UNIQUE_EMAIL) => Error::from(address_change::email_taken()),
        _ => error,
    })?;
    for kind in [Kind::Verification, Kind::PasswordReset, Kind::AddressChange] {
        one_time::expire_all(tx, kind, user, at).await?;
    }
    let times = if let Some(keep) = keep {
        session_end::end_others(tx, user, keep, at).await?
    } else {
        session_end::end_all(tx, user, at).await?;
        None
    };
    audit::record(tx, audit::Event::AuthEmailChanged, AuditOutcome::Success, source.attempt(Some(user))).await?;
    Ok(times)
}
