//! Pages of the whole trail, for administrators: the newest entries first, of one event or several, of one account, of a time.
//!
//! ```text
//! events of a prefix  -> a list of events, by one look into the index for each
//! counted days        -> what lies whole within the time: entries by day, from `account_audit_days`
//! the rest            -> counted now: today, the edges of the time
//! offset              -> the part of the time it falls into, and what is left of it there
//! ```
//!
//! So neither the total nor a late page reads more than the entries of about a day or two, however long the trail is.

use super::days::{self, Day};
use crate::{Executor, Result, row};
use domain::{
    identity::admin::{AuditQuery, EventFilter},
    shared::{Page, UserId},
};
use jiff::Timestamp;
use serde_json::Value;
use std::net::IpAddr;
use tokio_postgres::Row;
use uuid::Uuid;

/// An entry with everything that is known of it.
#[derive(Debug, Clone)]
pub struct FullEntry {
    /// The id.
    pub id: i64,
    /// The event.
    pub event: String,
    /// `success` or `failure`.
    pub status: String,
    /// The address of the caller.
    pub ip: Option<IpAddr>,
    /// The `User-Agent`.
    pub user_agent: Option<String>,
    /// The account that it is about.
    pub user: Option<UserId>,
    /// The mail address of that account, while it exists.
    pub user_email: Option<String>,
    /// `user`, `admin`, `client`, `provisioning` or `system`.
    pub actor_type: String,
    /// Who did it: an account, a client or a provisioning token.
    pub actor_id: Option<String>,
    /// What somebody else did it to.
    pub target_id: Option<String>,
    /// The client that it was done at.
    pub client_id: Option<String>,
    /// The id of the request that caused it.
    pub request_id: Option<Uuid>,
    /// What else is known.
    pub details: Value,
    /// The time.
    pub created_at: Timestamp,
}

impl FullEntry {
    fn read(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row::get(row, "id")?,
            event: row::get(row, "event")?,
            status: row::get(row, "status")?,
            ip: row::get(row, "ip")?,
            user_agent: row::get(row, "user_agent")?,
            user: row::get::<Option<Uuid>>(row, "user_id")?.map(UserId),
            user_email: row::get(row, "email")?,
            actor_type: row::get(row, "actor_type")?,
            actor_id: row::get(row, "actor_id")?,
            target_id: row::get(row, "target_id")?,
            client_id: row::get(row, "client_id")?,
            request_id: row::get(row, "request_id")?,
            details: row::get(row, "details")?,
            created_at: row::get(row, "created_at")?,
        })
    }
}

/// A part of the time that is asked for, `start` to `end` (exclusive), and how many of its entries match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Span {
    start: Timestamp,
    end: Timestamp,
    entries: i64,
}

/// The page of a query, and how many entries match.
pub async fn search(executor: &impl Executor, query: &AuditQuery) -> Result<Page<FullEntry>> {
    let events = match &query.event {
        None => None,
        Some(EventFilter::Exact(event)) => Some(vec![event.clone()]),
        Some(EventFilter::Prefix(prefix)) => Some(events_with_prefix(executor, prefix).await?),
    };
    let filter = Filter { events: events.as_deref(), user: query.user };
    let spans = filter.spans(executor, query).await?;
    let total = spans.iter().map(|span| span.entries).sum();
    let ids = match locate(&spans, query.page.offset()) {
        Some((end, offset)) => filter.ids(executor, query.from, end, offset, query.page.limit()).await?,
        None => Vec::new(),
    };
    let rows = executor
        .rows(
            "select a.id, event, status, ip, user_agent, user_id, email, actor_type, actor_id, target_id, client_id, request_id, details, a.created_at
             from account_audit a left join users on users.id = a.user_id
             where a.id = any($1) order by a.created_at desc, a.id desc",
            &[/* ids */ &ids],
        )
        .await?;
    Ok(Page { items: rows.iter().map(FullEntry::read).collect::<Result<_>>()?, total })
}

/// The events that begin so. The index of events is skipped through: one look for each event, not for each entry.
async fn events_with_prefix(executor: &impl Executor, prefix: &str) -> Result<Vec<String>> {
    let rows = executor
        .rows(
            "with recursive found (event) as (
                 (select event from account_audit where event >= $1 order by event limit 1)
                 union all
                 select (select next.event from account_audit next where next.event > found.event order by next.event limit 1)
                 from found where starts_with(found.event, $1)
             )
             select event from found where starts_with(event, $1)",
            &[/* prefix */ &prefix],
        )
        .await?;
    rows.iter().map(|row| row::get(row, "event")).collect()
}

/// Which entries match, apart from their time.
struct Filter<'a> {
    events: Option<&'a [String]>,
    user: Option<UserId>,
}

impl Filter<'_> {
    /// The parts of the time, the newest first.
    async fn spans(&self, executor: &impl Executor, query: &AuditQuery) -> Result<Vec<Span>> {
        let (from, before) = (query.from.unwrap_or(Timestamp::UNIX_EPOCH), query.before.unwrap_or(Timestamp::MAX));
        // The entries of one account are not counted by day; they are few.
        let days = if self.user.is_none() { days::list(executor, self.events).await? } else { Vec::new() };
        let mut spans = Vec::new();
        for span in split(&days, from, before) {
            spans.push(match span {
                (start, end, Some(entries)) => Span { start, end, entries },
                (start, end, None) => Span { start, end, entries: self.count(executor, start, end).await? },
            });
        }
        Ok(spans)
    }

    async fn count(&self, executor: &impl Executor, start: Timestamp, end: Timestamp) -> Result<i64> {
        let counted = match self.user {
            None => {
                let sql = "select count(*) as entries from account_audit
                           where created_at >= $1 and created_at < $2 and ($3::text[] is null or event = any($3))";
                executor.row(sql, &[/* start */ &start, /* end */ &end, /* events */ &self.events]).await?
            }
            Some(user) => {
                let sql = "select count(*) as entries from (
                               select id from account_audit
                               where user_id = $4 and created_at >= $1 and created_at < $2 and ($3::text[] is null or event = any($3))
                               union
                               select id from account_audit
                               where actor_id = $5 and created_at >= $1 and created_at < $2 and ($3::text[] is null or event = any($3))
                           ) entries";
                let id = user.to_string();
                let params: crate::store::Params<'_> = &[
                    /* start */ &start,
                    /* end */ &end,
                    /* events */ &self.events,
                    /* user_id */ &user.0,
                    /* actor_id */ &id,
                ];
                executor.row(sql, params).await?
            }
        };
        row::get(&counted, "entries")
    }

    /// The entries of a page: before `end`, after `offset` others, the newest first.
    async fn ids(
        &self,
        executor: &impl Executor,
        from: Option<Timestamp>,
        end: Timestamp,
        offset: i64,
        limit: i64,
    ) -> Result<Vec<i64>> {
        let from = from.unwrap_or(Timestamp::UNIX_EPOCH);
        let rows = match (self.user, self.events) {
            (Some(user), events) => {
                let sql = "select id from (
                               select id, created_at from account_audit
                               where user_id = $5 and created_at >= $1 and created_at < $2 and ($7::text[] is null or event = any($7))
                               union
                               select id, created_at from account_audit
                               where actor_id = $6 and created_at >= $1 and created_at < $2 and ($7::text[] is null or event = any($7))
                           ) entries order by created_at desc, id desc offset $3 limit $4";
                let id = user.to_string();
                let params: crate::store::Params<'_> = &[
                    /* from */ &from, /* end */ &end, /* offset */ &offset, /* limit */ &limit,
                    /* user_id */ &user.0, /* actor_id */ &id, /* events */ &events,
                ];
                executor.rows(sql, params).await?
            }
            (None, None) => {
                let sql = "select id from account_audit where created_at >= $1 and created_at < $2
                           order by created_at desc, id desc offset $3 limit $4";
                executor.rows(sql, &[/* from */ &from, /* end */ &end, /* offset */ &offset, /* limit */ &limit]).await?
            }
            // Each event has its own part of the index: the newest of each, and of those the newest.
            (None, Some(events)) => {
                let sql = "select newest.id from unnest($5::text[]) as wanted (event), lateral (
                               select id, created_at from account_audit
                               where account_audit.event = wanted.event and created_at >= $1 and created_at < $2
                               order by created_at desc, id desc limit $3::bigint + $4::bigint
                           ) newest
                           order by newest.created_at desc, newest.id desc offset $3 limit $4";
                let params: crate::store::Params<'_> = &[
                    /* from */ &from, /* end */ &end, /* offset */ &offset, /* limit */ &limit,
                    /* events */ &events,
                ];
                executor.rows(sql, params).await?
            }
        };
        rows.iter().map(|row| row::get(row, "id")).collect()
    }
}

/// Splits a time into the days that are counted and lie whole within it, and what is left before and after them, which has no number yet. The newest first.
fn split(days: &[Day], from: Timestamp, before: Timestamp) -> Vec<(Timestamp, Timestamp, Option<i64>)> {
    let whole: Vec<&Day> = days.iter().filter(|day| day.start >= from && day.end() <= before).collect();
    let (Some(newest), Some(oldest)) = (whole.first(), whole.last()) else { return vec![(from, before, None)] };
    let mut spans = vec![(newest.end(), before, None)];
    let mut end = newest.end();
    for day in &whole {
        // What lies between two counted days had no entries.
        spans.push((day.start, end, Some(day.entries)));
        end = day.start;
    }
    spans.push((from, oldest.start, None));
    spans.retain(|(start, end, _)| start < end);
    spans
}

/// Where the entry after so many others lies: before which time, and after how many others of that part. `None` behind the last entry.
fn locate(spans: &[Span], offset: i64) -> Option<(Timestamp, i64)> {
    let mut left = offset;
    for span in spans {
        if left < span.entries {
            return Some((span.end, left));
        }
        left -= span.entries;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{Day, Span, Timestamp, locate, split};
    use proptest::prelude::*;

    const HOUR: i64 = 3_600;

    fn at(hours: i64) -> Timestamp {
        Timestamp::from_second(hours * HOUR).unwrap()
    }

    fn day(number: i64, entries: i64) -> Day {
        Day { start: at(number * 24), entries }
    }

    #[test]
    fn days_that_lie_whole_within_the_time_need_no_counting() {
        let days = [day(5, 50), day(3, 30), day(2, 20)];
        let all = [
            (at(144), at(200), None),
            (at(120), at(144), Some(50)),
            (at(72), at(120), Some(30)),
            (at(48), at(72), Some(20)),
            (at(0), at(48), None),
        ];
        assert_eq!(split(&days, at(0), at(200)), all);
        assert_eq!(split(&days, at(72), at(143)), [(at(96), at(143), None), (at(72), at(96), Some(30))]);
        assert_eq!(split(&days, at(50), at(60)), [(at(50), at(60), None)]);
        assert_eq!(split(&[], at(0), at(200)), [(at(0), at(200), None)]);
    }

    #[test]
    fn an_offset_falls_into_one_part() {
        let spans = [Span { start: at(24), end: at(30), entries: 3 }, Span { start: at(0), end: at(24), entries: 5 }];
        assert_eq!(locate(&spans, 0), Some((at(30), 0)));
        assert_eq!(locate(&spans, 2), Some((at(30), 2)));
        assert_eq!(locate(&spans, 3), Some((at(24), 0)));
        assert_eq!(locate(&spans, 7), Some((at(24), 4)));
        assert_eq!(locate(&spans, 8), None);
    }

    proptest! {
        #[test]
        fn the_parts_are_the_time_without_gap_and_overlap(numbers in prop::collection::btree_set(0i64..20, 0..10), from in 0i64..500, length in 1i64..500) {
            let days: Vec<Day> = numbers.into_iter().rev().map(|number| day(number, 1)).collect();
            let (from, before) = (at(from), at(from + length));
            let spans = split(&days, from, before);
            let mut end = before;
            for (start, span_end, _) in &spans {
                prop_assert_eq!(*span_end, end);
                prop_assert!(start < span_end);
                end = *start;
            }
            prop_assert_eq!(end, from);
        }
    }
}
