//! The counters of the lockout: how often attempts at a password or code have failed, and until when none is allowed (table `guesses`).
//!
//! An attempt counts as a failure from the moment it is registered, before it is checked: so, however many come at once and at however many processes,
//! no more are allowed than the rules say. One that succeeds resets the counter.

use crate::{Executor, Result, Tx, expiry::Expiring, row};
use domain::identity::lockout::Rules;
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

/// What attempts are counted by: a keyed hash of their target.
pub type Key = [u8; 32];

/// Whether an attempt is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The attempt may be checked.
    Allowed,
    /// No attempt is allowed for this time.
    Locked(Duration),
}

/// Registers one more attempt, whether or not it is allowed.
pub async fn register(executor: &impl Executor, key: &Key, rules: &Rules, now: Timestamp) -> Result<Decision> {
    let before = |time: Duration| now.checked_sub(time).unwrap_or(Timestamp::MIN);
    let seconds = |time: Duration| i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
    let row = executor
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
        return Ok(Decision::Allowed);
    }
    let wait: Option<f64> = row::get(&row, "wait")?;
    let wait = SignedDuration::try_from_secs_f64(wait.unwrap_or_default()).unwrap_or_default();
    Ok(Decision::Locked(wait.max(SignedDuration::from_secs(1)).unsigned_abs()))
}

fn clamped(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// Resets the counter after a success. Earlier failures of the same day still count towards the day's limit; the attempt that succeeded does not.
pub async fn reset(tx: &Tx<'_>, key: &Key) -> Result<()> {
    tx.execute(
        "update guesses set recent = '{}', waits = 0, locked_until = null, day_count = greatest(day_count - 1, 0) where key = $1",
        &[/* key */ &key.as_slice()],
    )
    .await?;
    Ok(())
}

/// The same, if there is a counter: there is none while limits are off.
pub async fn reset_if(tx: &Tx<'_>, key: Option<&Key>) -> Result<()> {
    match key {
        Some(key) => reset(tx, key).await,
        None => Ok(()),
    }
}

/// Removes the counter, the failures of the day included: what the attempts were made at is replaced by something else.
pub async fn remove(tx: &Tx<'_>, key: &Key) -> Result<()> {
    tx.execute("delete from guesses where key = $1", &[/* key */ &key.as_slice()]).await?;
    Ok(())
}

/// Takes back an attempt that was registered and could not be checked because of an error.
pub async fn refund(executor: &impl Executor, key: &Key) -> Result<()> {
    executor
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

/// Removes the counters without an attempt since a time, at most `limit`.
pub async fn remove_old(executor: &impl Executor, until: Timestamp, limit: i64) -> Result<u64> {
    Expiring { table: "guesses", key: "key", at: "last_at" }.delete_batch(executor, until, limit).await
}
