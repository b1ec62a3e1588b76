//! Existing datasource entries, and the bulk insert of new ones.

use crate::{Executor, Result, Tx, row};
use domain::{
    content::import::{SourceId, record},
    shared::{DatasourceId, DimensionId, EntryId, ImportId, SpaceId},
};
use std::collections::HashMap;
use tokio_postgres::Row;

/// A name within a datasource: of an entry, or the code of a dimension. No two of a kind have the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct NameInDatasource {
    pub datasource: DatasourceId,
    pub name: String,
}

impl NameInDatasource {
    pub(super) fn of(row: &Row) -> Result<Self> {
        Ok(Self { datasource: row::get(row, "datasource_id")?, name: row::get(row, "name")? })
    }
}

/// A new entry.
#[derive(Debug)]
pub struct NewEntry<'a> {
    pub datasource: DatasourceId,
    pub name: &'a str,
    pub value: &'a str,
    pub position: i32,
}

/// A value of an entry in a dimension.
#[derive(Debug)]
pub struct DimensionValue<'a> {
    pub dimension: DimensionId,
    pub entry: EntryId,
    pub value: &'a str,
}

/// Finds the entries of datasources by name or id.
pub async fn find_existing(
    executor: &impl Executor,
    space: SpaceId,
    datasources: &[DatasourceId],
    names: &[&str],
    ids: &[EntryId],
) -> Result<HashMap<NameInDatasource, EntryId>> {
    let rows = executor
        .rows(
            "select datasource_id, name, id from datasource_entries
             where space_id = $1 and datasource_id = any($2) and name = any($3)
             union
             select datasource_id, name, id from datasource_entries where space_id = $1 and id = any($4)",
            &[/* space_id */ &space, /* datasource_id */ &datasources, /* name */ &names, /* id */ &ids],
        )
        .await?;
    rows.iter().map(|r| Ok((NameInDatasource::of(r)?, row::get(r, "id")?))).collect()
}

/// The ids at the source of the entries that an import has brought so far.
pub async fn list_imported(
    executor: &impl Executor,
    space: SpaceId,
    source: SourceId<record::Space>,
    import: ImportId,
) -> Result<HashMap<NameInDatasource, SourceId<record::DatasourceEntry>>> {
    let rows = executor
        .rows(
            "select entry.datasource_id, entry.name, ids.source_id
             from import_ids ids join datasource_entries entry on entry.space_id = $1 and entry.id = ids.id
             where ids.space_id = $1 and ids.source_space_id = $2 and ids.kind = 'datasource_entry'
               and ids.import_id = $3 and ids.outcome is not null",
            &[/* space_id */ &space, /* source_space_id */ &source, /* import_id */ &import],
        )
        .await?;
    rows.iter().map(|r| Ok((NameInDatasource::of(r)?, row::get(r, "source_id")?))).collect()
}

/// The highest position in each of these datasources.
pub async fn last_positions(
    executor: &impl Executor,
    space: SpaceId,
    datasources: &[DatasourceId],
) -> Result<HashMap<DatasourceId, i32>> {
    let rows = executor
        .rows(
            "select datasource_id, max(position) as position from datasource_entries
             where space_id = $1 and datasource_id = any($2) group by datasource_id",
            &[/* space_id */ &space, /* datasource_id */ &datasources],
        )
        .await?;
    rows.iter().map(|r| Ok((row::get(r, "datasource_id")?, row::get(r, "position")?))).collect()
}

/// Gives entries unique temporary names, so that several can exchange theirs without violating the unique
/// constraint.
pub async fn set_temporary_names(tx: &Tx<'_>, space: SpaceId, ids: &[EntryId]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    tx.execute(
        "update datasource_entries set name = 'moving-' || id where space_id = $1 and id = any($2)",
        &[/* space_id */ &space, /* id */ &ids],
    )
    .await
    .map(drop)
}

/// Inserts entries and returns their ids in the same order.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, all: &[NewEntry<'_>]) -> Result<Vec<EntryId>> {
    let rows = tx
        .rows(
            "with given as (
                 select * from unnest($2::bigint[], $3::text[], $4::text[], $5::integer[])
                      with ordinality as given (datasource_id, name, value, position, place)
             ), added as (
                 insert into datasource_entries (space_id, datasource_id, name, value, position)
                 select $1, datasource_id, name, value, position from given order by place
                 returning id, datasource_id, name
             )
             select added.id from added join given using (datasource_id, name) order by given.place",
            &[
                /* space_id */ &space,
                /* datasource_id */ &all.iter().map(|value| value.datasource).collect::<Vec<_>>(),
                /* name */ &all.iter().map(|value| value.name).collect::<Vec<_>>(),
                /* value */ &all.iter().map(|value| value.value).collect::<Vec<_>>(),
                /* position */ &all.iter().map(|value| value.position).collect::<Vec<_>>(),
            ],
        )
        .await?;
    rows.iter().map(|r| row::get(r, "id")).collect()
}

/// Replaces all dimension values of these entries.
pub async fn set_values(tx: &Tx<'_>, space: SpaceId, entries: &[EntryId], all: &[DimensionValue<'_>]) -> Result<()> {
    tx.execute(
        "delete from datasource_entry_values where space_id = $1 and entry_id = any($2)",
        &[/* space_id */ &space, /* entry_id */ &entries],
    )
    .await?;
    tx.execute(
        "insert into datasource_entry_values (space_id, dimension_id, entry_id, value)
         select $1, * from unnest($2::bigint[], $3::bigint[], $4::text[])",
        &[
            /* space_id */ &space,
            /* dimension_id */ &all.iter().map(|value| value.dimension).collect::<Vec<_>>(),
            /* entry_id */ &all.iter().map(|value| value.entry).collect::<Vec<_>>(),
            /* value */ &all.iter().map(|value| value.value).collect::<Vec<_>>(),
        ],
    )
    .await
    .map(drop)
}
