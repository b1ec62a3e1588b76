//! What a space has already, as far as an import has to know.

use crate::{Error, Executor, Result, Tx, row, row::Verbatim};
use domain::shared::SpaceId;
use serde_json::{Map, Value};

/// The components: name and number.
pub async fn components(query: &impl Executor, space: SpaceId) -> Result<Vec<(String, i64)>> {
    let rows = query.rows("select name, id from components where space_id = $1", &[/* space_id */ &space.0]).await?;
    rows.iter().map(|r| Ok((row::get(r, "name")?, row::get(r, "id")?))).collect()
}

/// The components: name and fields.
pub async fn schemas(query: &impl Executor, space: SpaceId) -> Result<Vec<(String, Map<String, Value>)>> {
    let rows = query.rows("select name, schema from components where space_id = $1", &[/* space_id */ &space.0]).await?;
    rows.iter()
        .map(|r| {
            let Verbatim(schema) = row::get(r, "schema")?;
            let schema = serde_json::from_str(schema.get()).map_err(|error| Error::Internal(format!("column schema: {error}")))?;
            Ok((row::get(r, "name")?, schema))
        })
        .collect()
}

/// The numbers of the presets.
pub async fn presets(query: &impl Executor, space: SpaceId) -> Result<Vec<i64>> {
    let rows = query.rows("select id from presets where space_id = $1", &[/* space_id */ &space.0]).await?;
    rows.iter().map(|r| row::get(r, "id")).collect()
}

/// Has components start from presets: component and preset.
pub async fn set_default_presets(tx: &Tx<'_>, space: SpaceId, all: &[(i64, i64)]) -> Result<u64> {
    tx.execute(
        "update components set preset_id = given.preset_id
         from unnest($2::bigint[], $3::bigint[]) as given (id, preset_id)
         where space_id = $1 and components.id = given.id and components.preset_id is distinct from given.preset_id",
        &[
            /* space_id */ &space.0,
            /* id */ &all.iter().map(|value| value.0).collect::<Vec<_>>(),
            /* preset_id */ &all.iter().map(|value| value.1).collect::<Vec<_>>(),
        ],
    )
    .await
}

/// A datasource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Datasource {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// What readers ask by.
    pub slug: String,
}

/// The datasources.
pub async fn datasources(query: &impl Executor, space: SpaceId) -> Result<Vec<Datasource>> {
    let rows = query.rows("select id, name, slug from datasources where space_id = $1", &[/* space_id */ &space.0]).await?;
    rows.iter().map(|r| Ok(Datasource { id: row::get(r, "id")?, name: row::get(r, "name")?, slug: row::get(r, "slug")? })).collect()
}

/// Gives datasources slugs and names that nobody else wants, until they have their own again.
pub async fn set_datasources_aside(tx: &Tx<'_>, space: SpaceId, ids: &[i64]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    tx.execute(
        "update datasources set slug = 'moving-' || id, name = 'moving-' || id where space_id = $1 and id = any($2)",
        &[/* space_id */ &space.0, /* id */ &ids],
    )
    .await
    .map(drop)
}

/// The numbers of the assets, of those in the trash too.
pub async fn assets(query: &impl Executor, space: SpaceId) -> Result<Vec<i64>> {
    let rows = query.rows("select id from assets where space_id = $1", &[/* space_id */ &space.0]).await?;
    rows.iter().map(|r| row::get(r, "id")).collect()
}

/// The dimensions of these datasources: datasource, code and number.
pub async fn dimensions(query: &impl Executor, space: SpaceId, datasources: &[i64]) -> Result<Vec<(i64, String, i64)>> {
    let rows = query
        .rows(
            "select datasource_id, entry_value, id from datasource_dimensions where space_id = $1 and datasource_id = any($2)",
            &[/* space_id */ &space.0, /* datasource_id */ &datasources],
        )
        .await?;
    rows.iter().map(|r| Ok((row::get(r, "datasource_id")?, row::get(r, "entry_value")?, row::get(r, "id")?))).collect()
}
