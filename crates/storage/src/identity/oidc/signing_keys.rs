//! Signing keys: the table `signing_keys`. Every time in it is one of the database's clock, so that all
//! processes agree on the stage of a key.

use crate::{
    Executor, Result, Tx,
    queue::{self, Queue},
    row,
};
use domain::identity::oidc::{SigningAlgorithm, SigningKey, Stage};
use jiff::Timestamp;
use serde_json::Value;
use tokio_postgres::Row;

/// The queue of the job that rotates keys. Every process is told on it that keys have changed.
pub const SIGNING_KEYS: Queue = Queue::new("signing_keys");

/// A key as it is stored.
#[derive(Debug, Clone)]
pub struct StoredKey {
    pub key: SigningKey,
    /// The public part, as it is published.
    pub public_jwk: Value,
    /// The sealed private part; `None` once the key is retired.
    pub private_key: Option<Vec<u8>>,
    /// When it was made and published.
    pub created_at: Timestamp,
    /// When it began to sign.
    pub activated_at: Option<Timestamp>,
    /// When another key took over.
    pub retired_at: Option<Timestamp>,
}

/// All keys at a moment.
#[derive(Debug, Clone)]
pub struct StoredKeys {
    /// The time of the database's clock.
    pub now: Timestamp,
    /// The keys, the oldest first.
    pub keys: Vec<StoredKey>,
}

/// A key to insert.
#[derive(Debug, Clone)]
pub struct NewKey {
    pub kid: String,
    /// What it signs with.
    pub algorithm: SigningAlgorithm,
    /// The public part, as it is published.
    pub public_jwk: Value,
    /// The sealed private part.
    pub private_key: Vec<u8>,
}

/// All keys.
pub async fn list(executor: &impl Executor) -> Result<StoredKeys> {
    let rows = executor
        .rows(
            "select statement_timestamp() as now, key.*
             from (select) moment left join (
                 select kid, algorithm, public_jwk, private_key, created_at, activated_at, retired_at from signing_keys
             ) key on true
             order by key.created_at, key.kid",
            &[],
        )
        .await?;
    // Without a key there is one row, which has the time alone.
    let first = rows.first().ok_or_else(|| crate::Error::Internal("the time is missing".to_owned()))?;
    let keys = rows.iter().filter_map(|row| stored(row).transpose()).collect::<Result<_>>()?;
    Ok(StoredKeys { now: row::get(first, "now")?, keys })
}

/// Lets no other transaction change keys until this one ends. What signs or verifies goes on.
pub async fn lock(tx: &Tx<'_>) -> Result<()> {
    tx.execute("lock table signing_keys in share row exclusive mode", &[]).await.map(drop)
}

/// Inserts a key, which signs at once or waits to be activated; and tells all processes.
pub async fn insert(tx: &Tx<'_>, new: &NewKey, is_active: bool) -> Result<()> {
    tx.execute_one(
        "signing_key.insert",
        "insert into signing_keys (kid, algorithm, public_jwk, private_key, created_at, activated_at)
         values ($1, $2, $3, $4, statement_timestamp(), case when $5 then statement_timestamp() end)",
        &[
            /* kid */ &new.kid,
            /* algorithm */ &new.algorithm.into_str(),
            /* public_jwk */ &new.public_jwk,
            /* private_key */ &new.private_key,
            /* is_active */ &is_active,
        ],
    )
    .await?;
    queue::notify(tx, SIGNING_KEYS).await
}

/// Lets the next key of an algorithm take over from the active one, whose private part is forgotten; and
/// tells all processes.
pub async fn activate(tx: &Tx<'_>, key: &SigningKey) -> Result<()> {
    tx.execute(
        "update signing_keys set retired_at = statement_timestamp(), private_key = null
         where algorithm = $1 and activated_at is not null and retired_at is null",
        &[/* algorithm */ &key.algorithm.into_str()],
    )
    .await?;
    tx.execute_one(
        "signing_key.activate",
        "update signing_keys set activated_at = statement_timestamp() where kid = $1 and activated_at is null",
        &[/* kid */ &key.kid],
    )
    .await?;
    queue::notify(tx, SIGNING_KEYS).await
}

/// Removes every key. What they signed is not valid any more once each process has heard of it.
pub async fn remove_all(tx: &Tx<'_>) -> Result<()> {
    tx.execute("delete from signing_keys", &[]).await?;
    queue::notify(tx, SIGNING_KEYS).await
}

/// Removes a retired key.
pub async fn remove(tx: &Tx<'_>, kid: &str) -> Result<()> {
    tx.execute_one("signing_key.delete", "delete from signing_keys where kid = $1 and retired_at is not null", &[/* kid */ &kid])
        .await
}

/// Puts right what was written before the clock of the database went back: a time that lies ahead is now.
/// Otherwise a key could sign for as long as the clock was ahead. Returns how many keys that were.
pub async fn draw_back(tx: &Tx<'_>) -> Result<u64> {
    tx.execute(
        "update signing_keys
         set created_at = least(created_at, statement_timestamp()),
             activated_at = case when activated_at is not null then least(activated_at, statement_timestamp()) end,
             retired_at = case when retired_at is not null then least(retired_at, statement_timestamp()) end
         where greatest(created_at, activated_at, retired_at) > statement_timestamp()",
        &[],
    )
    .await
}

fn stored(row: &Row) -> Result<Option<StoredKey>> {
    let Some(kid) = row::get(row, "kid")? else { return Ok(None) };
    let created_at = row::get(row, "created_at")?;
    let (activated_at, retired_at) = (row::get(row, "activated_at")?, row::get(row, "retired_at")?);
    let stage = match (activated_at, retired_at) {
        (_, Some(since)) => Stage::Retired { since },
        (Some(since), None) => Stage::Active { since },
        (None, None) => Stage::Next { since: created_at },
    };
    let key = SigningKey { kid, algorithm: row::named(row, "algorithm")?, stage };
    let (public_jwk, private_key) = (row::get(row, "public_jwk")?, row::get(row, "private_key")?);
    Ok(Some(StoredKey { key, public_jwk, private_key, created_at, activated_at, retired_at }))
}
