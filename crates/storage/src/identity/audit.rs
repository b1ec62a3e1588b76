//! The audit trail of the identity service: the table `account_audit`.

use crate::{Connection, Executor, Result, Tx, row};
use domain::shared::{RequestOrigin, UserId};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::net::IpAddr;

/// The outcome of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It succeeded.
    Success,
    /// It was refused for this reason, a code that readers of the audit trail may see.
    Failure(&'static str),
}

/// An attempt at something: the account, the caller and the time.
#[derive(Debug, Clone, Copy)]
pub struct Attempt<'a> {
    /// The account, if the attempt is about an existing one.
    pub user: Option<UserId>,
    /// The address and the id of the request.
    pub origin: RequestOrigin,
    /// The `User-Agent`, cut to a bounded length.
    pub user_agent: Option<&'a str>,
    /// The time.
    pub at: Timestamp,
}

/// What every attempt of one request records: the caller and the time.
#[derive(Debug, Clone)]
pub struct Source {
    /// The address and the id of the request.
    pub origin: RequestOrigin,
    /// The `User-Agent`, cut to a bounded length.
    pub user_agent: Option<String>,
    /// The time.
    pub at: Timestamp,
}

impl Source {
    /// An attempt of the request, with the account if it is about an existing one.
    pub fn attempt(&self, user: Option<UserId>) -> Attempt<'_> {
        Attempt { user, origin: self.origin, user_agent: self.user_agent.as_deref(), at: self.at }
    }
}

/// An entry, as the owner of the account sees it.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The id; it grows with time.
    pub id: i64,
    /// The event.
    pub event: String,
    /// `success` or `failure`.
    pub status: String,
    /// The address of the caller.
    pub ip: Option<IpAddr>,
    /// The `User-Agent`.
    pub user_agent: Option<String>,
    /// The time.
    pub created_at: Timestamp,
}

/// The entries of an account, the newest first, at most `limit`; with `before`, only those with a lower id.
pub async fn list(connection: &Connection, user: UserId, before: Option<i64>, limit: i64) -> Result<Vec<Entry>> {
    let rows = connection
        .rows(
            "select id, event, status, ip, user_agent, created_at from account_audit
             where user_id = $1 and id < $2 order by id desc limit $3",
            &[/* user_id */ &user.0, /* before */ &before.unwrap_or(i64::MAX), /* limit */ &limit],
        )
        .await?;
    let entry = |row| {
        Ok(Entry {
            id: row::get(row, "id")?,
            event: row::get(row, "event")?,
            status: row::get(row, "status")?,
            ip: row::get(row, "ip")?,
            user_agent: row::get(row, "user_agent")?,
            created_at: row::get(row, "created_at")?,
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

/// Records a successful event with details.
pub async fn record_with(tx: &Tx<'_>, event: &'static str, details: &Value, attempt: Attempt<'_>) -> Result<()> {
    insert(tx, event, "success", details, attempt).await
}

/// Records a failure with details, of an event that no request caused directly.
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
