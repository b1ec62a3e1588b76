//! Receivers outside: `receivers`. Their owner says what they are for; deliveries are sent to them by
//! [`super::deliveries`].

mod breaker;

pub(super) use breaker::{BREAKER_COLUMNS, breaker};
pub use breaker::{BreakerUpdate, find_breaker, save_breakers};

use crate::{
    Executor, Result, Tx,
    queue::{self, DELIVERIES},
    row,
};
use domain::shared::ReceiverId;
use jiff::Timestamp;

/// A receiver to be added.
#[derive(Debug, Clone)]
pub struct NewReceiver<'a> {
    /// Names the owner, such as `webhook`.
    pub kind: &'static str,
    /// Which of the owners of that kind: the space of a webhook, or the client of the OpenID provider.
    /// Receivers of one owner share places for attempts.
    pub owner: &'a str,
    /// The URL that deliveries are sent to.
    pub url: &'a str,
    /// The sealed secret; `None`: deliveries are not signed.
    pub secret: Option<&'a [u8]>,
    /// Whether deliveries are sent to it. A receiver that is not active is paused: its deliveries wait.
    pub active: bool,
    pub at: Timestamp,
}

/// Adds a receiver.
pub async fn insert(tx: &Tx<'_>, new: &NewReceiver<'_>) -> Result<ReceiverId> {
    let row = tx
        .row(
            "insert into receivers (kind, owner, url, secret, active, created_at) values ($1, $2, $3, $4, $5, $6) returning id",
            &[
                /* kind */ &new.kind,
                /* owner */ &new.owner,
                /* url */ &new.url,
                /* secret */ &new.secret,
                /* active */ &new.active,
                /* created_at */ &new.at,
            ],
        )
        .await?;
    row::get(&row, "id")
}

/// Changes where deliveries go, and whether they do. Another URL is a new start: the circuit of the old one
/// is forgotten.
pub async fn update(tx: &Tx<'_>, id: ReceiverId, url: &str, active: bool) -> Result<()> {
    tx.execute_one(
        "receiver.update",
        "update receivers
         set url = $2, active = $3,
             health = case when url = $2 then health else 'new' end,
             failures = case when url = $2 then failures else 0 end,
             has_answered = url = $2 and has_answered,
             circuit = case when url = $2 then circuit else 'closed' end,
             circuit_until = case when url = $2 then circuit_until end,
             circuit_opened_at = case when url = $2 then circuit_opened_at end,
             failed_probes = case when url = $2 then failed_probes else 0 end
         where id = $1 and closed_at is null",
        &[/* id */ &id, /* url */ &url, /* active */ &active],
    )
    .await?;
    queue::notify(tx, DELIVERIES).await
}

/// Replaces the secret. The old one stays valid beside it until a time.
pub async fn rotate(tx: &Tx<'_>, id: ReceiverId, secret: &[u8], previous_until: Timestamp) -> Result<()> {
    tx.execute_one(
        "receiver.rotate",
        "update receivers
         set previous_secret = secret, previous_until = case when secret is not null then $3::timestamptz end, secret = $2
         where id = $1 and closed_at is null",
        &[/* id */ &id, /* secret */ &secret, /* previous_until */ &previous_until],
    )
    .await
}

/// Closes a receiver: nothing more is sent to it, and the janitor removes it with its deliveries.
pub async fn close(tx: &Tx<'_>, id: ReceiverId, at: Timestamp) -> Result<()> {
    tx.execute_one(
        "receiver.close",
        "update receivers set closed_at = $2 where id = $1 and closed_at is null",
        &[/* id */ &id, /* closed_at */ &at],
    )
    .await?;
    queue::notify(tx, DELIVERIES).await
}

/// Silences receivers while their owner is deleted, or ends that. Nothing is sent to them meanwhile, whatever
/// is queued.
pub async fn set_silenced(tx: &Tx<'_>, all: &[ReceiverId], silenced: bool) -> Result<()> {
    tx.execute("update receivers set silenced = $2 where id = any($1)", &[/* id */ &all, /* silenced */ &silenced]).await?;
    queue::notify(tx, DELIVERIES).await
}

/// Pauses a receiver that wants no more, unless it is paused already or has another URL by now. Returns
/// whether it was paused.
pub async fn pause(tx: &Tx<'_>, id: ReceiverId, url: &str) -> Result<bool> {
    let paused = tx
        .execute(
            "update receivers set active = false where id = $1 and url = $2 and active and closed_at is null",
            &[/* id */ &id, /* url */ &url],
        )
        .await?;
    queue::notify(tx, DELIVERIES).await?;
    Ok(paused > 0)
}

/// The receivers that deliveries are kept from, because they failed again and again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailingReceivers {
    /// The hosts of some of them, those that fail for the longest time first. Nothing else of a URL: its path
    /// may be a secret.
    pub hosts: Vec<String>,
    /// How many they are.
    pub total: i64,
}

/// The receivers whose circuit is open, with the hosts of at most `limit`.
pub async fn list_failing(executor: &impl Executor, limit: i64) -> Result<FailingReceivers> {
    let rows = executor
        .rows(
            "select substring(url from '^[a-z]+://([^/?#]*)') as host, count(*) over () as total from receivers
             where circuit <> 'closed' and closed_at is null and active and not silenced
             order by circuit_opened_at, id limit $1",
            &[/* limit */ &limit],
        )
        .await?;
    let mut hosts: Vec<String> = rows.iter().map(|row| row::get(row, "host")).collect::<Result<_>>()?;
    hosts.dedup();
    Ok(FailingReceivers { hosts, total: rows.first().map_or(Ok(0), |row| row::get(row, "total"))? })
}
