//! Receivers outside: `receivers`. Their owner says what they are for; deliveries are sent to them by [`super::deliveries`].

use crate::{
    Connection, Executor, Result, Tx,
    queue::{self, DELIVERIES},
    row,
};
use domain::shared::{
    ReceiverId,
    delivery::{Circuit, Health},
};
use jiff::Timestamp;
use tokio_postgres::Row;

/// A receiver to be added.
#[derive(Debug, Clone)]
pub struct NewReceiver<'a> {
    /// Names the owner, such as `webhook`.
    pub kind: &'static str,
    /// Which of the owners of that kind: the space of a webhook, or the client of the OpenID provider. Receivers of one owner share places for attempts.
    pub owner: &'a str,
    /// The URL that deliveries are sent to.
    pub url: &'a str,
    /// The sealed secret; `None`: deliveries are not signed.
    pub secret: Option<&'a [u8]>,
    /// Whether deliveries are sent to it. A receiver that is not active is paused: its deliveries wait.
    pub active: bool,
    /// The time now.
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
    row::get(&row, "id").map(ReceiverId)
}

/// Changes where deliveries go, and whether they do. Another URL is a new start: the circuit of the old one is forgotten.
pub async fn update(tx: &Tx<'_>, id: ReceiverId, url: &str, active: bool) -> Result<()> {
    tx.execute_one(
        "receiver.update",
        "update receivers
         set url = $2, active = $3,
             health = case when url = $2 then health else 'new' end,
             failures = case when url = $2 then failures else 0 end,
             probe_at = case when url = $2 then probe_at end, has_answered = url = $2 and has_answered
         where id = $1 and closed_at is null",
        &[/* id */ &id.0, /* url */ &url, /* active */ &active],
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
        &[/* id */ &id.0, /* secret */ &secret, /* previous_until */ &previous_until],
    )
    .await
}

/// Closes a receiver: nothing more is sent to it, and the janitor removes it with its deliveries.
pub async fn close(tx: &Tx<'_>, id: ReceiverId, at: Timestamp) -> Result<()> {
    tx.execute_one(
        "receiver.close",
        "update receivers set closed_at = $2 where id = $1 and closed_at is null",
        &[/* id */ &id.0, /* closed_at */ &at],
    )
    .await?;
    queue::notify(tx, DELIVERIES).await
}

/// Silences receivers while their owner is deleted, or ends that. Nothing is sent to them meanwhile, whatever is queued.
pub async fn set_silenced(tx: &Tx<'_>, all: &[ReceiverId], silenced: bool) -> Result<()> {
    tx.execute(
        "update receivers set silenced = $2 where id = any($1)",
        &[/* id */ &all.iter().map(|receiver| receiver.0).collect::<Vec<_>>(), /* silenced */ &silenced],
    )
    .await?;
    queue::notify(tx, DELIVERIES).await
}

/// Pauses a receiver that wants no more, unless it is paused already or has another URL by now. Returns whether it was paused.
pub async fn pause(tx: &Tx<'_>, id: ReceiverId, url: &str) -> Result<bool> {
    let paused = tx
        .execute(
            "update receivers set active = false where id = $1 and url = $2 and active and closed_at is null",
            &[/* id */ &id.0, /* url */ &url],
        )
        .await?;
    queue::notify(tx, DELIVERIES).await?;
    Ok(paused > 0)
}

/// The receivers that deliveries are kept from, because they failed again and again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailingReceivers {
    /// The hosts of some of them, those that fail for the longest time first. Nothing else of a URL: its path may be a secret.
    pub hosts: Vec<String>,
    /// How many they are.
    pub total: i64,
}

/// The receivers whose circuit is open, with the hosts of at most `limit`.
pub async fn list_failing(executor: &impl Executor, limit: i64) -> Result<FailingReceivers> {
    let rows = executor
        .rows(
            "select substring(url from '^[a-z]+://([^/?#]*)') as host, count(*) over () as total from receivers
             where probe_at is not null and closed_at is null and active and not silenced
             order by probe_at, id limit $1",
            &[/* limit */ &limit],
        )
        .await?;
    let mut hosts: Vec<String> = rows.iter().map(|row| row::get(row, "host")).collect::<Result<_>>()?;
    hosts.dedup();
    Ok(FailingReceivers { hosts, total: rows.first().map_or(Ok(0), |row| row::get(row, "total"))? })
}

/// A receiver's circuit.
pub async fn find_circuit(executor: &impl Executor, id: ReceiverId) -> Result<Option<Circuit>> {
    let found =
        executor.row_opt("select health, failures, probe_at, has_answered from receivers where id = $1", &[/* id */ &id.0]).await?;
    found.as_ref().map(circuit).transpose()
}

/// A change of a receiver's circuit.
#[derive(Debug, Clone, Copy)]
pub struct CircuitUpdate {
    /// The receiver.
    pub receiver: ReceiverId,
    /// What its row held before.
    pub from: Circuit,
    /// What it is to hold.
    pub to: Circuit,
}

/// Writes circuits to their rows, except where another process has changed the row meanwhile. Returns the receivers that were written.
pub async fn save_circuits(connection: &Connection, all: &[CircuitUpdate]) -> Result<Vec<ReceiverId>> {
    let failures = |circuit: &Circuit| i32::try_from(circuit.failures).unwrap_or(i32::MAX);
    let rows = connection
        .rows(
            "update receivers receiver
             set health = change.health, failures = change.failures, probe_at = change.probe_at, has_answered = change.has_answered
             from unnest($1::bigint[], $2::text[], $3::integer[], $4::timestamptz[], $5::text[], $6::integer[], $7::timestamptz[], $8::boolean[])
                  as change (id, health, failures, probe_at, old_health, old_failures, old_probe_at, has_answered)
             where receiver.id = change.id and receiver.health = change.old_health and receiver.failures = change.old_failures
               and receiver.probe_at is not distinct from change.old_probe_at
             returning receiver.id",
            &[
                /* id */ &all.iter().map(|update| update.receiver.0).collect::<Vec<_>>(),
                /* health */ &all.iter().map(|update| update.to.health.name()).collect::<Vec<_>>(),
                /* failures */ &all.iter().map(|update| failures(&update.to)).collect::<Vec<_>>(),
                /* probe_at */ &all.iter().map(|update| update.to.probe_at).collect::<Vec<_>>(),
                /* old_health */ &all.iter().map(|update| update.from.health.name()).collect::<Vec<_>>(),
                /* old_failures */ &all.iter().map(|update| failures(&update.from)).collect::<Vec<_>>(),
                /* old_probe_at */ &all.iter().map(|update| update.from.probe_at).collect::<Vec<_>>(),
                /* has_answered */ &all.iter().map(|update| update.to.has_answered).collect::<Vec<_>>(),
            ],
        )
        .await?;
    rows.iter().map(|row| row::get(row, "id").map(ReceiverId)).collect()
}

/// Acquires the right to send a probe, unless another process has just acquired it; the next one can be acquired after `next_at`. A `probe_at`
/// that lies further ahead than any process sets it was set by a clock that has gone back since, and is ignored.
pub async fn acquire_probe(connection: &Connection, id: ReceiverId, now: Timestamp, next_at: Timestamp) -> Result<bool> {
    let acquired = connection
        .execute(
            "update receivers set probe_at = $3
             where id = $1 and (probe_at <= $2 or probe_at > $3::timestamptz + ($3::timestamptz - $2::timestamptz))",
            &[/* id */ &id.0, /* now */ &now, /* next_at */ &next_at],
        )
        .await?;
    Ok(acquired > 0)
}

/// Releases a probe that was held until a time, because there was nothing to send; it is due at `due_at` again. Returns whether it was still
/// held.
pub async fn release_probe(connection: &Connection, id: ReceiverId, held_until: Timestamp, due_at: Timestamp) -> Result<bool> {
    let released = connection
        .execute(
            "update receivers set probe_at = $3 where id = $1 and probe_at = $2",
            &[/* id */ &id.0, /* held_until */ &held_until, /* probe_at */ &due_at],
        )
        .await?;
    Ok(released > 0)
}

pub(super) fn circuit(row: &Row) -> Result<Circuit> {
    let failures: i32 = row::get(row, "failures")?;
    let health = row::parsed(row, "health", Health::of)?;
    let failures = u32::try_from(failures).unwrap_or_default();
    Ok(Circuit::restored(health, failures, row::get(row, "probe_at")?, row::get(row, "has_answered")?))
}
