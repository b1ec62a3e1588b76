//! The account side's audit trail: `account_audit`.

use crate::{Connection, Executor, Result, Tx, TxOperation, row};
use domain::shared::{RequestOrigin, UserId};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::net::IpAddr;

/// How it went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It was done.
    Success,
    /// It was refused, for a reason that is no secret to those who may read the trail.
    Failure(&'static str),
}

/// Who tried something, from where.
#[derive(Debug, Clone, Copy)]
pub struct Attempt<'a> {
    /// The account, if the attempt met one.
    pub user: Option<UserId>,
    /// Where it came from.
    pub origin: RequestOrigin,
    /// What the browser calls itself, cut to a bearable length.
    pub user_agent: Option<&'a str>,
    /// When.
    pub at: Timestamp,
}

/// Where a request came from, and when: what every attempt of it records.
#[derive(Debug, Clone)]
pub struct Source {
    /// Where it came from.
    pub origin: RequestOrigin,
    /// The browser.
    pub user_agent: Option<String>,
    /// When.
    pub at: Timestamp,
}

impl Source {
    /// What it tries, on an account if it met one.
    pub fn attempt(&self, user: Option<UserId>) -> Attempt<'_> {
        Attempt { user, origin: self.origin, user_agent: self.user_agent.as_deref(), at: self.at }
    }
}

/// An entry as the account's owner sees it.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its number; later ones have higher ones.
    pub id: i64,
    /// What happened.
    pub event: String,
    /// `success` or `failure`.
    pub status: String,
    /// From where.
    pub ip: Option<IpAddr>,
    /// The browser.
    pub user_agent: Option<String>,
    /// When.
    pub created_at: Timestamp,
}

/// The entries of an account, the newest first, at most so many; those before a number when one is given.
pub async fn list(session: &Connection, user: UserId, before: Option<i64>, limit: i64) -> Result<Vec<Entry>> {
    let rows = session
        .rows(
            "select id, event, status, ip, user_agent, created_at from account_audit
             where user_id = $1 and id < $2 order by id desc limit $3",
            &[/* user_id */ &user.0, /* before */ &before.unwrap_or(i64::MAX), /* limit */ &limit],
        )
        .await?;
    let entry = |value| {
        Ok(Entry {
            id: row::get(value, "id")?,
            event: row::get(value, "event")?,
            status: row::get(value, "status")?,
            ip: row::get(value, "ip")?,
            user_agent: row::get(value, "user_agent")?,
            created_at: row::get(value, "created_at")?,
        })
    };
    rows.iter().map(entry).collect()
}

/// Records an event.
pub async fn record(tx: &Tx<'_>, event: &'static str, outcome: Outcome, attempt: Attempt<'_>) -> Result<()> {
    match outcome {
        Outcome::Success => insert(tx, event, "success", &json!({}), attempt).await,
        Outcome::Failure(reason) => insert(tx, event, "failure", &json!({ "reason": reason }), attempt).await,
    }
}

/// Records an event that went well, with what there is to tell about it.
pub async fn record_with(tx: &Tx<'_>, event: &'static str, details: &Value, attempt: Attempt<'_>) -> Result<()> {
    insert(tx, event, "success", details, attempt).await
}

/// Records that something failed that nobody tried by hand, with all that is to be known of it.
pub async fn record_failure(tx: &Tx<'_>, event: &'static str, details: Value, attempt: Attempt<'_>) -> Result<()> {
    insert(tx, event, "failure", &details, attempt).await
}

async fn insert(tx: &Tx<'_>, event: &str, status: &str, details: &Value, attempt: Attempt<'_>) -> Result<()> {
    tx.execute_one(
        "account_audit.insert",
        "insert into account_audit (user_id, event, status, ip, user_agent, request_id, details, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
        &[
            /* user_id */ &attempt.user.map(|user| user.0),
            /* event */ &event,
            /* status */ &status,
            /* ip */ &attempt.origin.ip,
            /* user_agent */ &attempt.user_agent,
            /* request_id */ &attempt.origin.request_id,
            /* details */ details,
            /* created_at */ &attempt.at,
        ],
    )
    .await
}

/// Records that somebody who is signed in did something that changes nothing else.
pub struct RecordEvent {
    /// Who.
    pub user: UserId,
    /// What.
    pub event: &'static str,
    /// Where it came from.
    pub source: Source,
}

impl TxOperation for RecordEvent {
    type Output = ();

    const NAME: &'static str = "account.record_event";

    async fn run(&self, tx: &Tx<'_>) -> Result<()> {
        record(tx, self.event, Outcome::Success, self.source.attempt(Some(self.user))).await
    }
}
