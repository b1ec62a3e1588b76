//! The export of a space: its records as in the lists of the Management API, to be written into files that an import from a folder reads.

use crate::{
    Executor, Result,
    row::{self, Verbatim},
};
use domain::shared::SpaceId;
use serde_json::value::RawValue;

/// The most records of a page.
const PAGE: i64 = 200;

/// A list of the export, which is a file of the same name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    AssetFolders,
    Assets,
    ComponentGroups,
    Components,
    Presets,
    /// Datasources with their dimensions.
    Datasources,
    /// Entries with the values of all dimensions.
    DatasourceEntries,
    /// Folders and stories: drafts, with the fields in which published copies differ.
    Stories,
}

impl List {
    /// All lists.
    pub const ALL: [Self; 8] = [
        Self::AssetFolders,
        Self::Assets,
        Self::ComponentGroups,
        Self::Components,
        Self::Presets,
        Self::Datasources,
        Self::DatasourceEntries,
        Self::Stories,
    ];

    /// The name of the list, and of its file.
    pub fn name(self) -> &'static str {
        match self {
            Self::AssetFolders => "asset_folders",
            Self::Assets => "assets",
            Self::ComponentGroups => "component_groups",
            Self::Components => "components",
            Self::Presets => "presets",
            Self::Datasources => "datasources",
            Self::DatasourceEntries => "datasource_entries",
            Self::Stories => "stories",
        }
    }

    /// Each record as JSON. $1 is the space, $2 the number after which the page begins, $3 the limit, $4 the public URL of the server.
    fn sql(self) -> &'static str {
        match self {
            Self::AssetFolders => {
                "select own.id, json_build_object('id', own.id, 'uuid', own.uuid, 'name', own.name, 'parent_id', own.parent_id,
                                                  'parent_uuid', above.uuid) as record
                 from asset_folders own left join asset_folders above on above.space_id = $1 and above.id = own.parent_id
                 where own.space_id = $1 and own.id > $2 and $4::text <> '' order by own.id limit $3"
            }
            Self::Assets => {
                "select id, json_build_object(
                            'id', id,
                            'filename', $4::text || '/f/' || space_id || coalesce('/' || width || 'x' || height, '') || '/'
                                        || replace(object::text, '-', '') || '/' || name,
                            'content_type', content_type, 'content_length', content_length, 'alt', alt, 'title', title,
                            'copyright', copyright, 'source', source, 'focus', focus, 'ext_id', ext_id,
                            'asset_folder_id', asset_folder_id, 'is_private', is_private, 'locked', locked, 'expire_at', expire_at,
                            'publish_at', publish_at, 'internal_tag_ids', internal_tag_ids, 'meta_data', meta_data) as record
                 from assets where space_id = $1 and id > $2 and deleted_at is null order by id limit $3"
            }
            Self::ComponentGroups => {
                "select own.id, json_build_object('id', own.id, 'uuid', own.uuid, 'name', own.name, 'parent_id', own.parent_id,
                                                  'parent_uuid', above.uuid) as record
                 from component_groups own
                      left join component_groups above on above.space_id = $1 and above.id = own.parent_id
                 where own.space_id = $1 and own.id > $2 and $4::text <> '' order by own.id limit $3"
            }
            Self::Components => {
                "select id, json_build_object(
                            'id', id, 'name', name, 'display_name', display_name, 'description', description, 'schema', schema,
                            'image', image, 'preview_field', preview_field, 'preview_tmpl', preview_tmpl, 'is_root', is_root,
                            'is_nestable', is_nestable, 'component_group_uuid', component_group_uuid, 'preset_id', preset_id,
                            'color', color, 'icon', icon, 'internal_tag_ids', internal_tag_ids,
                            'content_type_asset_preview', content_type_asset_preview, 'metadata', metadata) as record
                 from components where space_id = $1 and id > $2 and $4::text <> '' order by id limit $3"
            }
            Self::Presets => {
                "select id, json_build_object('id', id, 'name', name, 'component_id', component_id, 'preset', preset, 'image', image,
                                              'color', color, 'icon', icon, 'description', description) as record
                 from presets where space_id = $1 and id > $2 and $4::text <> '' order by id limit $3"
            }
            Self::Datasources => {
                "select source.id, json_build_object('id', source.id, 'name', source.name, 'slug', source.slug, 'dimensions', coalesce((
                            select json_agg(json_build_object('id', it.id, 'name', it.name, 'entry_value', it.entry_value) order by it.id)
                            from datasource_dimensions it
                            where it.space_id = $1 and it.datasource_id = source.id), '[]')) as record
                 from datasources source where source.space_id = $1 and source.id > $2 and $4::text <> '' order by source.id limit $3"
            }
            Self::DatasourceEntries => {
                "select entry.id, json_build_object(
                            'id', entry.id, 'datasource_id', entry.datasource_id, 'name', entry.name, 'value', entry.value,
                            'position', entry.position, 'dimension_values', coalesce((
                                select json_object_agg(dimension.entry_value, it.value)
                                from datasource_entry_values it
                                join datasource_dimensions dimension
                                     on dimension.space_id = $1 and dimension.id = it.dimension_id
                                where it.space_id = $1 and it.entry_id = entry.id), '{}')) as record
                 from datasource_entries entry where entry.space_id = $1 and entry.id > $2 and $4::text <> '' order by entry.id limit $3"
            }
            Self::Stories => {
                "select story.id, json_build_object(
                            'id', story.id, 'uuid', story.uuid, 'group_id', story.group_id, 'parent_id', story.parent_id,
                            'name', draft.name, 'slug', story.slug, 'full_slug', story.full_slug, 'is_folder', story.is_folder,
                            'is_startpage', story.is_startpage, 'position', story.position, 'default_root', story.default_root,
                            'disable_fe_editor', story.disable_fe_editor, 'pinned', story.pinned, 'tag_list', draft.tags,
                            'content', draft.content, 'sort_by_date', draft.sort_by_date, 'path', draft.path,
                            'meta_data', draft.meta_data, 'published', story.published_version is not null,
                            'unpublished_changes', story.unpublished_changes, 'published_at', story.published_at,
                            'publish_at', story.publish_at, 'expire_at', story.expire_at, '_schedulings', (
                                select json_agg(json_build_object('publish_at', it.publish_at, 'status', it.status) order by it.publish_at)
                                from story_schedulings it
                                where it.space_id = $1 and it.story_id = story.id and it.status = 'scheduled'),
                            'first_published_at', story.first_published_at, 'created_at', story.created_at,
                            'updated_at', story.updated_at, 'translated_slugs', coalesce((
                                select json_agg(json_build_object('lang', it.lang, 'slug', it.slug, 'name', it.name) order by it.lang)
                                from translated_slugs it
                                where it.space_id = $1 and it.story_id = story.id
                                  and (it.slug is not null or it.name is not null)), '[]'),
                            '_published', case when story.unpublished_changes and published.story_id is not null then
                                json_build_object('name', published.name, 'content', published.content, 'tag_list', published.tags,
                                    'path', published.path, 'sort_by_date', published.sort_by_date, 'meta_data', published.meta_data)
                            end) as record
                 from stories story
                 cross join lateral (
                     select * from editions where space_id = $1 and edition = 'draft' and story_id = story.id offset 0
                 ) draft
                 left join lateral (
                     select * from editions where space_id = $1 and edition = 'published' and story_id = story.id offset 0
                 ) published on true
                 where story.space_id = $1 and story.id > $2 and story.deleted_at is null and $4::text <> '' order by story.id limit $3"
            }
        }
    }
}

/// A page of a list: number and record, by number.
pub async fn page(
    executor: &impl Executor,
    space: SpaceId,
    list: List,
    base_url: &str,
    after: i64,
) -> Result<Vec<(i64, Box<RawValue>)>> {
    let rows = executor
        .rows(list.sql(), &[/* space_id */ &space, /* after */ &after, /* limit */ &PAGE, /* base_url */ &base_url])
        .await?;
    rows.iter()
        .map(|r| {
            let Verbatim(record) = row::get(r, "record")?;
            Ok((row::get(r, "id")?, record))
        })
        .collect()
}
