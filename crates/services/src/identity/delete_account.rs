//! Deleting an account and everything that belongs to it. Its entries in the audit trail stay.

use super::{
    IdentityContext, RequestContext, acting_tokens, administrators,
    reauth::{self, Credential},
    session_end,
};
use domain::{identity::oidc::client_notice::Deleter, shared::Fault};
use storage::{
    identity::{Outcome, accounts, audit, sessions},
    shared::sessions::SessionClaims,
    transact,
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
    let passkey = &reauth::reauthenticate(ctx, request, owner, &stored, credential, DELETED).await?;
    let deleted = transact!(ctx, "account.delete", async |tx| {
        let user = owner.user;
        administrators::keep_another_than(tx, user, ctx.mail_queue.is_on()).await?;
        sessions::lock_signed_in(tx, owner, request.source.at).await?;
        let attempt = request.source.attempt(Some(user));
        if let Some(passkey) = passkey
            && let Err(stale) = passkey.record(tx, attempt).await?
        {
            return Ok(Err(stale));
        }
        let by = acting_tokens::by(user, "owner", &request.source);
        acting_tokens::revoke_all(ctx, tx, user, &by).await?;
        session_end::delete_account(tx, user, Deleter::User, request.source.at).await?;
        audit::record(tx, DELETED, Outcome::Success, attempt).await.map(Ok)
    })
    .await?;
    reauth::unless_stale(ctx, request, owner.user, deleted, DELETED).await
}
