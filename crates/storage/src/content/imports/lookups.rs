//! The existing rows of a space that an import compares with.

use super::entries::NameInDatasource;
use crate::{Error, Executor, Result, Tx, row, row::Verbatim};
use domain::{
    content::import::rewrite::Schemas,
    shared::{AssetId, ComponentId, DatasourceId, DimensionId, PresetId, SpaceId},
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The ids of all components, by name.
pub async fn components(executor: &impl Executor, space: SpaceId) -> Result<HashMap<String, ComponentId>> {
    let rows = executor.rows("select name, id from components where space_id = $1", &[/* space_id */ &space]).await?;
    rows.iter().map(|r| Ok((row::get(r, "name")?, row::get(r, "id")?))).collect()
}

/// The schemas of all components.
pub async fn schemas(executor: &impl Executor, space: SpaceId) -> Result<Schemas> {
    let rows = executor.rows("select name, schema from components where space_id = $1", &[/* space_id */ &space]).await?;
    let mut schemas = Schemas::default();
    for r in &rows {
        let Verbatim(schema) = row::get(r, "schema")?;
        let schema = serde_json::from_str(schema.get()).map_err(|error| Error::Internal(format!("column schema: {error}")))?;
        schemas.insert(row::get(r, "name")?, &schema);
    }
    Ok(schemas)
}

/// The ids of all presets.
pub async fn presets(executor: &impl Executor, space: SpaceId) -> Result<HashSet<PresetId>> {
    let rows = executor.rows("select id from presets where space_id = $1", &[/* space_id */ &space]).await?;
    rows.iter().map(|r| row::get(r, "id")).collect()
}

/// Sets the default presets of components.
pub async fn set_default_presets(tx: &Tx<'_>, space: SpaceId, all: &BTreeMap<ComponentId, PresetId>) -> Result<u64> {
    tx.execute(
        "update components set preset_id = given.preset_id
         from unnest($2::bigint[], $3::bigint[]) as given (id, preset_id)
         where space_id = $1 and components.id = given.id and components.preset_id is distinct from given.preset_id",
        &[
            /* space_id */ &space,
            /* id */ &all.keys().collect::<Vec<_>>(),
            /* preset_id */ &all.values().collect::<Vec<_>>(),
        ],
    )
    .await
}

/// A datasource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Datasource {
    pub id: DatasourceId,
    pub name: String,
    /// Its slug, by which the delivery API finds it.
    pub slug: String,
}

/// All datasources.
pub async fn datasources(executor: &impl Executor, space: SpaceId) -> Result<Vec<Datasource>> {
    let rows = executor.rows("select id, name, slug from datasources where space_id = $1", &[/* space_id */ &space]).await?;
    rows.iter().map(|r| Ok(Datasource { id: row::get(r, "id")?, name: row::get(r, "name")?, slug: row::get(r, "slug")? })).collect()
}

/// Gives datasources unique temporary slugs and names, so that several can exchange theirs without violating
/// the unique constraints.
pub async fn set_temporary_datasource_names(tx: &Tx<'_>, space: SpaceId, ids: &[DatasourceId]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    tx.execute(
        "update datasources set slug = 'moving-' || id, name = 'moving-' || id where space_id = $1 and id = any($2)",
        &[/* space_id */ &space, /* id */ &ids],
    )
    .await
    .map(drop)
}

/// The ids of all assets, including those in the trash.
pub async fn assets(executor: &impl Executor, space: SpaceId) -> Result<Vec<AssetId>> {
    let rows = executor.rows("select id from assets where space_id = $1", &[/* space_id */ &space]).await?;
    rows.iter().map(|r| row::get(r, "id")).collect()
}

/// The ids of the dimensions of datasources, by their codes.
pub async fn dimensions(
    executor: &impl Executor,
    space: SpaceId,
    datasources: &[DatasourceId],
) -> Result<HashMap<NameInDatasource, DimensionId>> {
    let rows = executor
        .rows(
            "select datasource_id, entry_value as name, id from datasource_dimensions where space_id = $1 and datasource_id = any($2)",
            &[/* space_id */ &space, /* datasource_id */ &datasources],
        )
        .await?;
    rows.iter().map(|r| Ok((NameInDatasource::of(r)?, row::get(r, "id")?))).collect()
}
