//! How many entries the trail got on each day, by event and outcome, in all and of each client: the table
//! `account_audit_counts`, so that a list knows its total and finds a late page without counting millions of
//! entries.
//!
//! The counted days have no gap between them. What came before the first and since the last is counted when
//! it is needed: the last day and the first one.

use crate::{Executor, Result, row};
use jiff::{SignedDuration, Timestamp};

/// The length of a day in UTC.
const DAY: SignedDuration = SignedDuration::from_hours(24);

/// Counts the next day that ended an hour before `now` or earlier (no transaction takes as long, and no clock
/// of a server is as wrong), and of which no entry is as old as `expired_at`. Returns how many rows that
/// made; 0 when there is no such day.
pub async fn count_next(executor: &impl Executor, expired_at: Timestamp, now: Timestamp) -> Result<u64> {
    executor
        .execute(
            "with next as (
                 select (created_at at time zone 'UTC')::date as day from account_audit
                 where created_at >= greatest(
                     (select (max(day) + 1)::timestamp at time zone 'UTC' from account_audit_counts where client_id = ''),
                     (($2::timestamptz at time zone 'UTC')::date + 1)::timestamp at time zone 'UTC'
                 )
                 order by created_at limit 1
             ), counted as materialized (
                 select client_id, day, event, status, count(*) as entries from next, account_audit
                 where day < (($1::timestamptz - interval '1 hour') at time zone 'UTC')::date
                   and created_at >= day::timestamp at time zone 'UTC' and created_at < (day + 1)::timestamp at time zone 'UTC'
                 group by client_id, day, event, status
             )
             insert into account_audit_counts (client_id, day, event, status, entries)
             select '', day, event, status, sum(entries) from counted group by day, event, status
             union all
             select client_id, day, event, status, entries from counted where client_id is not null
             on conflict do nothing",
            &[/* now */ &now, /* expired_at */ &expired_at],
        )
        .await
}

/// Forgets the days of which entries are as old as that.
pub(in crate::identity) async fn forget(executor: &impl Executor, until: Timestamp) -> Result<u64> {
    executor
        .execute("delete from account_audit_counts where day <= ($1::timestamptz at time zone 'UTC')::date", &[/* until */ &until])
        .await
}

/// A day and its entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Day {
    pub(super) start: Timestamp,
    pub(super) entries: i64,
}

impl Day {
    pub(super) fn end(self) -> Timestamp {
        self.start.checked_add(DAY).unwrap_or(Timestamp::MAX)
    }
}

/// Which entries are counted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counted<'a> {
    /// Of these events; of all without them.
    pub(super) events: Option<&'a [String]>,
    pub(super) status: Option<&'a str>,
    pub(super) client: Option<&'a str>,
}

/// The counted days, the newest first, with how many entries match. Days without any are among them.
pub(super) async fn list(executor: &impl Executor, counted: Counted<'_>) -> Result<Vec<Day>> {
    let rows = executor
        .rows(
            "select day::timestamp at time zone 'UTC' as start,
                    coalesce(sum(entries) filter (where client_id = $3 and ($1::text[] is null or event = any($1)) and ($2::text is null or status = $2)), 0)::bigint
                        as entries
             from account_audit_counts where client_id in ('', $3) group by day order by day desc",
            &[/* events */ &counted.events, /* status */ &counted.status, /* client_id */ &counted.client.unwrap_or_default()],
        )
        .await?;
    rows.iter().map(|day| Ok(Day { start: row::get(day, "start")?, entries: row::get(day, "entries")? })).collect()
}
