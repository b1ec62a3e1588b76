//! Reading the audit log: `audit_log`. Only [`super::commit_log`] writes it.

use super::authors;
use crate::{Connection, Executor, Result, row};
use domain::{
    content::audit::{AuditActor, AuditFilter, AuditRecord, Party},
    shared::{Page, PageRequest, SpaceId},
};
use tokio_postgres::Row;

/// The condition of a filter; page and count share it.
const CONDITION: &str = "space_id = $1
    and ($2::timestamptz is null or created_at >= $2)
    and ($3::timestamptz is null or created_at <= $3)
    and (cardinality($4::text[]) = 0 or action = any($4))
    and ($5::text is null or strpos(action, $5) > 0)
    and (cardinality($6::text[]) = 0 or actor_id = any($6))";

/// A page of the log, newest first.
pub async fn list(connection: &Connection, space: SpaceId, filter: &AuditFilter, page: PageRequest) -> Result<Page<AuditRecord>> {
    let total = connection
        .row(
            &format!("select count(*) as total from audit_log where {CONDITION}"),
            &[
                /* space_id */ &space,
                /* created_at_gte */ &filter.created_at_gte,
                /* created_at_lte */ &filter.created_at_lte,
                /* types */ &filter.types,
                /* key_like */ &filter.key_like,
                /* by_owner_ids */ &filter.by_owner_ids,
            ],
        )
        .await?;
    let rows = connection
        .rows(
            &format!(
                "with wanted as materialized (select * from audit_log where {CONDITION} order by seq desc limit $7 offset $8)
                 select wanted.*, {} from wanted {} order by wanted.seq desc",
                authors::COLUMNS,
                authors::join("wanted.actor_id")
            ),
            &[
                /* space_id */ &space,
                /* created_at_gte */ &filter.created_at_gte,
                /* created_at_lte */ &filter.created_at_lte,
                /* types */ &filter.types,
                /* key_like */ &filter.key_like,
                /* by_owner_ids */ &filter.by_owner_ids,
                /* limit */ &page.limit(),
                /* offset */ &page.offset(),
            ],
        )
        .await?;
    Ok(Page { items: rows.iter().map(record).collect::<Result<_>>()?, total: row::get(&total, "total")? })
}

pub(super) fn record(row: &Row) -> Result<AuditRecord> {
    Ok(AuditRecord {
        id: row::get(row, "seq")?,
        space_id: row::get(row, "space_id")?,
        actor: AuditActor {
            kind: row::get(row, "actor_type")?,
            id: row::get(row, "actor_id")?,
            label: authors::author(row, "actor_id", "actor_label")?.name().map(str::to_owned),
        },
        action: row::get(row, "action")?,
        target: Party {
            kind: row::get(row, "target_type")?,
            id: row::get(row, "target_id")?,
            label: row::get(row, "target_label")?,
        },
        meta: row::get(row, "meta")?,
        ip: row::get(row, "ip")?,
        request_id: row::get(row, "request_id")?,
        created_at: row::get(row, "created_at")?,
    })
}
