//! Putting a new address into effect by the link that was mailed to it. Looking at the link changes nothing;
//! see [`domain::identity::address_change`] for who has to do what.

use super::change;
use crate::identity::{
    IdentityContext, RequestContext,
    redeem::{self, check_password, lock_owner},
};
use domain::{
    identity::{
        Account, AddressChange, Email,
        one_time::{Kind, State},
        verification::Opener,
    },
    shared::Fault,
};
use secrecy::SecretString;
use storage::{
    identity::{
        accounts::WithPassword,
        audit,
        one_time::{self, Hash},
        sessions::SessionTimes,
    },
    shared::sessions::SessionClaims,
    transact,
};

/// A link that can put an address into effect.
#[derive(Debug)]
pub struct OpenLink {
    hash: Hash,
    change: AddressChange,
    owner: WithPassword,
}

impl OpenLink {
    /// The new address. The one of now is none of the business of its reader, who need not be the owner.
    pub fn email(&self) -> &Email {
        &self.change.email
    }

    /// Whether its opener has to type the password.
    pub fn asks_password(&self, opener: &Opener) -> bool {
        opener.asks_password(&self.owner.account)
    }
}

/// An address that is in effect.
#[derive(Debug)]
pub struct ConfirmedAddress {
    pub email: Email,
    /// What the new cookie of the request's session claims; `None` when that session is not one of this
    /// account.
    pub session: Option<SessionTimes>,
}

/// Looks at a link; `None` for one that cannot be used. 429 when the caller tried too many of those.
pub async fn look_at(ctx: &IdentityContext, request: &RequestContext, hash: Option<Hash>) -> Result<Option<OpenLink>, Fault> {
    if let Some(hash) = hash
        && let Some(link) = find(ctx, request, hash).await?
    {
        return Ok(Some(link));
    }
    ctx.limits.link_from(&ctx.store, request.ip).await?;
    Ok(None)
}

async fn find(ctx: &IdentityContext, request: &RequestContext, hash: Hash) -> Result<Option<OpenLink>, Fault> {
    let Some(found) = redeem::find(ctx, Kind::AddressChange, hash).await? else { return Ok(None) };
    if found.stored.state(request.at()) != State::Usable {
        return Ok(None);
    }
    let (change, owner) = (AddressChange::from_json(found.stored.token.payload)?, found.owner);
    Ok(is_current(&change, &owner.account).then_some(OpenLink { hash, change, owner }))
}

/// Whether nothing has ended the sessions of the account since the change was requested.
fn is_current(change: &AddressChange, account: &Account) -> bool {
    change.token_version == account.token_version
}

/// Changes the address. Every session of the account ends, except for the session of the request
/// (`signed_in`) if it is one of this account; without such a session the password is needed, if there is
/// one. Nothing that is refused uses up the link.
///
/// `None` for a link that cannot be used. 400 `passwordRequired` and 403 `invalidPassword` where the password
/// is asked for, 403 `accountSuspended`, 409 `emailTaken`, and 429 after too many invalid links or wrong
/// passwords.
pub async fn confirm(
    ctx: &IdentityContext,
    request: &RequestContext,
    hash: Option<Hash>,
    signed_in: Option<SessionClaims>,
    password: Option<SecretString>,
) -> Result<Option<ConfirmedAddress>, Fault> {
    let Some(link) = look_at(ctx, request, hash).await? else { return Ok(None) };
    let link = &link;
    if link.asks_password(&Opener { browser: None, signed_in: signed_in.map(|session| session.user) }) {
        check_password(ctx, request, &link.owner, password, audit::Event::AuthEmailChanged).await?;
    }
    let own = signed_in.filter(|session| session.user == link.owner.account.id);
    let keep = own.map(|session| request.keep_session(session.session));
    transact!(ctx, "account.confirm_address", async |tx| {
        let Some(locked) = lock_owner(tx, Kind::AddressChange, &link.hash).await? else {
            return Ok(None);
        };
        let consumed = one_time::consume(tx, Kind::AddressChange, &link.hash, request.source.at).await?;
        let Some(token) = consumed else { return Ok(None) };
        let requested = AddressChange::from_json(token.payload)?;
        if !is_current(&requested, &locked.account) {
            return Ok(None);
        }
        locked.account.check_not_suspended()?;
        let session = change(tx, &locked, &requested.email, keep, &request.source).await?;
        Ok(Some(ConfirmedAddress { email: requested.email, session }))
    })
    .await
}
