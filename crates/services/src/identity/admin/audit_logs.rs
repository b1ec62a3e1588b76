//! The audit trail of accounts, for administrators.

use super::ActingAdministrator;
use crate::identity::IdentityContext;
use domain::{
    identity::admin::{AuditQuery, EventFilter},
    shared::{Fault, Page},
};
use jiff::Timestamp;
use serde_json::json;
use storage::{
    identity::audit::{self, FullEntry},
    transact,
};

/// How many entries a transaction looks at.
const BATCH: i64 = 20_000;

/// A page of entries, the newest first.
pub async fn list_entries(ctx: &IdentityContext, query: &AuditQuery) -> Result<Page<FullEntry>, Fault> {
    let connection = ctx.store.connection("audit.search").await?;
    Ok(audit::search(&connection, query).await?)
}

/// The newest entries for a file; the trail has that it was made, and of what. No query stands for a person
/// whom no account belongs to.
pub async fn export_entries(by: ActingAdministrator<'_>, query: Option<&AuditQuery>) -> Result<Vec<FullEntry>, Fault> {
    transact!(by.ctx, "audit.export", async |tx| {
        by.check(tx).await?;
        let entries = match query {
            Some(query) => audit::search(tx, query).await?.items,
            None => Vec::new(),
        };
        let time = |at: Option<Timestamp>| at.map(|at| at.to_string());
        let filter = query.map(|query| {
            let event = query.event.as_ref().map(EventFilter::to_string);
            let status = query.status.map(<&str>::from);
            let (from, before) = (time(query.from), time(query.before));
            json!({ "event": event, "status": status, "client": query.client, "ip": query.ip, "user": query.user, "from": from, "before": before })
        });
        let details = json!({ "entries": entries.len(), "filter": filter });
        audit::record_with(tx, audit::Event::AdminAuditExported, &details, by.attempt(None)).await?;
        Ok(entries)
    }).await
}

/// Empties what is personal in the entries about people who are gone, and returns how many had something.
/// Each batch is a transaction of its own with an entry that says what was done: a call that is cut off can
/// be made again.
pub async fn anonymize(by: ActingAdministrator<'_>) -> Result<i64, Fault> {
    let (mut after, mut total) = (0, 0);
    loop {
        let is_first = after == 0;
        let batch = transact!(by.ctx, "audit.anonymize", async |tx| {
            by.check(tx).await?;
            let batch = audit::anonymize_batch(tx, after, BATCH).await?;
            if is_first || batch.anonymized > 0 {
                let details = json!({ "anonymized": batch.anonymized });
                let attempt = by.attempt(None);
                audit::record_with(tx, audit::Event::AdminAuditAnonymized, &details, attempt).await?;
            }
            Ok(batch)
        })
        .await?;
        total += batch.anonymized;
        match batch.last {
            Some(last) => after = last,
            None => return Ok(total),
        }
    }
}
