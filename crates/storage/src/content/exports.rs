//! The export of a space: its records as in the lists of the Management API, to be written into files that an
//! import from a folder reads.

use crate::{
    Executor, Result,
    row::{self, Verbatim},
};
use domain::shared::SpaceId;
use serde_json::value::RawValue;

/// The most records of a page.
const PAGE: i64 = 200;

/// A list of the export.
#[derive(Debug)]
pub struct List {
    /// The name of the list, and of its file.
    pub name: &'static str,
    /// A record as JSON, of the row `own`. $1 is the space, $4 the public URL of the server.
    record: &'static str,
    /// The table of the rows `own`, with what else the record is made of.
    from: &'static str,
}

/// The list of which each record has a file.
pub const ASSETS: &str = "assets";

/// All lists.
pub const LISTS: [List; 8] = [
    List {
        name: "asset_folders",
        record: "'id', own.id, 'uuid', own.uuid, 'name', own.name, 'parent_id', own.parent_id, 'parent_uuid', above.uuid",
        from: "asset_folders own left join asset_folders above on above.space_id = $1 and above.id = own.parent_id where true",
    },
    List {
        name: ASSETS,
        record: "'id', id, 'filename', $4::text || '/f/' || space_id || coalesce('/' || width || 'x' || height, '') || '/'
                     || replace(object::text, '-', '') || '/' || name,
                 'content_type', content_type, 'content_length', content_length, 'alt', alt, 'title', title,
                 'copyright', copyright, 'source', source, 'focus', focus, 'ext_id', ext_id,
                 'asset_folder_id', asset_folder_id, 'is_private', is_private, 'locked', locked, 'expire_at', expire_at,
                 'publish_at', publish_at, 'internal_tag_ids', internal_tag_ids, 'meta_data', meta_data,
                 'former_filenames', (
                     select json_agg($4::text || '/f/' || it.space_id || '/' || replace(it.object::text, '-', '') || '/' || it.name
                         order by it.object, it.name)
                     from asset_addresses it where it.space_id = $1 and it.asset_id = own.id)",
        from: "assets own where deleted_at is null",
    },
    List {
        name: "component_groups",
        record: "'id', own.id, 'uuid', own.uuid, 'name', own.name, 'parent_id', own.parent_id, 'parent_uuid', above.uuid",
        from: "component_groups own left join component_groups above on above.space_id = $1 and above.id = own.parent_id where true",
    },
    List {
        name: "components",
        record: "'id', id, 'name', name, 'display_name', display_name, 'description', description, 'schema', schema,
                 'image', image, 'preview_field', preview_field, 'preview_tmpl', preview_tmpl, 'is_root', is_root,
                 'is_nestable', is_nestable, 'component_group_uuid', component_group_uuid, 'preset_id', preset_id,
                 'color', color, 'icon', icon, 'internal_tag_ids', internal_tag_ids,
                 'content_type_asset_preview', content_type_asset_preview, 'metadata', metadata",
        from: "components own where true",
    },
    List {
        name: "presets",
        record:
            "'id', id, 'name', name, 'component_id', component_id, 'preset', preset, 'image', image, 'color', color, 'icon', icon,
                 'description', description",
        from: "presets own where true",
    },
    // With their dimensions.
    List {
        name: "datasources",
        record: "'id', own.id, 'name', own.name, 'slug', own.slug, 'dimensions', coalesce((
                     select json_agg(json_build_object('id', it.id, 'name', it.name, 'entry_value', it.entry_value) order by it.id)
                     from datasource_dimensions it where it.space_id = $1 and it.datasource_id = own.id), '[]')",
        from: "datasources own where true",
    },
    // With the values of all dimensions.
    List {
        name: "datasource_entries",
        record: "'id', own.id, 'datasource_id', own.datasource_id, 'name', own.name, 'value', own.value, 'position', own.position,
                 'dimension_values', coalesce((
                     select json_object_agg(dimension.entry_value, it.value)
                     from datasource_entry_values it
                     join datasource_dimensions dimension on dimension.space_id = $1 and dimension.id = it.dimension_id
                     where it.space_id = $1 and it.entry_id = own.id), '{}')",
        from: "datasource_entries own where true",
    },
    // Folders and stories: drafts, with the fields in which published copies differ.
    List {
        name: "stories",
        record: "'id', own.id, 'uuid', own.uuid, 'group_id', own.group_id, 'parent_id', own.parent_id,
                 'name', draft.name, 'slug', own.slug, 'full_slug', own.full_slug, 'is_folder', own.is_folder,
                 'is_startpage', own.is_startpage, 'position', own.position, 'default_root', own.default_root,
                 'disable_fe_editor', own.disable_fe_editor, 'pinned', own.pinned, 'tag_list', draft.tags,
                 'content', draft.content, 'sort_by_date', draft.sort_by_date, 'path', draft.path,
                 'meta_data', draft.meta_data, 'published', own.published_version is not null,
                 'unpublished_changes', own.unpublished_changes, 'published_at', own.published_at,
                 'publish_at', own.publish_at, 'expire_at', own.expire_at, '_schedulings', (
                     select json_agg(json_build_object('publish_at', it.publish_at, 'action', it.action, 'language', it.language,
                         'status', it.status) order by it.publish_at, it.id)
                     from story_schedulings it
                     where it.space_id = $1 and it.story_id = own.id and it.status = 'scheduled'),
                 'first_published_at', own.first_published_at, 'created_at', own.created_at,
                 'updated_at', own.updated_at, 'translated_slugs', coalesce((
                     select json_agg(json_build_object('lang', it.lang, 'slug', it.slug, 'name', it.name) order by it.lang)
                     from translated_slugs it
                     where it.space_id = $1 and it.story_id = own.id and (it.slug is not null or it.name is not null)), '[]'),
                 '_published', case when own.unpublished_changes and published.story_id is not null then
                     json_build_object('name', published.name, 'content', published.content, 'tag_list', published.tags,
                         'path', published.path, 'sort_by_date', published.sort_by_date, 'meta_data', published.meta_data) end",
        from: "stories own
               cross join lateral (
                   select * from editions where space_id = $1 and edition = 'draft' and story_id = own.id offset 0
               ) draft
               left join lateral (
                   select * from editions where space_id = $1 and edition = 'published' and story_id = own.id offset 0
               ) published on true
               where own.deleted_at is null",
    },
];

/// A record of a list.
pub struct ExportedRecord {
    pub id: i64,
    pub json: Box<RawValue>,
}

/// A page of a list, by id: the records behind `after`.
pub async fn page(
    executor: &impl Executor,
    space: SpaceId,
    List { record, from, .. }: &List,
    base_url: &str,
    after: i64,
) -> Result<Vec<ExportedRecord>> {
    let sql = format!(
        "select own.id, json_build_object({record}) as record
         from {from} and own.space_id = $1 and own.id > $2 and $4::text <> '' order by own.id limit $3"
    );
    let rows =
        executor.rows(&sql, &[/* space_id */ &space, /* after */ &after, /* limit */ &PAGE, /* base_url */ &base_url]).await?;
    rows.iter()
        .map(|r| {
            let Verbatim(json) = row::get(r, "record")?;
            Ok(ExportedRecord { id: row::get(r, "id")?, json })
        })
        .collect()
}
