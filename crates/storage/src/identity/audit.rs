//! The account side's audit trail: `account_audit`.

use crate::{Result, Tx};
use domain::shared::{Origin, UserId};
use jiff::Timestamp;

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
    pub origin: Origin,
    /// What the browser calls itself, cut to a bearable length.
    pub user_agent: Option<&'a str>,
    /// When.
    pub at: Timestamp,
}

/// Records an event.
pub async fn record(tx: &Tx<'_>, event: &'static str, outcome: Outcome, attempt: Attempt<'_>) -> Result<()> {
    let (status, details) = match outcome {
        Outcome::Success => ("success", serde_json::json!({})),
        Outcome::Failure(reason) => ("failure", serde_json::json!({ "reason": reason })),
    };
    insert(tx, event, status, details, attempt).await
}

/// Records that something failed that nobody tried by hand, with all that is to be known of it.
pub async fn record_failure(tx: &Tx<'_>, event: &'static str, details: serde_json::Value, attempt: Attempt<'_>) -> Result<()> {
    insert(tx, event, "failure", details, attempt).await
}

async fn insert(
    tx: &Tx<'_>,
    event: &'static str,
    status: &'static str,
    details: serde_json::Value,
    attempt: Attempt<'_>,
) -> Result<()> {
    tx.execute_one(
        "account_audit.insert",
        "insert into account_audit (user_id, event, status, ip, user_agent, request_id, details, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
        &[
            /* user_id */ &attempt.user.map(|it| it.0),
            /* event */ &event,
            /* status */ &status,
            /* ip */ &attempt.origin.ip,
            /* user_agent */ &attempt.user_agent,
            /* request_id */ &attempt.origin.request_id,
            /* details */ &details,
            /* created_at */ &attempt.at,
        ],
    )
    .await
}
