//! Passkeys: `passkeys`. That an account keeps a way in is held by the table itself, see its migration.

pub mod challenge;
pub mod handle;
pub mod keeping;
pub mod using;

use crate::{Executor, Result, row};
use domain::{
    identity::Passkey,
    shared::{PasskeyId, UserId},
};
pub use handle::GiveHandle;
pub use keeping::{AddPasskey, NewPasskey, RemovePasskey, RenamePasskey};
use serde_json::Value;
use tokio_postgres::Row;
pub use using::{COUNT_WENT_BACK, COUNTER_REGRESSION, Noted, PasskeySignIn, RefusePasskey, Stale, Use};
use uuid::Uuid;

/// The constraint that refuses to take an account's last way in away.
pub(super) const KEEPS_A_FACTOR: &str = "account_keeps_a_factor";

/// The columns of a passkey, as [`read`] reads them.
macro_rules! passkey {
    () => {
        "id, name, is_synced, is_backed_up, transports, aaguid, created_at, last_used_at"
    };
}
use passkey;

/// And those of one with its key, as [`read_stored`] does.
macro_rules! stored {
    () => {
        concat!(
            "select id, name, is_synced, is_backed_up, transports, aaguid, created_at, last_used_at, user_id, credential_id, credential, sign_count,
                    (select webauthn_handle from users where users.id = passkeys.user_id) as user_handle
             from passkeys "
        )
    };
}

/// A passkey with its key.
#[derive(Debug, Clone)]
pub struct StoredPasskey {
    /// What is told of it.
    pub passkey: Passkey,
    /// Whose.
    pub user: UserId,
    /// What authenticators call that account. Who has a passkey that was registered here has one.
    pub user_handle: Option<Vec<u8>>,
    /// How browsers name it.
    pub credential_id: Vec<u8>,
    /// As it was registered.
    pub credential: Value,
    /// As it was heard last.
    pub sign_count: u32,
}

/// The passkeys of an account, the oldest first.
pub async fn list(query: &impl Executor, user: UserId) -> Result<Vec<Passkey>> {
    let rows = query
        .rows(concat!("select ", passkey!(), " from passkeys where user_id = $1 order by created_at, id"), &[/* user_id */ &user.0])
        .await?;
    rows.iter().map(read).collect()
}

/// The same with their keys.
pub async fn list_stored(query: &impl Executor, user: UserId) -> Result<Vec<StoredPasskey>> {
    let rows = query.rows(concat!(stored!(), "where user_id = $1 order by created_at, id"), &[/* user_id */ &user.0]).await?;
    rows.iter().map(read_stored).collect()
}

/// The passkey of a credential, whoever's it is.
pub async fn find(query: &impl Executor, credential_id: &[u8]) -> Result<Option<StoredPasskey>> {
    let found = query.row_opt(concat!(stored!(), "where credential_id = $1"), &[/* credential_id */ &credential_id]).await?;
    found.as_ref().map(read_stored).transpose()
}

fn read(row: &Row) -> Result<Passkey> {
    let id: Uuid = row::get(row, "id")?;
    Ok(Passkey {
        id: PasskeyId(id),
        name: row::get(row, "name")?,
        is_synced: row::get(row, "is_synced")?,
        is_backed_up: row::get(row, "is_backed_up")?,
        transports: row::get(row, "transports")?,
        aaguid: row::get(row, "aaguid")?,
        created_at: row::get(row, "created_at")?,
        last_used_at: row::get(row, "last_used_at")?,
    })
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
        // It came as 32 bits.
        sign_count: u32::try_from(sign_count).unwrap_or(u32::MAX),
    })
}
