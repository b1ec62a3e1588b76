//! Accepting an invitation: the first password of an account, and its first session.

use super::{
    IdentityContext, RequestContext,
    session_start::{Authenticated, PreparedSession, StartSession, StartedSession},
};
use domain::{
    identity::{
        Account, AuthMethod, invite,
        one_time::{Kind, State},
    },
    shared::Fault,
};
use storage::{
    Result as StoreResult, Tx, TxOperation,
    identity::{
        Outcome, accounts, audit, links,
        one_time::{self, Hash},
        passwords,
    },
};

/// Sets the first password of an invited account by the link of the invitation, and signs in. Refuses as [`invite::check_acceptable`] does, and with 409 when the
/// account changed meanwhile.
pub async fn accept(
    ctx: &IdentityContext,
    request: &RequestContext,
    hash: Hash,
    account: &Account,
    new_hash: String,
) -> Result<StartedSession, Fault> {
    let authenticated = Authenticated::new(account.id, account.token_version, AuthMethod::Password);
    let prepared = PreparedSession::new(ctx, request, authenticated).await?;
    let operation = AcceptInvite { hash, new_hash, start: &prepared.operation };
    let account = ctx.store.transact(&operation).await?;
    Ok(prepared.started(account))
}

struct AcceptInvite<'a> {
    /// The hash of the link's token.
    hash: Hash,
    /// A PHC string.
    new_hash: String,
    start: &'a StartSession,
}

impl TxOperation for AcceptInvite<'_> {
    /// The account as it is now.
    type Output = Account;

    const NAME: &'static str = "account.accept_invite";

    /// The link is not consumed by a refusal.
    async fn run(&self, tx: &Tx<'_>) -> StoreResult<Account> {
        let source = &self.start.source;
        let at = source.at;
        let Some(locked) = links::lock_owner(tx, Kind::Invite, &self.hash).await? else {
            return Err(invite::invalid_token().into());
        };
        let user = locked.account.id;
        if one_time::consume(tx, Kind::Invite, &self.hash, at).await?.is_none() {
            let stored = one_time::find(tx, Kind::Invite, &self.hash).await?;
            invite::check_acceptable(stored.map_or(State::Expired, |stored| stored.state(at)), &locked.account)?;
            return Err(invite::invalid_token().into());
        }
        invite::check_acceptable(State::Usable, &locked.account)?;
        passwords::replace(tx, &locked, &self.new_hash, at).await?;
        one_time::expire_all(tx, Kind::Verification, user, at).await?;
        accounts::set_verified(tx, user).await?;
        audit::record(tx, "auth.invite.accepted", Outcome::Success, source.attempt(Some(user))).await?;
        self.start.write(tx).await
    }
}
