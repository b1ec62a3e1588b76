//! Pages of the whole trail, for administrators: the newest entries first, of one event or several, of an
//! outcome, of a client, of a time, of one account, of one address. [`filter`] finds the entries that match.
//!
//! ```text
//! events of a prefix  -> a list of events, by one look into the index for each
//! counted days        -> what lies whole within the time: entries by day, from `account_audit_counts`
//! the rest            -> counted now: today, the edges of the time
//! offset              -> the part of the time it falls into, and what is left of it there
//! ```
//!
//! So neither the total nor a late page reads more than the entries of about a day or two, however long the
//! trail is. The entries of one account and of one address are read as they are, because they are few.

mod filter;

use super::days::{self, Day};
use crate::{Executor, Result, row};
use domain::{
    identity::admin::{AuditQuery, EventFilter},
    shared::{Page, UserId},
};
use filter::{AssetFilter, TrailCondition};
use jiff::Timestamp;
use serde_json::Value;
use std::net::IpAddr;
use tokio_postgres::Row;
use uuid::Uuid;

/// An entry with everything that is known of it.
#[derive(Debug, Clone)]
pub struct FullEntry {
    pub id: i64,
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
    /// What was done to it by another person.
    pub target_id: Option<String>,
    /// The client that it was done at.
    pub client_id: Option<String>,
    /// The id of the request that caused it.
    pub request_id: Option<Uuid>,
    /// What else is known.
    pub details: Value,
    pub created_at: Timestamp,
}

impl FullEntry {
    fn read(row: &Row) -> Result<Self> {
        Ok(row::read!(row => Self {
            id, event, status, ip, user_agent, actor_type, actor_id, target_id, client_id, request_id, details, created_at;
            user: row::get(row, "user_id")?,
            user_email: row::get(row, "email")?,
        }))
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
    let filter = AssetFilter {
        events: events.as_deref(),
        status: query.status.map(<&str>::from),
        client: query.client.as_deref(),
        ip: query.ip,
        user: query.user,
    };
    let spans = spans(executor, &filter, query).await?;
    let total = spans.iter().map(|span| span.entries).sum();
    let ids = match locate(&spans, query.page.offset(), query.page.limit()) {
        Some(part) => filter.ids(executor, part).await?,
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

/// The events that begin so. The index of events is skipped through: one look for each event, not for each
/// entry.
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

/// The parts of the time, the newest first.
async fn spans(executor: &impl Executor, filter: &AssetFilter<'_>, query: &AuditQuery) -> Result<Vec<Span>> {
    let (from, before) = (query.from.unwrap_or(Timestamp::UNIX_EPOCH), query.before.unwrap_or(Timestamp::MAX));
    let days = match filter.counted() {
        Some(counted) => days::list(executor, counted).await?,
        None => Vec::new(),
    };
    let mut spans = Vec::new();
    for span in split(&days, from, before) {
        spans.push(match span {
            (start, end, Some(entries)) => Span { start, end, entries },
            (start, end, None) => Span { start, end, entries: filter.count(executor, start, end).await? },
        });
    }
    Ok(spans)
}

/// Splits a time into the days that are counted and lie whole within it, and what is left before and after
/// them, which has no number yet. The newest first.
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

/// Where a page lies, which begins after `offset` others: in the time of the parts that it touches, so that
/// what finds it reads no others. `None` behind the last entry.
fn locate(spans: &[Span], offset: i64, limit: i64) -> Option<TrailCondition> {
    let (mut before, mut found) = (0, None);
    for span in spans {
        let after = before + span.entries;
        if found.is_none() && offset < after {
            found = Some(TrailCondition { from: span.start, end: span.end, offset: offset - before, limit });
        }
        if let Some(part) = &mut found {
            part.from = span.start;
            if offset + limit <= after {
                break;
            }
        }
        before = after;
    }
    found
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
    fn a_page_lies_in_the_parts_that_it_touches() {
        let spans =
            [(24, 30, 3), (12, 24, 0), (0, 12, 5)].map(|(start, end, entries)| Span { start: at(start), end: at(end), entries });
        let place = |offset, limit| locate(&spans, offset, limit).map(|part| (part.from, part.end, part.offset));
        assert_eq!(place(0, 2), Some((at(24), at(30), 0)));
        assert_eq!(place(0, 3), Some((at(24), at(30), 0)));
        assert_eq!(place(2, 2), Some((at(0), at(30), 2)));
        assert_eq!(place(3, 2), Some((at(0), at(12), 0)));
        assert_eq!(place(7, 100), Some((at(0), at(12), 4)));
        assert_eq!(place(8, 1), None);
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
