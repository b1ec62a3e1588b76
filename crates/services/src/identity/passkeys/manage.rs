//! Renaming and removing the passkeys of an account.

use crate::identity::{IdentityContext, RequestContext, notices};
use domain::{
    identity::{Passkey, mail::NoticeKind, passkey as rules},
    shared::{Fault, PasskeyId, UserId},
};
use storage::{
    Error,
    identity::{
        Outcome, audit, mails,
        passkeys::{self, KEEPS_A_FACTOR},
        sessions,
    },
    shared::sessions::SessionClaims,
    transact,
};

/// Renames a passkey. 404 when the account has no such passkey.
pub async fn rename(
    ctx: &IdentityContext,
    request: &RequestContext,
    user: UserId,
    id: PasskeyId,
    name: &str,
) -> Result<Passkey, Fault> {
    transact!(ctx, "passkey.rename", async |tx| {
        let renamed = passkeys::rename(tx, user, id, name).await?;
        if renamed.is_some() {
            audit::record(tx, audit::Event::AuthPasskeyRenamed, Outcome::Success, request.source.attempt(Some(user))).await?;
        }
        Ok(renamed)
    })
    .await?
    .ok_or_else(Fault::not_found)
}

/// Removes a passkey. 404 when the account has no such passkey, 403 `lastFactor` when the account would have no other way to sign in.
pub async fn remove(ctx: &IdentityContext, request: &RequestContext, owner: SessionClaims, id: PasskeyId) -> Result<(), Fault> {
    let mail = &notices::compose_for(ctx, request, owner.user, NoticeKind::PasskeyRemoved).await?;
    let is_removed = transact!(ctx, "passkey.remove", async |tx| {
        sessions::lock_signed_in(tx, owner, request.source.at).await?;
        let is_removed = passkeys::delete(tx, owner.user, id).await.map_err(|error| match error.constraint() {
            Some(KEEPS_A_FACTOR) => Error::from(rules::last_factor()),
            _ => error,
        })?;
        if is_removed {
            audit::record(tx, audit::Event::AuthPasskeyRemoved, Outcome::Success, request.source.attempt(Some(owner.user))).await?;
            mails::add_if(tx, mail.as_ref()).await?;
        }
        Ok(is_removed)
    })
    .await?;
    if is_removed { Ok(()) } else { Err(Fault::not_found()) }
}
