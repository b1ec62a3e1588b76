//! Passkeys: the table `passkeys`, and the name that authenticators give an account
//! (`users.webauthn_handle`). That an account keeps a way to sign in is enforced by a constraint of the
//! database, see [`KEEPS_A_FACTOR`].

mod record_use;

use crate::{Executor, Result, Tx, row};
use domain::{
    identity::{Passkey, passkey::Handle},
    shared::{PasskeyId, UserId},
};
use jiff::Timestamp;
pub use record_use::{COUNT_WENT_BACK, COUNTER_REGRESSION, PasskeyUse, RecordedUse, StaleUse};
use serde_json::Value;
use tokio_postgres::Row;
use uuid::Uuid;

/// The constraint that refuses to remove an account's last way to sign in.
pub const KEEPS_A_FACTOR: &str = "account_keeps_a_factor";

/// The columns of a passkey, as [`read`] reads them.
macro_rules! passkey {
    () => {
        "id, name, is_synced, is_backed_up, transports, aaguid, created_at, last_used_at"
    };
}

/// The query of passkeys with their keys, as [`read_stored`] reads them.
macro_rules! stored {
    () => {
        concat!(
            "select id, name, is_synced, is_backed_up, transports, aaguid, created_at, last_used_at, user_id, credential_id, credential, sign_count,
                    (select webauthn_handle from users where users.id = passkeys.user_id) as user_handle
             from passkeys "
        )
    };
}

/// A passkey with its public key.
#[derive(Debug, Clone)]
pub struct StoredPasskey {
    /// What its owner is told of it.
    pub passkey: Passkey,
    /// The account that it belongs to.
    pub user: UserId,
    /// What authenticators call that account. An account with a passkey that was registered here always has
    /// one.
    pub user_handle: Option<Vec<u8>>,
    /// The credential id of WebAuthn.
    pub credential_id: Vec<u8>,
    /// The credential as it was registered: the public key and what the authenticator told of itself.
    pub credential: Value,
    /// The signature counter at its last use.
    pub sign_count: u32,
}

/// A passkey to be inserted.
#[derive(Debug, Clone)]
pub struct NewPasskey {
    /// Its id, never used before.
    pub id: PasskeyId,
    /// What its owner calls it; a passkey without a name gets the usual one.
    pub name: Option<String>,
    /// The credential id of WebAuthn.
    pub credential_id: Vec<u8>,
    /// The public key, and what the authenticator told of itself.
    pub credential: Value,
    pub sign_count: u32,
    /// Whether it may be on several devices.
    pub is_synced: bool,
    /// Whether it is on several devices.
    pub is_backed_up: bool,
    /// How browsers reach the authenticator.
    pub transports: Vec<String>,
    /// The model of the authenticator.
    pub aaguid: Option<Uuid>,
}

/// The passkeys of an account, the oldest first.
pub async fn list(executor: &impl Executor, user: UserId) -> Result<Vec<Passkey>> {
    let rows = executor
        .rows(concat!("select ", passkey!(), " from passkeys where user_id = $1 order by created_at, id"), &[/* user_id */ &user])
        .await?;
    rows.iter().map(read).collect()
}

/// The passkeys of an account with their keys, the oldest first.
pub async fn list_stored(executor: &impl Executor, user: UserId) -> Result<Vec<StoredPasskey>> {
    let rows = executor.rows(concat!(stored!(), "where user_id = $1 order by created_at, id"), &[/* user_id */ &user]).await?;
    rows.iter().map(read_stored).collect()
}

/// The passkey of a credential id, of any account.
pub async fn find(executor: &impl Executor, credential_id: &[u8]) -> Result<Option<StoredPasskey>> {
    let found = executor.row_opt(concat!(stored!(), "where credential_id = $1"), &[/* credential_id */ &credential_id]).await?;
    found.as_ref().map(read_stored).transpose()
}

/// Inserts a passkey; `None` when its credential is registered already, for this account or another one.
pub async fn insert(tx: &Tx<'_>, user: UserId, new: &NewPasskey, name: &str, at: Timestamp) -> Result<Option<Passkey>> {
    let inserted = tx
        .row_opt(
            concat!(
                "insert into passkeys (id, user_id, credential_id, credential, sign_count, is_synced, is_backed_up, transports, aaguid,
                                       name, created_at)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
                 on conflict (credential_id) do nothing returning ",
                passkey!()
            ),
            &[
                /* id */ &new.id,
                /* user_id */ &user,
                /* credential_id */ &new.credential_id,
                /* credential */ &new.credential,
                /* sign_count */ &i64::from(new.sign_count),
                /* is_synced */ &new.is_synced,
                /* is_backed_up */ &new.is_backed_up,
                /* transports */ &new.transports,
                /* aaguid */ &new.aaguid,
                /* name */ &name,
                /* created_at */ &at,
            ],
        )
        .await?;
    inserted.as_ref().map(read).transpose()
}

/// Renames a passkey; `None` when the account has no such passkey.
pub async fn rename(tx: &Tx<'_>, user: UserId, id: PasskeyId, name: &str) -> Result<Option<Passkey>> {
    let renamed = tx
        .row_opt(
            concat!("update passkeys set name = $3 where id = $1 and user_id = $2 returning ", passkey!()),
            &[/* id */ &id, /* user_id */ &user, /* name */ &name],
        )
        .await?;
    renamed.as_ref().map(read).transpose()
}

/// Deletes a passkey; `false` when the account has no such passkey. [`KEEPS_A_FACTOR`] refuses the last way
/// to sign in.
pub async fn delete(tx: &Tx<'_>, user: UserId, id: PasskeyId) -> Result<bool> {
    let deleted = tx.execute("delete from passkeys where id = $1 and user_id = $2", &[/* id */ &id, /* user_id */ &user]).await?;
    Ok(deleted == 1)
}

/// Deletes every passkey of an account that has a password, and answers their number.
pub async fn delete_all(tx: &Tx<'_>, user: UserId) -> Result<u64> {
    tx.execute("delete from passkeys where user_id = $1", &[/* user_id */ &user]).await
}

/// Sets what authenticators call an account, unless it is set already, and answers it; `None` when the
/// account is gone. It never changes: passkeys are found by it.
pub async fn ensure_handle(tx: &Tx<'_>, user: UserId, new: &Handle) -> Result<Option<Vec<u8>>> {
    tx.execute(
        "update users set webauthn_handle = $2 where id = $1 and webauthn_handle is null",
        &[/* id */ &user, /* webauthn_handle */ &new.as_slice()],
    )
    .await?;
    // Of two requests at the same time the second has waited for the row, and reads what the first has set.
    let handle = tx.row_opt("select webauthn_handle from users where id = $1", &[/* id */ &user]).await?;
    handle.as_ref().map(|row| row::get(row, "webauthn_handle")).transpose()
}

fn read(row: &Row) -> Result<Passkey> {
    let id: Uuid = row::get(row, "id")?;
    Ok(row::read!(row => Passkey {
        name, is_synced, is_backed_up, transports, aaguid, created_at, last_used_at;
        id: PasskeyId(id),
    }))
}

fn read_stored(row: &Row) -> Result<StoredPasskey> {
    let user: Uuid = row::get(row, "user_id")?;
    let sign_count: i64 = row::get(row, "sign_count")?;
    Ok(StoredPasskey {
        passkey: read(row)?,
        user: UserId(user),
        user_handle: row::get(row, "user_handle")?,
        credential_id: row::get(row, "credential_id")?,
        credential: row::get(row, "credential")?,
        // WebAuthn counts with 32 bits.
        sign_count: u32::try_from(sign_count).unwrap_or(u32::MAX),
    })
}
