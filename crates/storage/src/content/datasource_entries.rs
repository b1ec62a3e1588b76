//! Entries of datasources and their values by dimension: `datasource_entries` and `datasource_entry_values`.

use crate::{
    Error, Executor, Result, Tx,
    content::where_builder::{WhereBuilder, contains_pattern},
    row,
};
use domain::{
    content::datasource_entry::{DimensionValue, Entry, EntryDraft},
    shared::{DatasourceId, DimensionId, EntryId, Fault, FieldCode, Page, PageRequest, SpaceId},
};
use tokio_postgres::Row;

const COLUMNS: &str = "entry.id, entry.datasource_id, entry.name, entry.value, entry.position";

/// The conditions of a list. Everything given has to hold.
#[derive(Debug, Clone, Default)]
pub struct EntryFilter {
    /// Only entries of this datasource.
    pub datasource: Option<DatasourceId>,
    /// Only entries of the datasource with this slug.
    pub slug: Option<String>,
    /// In the name or the value, case-insensitive.
    pub search: Option<String>,
}

/// The dimension whose values are read.
#[derive(Debug, Clone)]
pub enum Dimension {
    /// By its number, as in the Management API.
    Number(DimensionId),
    /// By its code, in any datasource, as in the Delivery API.
    Code(String),
}

/// One page of entries: datasource by datasource, by position and age.
pub async fn list(
    connection: &impl Executor,
    space: SpaceId,
    filter: &EntryFilter,
    dimension: Option<&Dimension>,
    page: PageRequest,
) -> Result<Page<Entry>> {
    let mut builder = WhereBuilder::new();
    builder.and("entry.space_id = {}", space.0);
    if let Some(datasource) = filter.datasource {
        builder.and("entry.datasource_id = {}", datasource.0);
    }
    if let Some(slug) = &filter.slug {
        // $1 is the space.
        let condition =
            "entry.datasource_id = (select source.id from datasources source where source.space_id = $1 and source.slug = {})";
        builder.and(condition, slug.clone());
    }
    if let Some(search) = &filter.search {
        builder.and("(entry.name ilike {} or entry.value ilike {})", contains_pattern(search));
    }
    let count = format!("select count(*) as total from datasource_entries entry where {}", builder.text());
    let total = connection.row(&count, &builder.values()).await?;
    let dimension_value = match dimension {
        None => "null::text".to_owned(),
        Some(Dimension::Number(id)) => value_where("translation.dimension_id", &builder.bind(id.0)),
        Some(Dimension::Code(code)) => value_where("dimension.entry_value", &builder.bind(code.clone())),
    };
    let (limit, offset) = (builder.bind(page.limit()), builder.bind(page.offset()));
    let sql = format!(
        "select {COLUMNS}, {dimension_value} as dimension_value from datasource_entries entry
         where {} order by entry.datasource_id, entry.position, entry.id limit {limit} offset {offset}",
        builder.text()
    );
    let items = connection.rows(&sql, &builder.values()).await?.iter().map(entry).collect::<Result<_>>()?;
    Ok(Page { items, total: row::get(&total, "total")? })
}

/// An entry's value in one dimension, as a column: looked up by key for each row of the page.
fn value_where(column: &str, placeholder: &str) -> String {
    format!(
        "(select translation.value from datasource_entry_values translation
          join datasource_dimensions dimension on dimension.space_id = $1 and dimension.id = translation.dimension_id
          where translation.space_id = $1 and translation.entry_id = entry.id and {column} = {placeholder})"
    )
}

/// Finds an entry.
pub async fn find(executor: &impl Executor, space: SpaceId, id: EntryId) -> Result<Option<Entry>> {
    let sql = format!(
        "select {COLUMNS}, null::text as dimension_value from datasource_entries entry where entry.space_id = $1 and entry.id = $2"
    );
    executor.row_opt(&sql, &[/* space_id */ &space, /* id */ &id]).await?.as_ref().map(entry).transpose()
}

/// Adds an entry. 422 when its name is taken or its datasource does not exist.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, datasource: DatasourceId, draft: &EntryDraft) -> Result<Entry> {
    let row = tx
        .row(
            &format!(
                "insert into datasource_entries as entry (space_id, datasource_id, name, value, position)
                 select $1, $2, $3, $4, coalesce($5::integer, (
                     select least(coalesce(max(position), 0)::bigint + 1, 2147483647)::integer
                     from datasource_entries where space_id = $1 and datasource_id = $2
                 ))
                 returning {COLUMNS}, null::text as dimension_value"
            ),
            &[
                /* space_id */ &space,
                /* datasource_id */ &datasource,
                /* name */ &draft.name,
                /* value */ &draft.value,
                /* position */ &draft.position,
            ],
        )
        .await
        .map_err(constraint_fault)?;
    entry(&row)
}

/// Changes an entry. 422 when its name is taken.
pub async fn update(tx: &Tx<'_>, space: SpaceId, id: EntryId, draft: &EntryDraft) -> Result<()> {
    tx.execute_one(
        "datasource_entry.update",
        "update datasource_entries set name = $3, value = $4, position = coalesce($5, position) where space_id = $1 and id = $2",
        &[
            /* space_id */ &space,
            /* id */ &id,
            /* name */ &draft.name,
            /* value */ &draft.value,
            /* position */ &draft.position,
        ],
    )
    .await
    .map_err(constraint_fault)
}

/// Writes an entry's value in a dimension. 422 when the dimension is not one of the entry's datasource.
pub async fn set_value(tx: &Tx<'_>, space: SpaceId, entry: &Entry, new: &DimensionValue) -> Result<()> {
    let dimension = tx
        .row_opt(
            "select id from datasource_dimensions where space_id = $1 and datasource_id = $2 and id = $3",
            &[/* space_id */ &space, /* datasource_id */ &entry.datasource_id, /* id */ &new.dimension],
        )
        .await?;
    if dimension.is_none() {
        return Err(Fault::invalid("dimension_id", FieldCode::Unknown, "is not a dimension of the datasource").into());
    }
    match &new.value {
        Some(value) => {
            tx.execute_one(
                "datasource_entry.set_value",
                "insert into datasource_entry_values (space_id, dimension_id, entry_id, value) values ($1, $2, $3, $4)
                 on conflict (space_id, dimension_id, entry_id) do update set value = excluded.value",
                &[
                    /* space_id */ &space,
                    /* dimension_id */ &new.dimension,
                    /* entry_id */ &entry.id,
                    /* value */ value,
                ],
            )
            .await
        }
        None => tx
            .execute(
                "delete from datasource_entry_values where space_id = $1 and dimension_id = $2 and entry_id = $3",
                &[/* space_id */ &space, /* dimension_id */ &new.dimension, /* entry_id */ &entry.id],
            )
            .await
            .map(drop),
    }
}

/// Removes an entry with its values.
pub async fn delete(tx: &Tx<'_>, space: SpaceId, id: EntryId) -> Result<()> {
    tx.execute_one(
        "datasource_entry.delete",
        "delete from datasource_entries where space_id = $1 and id = $2",
        &[/* space_id */ &space, /* id */ &id],
    )
    .await
}

/// The violation of a constraint as the fault that the caller gets.
fn constraint_fault(error: Error) -> Error {
    match error.constraint() {
        Some("datasource_entries_name") => Fault::invalid("name", FieldCode::Taken, "has already been taken").into(),
        Some("datasource_entries_datasource") => Fault::invalid("datasource_id", FieldCode::Unknown, "does not exist").into(),
        _ => error,
    }
}

fn entry(row: &Row) -> Result<Entry> {
    Ok(row::read!(row => Entry { id, datasource_id, name, value, position, dimension_value }))
}
