//! How often somebody failed, and for how long nobody may try: `guesses`.
//!
//! An attempt counts as a failure from the moment it is admitted, before anybody knows whether it is right: so of any number that come at once, at
//! any number of processes, no more are admitted than the rules allow. Who was right is forgiven.

use crate::{Connection, Executor, Result, Tx, TxOperation, row};
use domain::identity::lockout::Rules;
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

/// A keyed hash of what is guessed at.
pub type Key = [u8; 32];

/// What becomes of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// It may be looked at.
    Admitted,
    /// Nobody may try for so long.
    Locked(Duration),
}

/// Asks for one more attempt and writes it down, admitted or not.
pub async fn admit(session: &Connection, key: &Key, rules: &Rules, now: Timestamp) -> Result<Admission> {
    let before = |time: Duration| now.checked_sub(time).unwrap_or(Timestamp::MIN);
    let seconds = |time: Duration| i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
    let row = session
        .row(
            "insert into guesses as g (key, recent, waits, locked_until, last_at, day_since, day_count, tried, admitted)
             values ($1, array[$2::timestamptz], 0, null, $2, $2, 1, 1, true)
             on conflict (key) do update set (recent, waits, locked_until, last_at, day_since, day_count, tried, admitted) = (
                 select case when may then kept || $2 else g.recent end,
                        case when may then waits + (waits_now::integer) else g.waits end,
                        case when may and waits_now then $2 + least($7::bigint, $6::bigint * 2 ^ least(waits, 30)) * interval '1 second'
                             when may then null
                             else g.locked_until end,
                        case when may then $2 else g.last_at end,
                        case when may and is_new_day then $2 else g.day_since end,
                        case when may and is_new_day then 1 else g.day_count + (may::integer) end,
                        g.tried + 1,
                        may
                 from (
                     select g.day_since <= $9 as is_new_day,
                            case when g.last_at <= $8 then 0 else g.waits end as waits,
                            array(select failed_at from unnest(g.recent) as failed (failed_at) where failed_at > $4 order by failed_at) as kept
                 ) as past
                 cross join lateral (
                     select coalesce(g.locked_until <= $2, true) and (is_new_day or g.day_count < $3) as may,
                            waits > 0 or cardinality(kept) + 1 >= $5 as waits_now
                 ) as rule
             )
             returning admitted,
                       extract(epoch from greatest(locked_until, case when day_count >= $3 then day_since + interval '24 hours' end) - $2)::float8
                           as wait",
            &[
                /* key */ &key.as_slice(),
                /* now */ &now,
                /* per_day */ &clamped(rules.per_day),
                /* window_start */ &before(rules.window),
                /* failures */ &clamped(rules.failures),
                /* wait */ &seconds(rules.wait),
                /* max_wait */ &seconds(rules.max_wait),
                /* forget */ &before(rules.forget_after),
                /* day_start */ &before(Duration::from_hours(24)),
            ],
        )
        .await?;
    if row::get(&row, "admitted")? {
        return Ok(Admission::Admitted);
    }
    let wait: Option<f64> = row::get(&row, "wait")?;
    let wait = SignedDuration::try_from_secs_f64(wait.unwrap_or_default()).unwrap_or_default();
    Ok(Admission::Locked(wait.max(SignedDuration::from_secs(1)).unsigned_abs()))
}

fn clamped(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// Forgets the failures: somebody was right. Those of the day stay, but for the attempt that was none.
pub async fn forgive(tx: &Tx<'_>, key: &Key) -> Result<()> {
    tx.execute(
        "update guesses set recent = '{}', waits = 0, locked_until = null, day_count = greatest(day_count - 1, 0) where key = $1",
        &[/* key */ &key.as_slice()],
    )
    .await?;
    Ok(())
}

/// The same, where somebody was counted.
pub async fn forgive_if(tx: &Tx<'_>, key: Option<&Key>) -> Result<()> {
    match key {
        Some(key) => forgive(tx, key).await,
        None => Ok(()),
    }
}

/// Forgets them all, those of the day as well: who guessed did not, and what was guessed at is something else now.
pub async fn forget(tx: &Tx<'_>, key: &Key) -> Result<()> {
    tx.execute("delete from guesses where key = $1", &[/* key */ &key.as_slice()]).await?;
    Ok(())
}

/// Forgets the failures of somebody who was right, when nothing else is written.
pub struct Forgive {
    /// At what.
    pub key: Key,
}

impl TxOperation for Forgive {
    type Output = ();

    const NAME: &'static str = "guesses.forgive";

    async fn run(&self, tx: &Tx<'_>) -> Result<()> {
        forgive(tx, &self.key).await
    }
}

/// Takes back an attempt that was admitted and that nobody could look at.
pub async fn take_back(session: &Connection, key: &Key) -> Result<()> {
    session
        .execute(
            "update guesses set recent = case when cardinality(recent) > 0 then trim_array(recent, 1) else recent end,
                                waits = greatest(waits - (locked_until is not null)::integer, 0),
                                locked_until = null, day_count = greatest(day_count - 1, 0)
             where key = $1",
            &[/* key */ &key.as_slice()],
        )
        .await?;
    Ok(())
}

/// Removes what nobody tried since a time, at most so many.
pub async fn remove_old(session: &Connection, until: Timestamp, limit: i64) -> Result<u64> {
    session
        .execute(
            "delete from guesses where key in (
                 select key from guesses where last_at <= $1 order by last_at limit $2 for update skip locked
             )",
            &[/* until */ &until, /* limit */ &limit],
        )
        .await
}
