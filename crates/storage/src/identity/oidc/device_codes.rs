//! Device codes and their user codes: the table `oidc_device_codes` (RFC 8628).

use crate::{Executor, Result, Tx, expiry::Expiring, identity::one_time::Hash, row};
use domain::identity::oidc::{
    Scope,
    device_code::{Decision, DeviceCodeState},
};
use jiff::Timestamp;
use tokio_postgres::Row;
use uuid::Uuid;

/// What a device asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceRequest {
    /// The id, which is that of the grant once the person has allowed it.
    pub id: Uuid,
    pub client_id: String,
    pub scope: Scope,
    /// The resources that tokens may be issued for.
    pub resources: Vec<String>,
    /// The thumbprint of the key that the device code is bound to.
    pub dpop_jkt: Option<String>,
}

/// A request of a device that is to be stored.
#[derive(Debug, Clone)]
pub struct NewDeviceCode {
    pub request: DeviceRequest,
    /// The hash of the device code.
    pub device_hash: Hash,
    /// The keyed hash of the user code.
    pub user_hash: Hash,
    /// The seconds between two requests for tokens.
    pub interval: u32,
    /// When it was made.
    pub at: Timestamp,
    pub expires_at: Timestamp,
}

/// Stores a request. `false` when its user code is taken.
pub async fn insert(tx: &Tx<'_>, new: &NewDeviceCode) -> Result<bool> {
    let inserted = tx
        .execute(
            "insert into oidc_device_codes (id, device_hash, user_hash, client_id, scope, resources, dpop_jkt, poll_seconds, created_at, expires_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
             on conflict (user_hash) do nothing",
            &[
                /* id */ &new.request.id,
                /* device_hash */ &new.device_hash.as_slice(),
                /* user_hash */ &new.user_hash.as_slice(),
                /* client_id */ &new.request.client_id,
                /* scope */ &new.request.scope.names(),
                /* resources */ &new.request.resources,
                /* dpop_jkt */ &new.request.dpop_jkt,
                /* poll_seconds */ &i32::try_from(new.interval).unwrap_or(i32::MAX),
                /* created_at */ &new.at,
                /* expires_at */ &new.expires_at,
            ],
        )
        .await?;
    Ok(inserted == 1)
}

/// The request of a user code that is not decided about. `None` when there is none, or its time is over.
pub async fn find_undecided(executor: &impl Executor, user_hash: &Hash, now: Timestamp) -> Result<Option<DeviceRequest>> {
    let found = executor
        .row_opt(
            "select id, client_id, scope, resources, dpop_jkt from oidc_device_codes
             where user_hash = $1 and decision is null and expires_at > $2",
            &[/* user_hash */ &user_hash.as_slice(), /* now */ &now],
        )
        .await?;
    found.as_ref().map(read).transpose()
}

/// Writes what a person has decided. `false` when it was decided before, or the time is over.
pub async fn decide(tx: &Tx<'_>, id: Uuid, decision: Decision, at: Timestamp) -> Result<bool> {
    let decided = tx
        .execute(
            "update oidc_device_codes set decision = $2 where id = $1 and decision is null and expires_at > $3",
            &[/* id */ &id, /* decision */ &decision.into_str(), /* at */ &at],
        )
        .await?;
    Ok(decided == 1)
}

/// Locks the request of a device code, so that of several requests for tokens each sees what the one before
/// has written.
pub async fn lock(tx: &Tx<'_>, device_hash: &Hash) -> Result<Option<(DeviceRequest, DeviceCodeState)>> {
    let locked = tx
        .row_opt(
            "select id, client_id, scope, resources, dpop_jkt, decision, used_at, expires_at, polled_at, poll_seconds
             from oidc_device_codes where device_hash = $1 for update",
            &[/* device_hash */ &device_hash.as_slice()],
        )
        .await?;
    locked.as_ref().map(|row| Ok((read(row)?, read_state(row)?))).transpose()
}

/// Notes that the client asked for tokens, and how long it has to wait from now on, in seconds.
pub async fn note_poll(tx: &Tx<'_>, id: Uuid, interval: u32, at: Timestamp) -> Result<()> {
    let seconds = i32::try_from(interval).unwrap_or(i32::MAX);
    tx.execute_one(
        "oidc_device_codes.note_poll",
        "update oidc_device_codes set polled_at = $2, poll_seconds = $3 where id = $1",
        &[/* id */ &id, /* polled_at */ &at, /* poll_seconds */ &seconds],
    )
    .await
}

/// Uses a device code up that was allowed. `false` when it was used before, or its time is over.
pub async fn consume(tx: &Tx<'_>, id: Uuid, at: Timestamp) -> Result<bool> {
    let consumed = tx
        .execute(
            "update oidc_device_codes set used_at = $2 where id = $1 and decision = 'allowed' and used_at is null and expires_at > $2",
            &[/* id */ &id, /* used_at */ &at],
        )
        .await?;
    Ok(consumed == 1)
}

/// Deletes requests that expired before a time, at most `limit`.
pub(super) async fn remove_expired(executor: &impl Executor, until: Timestamp, limit: i64) -> Result<u64> {
    Expiring { table: "oidc_device_codes", key: "id", at: "expires_at" }.delete_batch(executor, until, limit).await
}

fn read(row: &Row) -> Result<DeviceRequest> {
    Ok(row::read!(row => DeviceRequest {
        id, client_id, resources, dpop_jkt;
        scope: Scope::of(row::get::<Vec<String>>(row, "scope")?),
    }))
}

fn read_state(row: &Row) -> Result<DeviceCodeState> {
    let decision: Option<String> = row::get(row, "decision")?;
    Ok(DeviceCodeState {
        decision: decision.as_deref().and_then(|name| name.parse().ok()),
        is_used: row::get::<Option<Timestamp>>(row, "used_at")?.is_some(),
        expires_at: row::get(row, "expires_at")?,
        polled_at: row::get(row, "polled_at")?,
        interval: u32::try_from(row::get::<i32>(row, "poll_seconds")?).unwrap_or_default(),
    })
}
