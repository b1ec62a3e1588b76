//! Deleting an account and everything that belongs to it. Its entries in the audit trail stay.

use super::{
    IdentityContext, RequestContext, acting_tokens, administrators,
    reauth::{self, Credential},
    session_end,
};
use domain::{identity::oidc::client_notice::Deleter, shared::Fault};
use storage::{
    Result as StoreResult, Tx, TxOperation,
    identity::{
        Outcome, Source, accounts, audit,
        passkeys::{PasskeyUse, RecordedUse},
        sessions,
    },
    shared::sessions::SessionClaims,
};

/// The audit event of a deleted account.
const DELETED: audit::Event = audit::Event::AccountDeleted;

/// Deletes the account of a signed-in person, after a re-authentication. `credential` reads the credential that was sent; its argument is whether the
/// account has a password. 409 `lastAdmin` for the only administrator, or what a re-authentication refuses.
pub async fn delete_account(
    ctx: &IdentityContext,
    request: &RequestContext,
    owner: SessionClaims,
    credential: impl FnOnce(bool) -> Result<Credential, Fault> + Send,
) -> Result<(), Fault> {
    let connection = ctx.store.connection("account.find").await?;
    let stored = accounts::find_with_password(&connection, owner.user).await?.ok_or_else(Fault::unauthorized)?;
    drop(connection);
    let credential = credential(stored.account.has_password)?;
    let passkey = reauth::reauthenticate(ctx, request, owner, &stored, credential, DELETED).await?;
    let deleted = ctx.store.transact(&DeleteAccount { ctx, owner, passkey, source: &request.source }).await?;
    reauth::unless_stale(ctx, request, owner.user, deleted, DELETED).await
}

struct DeleteAccount<'a> {
    ctx: &'a IdentityContext,
    owner: SessionClaims,
    /// The passkey that re-authenticated, if one did.
    passkey: Option<PasskeyUse>,
    source: &'a Source,
}

impl TxOperation for DeleteAccount<'_> {
    type Output = RecordedUse<()>;

    const NAME: &'static str = "account.delete";

    /// 401 when the session ended since the re-authentication; 409 `lastAdmin`.
    async fn run(&self, tx: &Tx<'_>) -> StoreResult<Self::Output> {
        let user = self.owner.user;
        administrators::keep_another_than(tx, user, self.ctx.mail_queue.is_on()).await?;
        sessions::lock_signed_in(tx, self.owner, self.source.at).await?;
        let attempt = self.source.attempt(Some(user));
        if let Some(passkey) = &self.passkey
            && let Err(stale) = passkey.record(tx, attempt).await?
        {
            return Ok(Err(stale));
        }
        let by = acting_tokens::by(user, "owner", self.source);
        acting_tokens::revoke_all(self.ctx, tx, user, &by).await?;
        session_end::delete_account(tx, user, Deleter::User, self.source.at).await?;
        audit::record(tx, DELETED, Outcome::Success, attempt).await.map(Ok)
    }
}
