//! The counters of the lockout: how often attempts at a password or code have failed, how many are being
//! checked, and until when none is allowed (table `lockout_counters`). The rule is that of
//! [`domain::identity::lockout::Counter`], in statements, because several processes count together.
//!
//! An attempt is registered before it is checked and concluded afterwards: it failed, it succeeded, or it
//! could not be checked. Until then it is under way, which is no failure; but no more are under way than may
//! still fail. So, however many come at once and at however many processes, no more fail than the rules say.
//! An attempt that is never concluded, because its process died or its caller went away, is a failure after a
//! minute.

use crate::{Error, Executor, Result, Tx, expiry::Expiring, row};
use domain::identity::lockout::{ABANDONED_AFTER, Admission, DAY, Rules};
use jiff::Timestamp;
use std::time::Duration;
use tokio_postgres::Row;

/// What attempts are counted by: a keyed hash of their target.
pub type Key = [u8; 32];

/// How far the clocks of two processes may be apart. What lies further ahead was written by a clock that was
/// wrong, and counts as nothing: a lock must not last for as long as a clock was ahead.
const CLOCK_TOLERANCE: Duration = Duration::from_mins(1);

/// The attempts under way without the one that was registered at `$2`, which is among them.
const OTHERS: &str =
    "under_way[:array_position(under_way, $2::timestamptz) - 1] || under_way[array_position(under_way, $2::timestamptz) + 1:]";

/// An attempt that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PendingAttempt {
    key: Key,
    rules: Rules,
    /// When it was registered, and so when it failed if it does.
    at: Timestamp,
}

/// What a check has shown.
#[derive(Debug, Clone, Copy)]
pub enum Conclusion {
    /// The password or code was right.
    Succeeded(PendingAttempt),
    Failed(PendingAttempt),
}

/// Registers one more attempt, whether or not it is allowed. The attempt is to be concluded if it is.
pub async fn register(executor: &impl Executor, key: &Key, rules: &Rules, now: Timestamp) -> Result<(Admission, PendingAttempt)> {
    let row = executor
        .row(
            "insert into lockout_counters as g (key, recent, under_way, waits, locked_until, last_at, day_since, day_count, tried, admitted)
             values ($1, '{}', array[$2::timestamptz], 0, null, $2, $2, 0, 1, true)
             on conflict (key) do update set (recent, under_way, waits, locked_until, last_at, day_since, day_count, tried, admitted) = (
                 select kept,
                        case when may then checking || $2 else checking end,
                        past.waits,
                        case when may then null else g.locked_until end,
                        case when may then $2 else g.last_at end,
                        case when is_new_day then $2 else g.day_since end,
                        failed_today,
                        g.tried + 1,
                        may
                 from (
                     select g.day_since <= $7 or g.day_since > $9 as is_new_day,
                            case when g.last_at <= $6 or g.last_at > $9 then 0 else g.waits end as waits,
                            array(select begun_at from unnest(g.under_way) as begun (begun_at)
                                  where begun_at > $8 and begun_at <= $9) as checking,
                            array(select begun_at from unnest(g.under_way) as begun (begun_at) where begun_at <= $8) as abandoned
                 ) as past
                 cross join lateral (
                     select array(select failed_at from unnest(g.recent || abandoned) as failed (failed_at)
                                  where failed_at > $4 and failed_at <= $9) as kept,
                            case when is_new_day then 0 else g.day_count end + cardinality(abandoned) as failed_today
                 ) as failures
                 cross join lateral (
                     select coalesce(g.locked_until <= $2 or g.locked_until > $10, true) and cardinality(checking)
                            < least(case when past.waits > 0 then 1 else greatest($5 - cardinality(kept), 1) end, $3 - failed_today) as may
                 ) as rule
             )
             returning admitted, greatest(locked_until, case when day_count >= $3 then day_since + interval '24 hours' end) as until",
            &[
                /* key */ &key.as_slice(),
                /* now */ &now,
                /* per_day */ &clamped(rules.per_day),
                /* window_start */ &before(now, rules.window),
                /* failures */ &clamped(rules.failures),
                /* forget */ &before(now, rules.forget_after),
                /* day_start */ &before(now, DAY),
                /* abandoned */ &before(now, ABANDONED_AFTER),
                /* latest */ &after(now, CLOCK_TOLERANCE),
                /* longest_lock */ &after(now, rules.max_wait + CLOCK_TOLERANCE),
            ],
        )
        .await?;
    let admission =
        if row::get(&row, "admitted")? { Admission::Allowed } else { Admission::refused(row::get(&row, "until")?, now) };
    Ok((admission, PendingAttempt { key: *key, rules: *rules, at: now }))
}

/// Whether attempts are being checked.
pub async fn are_under_way(executor: &impl Executor, key: &Key, now: Timestamp) -> Result<bool> {
    let found = executor
        .row_opt(
            "select key from lockout_counters
             where key = $1 and exists (select from unnest(under_way) as begun (begun_at) where begun_at > $2)",
            &[/* key */ &key.as_slice(), /* abandoned */ &before(now, ABANDONED_AFTER)],
        )
        .await?;
    Ok(found.is_some())
}

/// Concludes an attempt that was checked. `None` does nothing: while limits are off, no attempt is
/// registered.
pub async fn conclude(executor: &impl Executor, conclusion: Option<Conclusion>) -> Result<()> {
    match conclusion {
        Some(Conclusion::Succeeded(attempt)) => reset(executor, &attempt).await,
        Some(Conclusion::Failed(attempt)) => fail(executor, &attempt).await,
        None => Ok(()),
    }
}

/// Forgets the failures before a success. They still count towards the day's limit.
async fn reset(executor: &impl Executor, attempt: &PendingAttempt) -> Result<()> {
    let statement = format!(
        "update lockout_counters set recent = '{{}}', waits = 0, locked_until = null,
                            under_way = case when $2::timestamptz = any (under_way) then {OTHERS} else under_way end
         where key = $1"
    );
    executor.execute(&statement, &[/* key */ &attempt.key.as_slice(), /* registered_at */ &attempt.at]).await?;
    Ok(())
}

/// Counts a failure, and begins a wait when the rules say so. An attempt that was counted as abandoned is not
/// counted twice.
async fn fail(executor: &impl Executor, attempt: &PendingAttempt) -> Result<()> {
    let PendingAttempt { key, rules, at } = attempt;
    let seconds = |time: Duration| i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
    let statement = format!(
        "update lockout_counters as g set (recent, under_way, waits, locked_until, day_count) = (
             select kept || $2,
                    {OTHERS},
                    g.waits + waits_now::integer,
                    case when waits_now then $2 + least($6::bigint, $5::bigint * 2 ^ least(g.waits, 30)) * interval '1 second'
                         else g.locked_until end,
                    g.day_count + 1
             from (
                 select array(select failed_at from unnest(g.recent) as failed (failed_at) where failed_at > $3) as kept
             ) as past
             cross join lateral (select g.waits > 0 or cardinality(kept) + 1 >= $4 as waits_now) as rule
         )
         where key = $1 and $2::timestamptz = any (under_way)"
    );
    executor
        .execute(
            &statement,
            &[
                /* key */ &key.as_slice(),
                /* registered_at */ at,
                /* window_start */ &before(*at, rules.window),
                /* failures */ &clamped(rules.failures),
                /* wait */ &seconds(rules.wait),
                /* max_wait */ &seconds(rules.max_wait),
            ],
        )
        .await?;
    Ok(())
}

/// Concludes an attempt that could not be checked because of an error. It counts as nothing.
pub async fn refund(executor: &impl Executor, attempt: &PendingAttempt) -> Result<()> {
    let statement =
        format!("update lockout_counters set under_way = {OTHERS} where key = $1 and $2::timestamptz = any (under_way)");
    executor.execute(&statement, &[/* key */ &attempt.key.as_slice(), /* registered_at */ &attempt.at]).await?;
    Ok(())
}

/// Removes the counter, the failures of the day included: what the attempts were made at is replaced by
/// something else.
pub async fn remove(tx: &Tx<'_>, key: &Key) -> Result<()> {
    tx.execute("delete from lockout_counters where key = $1", &[/* key */ &key.as_slice()]).await?;
    Ok(())
}

/// The same for several counters.
pub async fn remove_all(tx: &Tx<'_>, keys: &[Key]) -> Result<()> {
    let keys: Vec<&[u8]> = keys.iter().map(Key::as_slice).collect();
    tx.execute("delete from lockout_counters where key = any ($1)", &[/* keys */ &keys]).await?;
    Ok(())
}

/// A counter that allows no attempt.
#[derive(Debug, Clone, Copy)]
pub struct Locked {
    pub key: Key,
    /// When it allows an attempt again.
    pub until: Timestamp,
    /// Its failures of the day.
    pub failures: i32,
    /// When it was last tried.
    pub last_at: Timestamp,
}

/// The counters that allow no attempt at a time, those that were tried last first, at most `limit`.
pub async fn list_locked(executor: &impl Executor, rules: &Rules, now: Timestamp, limit: i64) -> Result<Vec<Locked>> {
    let rows = executor
        .rows(
            "select key, day_count, last_at, greatest(locked_until, case when day_count >= $2 then day_since + interval '24 hours' end) as until
             from lockout_counters
             where (locked_until is not null and locked_until > $1 and locked_until <= $5)
                or (day_count > 0 and day_count >= $2 and day_since > $3 and day_since <= $6)
             order by last_at desc limit $4",
            &[
                /* now */ &now,
                /* per_day */ &clamped(rules.per_day),
                /* day_start */ &before(now, DAY),
                /* limit */ &limit,
                /* longest_lock */ &after(now, Duration::from_hours(1).max(rules.max_wait) + CLOCK_TOLERANCE),
                /* latest */ &after(now, CLOCK_TOLERANCE),
            ],
        )
        .await?;
    let locked = |row: &Row| {
        let key: &[u8] = row::get(row, "key")?;
        let key = key.try_into().map_err(|_| Error::Internal("column key: not 32 bytes".to_owned()))?;
        Ok(Locked {
            key,
            until: row::get(row, "until")?,
            failures: row::get(row, "day_count")?,
            last_at: row::get(row, "last_at")?,
        })
    };
    rows.iter().map(locked).collect()
}

/// Removes a counter that allows no attempt. `false` when it allows one.
pub async fn lift(tx: &Tx<'_>, key: &Key, rules: &Rules, now: Timestamp) -> Result<bool> {
    let removed = tx
        .execute(
            "delete from lockout_counters where key = $1 and (locked_until > $2 or (day_count >= $3 and day_since > $4))",
            &[
                /* key */ &key.as_slice(),
                /* now */ &now,
                /* per_day */ &clamped(rules.per_day),
                /* day_start */ &before(now, DAY),
            ],
        )
        .await?;
    Ok(removed == 1)
}

/// Removes the counters without an attempt since a time, at most `limit`.
pub async fn remove_old(executor: &impl Executor, until: Timestamp, limit: i64) -> Result<u64> {
    Expiring { table: "lockout_counters", key: "key", at: "last_at" }.delete_batch(executor, until, limit).await
}

fn before(now: Timestamp, time: Duration) -> Timestamp {
    now.checked_sub(time).unwrap_or(Timestamp::MIN)
}

fn after(now: Timestamp, time: Duration) -> Timestamp {
    now.checked_add(time).unwrap_or(Timestamp::MAX)
}

fn clamped(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}
