//! Writing many new entries of datasources at once.

use crate::{Executor, Result, Tx, row};
use domain::shared::SpaceId;

/// A new entry.
#[derive(Debug)]
pub struct New<'a> {
    /// Its datasource.
    pub datasource: i64,
    /// Its name.
    pub name: &'a str,
    /// Its value.
    pub value: &'a str,
    /// Its place.
    pub position: i32,
}

/// A value of an entry in a dimension.
#[derive(Debug)]
pub struct Value<'a> {
    /// The dimension.
    pub dimension: i64,
    /// The entry.
    pub entry: i64,
    /// The value.
    pub value: &'a str,
}

/// The entries that these datasources have of these names or numbers: datasource, name and number.
pub async fn standing(
    query: &impl Executor,
    space: SpaceId,
    datasources: &[i64],
    names: &[&str],
    ids: &[i64],
) -> Result<Vec<(i64, String, i64)>> {
    let rows = query
        .rows(
            "select datasource_id, name, id from datasource_entries
             where space_id = $1 and datasource_id = any($2) and name = any($3)
             union
             select datasource_id, name, id from datasource_entries where space_id = $1 and id = any($4)",
            &[/* space_id */ &space.0, /* datasource_id */ &datasources, /* name */ &names, /* id */ &ids],
        )
        .await?;
    rows.iter().map(|r| Ok((row::get(r, "datasource_id")?, row::get(r, "name")?, row::get(r, "id")?))).collect()
}

/// The last place of each of these datasources.
pub async fn last_positions(query: &impl Executor, space: SpaceId, datasources: &[i64]) -> Result<Vec<(i64, i32)>> {
    let rows = query
        .rows(
            "select datasource_id, max(position) as position from datasource_entries
             where space_id = $1 and datasource_id = any($2) group by datasource_id",
            &[/* space_id */ &space.0, /* datasource_id */ &datasources],
        )
        .await?;
    rows.iter().map(|r| Ok((row::get(r, "datasource_id")?, row::get(r, "position")?))).collect()
}

/// Gives entries names that nobody else wants, until they have their own again.
pub async fn set_aside(tx: &Tx<'_>, space: SpaceId, ids: &[i64]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    tx.execute(
        "update datasource_entries set name = 'moving-' || id where space_id = $1 and id = any($2)",
        &[/* space_id */ &space.0, /* id */ &ids],
    )
    .await
    .map(drop)
}

/// Adds entries; answers their numbers in the same order.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, all: &[New<'_>]) -> Result<Vec<i64>> {
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
                /* space_id */ &space.0,
                /* datasource_id */ &all.iter().map(|value| value.datasource).collect::<Vec<_>>(),
                /* name */ &all.iter().map(|value| value.name).collect::<Vec<_>>(),
                /* value */ &all.iter().map(|value| value.value).collect::<Vec<_>>(),
                /* position */ &all.iter().map(|value| value.position).collect::<Vec<_>>(),
            ],
        )
        .await?;
    rows.iter().map(|r| row::get(r, "id")).collect()
}

/// Exchanges all values of these entries for these.
pub async fn set_values(tx: &Tx<'_>, space: SpaceId, entries: &[i64], all: &[Value<'_>]) -> Result<()> {
    tx.execute(
        "delete from datasource_entry_values where space_id = $1 and entry_id = any($2)",
        &[/* space_id */ &space.0, /* entry_id */ &entries],
    )
    .await?;
    tx.execute(
        "insert into datasource_entry_values (space_id, dimension_id, entry_id, value)
         select $1, * from unnest($2::bigint[], $3::bigint[], $4::text[])",
        &[
            /* space_id */ &space.0,
            /* dimension_id */ &all.iter().map(|value| value.dimension).collect::<Vec<_>>(),
            /* entry_id */ &all.iter().map(|value| value.entry).collect::<Vec<_>>(),
            /* value */ &all.iter().map(|value| value.value).collect::<Vec<_>>(),
        ],
    )
    .await
    .map(drop)
}
