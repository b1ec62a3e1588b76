//! The browsers that accounts have signed in from: the table `known_devices`.

use super::one_time::Hash;
use crate::{Connection, Error, Executor, Result, Tx, expiry::Expiring, row};
use domain::{
    identity::{Email, device::Recognition},
    shared::UserId,
};
use jiff::{SignedDuration, Timestamp};
use tokio_postgres::Row;

/// How long a browser is known after it was last seen.
pub const KNOWN_FOR: SignedDuration = SignedDuration::from_hours(90 * 24);
/// How many browsers of an account are remembered.
const MAX_DEVICES: i64 = 50;

/// What a browser is recognised by.
#[derive(Debug, Clone)]
pub struct Device {
    /// The hash of its device cookie, if it has one.
    pub hash: Option<Hash>,
    /// Its family and system, such as `Firefox on Linux`.
    pub browser: String,
    /// The network of its address.
    pub network: Option<String>,
}

/// Whether a browser is known to the account of an address.
pub async fn is_known(executor: &impl Executor, email: &Email, hash: &Hash, now: Timestamp) -> Result<bool> {
    let found = executor
        .row_opt(
            "select 1 from known_devices join users on users.id = known_devices.user_id
             where known_devices.hash = $1 and users.email = $2 and last_seen_at > $3",
            &[/* hash */ &hash.as_slice(), /* email */ &email.as_str(), /* seen_after */ &seen_after(now)],
        )
        .await?;
    Ok(found.is_some())
}

/// The query of what an account knows of a browser, as [`read_recognition`] reads it. Parameters: $2 the hash
/// of the cookie, $3 the browser, $4 the network, $5 since when a browser must have been seen, $6 since when
/// failures count.
macro_rules! recognition {
    ($user:literal) => {
        concat!(
            "select users.last_login_at is null as is_first,
                    coalesce(bool_or(known_devices.hash = $2), false) as by_cookie,
                    coalesce(bool_or(browser = $3 and network = $4), false) as by_browser_and_network,
                    coalesce(bool_or(network = $4), false) as by_network,
                    (select count(*) from account_audit
                     where account_audit.user_id = users.id and event = 'auth.login.failure' and account_audit.created_at > $6) as failures
             from users left join known_devices on known_devices.user_id = users.id and last_seen_at > $5
             where users.id = ",
            $user,
            " group by users.id"
        )
    };
}
pub(super) use recognition;

/// What an account knows of a browser, and how many logins have failed within the last hour.
pub async fn recognise(executor: &impl Executor, user: UserId, device: &Device, now: Timestamp) -> Result<Recognition> {
    let found = executor
        .row_opt(
            recognition!("$1"),
            &[
                /* user_id */ &user,
                /* hash */ &device.hash.as_ref().map(<[u8; 32]>::as_slice),
                /* browser */ &device.browser,
                /* network */ &device.network,
                /* seen_after */ &seen_after(now),
                /* failed_after */ &failed_after(now),
            ],
        )
        .await?;
    found.as_ref().map_or(Ok(Recognition::default()), read_recognition)
}

/// Reads the columns of [`recognition`].
pub(super) fn read_recognition(row: &Row) -> Result<Recognition> {
    let failures: i64 = row::get(row, "failures")?;
    Ok(row::read!(row => Recognition {
        is_first, by_cookie, by_browser_and_network, by_network;
        failures: u32::try_from(failures).unwrap_or(u32::MAX),
    }))
}

/// Remembers that an account signed in from a browser.
pub async fn remember(tx: &Tx<'_>, user: UserId, hash: &Hash, device: &Device, now: Timestamp) -> Result<()> {
    tx.execute(
        "insert into known_devices (user_id, hash, browser, network, first_seen_at, last_seen_at) values ($1, $2, $3, $4, $5, $5)
         on conflict (hash) do update set browser = excluded.browser, network = excluded.network, last_seen_at = excluded.last_seen_at
             where known_devices.user_id = excluded.user_id",
        &[
            /* user_id */ &user,
            /* hash */ &hash.as_slice(),
            /* browser */ &device.browser,
            /* network */ &device.network,
            /* now */ &now,
        ],
    )
    .await?;
    Ok(())
}

/// Forgets the browsers of an account beyond the number that is remembered: those that were not seen for the
/// longest time.
pub async fn forget_surplus(tx: &Tx<'_>, user: UserId) -> Result<()> {
    tx.execute(
        "delete from known_devices where id in (
             select id from known_devices where user_id = $1 order by last_seen_at desc, id desc offset $2
         )",
        &[/* user_id */ &user, /* offset */ &MAX_DEVICES],
    )
    .await?;
    Ok(())
}

/// The hashes of the device cookies of the browsers that an account knows.
pub async fn list_hashes(tx: &Tx<'_>, user: UserId) -> Result<Vec<Hash>> {
    let rows = tx.rows("select hash from known_devices where user_id = $1", &[/* user_id */ &user]).await?;
    let hash = |row| {
        let hash: &[u8] = row::get(row, "hash")?;
        hash.try_into().map_err(|_| Error::Internal("column hash: not 32 bytes".to_owned()))
    };
    rows.iter().map(hash).collect()
}

/// The same for several accounts, each hash with its account.
pub async fn list_hashes_of(executor: &impl Executor, users: &[UserId]) -> Result<Vec<(UserId, Hash)>> {
    let rows = executor.rows("select user_id, hash from known_devices where user_id = any ($1)", &[/* user_ids */ &users]).await?;
    let hash = |row| {
        let hash: &[u8] = row::get(row, "hash")?;
        let hash = hash.try_into().map_err(|_| Error::Internal("column hash: not 32 bytes".to_owned()))?;
        Ok((row::get(row, "user_id")?, hash))
    };
    rows.iter().map(hash).collect()
}

/// Forgets the browsers of an account, but for one: a sign-in from any other is one from a new browser.
pub async fn forget_others(tx: &Tx<'_>, user: UserId, kept: Option<&Hash>) -> Result<()> {
    tx.execute(
        "delete from known_devices where user_id = $1 and hash is distinct from $2",
        &[/* user_id */ &user, /* kept */ &kept.map(<[u8; 32]>::as_slice)],
    )
    .await?;
    Ok(())
}

/// Removes browsers that were not seen since a time, at most `limit`.
pub async fn remove_old(connection: &Connection, until: Timestamp, limit: i64) -> Result<u64> {
    Expiring { table: "known_devices", key: "id", at: "last_seen_at" }.delete_batch(connection, until, limit).await
}

pub(super) fn failed_after(now: Timestamp) -> Timestamp {
    now.checked_sub(SignedDuration::from_hours(1)).unwrap_or(Timestamp::MIN)
}

pub(super) fn seen_after(now: Timestamp) -> Timestamp {
    now.checked_sub(KNOWN_FOR).unwrap_or(Timestamp::MIN)
}
