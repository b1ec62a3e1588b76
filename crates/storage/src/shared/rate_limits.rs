//! Rate limits that hold across processes: the table `rate_limits`, with a token bucket for each caller (see
//! [`Rate`]). The time is that of the database, so that processes whose clocks differ count alike. The table
//! is not logged: a crash of PostgreSQL fills all buckets.

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

/// The bucket of a rate, measured in time.
struct Bucket {
    /// How many requests may come at once.
    limit: u32,
    /// After this time one more may come.
    interval: Duration,
    /// An empty one is full after this time.
    capacity: Duration,
}

/// Which bucket of a name refuses the next request: `$1` is the name, `$2` [`Bucket::nearly_empty`] and `$3`
/// [`Bucket::latest`].
const REFUSES: &str = "name = $1 and full_at > statement_timestamp() + $2::bigint * interval '1 microsecond'
    and full_at <= statement_timestamp() + $3::bigint * interval '1 microsecond'";

impl Bucket {
    fn of(rate: Rate) -> Self {
        Self { limit: rate.count(), interval: rate.interval(), capacity: rate.interval().saturating_mul(rate.count()) }
    }

    /// One that is full later than this from now has no room for a request, in microseconds.
    fn nearly_empty(&self) -> i64 {
        micros(self.capacity.saturating_sub(self.interval))
    }

    /// One that is full later than this from now was written by a clock that was wrong, in microseconds.
    fn latest(&self) -> i64 {
        micros(self.capacity.saturating_mul(2))
    }

    /// What is left of one that is full after some time.
    fn allowance(&self, full_after: f64, is_admitted: bool) -> Allowance {
        let reset_after = Duration::try_from_secs_f64(full_after).unwrap_or_default().min(self.capacity);
        let free = self.capacity.saturating_sub(reset_after);
        let remaining = if is_admitted { free.as_micros() / self.interval.as_micros().max(1) } else { 0 };
        let next_after = self.interval.saturating_sub(free);
        Allowance {
            limit: self.limit,
            remaining: u32::try_from(remaining).unwrap_or(u32::MAX),
            reset_after,
            next_after,
            refused_for: (!is_admitted).then_some(next_after),
        }
    }
}

/// Counts a request of a caller, unless it is one too many. One statement: however many come at once and at
/// however many processes, no more are admitted than the rate allows.
///
/// A bucket that is full later than two periods from now was written by a clock that was wrong: it counts as
/// full, so that no caller is refused for as long as a clock was ahead. Nearer than that it is an empty one
/// at most.
pub async fn acquire(executor: &impl Executor, name: &str, caller: &str, rate: Rate) -> Result<Allowance> {
    let bucket = Bucket::of(rate);
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
                /* interval */ &micros(bucket.interval),
                /* capacity */ &micros(bucket.capacity),
            ],
        )
        .await?;
    Ok(bucket.allowance(row::get(&counted, "seconds")?, row::get(&counted, "is_admitted")?))
}

/// What is left to a caller who would be refused; `None` when a request would be admitted. It counts nothing:
/// for limits of failures, which are counted afterwards.
pub async fn find_refused(executor: &impl Executor, name: &str, caller: &str, rate: Rate) -> Result<Option<Allowance>> {
    let bucket = Bucket::of(rate);
    let found = executor
        .row_opt(
            &format!(
                "select extract(epoch from full_at - statement_timestamp())::float8 as seconds from rate_limits where {REFUSES} and caller = $4"
            ),
            &[
                /* name */ &name,
                /* nearly_empty */ &bucket.nearly_empty(),
                /* latest */ &bucket.latest(),
                /* caller */ &caller,
            ],
        )
        .await?;
    found.map(|found| Ok(bucket.allowance(row::get(&found, "seconds")?, false))).transpose()
}

/// A caller of a limit who is refused.
#[derive(Debug, Clone)]
pub struct Exhausted {
    pub caller: String,
    /// After this time a request is admitted again.
    pub refused_for: Duration,
}

/// The callers of a limit who are refused just now, those who wait longest first, at most `limit`.
pub async fn list_exhausted(executor: &impl Executor, name: &str, rate: Rate, limit: i64) -> Result<Vec<Exhausted>> {
    let bucket = Bucket::of(rate);
    let rows = executor
        .rows(
            &format!(
                "select caller, extract(epoch from full_at - statement_timestamp())::float8 as seconds from rate_limits
                 where {REFUSES} order by full_at desc, caller limit $4"
            ),
            &[
                /* name */ &name,
                /* nearly_empty */ &bucket.nearly_empty(),
                /* latest */ &bucket.latest(),
                /* limit */ &limit,
            ],
        )
        .await?;
    let exhausted = |row| {
        let refused_for = bucket.allowance(row::get(row, "seconds")?, false).next_after;
        Ok(Exhausted { caller: row::get(row, "caller")?, refused_for })
    };
    rows.iter().map(exhausted).collect()
}

/// Fills the bucket of a caller who is refused. `false` when the caller is not.
pub async fn lift(tx: &Tx<'_>, name: &str, caller: &str, rate: Rate) -> Result<bool> {
    let bucket = Bucket::of(rate);
    let lifted = tx
        .execute(
            &format!("delete from rate_limits where {REFUSES} and caller = $4"),
            &[
                /* name */ &name,
                /* nearly_empty */ &bucket.nearly_empty(),
                /* latest */ &bucket.latest(),
                /* caller */ &caller,
            ],
        )
        .await?;
    Ok(lifted == 1)
}

/// Removes buckets that are full, which say nothing, at most `limit`. The time is that of the database, by
/// which they were written.
pub async fn remove_full(connection: &Connection, limit: i64) -> Result<u64> {
    connection
        .execute(
            "delete from rate_limits where (name, caller) in (
                 select name, caller from rate_limits where full_at <= statement_timestamp() limit $1 for update skip locked
             )",
            &[/* limit */ &limit],
        )
        .await
}

/// Removes of each name with more than `most` buckets those that are full soonest, at most `limit`
/// altogether: a crowd of callers from ever new addresses does not fill the disk, and washes out neither
/// those that are being slowed down nor the callers of another limit.
pub async fn remove_excess(connection: &Connection, most: i64, limit: i64) -> Result<u64> {
    connection
        .execute(
            // With `full_at`, so that one that is counted meanwhile stays.
            "delete from rate_limits where (name, caller, full_at) in (
                 select name, caller, full_at from (
                     select name, caller, full_at, row_number() over (partition by name order by full_at desc) as rank from rate_limits
                     where name in (select name from rate_limits group by name having count(*) > $1)
                 ) ranked
                 where rank > $1 limit $2
             )",
            &[/* most */ &most, /* limit */ &limit],
        )
        .await
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}
