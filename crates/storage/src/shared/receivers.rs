//! Receivers outside: `receivers`. Who owns one says what it is for; deliveries are sent to it by [`super::deliveries`].

use crate::{Connection, Executor, Result, Tx, row};
use domain::shared::{
    ReceiverId,
    delivery::{Circuit, Health},
};
use jiff::Timestamp;

/// A receiver to be added.
#[derive(Debug, Clone)]
pub struct NewReceiver<'a> {
    /// Whose: the owner's own word.
    pub kind: &'static str,
    /// Where deliveries go.
    pub url: &'a str,
    /// The sealed secret; `None`: deliveries are not signed.
    pub secret: Option<&'a [u8]>,
    /// Whether anything is sent.
    pub active: bool,
    /// The time now.
    pub at: Timestamp,
}

/// Adds one.
pub async fn insert(tx: &Tx<'_>, it: &NewReceiver<'_>) -> Result<ReceiverId> {
    let row = tx
        .row(
            "insert into receivers (kind, url, secret, active, created_at) values ($1, $2, $3, $4, $5) returning id",
            &[
                /* kind */ &it.kind, /* url */ &it.url, /* secret */ &it.secret, /* active */ &it.active,
                /* created_at */ &it.at,
            ],
        )
        .await?;
    row::get(&row, "id").map(ReceiverId)
}

/// Changes where deliveries go, and whether they do. Another address is a new start: what was known of the old one is forgotten.
pub async fn update(tx: &Tx<'_>, id: ReceiverId, url: &str, active: bool) -> Result<()> {
    tx.execute_one(
        "receiver.update",
        "update receivers
         set url = $2, active = $3,
             health = case when url = $2 then health else 'new' end,
             failures = case when url = $2 then failures else 0 end,
             probe_at = case when url = $2 then probe_at end
         where id = $1 and closed_at is null",
        &[/* id */ &id.0, /* url */ &url, /* active */ &active],
    )
    .await?;
    wake(tx).await
}

/// Puts a new secret in the place of the old one, which stays valid beside it until a time.
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

/// Ends a receiver: nothing more is sent to it, and what there is of it is swept away.
pub async fn close(tx: &Tx<'_>, id: ReceiverId, at: Timestamp) -> Result<()> {
    tx.execute_one(
        "receiver.close",
        "update receivers set closed_at = $2 where id = $1 and closed_at is null",
        &[/* id */ &id.0, /* closed_at */ &at],
    )
    .await?;
    wake(tx).await
}

/// Pauses a receiver that wants no more, unless it is paused already or has another address by now. Answers whether it was paused.
pub async fn pause(tx: &Tx<'_>, id: ReceiverId, url: &str) -> Result<bool> {
    let paused = tx
        .execute(
            "update receivers set active = false where id = $1 and url = $2 and active and closed_at is null",
            &[/* id */ &id.0, /* url */ &url],
        )
        .await?;
    wake(tx).await?;
    Ok(paused > 0)
}

/// What is known of a receiver.
pub async fn find_circuit(query: &impl Executor, id: ReceiverId) -> Result<Option<Circuit>> {
    let found = query.row_opt("select health, failures, probe_at from receivers where id = $1", &[/* id */ &id.0]).await?;
    found.as_ref().map(circuit).transpose()
}

/// What was learned of a receiver.
#[derive(Debug, Clone, Copy)]
pub struct Learned {
    /// Of whom.
    pub receiver: ReceiverId,
    /// What its row said before.
    pub from: Circuit,
    /// What it is to say.
    pub to: Circuit,
}

/// Writes what was learned of receivers, where nobody else has written meanwhile. Answers for whom it was written.
pub async fn save_circuits(connection: &Connection, all: &[Learned]) -> Result<Vec<ReceiverId>> {
    let failures = |value: &Circuit| i32::try_from(value.failures).unwrap_or(i32::MAX);
    let rows = connection
        .rows(
            "update receivers it set health = line.health, failures = line.failures, probe_at = line.probe_at
             from unnest($1::bigint[], $2::text[], $3::integer[], $4::timestamptz[], $5::text[], $6::integer[], $7::timestamptz[])
                  as line (id, health, failures, probe_at, old_health, old_failures, old_probe_at)
             where it.id = line.id and it.health = line.old_health and it.failures = line.old_failures
               and it.probe_at is not distinct from line.old_probe_at
             returning it.id",
            &[
                /* id */ &all.iter().map(|value| value.receiver.0).collect::<Vec<_>>(),
                /* health */ &all.iter().map(|value| value.to.health.name()).collect::<Vec<_>>(),
                /* failures */ &all.iter().map(|value| failures(&value.to)).collect::<Vec<_>>(),
                /* probe_at */ &all.iter().map(|value| value.to.probe_at).collect::<Vec<_>>(),
                /* old_health */ &all.iter().map(|value| value.from.health.name()).collect::<Vec<_>>(),
                /* old_failures */ &all.iter().map(|value| failures(&value.from)).collect::<Vec<_>>(),
                /* old_probe_at */ &all.iter().map(|value| value.from.probe_at).collect::<Vec<_>>(),
            ],
        )
        .await?;
    rows.iter().map(|r| row::get(r, "id").map(ReceiverId)).collect()
}

/// Takes the right to send a probe, unless another process has just taken it: the next one may go out after `next_at`. One that was taken for a
/// time that is much later belongs to a clock that has gone back.
pub async fn take_probe(connection: &Connection, id: ReceiverId, now: Timestamp, next_at: Timestamp) -> Result<bool> {
    let taken = connection
        .execute(
            "update receivers set probe_at = $3
             where id = $1 and (probe_at <= $2 or probe_at > $3::timestamptz + ($3::timestamptz - $2::timestamptz))",
            &[/* id */ &id.0, /* now */ &now, /* next_at */ &next_at],
        )
        .await?;
    Ok(taken > 0)
}

/// Gives the right to a probe back that was taken until a time, because there was nothing to be sent.
pub async fn give_back_probe(connection: &Connection, id: ReceiverId, taken_until: Timestamp, at: Timestamp) -> Result<u64> {
    connection
        .execute(
            "update receivers set probe_at = $3 where id = $1 and probe_at = $2",
            &[/* id */ &id.0, /* taken_until */ &taken_until, /* probe_at */ &at],
        )
        .await
}

/// Tells the dispatchers that there may be something to send.
pub(crate) async fn wake(tx: &Tx<'_>) -> Result<()> {
    tx.row("select pg_notify('lectern_jobs', 'deliveries')", &[]).await.map(drop)
}

pub(super) fn circuit(row: &tokio_postgres::Row) -> Result<Circuit> {
    let failures: i32 = row::get(row, "failures")?;
    let health = row::parsed(row, "health", Health::of)?;
    Ok(Circuit::restored(health, u32::try_from(failures).unwrap_or_default(), row::get(row, "probe_at")?))
}
