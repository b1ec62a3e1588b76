//! Renaming and removing the passkeys of an account.

use crate::identity::{IdentityContext, RequestContext, notices};
use domain::{
    identity::{Passkey, mail::NoticeKind, passkey as rules},
    shared::{Fault, PasskeyId, UserId},
};
use storage::{
    Error, Result as StoreResult, Tx, TxOperation,
    identity::{
        NewMail, Outcome, Source, audit, mails,
        passkeys::{self, KEEPS_A_FACTOR},
        sessions,
    },
    shared::sessions::SessionClaims,
};

/// Renames a passkey. 404 when the account has no such passkey.
pub async fn rename(
    ctx: &IdentityContext,
    request: &RequestContext,
    user: UserId,
    id: PasskeyId,
    name: String,
) -> Result<Passkey, Fault> {
    let operation = RenamePasskey { user, id, name, source: request.source.clone() };
    ctx.store.transact(&operation).await?.ok_or_else(Fault::not_found)
}

/// Removes a passkey. 404 when the account has no such passkey, 403 `lastFactor` when the account would have no other way to sign in.
pub async fn remove(ctx: &IdentityContext, request: &RequestContext, owner: SessionClaims, id: PasskeyId) -> Result<(), Fault> {
    let mail = notices::compose_for(ctx, request, owner.user, NoticeKind::PasskeyRemoved).await?;
    let operation = RemovePasskey { owner, id, mail, source: request.source.clone() };
    if ctx.store.transact(&operation).await? { Ok(()) } else { Err(Fault::not_found()) }
}

struct RenamePasskey {
    user: UserId,
    id: PasskeyId,
    name: String,
    source: Source,
}

impl TxOperation for RenamePasskey {
    /// `None` when the account has no such passkey.
    type Output = Option<Passkey>;

    const NAME: &'static str = "passkey.rename";

    async fn run(&self, tx: &Tx<'_>) -> StoreResult<Option<Passkey>> {
        let renamed = passkeys::rename(tx, self.user, self.id, &self.name).await?;
        if renamed.is_some() {
            audit::record(tx, audit::Event::AuthPasskeyRenamed, Outcome::Success, self.source.attempt(Some(self.user))).await?;
        }
        Ok(renamed)
    }
}

struct RemovePasskey {
    owner: SessionClaims,
    id: PasskeyId,
    /// The mail that tells the owner.
    mail: Option<NewMail>,
    source: Source,
}

impl TxOperation for RemovePasskey {
    /// Whether the account had the passkey.
    type Output = bool;

    const NAME: &'static str = "passkey.remove";

    /// 401 when the session ended since the request began, 403 `lastFactor`.
    async fn run(&self, tx: &Tx<'_>) -> StoreResult<bool> {
        sessions::lock_signed_in(tx, self.owner, self.source.at).await?;
        let is_removed = passkeys::delete(tx, self.owner.user, self.id).await.map_err(|error| match error.constraint() {
            Some(KEEPS_A_FACTOR) => Error::from(rules::last_factor()),
            _ => error,
        })?;
        if is_removed {
            audit::record(tx, audit::Event::AuthPasskeyRemoved, Outcome::Success, self.source.attempt(Some(self.owner.user)))
                .await?;
            mails::add_if(tx, self.mail.as_ref()).await?;
        }
        Ok(is_removed)
    }
}
