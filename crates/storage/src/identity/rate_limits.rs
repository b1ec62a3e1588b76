//! Rate limits that hold across processes: the table `rate_limits`, with a token bucket for each caller (see [`Rate`]). The time is that of the database, so that
//! processes whose clocks differ count alike. The table is not logged: a crash of PostgreSQL fills all buckets.

use crate::{Connection, Executor, Result, Tx, row};
use domain::shared::Rate;
use std::time::Duration;

/// What is left of a limit after a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// How many requests may come at once when the bucket is full.
    pub limit: u32,
    /// How many may come now.
    pub remaining: u32,
    /// After this time the bucket is full again.
    pub reset_after: Duration,
    /// After this time one more may come.
    pub next_after: Duration,
    /// The request is refused, and may come again after this time.
    pub refused_for: Option<Duration>,
}

/// Counts a request of a caller, unless it is one too many. One statement: however many come at once and at however many processes, no more are
/// admitted than the rate allows.
///
/// A bucket that is full later than two periods from now was written by a clock that was wrong: it counts as full, so that no caller is refused for as long as a
/// clock was ahead. Nearer than that it is an empty one at most.
pub async fn acquire(executor: &impl Executor, name: &str, caller: &str, rate: Rate) -> Result<Allowance> {
    let interval = rate.interval();
    let capacity = interval.saturating_mul(rate.count());
    let counted = executor
        .row(
            "insert into rate_limits as bucket (name, caller, full_at, is_admitted)
             values ($1, $2, statement_timestamp() + $3::bigint * interval '1 microsecond', true)
             on conflict (name, caller) do update set (full_at, is_admitted) = (
                 select case when next <= latest then next else begun end, next <= latest
                 from (
                     select statement_timestamp() as now, statement_timestamp() + $4::bigint * interval '1 microsecond' as latest
                 ) as clock
                 cross join lateral (
                     select case when bucket.full_at > latest + (latest - now) then now
                                 else least(greatest(bucket.full_at, now), latest) end as begun
                 ) as past
                 cross join lateral (select begun + $3::bigint * interval '1 microsecond' as next) as taken
             )
             returning is_admitted, extract(epoch from full_at - statement_timestamp())::float8 as seconds",
            &[
                /* name */ &name,
                /* caller */ &caller,
                /* interval */ &micros(interval),
                /* capacity */ &micros(capacity),
            ],
        )
        .await?;
    let reset_after = Duration::try_from_secs_f64(row::get(&counted, "seconds")?).unwrap_or_default();
    let is_admitted: bool = row::get(&counted, "is_admitted")?;
    let free = capacity.saturating_sub(reset_after);
    let remaining = if is_admitted { free.as_micros() / interval.as_micros().max(1) } else { 0 };
    let next_after = interval.saturating_sub(free);
    Ok(Allowance {
        limit: rate.count(),
        remaining: u32::try_from(remaining).unwrap_or(u32::MAX),
        reset_after,
        next_after,
        refused_for: (!is_admitted).then_some(next_after),
    })
}

/// How long a caller is refused from now on; `None` when a request would be admitted. It counts nothing: for limits of failures, which are counted afterwards.
pub async fn refused_for(executor: &impl Executor, name: &str, caller: &str, rate: Rate) -> Result<Option<Duration>> {
    let interval = rate.interval();
    let capacity = interval.saturating_mul(rate.count());
    let refused = executor
        .row_opt(
            "select extract(epoch from full_at - statement_timestamp())::float8 as seconds from rate_limits
             where name = $1 and caller = $2 and full_at > statement_timestamp() + $3::bigint * interval '1 microsecond'
               and full_at <= statement_timestamp() + $4::bigint * interval '1 microsecond'",
            &[
                /* name */ &name,
                /* caller */ &caller,
                /* nearly_empty */ &micros(capacity.saturating_sub(interval)),
                /* latest */ &micros(capacity.saturating_mul(2)),
            ],
        )
        .await?;
    let Some(refused) = refused else { return Ok(None) };
    let full_after = Duration::try_from_secs_f64(row::get(&refused, "seconds")?).unwrap_or_default().min(capacity);
    Ok(Some((full_after + interval).saturating_sub(capacity)))
}

/// A caller of a limit who is refused.
#[derive(Debug, Clone)]
pub struct Exhausted {
    /// The caller.
    pub caller: String,
    /// After this time a request is admitted again.
    pub refused_for: Duration,
}

/// The callers of a limit who are refused just now, at most `limit`.
pub async fn list_exhausted(executor: &impl Executor, name: &str, rate: Rate, limit: i64) -> Result<Vec<Exhausted>> {
    let interval = rate.interval();
    let capacity = interval.saturating_mul(rate.count());
    let rows = executor
        .rows(
            "select caller, extract(epoch from full_at - statement_timestamp())::float8 as seconds from rate_limits
             where name = $1 and full_at > statement_timestamp() + $2::bigint * interval '1 microsecond'
               and full_at <= statement_timestamp() + $3::bigint * interval '1 microsecond'
             order by caller limit $4",
            &[
                /* name */ &name,
                /* nearly_empty */ &micros(capacity.saturating_sub(interval)),
                /* latest */ &micros(capacity.saturating_mul(2)),
                /* limit */ &limit,
            ],
        )
        .await?;
    let exhausted = |row| {
        let full_after = Duration::try_from_secs_f64(row::get(row, "seconds")?).unwrap_or_default();
        Ok(Exhausted { caller: row::get(row, "caller")?, refused_for: (full_after + interval).saturating_sub(capacity) })
    };
    rows.iter().map(exhausted).collect()
}

/// Fills the bucket of a caller who is refused. `false` when the caller is not.
pub async fn lift(tx: &Tx<'_>, name: &str, caller: &str, rate: Rate) -> Result<bool> {
    let interval = rate.interval();
    let nearly_empty = interval.saturating_mul(rate.count()).saturating_sub(interval);
    let lifted = tx
        .execute(
            "delete from rate_limits
             where name = $1 and caller = $2 and full_at > statement_timestamp() + $3::bigint * interval '1 microsecond'",
            &[/* name */ &name, /* caller */ &caller, /* nearly_empty */ &micros(nearly_empty)],
        )
        .await?;
    Ok(lifted == 1)
}

/// Removes buckets that are full, which say nothing, at most so many. When there is none left, those that are full soonest, as far as there are more than
/// `most`: a crowd of callers from ever new addresses does not fill the disk, and cannot wash out those that are being slowed down.
///
/// The time is that of the database, by which they were written.
pub async fn remove_full(connection: &Connection, most: i64, limit: i64) -> Result<u64> {
    let full = connection
        .execute(
            "delete from rate_limits where (name, caller) in (
                 select name, caller from rate_limits where full_at <= statement_timestamp() limit $1 for update skip locked
             )",
            &[/* limit */ &limit],
        )
        .await?;
    if full > 0 {
        return Ok(full);
    }
    connection
        .execute(
            "delete from rate_limits where (name, caller) in (
                 select name, caller from rate_limits order by full_at
                 limit least($2::bigint, greatest(0, (select count(*) from rate_limits) - $1::bigint)) for update skip locked
             )",
            &[/* most */ &most, /* limit */ &limit],
        )
        .await
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}
