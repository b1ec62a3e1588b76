//! Rate limits that hold across processes: the table `rate_limits`, with a token bucket for each caller (see [`Rate`]). The time is that of the database, so that
//! processes whose clocks differ count alike.

use crate::{Executor, Result, Tx, row};
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
    Ok(Allowance {
        limit: rate.count(),
        remaining: u32::try_from(remaining).unwrap_or(u32::MAX),
        reset_after,
        refused_for: (!is_admitted).then(|| interval.saturating_sub(free)),
    })
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

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}
