//! The history of components: `component_versions`, with a whole row of `components` for each change; and
//! components that were deleted: `deleted_components`.

use super::{
    authors,
    components::{COLUMNS, DELETED_COLUMNS, component, constraint_fault},
    spaces,
};
use crate::{
    Connection, Executor, Result, Tx,
    row::{self, Verbatim},
};
use domain::{
    content::component::{Component, ComponentEvent, ComponentVersion, DeletedComponent},
    shared::{Actor, ComponentId, Page, PageRequest, SpaceId},
};
use jiff::Timestamp;
use serde_json::value::RawValue;

/// How many versions of a component are kept, the newest ones.
const KEPT: i64 = 100;

/// Adds what a component is now as its newest version, and removes the oldest one beyond those that are kept.
pub async fn append(
    tx: &Tx<'_>,
    space: SpaceId,
    id: ComponentId,
    event: ComponentEvent,
    (author, at): (&Actor, Timestamp),
) -> Result<()> {
    tx.execute_one(
        "component.version",
        "with removed as (
             delete from component_versions where space_id = $1 and component_id = $2 and id <= (
                 select id from component_versions where space_id = $1 and component_id = $2 order by id desc offset $7 limit 1
             )
         )
         insert into component_versions (space_id, component_id, event, component, author_id, author, created_at)
         select space_id, id, $3, row_to_json(component), $4, $5, $6 from components component where space_id = $1 and id = $2",
        &[
            /* space_id */ &space,
            /* component_id */ &id,
            /* event */ &event.into_str(),
            /* author_id */ &author.id,
            /* author */ &author.label,
            /* created_at */ &at,
            /* kept */ &(KEPT - 1),
        ],
    )
    .await
}

/// A page of a component's versions, newest first.
pub async fn list(
    connection: &Connection,
    space: SpaceId,
    component: ComponentId,
    page: PageRequest,
) -> Result<Page<ComponentVersion>> {
    let total = connection
        .row(
            "select count(*) as total from component_versions where space_id = $1 and component_id = $2",
            &[/* space_id */ &space, /* component_id */ &component],
        )
        .await?;
    let rows = connection
        .rows(
            &format!(
                "select version.id, version.event, version.author_id, version.author, version.created_at, {}
                 from component_versions version {}
                 where version.space_id = $1 and version.component_id = $2
                 order by version.id desc limit $3 offset $4",
                authors::COLUMNS,
                authors::join("version.author_id")
            ),
            &[
                /* space_id */ &space,
                /* component_id */ &component,
                /* limit */ &page.limit(),
                /* offset */ &page.offset(),
            ],
        )
        .await?;
    let version = |row: &_| {
        Ok(ComponentVersion {
            id: row::get(row, "id")?,
            event: row::named(row, "event")?,
            author: authors::author(row, "author_id", "author")?,
            created_at: row::get(row, "created_at")?,
        })
    };
    Ok(Page { items: rows.iter().map(version).collect::<Result<_>>()?, total: row::get(&total, "total")? })
}

/// The schema of a version.
pub async fn find_schema(
    connection: &Connection,
    space: SpaceId,
    component: ComponentId,
    version: i64,
) -> Result<Option<Box<RawValue>>> {
    let found = connection
        .row_opt(
            "select component -> 'schema' as schema from component_versions where space_id = $1 and component_id = $2 and id = $3",
            &[/* space_id */ &space, /* component_id */ &component, /* id */ &version],
        )
        .await?;
    found.map(|row| row::get::<Verbatim>(&row, "schema").map(|schema| schema.0)).transpose()
}

/// Makes a component what it was in a version; `None` without such a version. A group or a default preset
/// that does not exist any more is left out. 422 when its name of that time is taken.
pub async fn restore_version(
    tx: &Tx<'_>,
    space: SpaceId,
    id: ComponentId,
    version: i64,
    at: Timestamp,
) -> Result<Option<Component>> {
    spaces::note_changed_schemas(tx, space).await?;
    let sql = format!(
        "update components component
         set name = old.name, display_name = old.display_name, description = old.description, schema = old.schema, image = old.image,
             preview_field = old.preview_field, preview_tmpl = old.preview_tmpl, is_root = old.is_root, is_nestable = old.is_nestable,
             component_group_uuid = (select uuid from component_groups where space_id = $1 and uuid = old.component_group_uuid),
             preset_id = (select id from presets where space_id = $1 and id = old.preset_id and component_id = $2),
             color = old.color, icon = old.icon, internal_tag_ids = old.internal_tag_ids,
             content_type_asset_preview = old.content_type_asset_preview, metadata = old.metadata, updated_at = $4
         from component_versions version cross join lateral json_populate_record(null::components, version.component) old
         where component.space_id = $1 and component.id = $2
           and version.space_id = $1 and version.component_id = $2 and version.id = $3
         returning {COLUMNS}"
    );
    let restored = tx
        .row_opt(&sql, &[/* space_id */ &space, /* id */ &id, /* version */ &version, /* updated_at */ &at])
        .await
        .map_err(constraint_fault)?;
    restored.as_ref().map(component).transpose()
}

/// Moves a component with its presets to those that were deleted. Stories keep their blocks.
pub async fn delete(tx: &Tx<'_>, space: SpaceId, id: ComponentId, at: Timestamp) -> Result<()> {
    spaces::note_changed_schemas(tx, space).await?;
    tx.execute_one(
        "component.delete",
        "with gone as (
             delete from components where space_id = $1 and id = $2 returning *
         )
         insert into deleted_components (space_id, id, name, component, presets, deleted_at)
         select space_id, id, name, row_to_json(gone), coalesce((
                    select json_agg(row_to_json(own) order by own.id) from presets own where own.space_id = $1 and own.component_id = $2
                ), '[]'), $3
         from gone",
        &[/* space_id */ &space, /* id */ &id, /* deleted_at */ &at],
    )
    .await
}

/// Brings a deleted component back with its presets, under its number. Returns whether there is such a one.
/// 422 when its name is taken.
pub async fn restore_deleted(tx: &Tx<'_>, space: SpaceId, id: ComponentId) -> Result<bool> {
    spaces::note_changed_schemas(tx, space).await?;
    let restored = tx
        .execute(
            "with gone as (
                 delete from deleted_components where space_id = $1 and id = $2 returning component, presets
             ), restored as (
                 insert into presets (id, space_id, component_id, name, preset, image, color, icon, description, created_at, updated_at)
                 overriding system value
                 select preset.id, $1, preset.component_id, preset.name, preset.preset, preset.image, preset.color, preset.icon,
                        preset.description, preset.created_at, preset.updated_at
                 from gone cross join lateral json_populate_recordset(null::presets, gone.presets) preset
             )
             insert into components (id, space_id, name, display_name, description, schema, image, preview_field, preview_tmpl, is_root,
                                     is_nestable, component_group_uuid, preset_id, color, icon, internal_tag_ids,
                                     content_type_asset_preview, metadata, created_at, updated_at)
             overriding system value
             select old.id, $1, old.name, old.display_name, old.description, old.schema, old.image, old.preview_field,
                    old.preview_tmpl, old.is_root, old.is_nestable,
                    (select uuid from component_groups where space_id = $1 and uuid = old.component_group_uuid),
                    old.preset_id, old.color, old.icon, old.internal_tag_ids, old.content_type_asset_preview, old.metadata,
                    old.created_at, old.updated_at
             from gone cross join lateral json_populate_record(null::components, gone.component) old",
            &[/* space_id */ &space, /* id */ &id],
        )
        .await
        .map_err(constraint_fault)?;
    Ok(restored > 0)
}

/// The components of a space that were deleted, the last one first.
pub async fn list_deleted(connection: &Connection, space: SpaceId) -> Result<Vec<DeletedComponent>> {
    let rows = connection
        .rows(
            &format!(
                "select {DELETED_COLUMNS}, deleted.deleted_at
                 from deleted_components deleted cross join lateral json_populate_record(null::components, deleted.component) component
                 where deleted.space_id = $1 order by deleted.deleted_at desc, deleted.id desc"
            ),
            &[/* space_id */ &space],
        )
        .await?;
    rows.iter().map(|r| Ok(DeletedComponent { component: component(r)?, deleted_at: row::get(r, "deleted_at")? })).collect()
}
