//! Which entries match, apart from their time, and how they are found without reading others:
//!
//! ```text
//! account, address        all of their entries, by an index of each
//! event, outcome, client  each event and each outcome has its own part of an index, in the order of time: the newest of each, and of those the newest
//! none of these           the index by time
//! ```

use super::{super::days::Counted, events_with_prefix};
use crate::{Executor, Result, row};
use domain::{identity::admin::AuditStatus, shared::UserId};
use jiff::Timestamp;
use std::net::IpAddr;
use strum::VariantNames;
use tokio_postgres::Row;

/// The conditions that every statement has, in the order of their parameters.
const MATCHES: &str =
    "created_at >= $1 and created_at < $2 and ($3::text[] is null or event = any($3)) and ($4::text is null or status = $4)
                       and ($5::text is null or client_id = $5)";

/// Which entries match.
#[derive(Debug)]
pub(super) struct AssetFilter<'a> {
    pub(super) events: Option<&'a [String]>,
    pub(super) status: Option<&'a str>,
    pub(super) client: Option<&'a str>,
    pub(super) ip: Option<IpAddr>,
    /// What this account did, and what was done to it.
    pub(super) user: Option<UserId>,
}

/// Entries of a page: of a time, after `offset` others, the newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TrailCondition {
    pub(super) from: Timestamp,
    pub(super) end: Timestamp,
    pub(super) offset: i64,
    pub(super) limit: i64,
}

impl AssetFilter<'_> {
    /// What the counted days tell of these entries; `None` for those of an account or an address, which are
    /// not counted by day.
    pub(super) fn counted(&self) -> Option<Counted<'_>> {
        let is_counted = self.user.is_none() && self.ip.is_none();
        is_counted.then_some(Counted { events: self.events, status: self.status, client: self.client })
    }

    /// How many entries of a time match.
    pub(super) async fn count(&self, executor: &impl Executor, start: Timestamp, end: Timestamp) -> Result<i64> {
        let Self { events, status, client, ip, user } = self;
        let counted = match (user, ip) {
            (Some(user), ip) => {
                let sql = format!("select count(*) as entries from ({}) entries", of_account());
                let id = user.to_string();
                executor.row(&sql, &[&start, &end, events, status, client, /* user_id */ &user, /* actor_id */ &id, ip]).await?
            }
            (None, Some(ip)) => {
                let sql = format!("select count(*) as entries from account_audit where ip = $6 and {MATCHES}");
                executor.row(&sql, &[&start, &end, events, status, client, ip]).await?
            }
            (None, None) => {
                let sql = format!("select count(*) as entries from account_audit where {MATCHES}");
                executor.row(&sql, &[&start, &end, events, status, client]).await?
            }
        };
        row::get(&counted, "entries")
    }

    /// The ids of the entries of a page.
    pub(super) async fn ids(&self, executor: &impl Executor, part: TrailCondition) -> Result<Vec<i64>> {
        let Self { events, status, client, ip, user } = self;
        let TrailCondition { from, end, offset, limit } = &part;
        let rows = match (user, ip) {
            (Some(user), ip) => {
                let sql =
                    format!("select id from ({}) entries order by created_at desc, id desc offset $9 limit $10", of_account());
                let id = user.to_string();
                let params: crate::store::Params<'_> =
                    &[from, end, events, status, client, /* user_id */ &user, /* actor_id */ &id, ip, offset, limit];
                executor.rows(&sql, params).await?
            }
            (None, Some(ip)) => {
                let sql = format!(
                    "select id from account_audit where ip = $6 and {MATCHES} order by created_at desc, id desc offset $7 limit $8"
                );
                executor.rows(&sql, &[from, end, events, status, client, ip, offset, limit]).await?
            }
            (None, None) if events.is_none() && status.is_none() && client.is_none() => {
                let sql = "select id from account_audit where created_at >= $1 and created_at < $2
                           order by created_at desc, id desc offset $3 limit $4";
                executor.rows(sql, &[from, end, offset, limit]).await?
            }
            (None, None) => self.of_kinds(executor, part).await?,
        };
        rows.iter().map(|row| row::get(row, "id")).collect()
    }

    /// The newest of each event and outcome, and of those the newest.
    async fn of_kinds(&self, executor: &impl Executor, part: TrailCondition) -> Result<Vec<Row>> {
        let all;
        let events = if let Some(events) = self.events {
            events
        } else {
            all = events_with_prefix(executor, "").await?;
            &all
        };
        let statuses = self.status.as_ref().map_or(AuditStatus::VARIANTS, std::slice::from_ref);
        // Without a client another index serves, so the statement is another one, too.
        let at_client = if self.client.is_some() { "client_id = $7 and" } else { "" };
        let sql = format!(
            "select newest.id from unnest($5::text[]) as of_event (event), unnest($6::text[]) as of_status (status), lateral (
                 select id, created_at from account_audit
                 where {at_client} account_audit.event = of_event.event and account_audit.status = of_status.status
                   and created_at >= $1 and created_at < $2
                 order by created_at desc, id desc limit $3::bigint + $4::bigint
             ) newest
             order by newest.created_at desc, newest.id desc offset $3 limit $4"
        );
        let TrailCondition { from, end, offset, limit } = &part;
        match &self.client {
            Some(client) => executor.rows(&sql, &[from, end, offset, limit, &events, &statuses, client]).await,
            None => executor.rows(&sql, &[from, end, offset, limit, &events, &statuses]).await,
        }
    }
}

/// What an account did, and what was done to it: each has an index, and an entry may be both.
fn of_account() -> String {
    let part = |column: &str| {
        format!("select id, created_at from account_audit where {column} and ($8::inet is null or ip = $8) and {MATCHES}")
    };
    format!("{} union {}", part("user_id = $6"), part("actor_id = $7"))
}
