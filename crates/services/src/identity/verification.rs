//! Verifying the address of an account by the link that was mailed to it. Looking at a link changes nothing;
//! see [`domain::identity::verification`] for who has to do what.

use super::{
    IdentityContext, RequestContext,
    redeem::{self, FoundLink, check_password, lock_owner},
};
use domain::{
    identity::{
        Account, Email,
        one_time::{Kind, State},
        verification::{Opener, VerificationLink},
    },
    shared::Fault,
};
use jiff::SignedDuration;
use secrecy::SecretString;
use storage::{
    identity::{
        AuditOutcome,
        accounts::{self, WithPassword},
        audit,
        one_time::{self, Hash},
    },
    transact,
};

/// For how long after its use a link still reports success: people follow it twice.
const REPEATED: SignedDuration = SignedDuration::from_hours(24);
/// The audit event.
const EVENT: audit::Event = audit::Event::AuthEmailVerified;

/// What can be done with a link.
#[derive(Debug)]
pub enum LinkState {
    /// Nothing: it never existed, is over, or was used long ago.
    Invalid,
    /// Nothing is left to do: it has verified the address not long ago.
    Done,
    /// It can verify the address.
    Open(Box<OpenLink>),
}

/// What came of a link that was followed.
#[derive(Debug)]
pub enum LinkUse {
    /// It never existed, is over, or was used long ago.
    Invalid,
    /// It has verified the address not long ago.
    Repeated,
    /// The address of the account is verified.
    Verified(Email),
}

/// A link that can verify the address of an account.
#[derive(Debug)]
pub struct OpenLink {
    link: VerificationLink,
    owner: WithPassword,
}

impl OpenLink {
    /// The account.
    pub fn account(&self) -> &Account {
        &self.owner.account
    }

    /// Whether the account was registered in this browser.
    pub fn was_registered_in(&self, browser: Option<Hash>) -> bool {
        self.link.was_registered_in(browser)
    }

    /// Whether its opener has to type the password.
    pub fn asks_password(&self, opener: &Opener) -> bool {
        self.link.asks_password(opener, &self.owner.account)
    }
}

/// Looks at a link. `hash` is that of its token; `None` for a token that this server cannot have issued. 429
/// when the caller tried too many invalid links.
pub async fn look_at(ctx: &IdentityContext, request: &RequestContext, hash: Option<Hash>) -> Result<LinkState, Fault> {
    let seen = match hash {
        Some(hash) => find(ctx, request, hash).await?,
        None => LinkState::Invalid,
    };
    if let LinkState::Invalid = seen {
        ctx.limits.link_from(&ctx.store, request.ip).await?;
    }
    Ok(seen)
}

async fn find(ctx: &IdentityContext, request: &RequestContext, hash: Hash) -> Result<LinkState, Fault> {
    let Some(FoundLink { stored, owner }) = redeem::find(ctx, Kind::Verification, hash).await? else {
        return Ok(LinkState::Invalid);
    };
    let (state, used_at) = (stored.state(request.at()), stored.used_at);
    Ok(match state {
        State::Usable => LinkState::Open(Box::new(OpenLink { link: VerificationLink::from_json(stored.token.payload)?, owner })),
        _ if used_at.is_some_and(|used_at| is_repeated(&owner.account, used_at, request.at())) => LinkState::Done,
        _ => LinkState::Invalid,
    })
}

fn is_repeated(account: &Account, used_at: jiff::Timestamp, at: jiff::Timestamp) -> bool {
    account.email_verified && at.duration_since(used_at) < REPEATED
}

/// Verifies the address without asking for anything else. Answers whether the link is valid.
pub async fn verify(ctx: &IdentityContext, request: &RequestContext, hash: Hash) -> Result<bool, Fault> {
    transact!(ctx, "account.verify_email", async |tx| {
        let at = request.source.at;
        let Some(locked) = lock_owner(tx, Kind::Verification, &hash).await? else { return Ok(false) };
        let user = locked.account.id;
        if one_time::consume(tx, Kind::Verification, &hash, at).await?.is_none() {
            let stored = one_time::find(tx, Kind::Verification, &hash).await?;
            let used_at = stored.and_then(|stored| stored.used_at);
            return Ok(used_at.is_some_and(|used_at| is_repeated(&locked.account, used_at, at)));
        }
        one_time::expire_all(tx, Kind::Verification, user, at).await?;
        if accounts::set_verified(tx, user, at).await? {
            audit::record(tx, EVENT, AuditOutcome::Success, request.source.attempt(Some(user))).await?;
        }
        Ok(true)
    })
    .await
}

/// Verifies the address for a person who has pressed the button. A wrong password does not use up the link,
/// and its failures are counted as those of a re-authentication are.
///
/// 400 `passwordRequired` and 403 `invalidPassword` where the password is asked for, 429 after too many of
/// either.
pub async fn confirm(
    ctx: &IdentityContext,
    request: &RequestContext,
    hash: Option<Hash>,
    opener: Opener,
    password: Option<SecretString>,
) -> Result<LinkUse, Fault> {
    let open = match look_at(ctx, request, hash).await? {
        LinkState::Open(open) => open,
        LinkState::Done => return Ok(LinkUse::Repeated),
        LinkState::Invalid => return Ok(LinkUse::Invalid),
    };
    if open.asks_password(&opener) {
        check_password(ctx, request, &open.owner, password, EVENT).await?;
    }
    match hash {
        Some(hash) if verify(ctx, request, hash).await? => Ok(LinkUse::Verified(open.owner.account.email)),
        _ => Ok(LinkUse::Invalid),
    }
}
