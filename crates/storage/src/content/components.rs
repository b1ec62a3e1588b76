//! Component definitions: `components`, read together with their presets.

use super::spaces;
use crate::{
    Connection, Error, Executor, Result, Tx,
    row::{self, Verbatim},
};
use domain::{
    content::component::{Component, Definition},
    shared::{ComponentId, Fault, FieldCode, SpaceId},
};
use jiff::Timestamp;
use strum::EnumString;
use tokio_postgres::Row;
use uuid::Uuid;

/// The columns of a component of the space `$1` with presets from this table; `all_presets` is built in
/// Storyblok's shape, with the texts of the presets unchanged.
macro_rules! columns {
    ($presets:literal) => {
        concat!(
            "component.id, component.name, component.display_name, component.description, component.schema, component.image,
            component.preview_field, component.preview_tmpl, component.is_root, component.is_nestable, component.component_group_uuid,
            component.preset_id, component.color, component.icon, component.internal_tag_ids, component.content_type_asset_preview,
            component.metadata, component.created_at, component.updated_at,
            coalesce((select json_agg(json_build_object('id', preset.id, 'name', preset.name, 'preset', preset.preset,
                                                        'component_id', preset.component_id, 'image', preset.image, 'icon', preset.icon,
                                                        'color', preset.color, 'description', preset.description) order by preset.id)
                      from ",
            $presets,
            " preset
                      where preset.space_id = $1 and preset.component_id = component.id), '[]') as all_presets,
            coalesce((select jsonb_agg(jsonb_build_object('id', tag.id, 'name', tag.name) order by tag.name)
                      from internal_tags tag
                      where tag.space_id = $1 and tag.id = any(component.internal_tag_ids)
                        and tag.object_type = 'component'), '[]') as internal_tags"
        )
    };
}

/// The columns of a component.
pub(super) const COLUMNS: &str = columns!("presets");
/// The columns of a component that was deleted, from `deleted_components deleted`.
pub(super) const DELETED_COLUMNS: &str = columns!("json_populate_recordset(null::presets, deleted.presets)");

/// The conditions of a list of components. Everything given has to hold.
#[derive(Debug, Clone, Default)]
pub struct ComponentFilter {
    pub in_group: Option<Uuid>,
    /// Only those that can be roots, or only the others.
    pub is_root: Option<bool>,
    /// The name or the display name contains this text, case-insensitive.
    pub search: Option<String>,
    /// Among these; `None` is no restriction.
    pub by_ids: Option<Vec<i64>>,
    /// With one of these internal tags; `None` is no restriction.
    pub with_tags: Option<Vec<i64>>,
    /// The app that its metadata names.
    pub app_slug: Option<String>,
    /// The frame that its metadata names.
    pub frame_id: Option<String>,
}

/// The orders of the list, by the names of their columns on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum ComponentOrder {
    #[default]
    Id,
    Name,
    CreatedAt,
    /// By last change.
    UpdatedAt,
}

impl ComponentOrder {
    fn column(self) -> &'static str {
        match self {
            Self::Id => "component.id",
            Self::Name => "component.name collate \"C\"",
            Self::CreatedAt => "component.created_at",
            Self::UpdatedAt => "component.updated_at",
        }
    }
}

/// What the studio shows of a component before it reads its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComponentName {
    pub name: String,
    /// The name that people see, where it has one of its own.
    pub display_name: Option<String>,
    /// Whether a story can be of it.
    pub is_root: bool,
}

/// The names of all components of a space, in the order of the names.
pub async fn names(executor: &impl Executor, space: SpaceId) -> Result<Vec<ComponentName>> {
    let sql = "select name, display_name, is_root from components where space_id = $1 order by name collate \"C\"";
    let rows = executor.rows(sql, &[/* space_id */ &space]).await?;
    rows.iter().map(|row| Ok(row::read!(row => ComponentName { name, display_name, is_root }))).collect()
}

/// The components of a space in an order; `true` turns it round.
pub async fn list(
    connection: &Connection,
    space: SpaceId,
    filter: &ComponentFilter,
    (order, descending): (ComponentOrder, bool),
) -> Result<Vec<Component>> {
    let (column, direction) = (order.column(), if descending { "desc" } else { "asc" });
    let rows = connection
        .rows(
            &format!(
                "select {COLUMNS} from components component
                 where component.space_id = $1
                   and ($2::uuid is null or component.component_group_uuid = $2)
                   and ($3::boolean is null or component.is_root = $3)
                   and ($4::text is null or strpos(lower(component.name), lower($4)) > 0
                        or strpos(lower(component.display_name), lower($4)) > 0)
                   and ($5::bigint[] is null or component.id = any($5))
                   and ($6::bigint[] is null or component.internal_tag_ids && $6)
                   and ($7::text is null or component.metadata ->> 'app_slug' = $7)
                   and ($8::text is null or component.metadata ->> 'frame_id' = $8)
                 order by {column} {direction}, component.id"
            ),
            &[
                /* space_id */ &space,
                /* in_group */ &filter.in_group,
                /* is_root */ &filter.is_root,
                /* search */ &filter.search,
                /* by_ids */ &filter.by_ids,
                /* with_tags */ &filter.with_tags,
                /* app_slug */ &filter.app_slug,
                /* frame_id */ &filter.frame_id,
            ],
        )
        .await?;
    rows.iter().map(component).collect()
}

/// Finds a component.
pub async fn find(connection: &Connection, space: SpaceId, id: ComponentId) -> Result<Option<Component>> {
    let sql = format!("select {COLUMNS} from components component where component.space_id = $1 and component.id = $2");
    connection.row_opt(&sql, &[/* space_id */ &space, /* id */ &id]).await?.as_ref().map(component).transpose()
}

/// One component, locked until the transaction ends.
pub async fn lock(tx: &Tx<'_>, space: SpaceId, id: ComponentId) -> Result<Option<Component>> {
    let sql = format!(
        "select {COLUMNS} from components component where component.space_id = $1 and component.id = $2 for update of component"
    );
    tx.row_opt(&sql, &[/* space_id */ &space, /* id */ &id]).await?.as_ref().map(component).transpose()
}

/// Adds a component. 422 when its name is taken or its group does not exist.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, definition: &Definition, at: Timestamp) -> Result<Component> {
    spaces::note_changed_schemas(tx, space).await?;
    let row = tx
        .row(
            &format!(
                "insert into components as component
                    (space_id, name, display_name, description, schema, image, preview_field, preview_tmpl, is_root, is_nestable,
                     component_group_uuid, preset_id, color, icon, internal_tag_ids, content_type_asset_preview, metadata,
                     created_at, updated_at)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $18)
                 returning {COLUMNS}"
            ),
            &[
                /* space_id */ &space,
                /* name */ &definition.name,
                /* display_name */ &definition.display_name,
                /* description */ &definition.description,
                /* schema */ &Verbatim(definition.schema.clone()),
                /* image */ &definition.image,
                /* preview_field */ &definition.preview_field,
                /* preview_tmpl */ &definition.preview_tmpl,
                /* is_root */ &definition.is_root,
                /* is_nestable */ &definition.is_nestable,
                /* component_group_uuid */ &definition.component_group_uuid,
                /* preset_id */ &definition.preset_id,
                /* color */ &definition.color,
                /* icon */ &definition.icon,
                /* internal_tag_ids */ &definition.internal_tag_ids,
                /* content_type_asset_preview */ &definition.content_type_asset_preview,
                /* metadata */ &definition.metadata,
                /* created_at, updated_at */ &at,
            ],
        )
        .await
        .map_err(constraint_fault)?;
    component(&row)
}

/// Changes a component. 422 when its name is taken, its group does not exist, or the preset is not one of its
/// own.
pub async fn update(tx: &Tx<'_>, space: SpaceId, id: ComponentId, definition: &Definition, at: Timestamp) -> Result<Component> {
    spaces::note_changed_schemas(tx, space).await?;
    if let Some(preset) = definition.preset_id {
        let own = tx
            .row_opt(
                "select id from presets where space_id = $1 and id = $2 and component_id = $3 for key share",
                &[/* space_id */ &space, /* id */ &preset, /* component_id */ &id],
            )
            .await?;
        if own.is_none() {
            return Err(Fault::invalid("preset_id", FieldCode::Unknown, "is not a preset of this component").into());
        }
    }
    let row = tx
        .row(
            &format!(
                "update components component
                 set name = $3, display_name = $4, description = $5, schema = $6, image = $7, preview_field = $8, preview_tmpl = $9,
                     is_root = $10, is_nestable = $11, component_group_uuid = $12, preset_id = $13, color = $14, icon = $15,
                     internal_tag_ids = $16, content_type_asset_preview = $17, metadata = $18, updated_at = $19
                 where component.space_id = $1 and component.id = $2
                 returning {COLUMNS}"
            ),
            &[
                /* space_id */ &space,
                /* id */ &id,
                /* name */ &definition.name,
                /* display_name */ &definition.display_name,
                /* description */ &definition.description,
                /* schema */ &Verbatim(definition.schema.clone()),
                /* image */ &definition.image,
                /* preview_field */ &definition.preview_field,
                /* preview_tmpl */ &definition.preview_tmpl,
                /* is_root */ &definition.is_root,
                /* is_nestable */ &definition.is_nestable,
                /* component_group_uuid */ &definition.component_group_uuid,
                /* preset_id */ &definition.preset_id,
                /* color */ &definition.color,
                /* icon */ &definition.icon,
                /* internal_tag_ids */ &definition.internal_tag_ids,
                /* content_type_asset_preview */ &definition.content_type_asset_preview,
                /* metadata */ &definition.metadata,
                /* updated_at */ &at,
            ],
        )
        .await
        .map_err(constraint_fault)?;
    component(&row)
}

/// The violation of a constraint as the fault that the caller gets.
pub(super) fn constraint_fault(error: Error) -> Error {
    match error.constraint() {
        Some("components_name") => Fault::invalid("name", FieldCode::Taken, "has already been taken").into(),
        Some("components_space_id_component_group_uuid_fkey") => {
            Fault::invalid("component_group_uuid", FieldCode::Unknown, "does not exist").into()
        }
        _ => error,
    }
}

pub(super) fn component(row: &Row) -> Result<Component> {
    let Verbatim(schema) = row::get(row, "schema")?;
    let Verbatim(all_presets) = row::get(row, "all_presets")?;
    Ok(Component {
        id: row::get(row, "id")?,
        definition: row::read!(row => Definition {
            name, display_name, description, image, preview_field, preview_tmpl, is_root, is_nestable, component_group_uuid,
            preset_id, color, icon, internal_tag_ids, content_type_asset_preview, metadata;
            schema,
        }),
        all_presets,
        internal_tags: row::json(row, "internal_tags")?,
        created_at: row::get(row, "created_at")?,
        updated_at: row::get(row, "updated_at")?,
    })
}
