//! Internal tags: `internal_tags`. Assets and components name them by number in `internal_tag_ids`.

use crate::{Connection, Error, Executor, Result, Tx, content::where_builder::contains_pattern, row};
use domain::{
    content::internal_tag::{InternalTag, TaggedKind},
    shared::{Fault, FieldCode, InternalTagId, Page, PageRequest, SpaceId},
};
use jiff::Timestamp;
use tokio_postgres::Row;

/// The conditions of a list of tags. Everything given has to hold.
#[derive(Debug, Clone, Default)]
pub struct InternalTagFilter {
    /// The name contains this text, case-insensitive.
    pub search: Option<String>,
    pub kind: Option<TaggedKind>,
    /// Among these; `None` is no restriction.
    pub by_ids: Option<Vec<i64>>,
    /// Whether to count the assets that have each tag.
    pub with_assets_count: bool,
}

const CONDITION: &str =
    "tag.space_id = $1 and ($2::text is null or tag.name ilike $2) and ($3::text is null or tag.object_type = $3)
    and ($4::bigint[] is null or tag.id = any($4))";

/// A page of the tags of a space, by their names.
pub async fn list(
    connection: &Connection,
    space: SpaceId,
    filter: &InternalTagFilter,
    page: PageRequest,
) -> Result<Page<InternalTag>> {
    let pattern = filter.search.as_deref().map(contains_pattern);
    let kind = filter.kind.map(<&str>::from);
    let total = connection
        .row(
            &format!("select count(*) as total from internal_tags tag where {CONDITION}"),
            &[
                /* space_id */ &space,
                /* search */ &pattern,
                /* object_type */ &kind,
                /* by_ids */ &filter.by_ids,
            ],
        )
        .await?;
    let rows = connection
        .rows(
            &format!(
                "select tag.id, tag.name, tag.object_type, case when $5 then coalesce(counted.assets, 0) end as assets_count
                 from internal_tags tag
                 left join (
                     select tagged.id, count(*) as assets
                     from assets asset cross join lateral unnest(asset.internal_tag_ids) as tagged (id)
                     where $5 and asset.space_id = $1 and asset.deleted_at is null
                     group by tagged.id
                 ) counted on counted.id = tag.id
                 where {CONDITION}
                 order by tag.name, tag.id limit $6 offset $7"
            ),
            &[
                /* space_id */ &space,
                /* search */ &pattern,
                /* object_type */ &kind,
                /* by_ids */ &filter.by_ids,
                /* with_assets_count */ &filter.with_assets_count,
                /* limit */ &page.limit(),
                /* offset */ &page.offset(),
            ],
        )
        .await?;
    Ok(Page { items: rows.iter().map(tag).collect::<Result<_>>()?, total: row::get(&total, "total")? })
}

/// Which of these numbers are tags of a kind.
pub async fn known(tx: &Tx<'_>, space: SpaceId, kind: TaggedKind, ids: &[i64]) -> Result<Vec<i64>> {
    let rows = tx
        .rows(
            "select id from internal_tags where space_id = $1 and object_type = $2 and id = any($3) for key share",
            &[/* space_id */ &space, /* object_type */ &kind.into_str(), /* id */ &ids],
        )
        .await?;
    rows.iter().map(|r| row::get(r, "id")).collect()
}

/// One tag, locked until the transaction ends.
pub async fn lock(tx: &Tx<'_>, space: SpaceId, id: InternalTagId) -> Result<Option<InternalTag>> {
    tx.row_opt(
        "select id, name, object_type, null::bigint as assets_count from internal_tags where space_id = $1 and id = $2 for update",
        &[/* space_id */ &space, /* id */ &id],
    )
    .await?
    .as_ref()
    .map(tag)
    .transpose()
}

/// How many tags of a kind a space has.
pub async fn count(tx: &Tx<'_>, space: SpaceId, kind: TaggedKind) -> Result<i64> {
    let counted = tx
        .row(
            "select count(*) as tags from internal_tags where space_id = $1 and object_type = $2",
            &[/* space_id */ &space, /* object_type */ &kind.into_str()],
        )
        .await?;
    row::get(&counted, "tags")
}

/// Adds a tag. 422 when its name is taken.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, name: &str, kind: TaggedKind, at: Timestamp) -> Result<InternalTag> {
    let inserted = tx
        .row(
            "insert into internal_tags (space_id, name, object_type, created_at, updated_at) values ($1, $2, $3, $4, $4)
             returning id, name, object_type, null::bigint as assets_count",
            &[
                /* space_id */ &space,
                /* name */ &name,
                /* object_type */ &kind.into_str(),
                /* created_at, updated_at */ &at,
            ],
        )
        .await
        .map_err(constraint_fault)?;
    tag(&inserted)
}

/// Renames a tag. 422 when the name is taken.
pub async fn rename(tx: &Tx<'_>, space: SpaceId, id: InternalTagId, name: &str, at: Timestamp) -> Result<InternalTag> {
    let renamed = tx
        .row(
            "update internal_tags set name = $3, updated_at = $4 where space_id = $1 and id = $2
             returning id, name, object_type, null::bigint as assets_count",
            &[/* space_id */ &space, /* id */ &id, /* name */ &name, /* updated_at */ &at],
        )
        .await
        .map_err(constraint_fault)?;
    tag(&renamed)
}

/// Removes a tag, also from the assets or components that have it.
pub async fn delete(tx: &Tx<'_>, space: SpaceId, removed: &InternalTag) -> Result<()> {
    let table = match removed.kind {
        TaggedKind::Asset => Some("assets"),
        TaggedKind::Component => Some("components"),
        TaggedKind::Idea => None,
    };
    if let Some(table) = table {
        tx.execute(
            &format!(
                "update {table} set internal_tag_ids = array_remove(internal_tag_ids, $2)
                 where space_id = $1 and $2 = any(internal_tag_ids)"
            ),
            &[/* space_id */ &space, /* id */ &removed.id],
        )
        .await?;
    }
    tx.execute_one(
        "internal_tag.delete",
        "delete from internal_tags where space_id = $1 and id = $2",
        &[/* space_id */ &space, /* id */ &removed.id],
    )
    .await
}

/// The violation of a constraint as the fault that the caller gets.
fn constraint_fault(error: Error) -> Error {
    match error.constraint() {
        Some("internal_tags_name") => Fault::invalid("name", FieldCode::Taken, "has already been taken").into(),
        _ => error,
    }
}

fn tag(row: &Row) -> Result<InternalTag> {
    Ok(InternalTag {
        id: row::get(row, "id")?,
        name: row::get(row, "name")?,
        kind: row::named(row, "object_type")?,
        assets_count: row::get(row, "assets_count")?,
    })
}
