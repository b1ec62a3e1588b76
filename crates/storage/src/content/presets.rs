//! Presets: `presets`.

use crate::{
    Connection, Error, Executor, Result, Tx,
    row::{self, Verbatim},
};
use domain::{
    content::preset::{Preset, PresetDraft},
    shared::{ComponentId, Fault, FieldCode, PresetId, SpaceId},
};
use jiff::Timestamp;
use serde_json::value::RawValue;
use tokio_postgres::Row;

const COLUMNS: &str = "id, component_id, name, preset, image, color, icon, description, created_at, updated_at";

/// The presets of a space, or of one component, by their numbers.
pub async fn list(connection: &Connection, space: SpaceId, component: Option<ComponentId>) -> Result<Vec<Preset>> {
    let rows = connection
        .rows(
            &format!(
                "select {COLUMNS} from presets
                 where space_id = $1 and ($2::bigint is null or component_id = $2)
                 order by id"
            ),
            &[/* space_id */ &space, /* component_id */ &component],
        )
        .await?;
    rows.iter().map(preset).collect()
}

/// Finds a preset.
pub async fn find(connection: &Connection, space: SpaceId, id: PresetId) -> Result<Option<Preset>> {
    let sql = format!("select {COLUMNS} from presets where space_id = $1 and id = $2");
    connection.row_opt(&sql, &[/* space_id */ &space, /* id */ &id]).await?.as_ref().map(preset).transpose()
}

/// The content of a preset and the name of its component.
#[derive(Debug, Clone)]
pub struct PresetContent {
    pub component: String,
    /// The content, as it was written.
    pub content: Box<RawValue>,
}

/// The content of a preset.
pub async fn find_content(executor: &impl Executor, space: SpaceId, id: PresetId) -> Result<Option<PresetContent>> {
    executor
        .row_opt(
            "select component.name, preset.preset from presets preset
             join components component on component.space_id = $1 and component.id = preset.component_id
             where preset.space_id = $1 and preset.id = $2",
            &[/* space_id */ &space, /* id */ &id],
        )
        .await?
        .as_ref()
        .map(content)
        .transpose()
}

/// The content of the preset that a component starts from, if it has one.
pub async fn find_default_content(executor: &impl Executor, space: SpaceId, component: &str) -> Result<Option<PresetContent>> {
    executor
        .row_opt(
            "select component.name, preset.preset from components component
             join presets preset on preset.space_id = $1 and preset.id = component.preset_id
             where component.space_id = $1 and component.name = $2",
            &[/* space_id */ &space, /* name */ &component],
        )
        .await?
        .as_ref()
        .map(content)
        .transpose()
}

fn content(row: &Row) -> Result<PresetContent> {
    Ok(PresetContent { component: row::get(row, "name")?, content: row::get::<Verbatim>(row, "preset")?.0 })
}

/// One preset, locked until the transaction ends.
pub async fn lock(tx: &Tx<'_>, space: SpaceId, id: PresetId) -> Result<Option<Preset>> {
    let sql = format!("select {COLUMNS} from presets where space_id = $1 and id = $2 for update");
    tx.row_opt(&sql, &[/* space_id */ &space, /* id */ &id]).await?.as_ref().map(preset).transpose()
}

/// Adds a preset. 422 when its component does not exist.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, draft: &PresetDraft, at: Timestamp) -> Result<Preset> {
    let row = tx
        .row(
            &format!(
                "insert into presets (space_id, component_id, name, preset, image, color, icon, description, created_at, updated_at)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
                 returning {COLUMNS}"
            ),
            &[
                /* space_id */ &space,
                /* component_id */ &draft.component_id,
                /* name */ &draft.name,
                /* preset */ &Verbatim(draft.preset.clone()),
                /* image */ &draft.image,
                /* color */ &draft.color,
                /* icon */ &draft.icon,
                /* description */ &draft.description,
                /* created_at, updated_at */ &at,
            ],
        )
        .await
        .map_err(constraint_fault)?;
    preset(&row)
}

/// Changes a preset. 422 when its component does not exist. A component that the preset leaves does not start
/// from it any more.
pub async fn update(tx: &Tx<'_>, space: SpaceId, id: PresetId, draft: &PresetDraft, at: Timestamp) -> Result<Preset> {
    let row = tx
        .row(
            &format!(
                "with left_behind as (
                     update components set preset_id = null where space_id = $1 and preset_id = $2 and id <> $3
                 )
                 update presets
                 set component_id = $3, name = $4, preset = $5, image = $6, color = $7, icon = $8, description = $9, updated_at = $10
                 where space_id = $1 and id = $2
                 returning {COLUMNS}"
            ),
            &[
                /* space_id */ &space,
                /* id */ &id,
                /* component_id */ &draft.component_id,
                /* name */ &draft.name,
                /* preset */ &Verbatim(draft.preset.clone()),
                /* image */ &draft.image,
                /* color */ &draft.color,
                /* icon */ &draft.icon,
                /* description */ &draft.description,
                /* updated_at */ &at,
            ],
        )
        .await
        .map_err(constraint_fault)?;
    preset(&row)
}

/// Removes a preset.
pub async fn delete(tx: &Tx<'_>, space: SpaceId, id: PresetId) -> Result<()> {
    tx.execute_one("preset.delete", "delete from presets where space_id = $1 and id = $2", &[/* space_id */ &space, /* id */ &id])
        .await
}

/// The violation of a constraint as the fault that the caller gets.
fn constraint_fault(error: Error) -> Error {
    match error.constraint() {
        Some("presets_space_id_component_id_fkey") => Fault::invalid("component_id", FieldCode::Unknown, "does not exist").into(),
        _ => error,
    }
}

fn preset(row: &Row) -> Result<Preset> {
    let Verbatim(content) = row::get(row, "preset")?;
    Ok(Preset {
        id: row::get(row, "id")?,
        draft: row::read!(row => PresetDraft {
            component_id, name, image, color, icon, description;
            preset: content,
        }),
        created_at: row::get(row, "created_at")?,
        updated_at: row::get(row, "updated_at")?,
    })
}
