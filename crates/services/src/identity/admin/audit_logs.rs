//! The audit trail of accounts, for administrators.

use super::{attempt, check_administrator};
use crate::identity::{IdentityContext, RequestContext};
use domain::{
    identity::admin::{AuditQuery, AuditStatus, EventFilter},
    shared::{Fault, Page},
};
use jiff::Timestamp;
use serde_json::json;
use storage::{
    Result as StoreResult, Tx, TxOperation,
    identity::{
        Source,
        audit::{self, AnonymizedBatch, FullEntry},
    },
    shared::sessions::SessionClaims,
};

/// How many entries a transaction looks at.
const BATCH: i64 = 20_000;

/// A page of entries, the newest first.
pub async fn list_entries(ctx: &IdentityContext, query: &AuditQuery) -> Result<Page<FullEntry>, Fault> {
    let connection = ctx.store.connection("audit.search").await?;
    Ok(audit::search(&connection, query).await?)
}

/// The newest entries for a file; the trail has that it was made, and of what. No query stands for a person whom no account belongs to.
pub async fn export_entries(
    ctx: &IdentityContext,
    request: &RequestContext,
    administrator: SessionClaims,
    query: Option<&AuditQuery>,
) -> Result<Vec<FullEntry>, Fault> {
    Ok(ctx.store.transact(&Export { administrator, query, source: &request.source }).await?)
}

struct Export<'a> {
    administrator: SessionClaims,
    query: Option<&'a AuditQuery>,
    source: &'a Source,
}

impl TxOperation for Export<'_> {
    type Output = Vec<FullEntry>;

    const NAME: &'static str = "audit.export";

    async fn run(&self, tx: &Tx<'_>) -> StoreResult<Vec<FullEntry>> {
        check_administrator(tx, self.administrator, self.source.at).await?;
        let entries = match self.query {
            Some(query) => audit::search(tx, query).await?.items,
            None => Vec::new(),
        };
        let time = |at: Option<Timestamp>| at.map(|at| at.to_string());
        let filter = self.query.map(|query| {
            let event = query.event.as_ref().map(EventFilter::to_string);
            let status = query.status.map(AuditStatus::name);
            json!({ "event": event, "status": status, "client": query.client, "ip": query.ip, "user": query.user, "from": time(query.from), "before": time(query.before) })
        });
        let details = json!({ "entries": entries.len(), "filter": filter });
        audit::record_with(tx, audit::Event::AdminAuditExported, &details, attempt(self.source, self.administrator, None)).await?;
        Ok(entries)
    }
}

/// Empties what is personal in the entries about people who are gone, and returns how many had something. Each batch is a transaction of its own with an entry
/// that says what was done: a call that is cut off can be made again.
pub async fn anonymize(ctx: &IdentityContext, request: &RequestContext, administrator: SessionClaims) -> Result<i64, Fault> {
    let (mut after, mut total) = (0, 0);
    loop {
        let batch = ctx.store.transact(&Anonymize { administrator, after, is_first: after == 0, source: &request.source }).await?;
        total += batch.anonymized;
        match batch.last {
            Some(last) => after = last,
            None => return Ok(total),
        }
    }
}

struct Anonymize<'a> {
    administrator: SessionClaims,
    after: i64,
    is_first: bool,
    source: &'a Source,
}

impl TxOperation for Anonymize<'_> {
    type Output = AnonymizedBatch;

    const NAME: &'static str = "audit.anonymize";

    async fn run(&self, tx: &Tx<'_>) -> StoreResult<AnonymizedBatch> {
        check_administrator(tx, self.administrator, self.source.at).await?;
        let batch = audit::anonymize_batch(tx, self.after, BATCH).await?;
        if self.is_first || batch.anonymized > 0 {
            let attempt = attempt(self.source, self.administrator, None);
            audit::record_with(tx, audit::Event::AdminAuditAnonymized, &json!({ "anonymized": batch.anonymized }), attempt).await?;
        }
        Ok(batch)
    }
}
