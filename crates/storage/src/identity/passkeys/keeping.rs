//! What owners do with their passkeys, each as one transaction with its entry in the audit trail.

use super::{KEEPS_A_FACTOR, list, passkey, read};
use crate::{
    Error, Executor, Result, Tx, TxOperation,
    identity::{Outcome, Source, audit, sessions},
    shared::sessions::Claimed,
};
use domain::{
    identity::{Passkey, passkey as rules},
    shared::{PasskeyId, UserId},
};
use serde_json::Value;
use uuid::Uuid;

/// A passkey to be added.
#[derive(Debug, Clone)]
pub struct NewPasskey {
    /// Never used before.
    pub id: PasskeyId,
    /// What its owner calls it; else it gets the usual name.
    pub name: Option<String>,
    /// How browsers name it.
    pub credential_id: Vec<u8>,
    /// The public key, and what the authenticator told of itself.
    pub credential: Value,
    /// How often it signed.
    pub sign_count: u32,
    /// Whether it may be on several devices.
    pub is_synced: bool,
    /// Whether it is.
    pub is_backed_up: bool,
    /// How browsers reach it.
    pub transports: Vec<String>,
    /// The kind of its authenticator.
    pub aaguid: Option<Uuid>,
}

/// Adds one.
pub struct AddPasskey {
    /// Who is signed in.
    pub owner: Claimed,
    /// Which.
    pub new: NewPasskey,
    /// Where it came from.
    pub source: Source,
}

impl TxOperation for AddPasskey {
    type Output = Passkey;

    const NAME: &'static str = "passkey.add";

    /// 401 when the session has ended by now, 409 `tooManyPasskeys`, 409 `credentialExists`.
    async fn run(&self, tx: &Tx<'_>) -> Result<Passkey> {
        let Self { owner, new, source } = self;
        sessions::lock_signed_in(tx, *owner, source.at).await?;
        // Counted after the lock: others may have added some before.
        let others = list(tx, owner.user).await?.len();
        if others >= rules::MOST {
            return Err(rules::too_many().into());
        }
        let name = new.name.clone().unwrap_or_else(|| rules::usual_name(new.aaguid, others));
        let added = tx
            .row_opt(
                concat!(
                    "insert into passkeys (id, user_id, credential_id, credential, sign_count, is_synced, is_backed_up, transports, aaguid,
                                           name, created_at)
                     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
                     on conflict (credential_id) do nothing returning ",
                    passkey!()
                ),
                &[
                    /* id */ &new.id.0,
                    /* user_id */ &owner.user.0,
                    /* credential_id */ &new.credential_id,
                    /* credential */ &new.credential,
                    /* sign_count */ &i64::from(new.sign_count),
                    /* is_synced */ &new.is_synced,
                    /* is_backed_up */ &new.is_backed_up,
                    /* transports */ &new.transports,
                    /* aaguid */ &new.aaguid,
                    /* name */ &name,
                    /* created_at */ &source.at,
                ],
            )
            .await?;
        let Some(added) = added else { return Err(rules::known_already().into()) };
        audit::record(tx, "auth.passkey.added", Outcome::Success, source.attempt(Some(owner.user))).await?;
        read(&added)
    }
}

/// Gives one another name.
pub struct RenamePasskey {
    /// Whose.
    pub user: UserId,
    /// Which.
    pub id: PasskeyId,
    /// Its name.
    pub name: String,
    /// Where it came from.
    pub source: Source,
}

impl TxOperation for RenamePasskey {
    /// `None` when the account has no such passkey.
    type Output = Option<Passkey>;

    const NAME: &'static str = "passkey.rename";

    async fn run(&self, tx: &Tx<'_>) -> Result<Option<Passkey>> {
        let renamed = tx
            .row_opt(
                concat!("update passkeys set name = $3 where id = $1 and user_id = $2 returning ", passkey!()),
                &[/* id */ &self.id.0, /* user_id */ &self.user.0, /* name */ &self.name],
            )
            .await?;
        let Some(renamed) = renamed else { return Ok(None) };
        audit::record(tx, "auth.passkey.renamed", Outcome::Success, self.source.attempt(Some(self.user))).await?;
        read(&renamed).map(Some)
    }
}

/// Removes one.
pub struct RemovePasskey {
    /// Who is signed in.
    pub owner: Claimed,
    /// Which.
    pub id: PasskeyId,
    /// Where it came from.
    pub source: Source,
}

impl TxOperation for RemovePasskey {
    /// Whether the account had it.
    type Output = bool;

    const NAME: &'static str = "passkey.remove";

    /// 401 when the session has ended by now, 403 `lastFactor` when nobody could sign in to the account without it.
    async fn run(&self, tx: &Tx<'_>) -> Result<bool> {
        sessions::lock_signed_in(tx, self.owner, self.source.at).await?;
        let removed = tx
            .execute(
                "delete from passkeys where id = $1 and user_id = $2",
                &[/* id */ &self.id.0, /* user_id */ &self.owner.user.0],
            )
            .await
            .map_err(|error| match error.constraint() {
                Some(KEEPS_A_FACTOR) => Error::from(rules::last_factor()),
                _ => error,
            })?;
        if removed == 1 {
            audit::record(tx, "auth.passkey.removed", Outcome::Success, self.source.attempt(Some(self.owner.user))).await?;
        }
        Ok(removed == 1)
    }
}
