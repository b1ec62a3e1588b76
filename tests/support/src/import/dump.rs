//! Dumps everything in a space in a form in which two spaces can be compared.

use serde_json::Value;
use storage::{Executor, Store};

/// What a space has, with a query for the lines of each part.
const PARTS: [(&str, &str); 15] = [
    ("space", "select jsonb_build_array(languages, default_lang_name, environments) as line from spaces where id = $1"),
    (
        "group",
        "select jsonb_build_array(own.uuid, own.name, above.uuid) as line from component_groups own
         left join component_groups above on above.space_id = own.space_id and above.id = own.parent_id where own.space_id = $1",
    ),
    (
        "component",
        "select to_jsonb(component) - 'id' - 'space_id' - 'preset_id' - 'created_at' - 'updated_at'
                || jsonb_build_object('preset', preset.name, 'schema', component.schema::text) as line
         from components component
         left join presets preset on preset.space_id = component.space_id and preset.id = component.preset_id
         where component.space_id = $1",
    ),
    (
        "preset",
        "select to_jsonb(it) - 'id' - 'space_id' - 'component_id' - 'created_at' - 'updated_at'
                || jsonb_build_object('component', component.name, 'preset', it.preset::jsonb::text) as line
         from presets it join components component on component.space_id = it.space_id and component.id = it.component_id
         where it.space_id = $1",
    ),
    (
        "datasource",
        "select jsonb_build_array(source.name, source.slug, array(
                    select dimension.name || '=' || dimension.entry_value from datasource_dimensions dimension
                    where dimension.space_id = source.space_id and dimension.datasource_id = source.id order by 1)) as line
         from datasources source where source.space_id = $1",
    ),
    (
        "entry",
        "select jsonb_build_array(source.slug, entry.name, entry.value, entry.position, array(
                    select dimension.entry_value || '=' || it.value from datasource_entry_values it
                    join datasource_dimensions dimension on dimension.space_id = it.space_id and dimension.id = it.dimension_id
                    where it.space_id = entry.space_id and it.entry_id = entry.id order by 1)) as line
         from datasource_entries entry
         join datasources source on source.space_id = entry.space_id and source.id = entry.datasource_id where entry.space_id = $1",
    ),
    (
        "story",
        "select to_jsonb(story) - '{id,space_id,parent_id,revision,author_id,author}'::text[] || jsonb_build_object('parent', parent.uuid) as line
         from stories story left join stories parent on parent.space_id = story.space_id and parent.id = story.parent_id
         where story.space_id = $1",
    ),
    (
        "edition",
        "select to_jsonb(it) - 'story_id' - 'space_id' - 'parent_id' - 'search' - 'search_text' - 'doc' - 'marks' - 'more_marks'
                || jsonb_build_object('content', it.content::jsonb::text) as line
         from editions it where it.space_id = $1",
    ),
    (
        "field",
        "select to_jsonb(it) - 'story_id' - 'space_id' || jsonb_build_object('story', story.uuid) as line
         from edition_fields it join stories story on story.space_id = it.space_id and story.id = it.story_id
         where it.space_id = $1",
    ),
    (
        "tag",
        "select to_jsonb(it) - 'story_id' - 'space_id' || jsonb_build_object('story', story.uuid) as line
         from edition_tags it join stories story on story.space_id = it.space_id and story.id = it.story_id
         where it.space_id = $1",
    ),
    (
        "asset folder",
        "select jsonb_build_array(own.uuid, own.name, above.uuid) as line from asset_folders own
         left join asset_folders above on above.space_id = own.space_id and above.id = own.parent_id where own.space_id = $1",
    ),
    (
        "asset",
        "select to_jsonb(it) - 'id' - 'space_id' - 'object' - 'asset_folder_id' - 'created_at' - 'updated_at'
                || jsonb_build_object('folder', folder.uuid) as line
         from assets it left join asset_folders folder on folder.space_id = it.space_id and folder.id = it.asset_folder_id
         where it.space_id = $1",
    ),
    (
        "count",
        "select jsonb_build_array(edition, component, stories) as line from edition_counts where space_id = $1 and stories > 0",
    ),
    (
        "version",
        "select jsonb_build_array(story.uuid, version.number, version.status, version.name, version.content::jsonb::text) as line
         from story_versions version join stories story on story.space_id = version.space_id and story.id = version.story_id
         where version.space_id = $1",
    ),
    (
        "slug",
        "select jsonb_build_array(story.uuid, it.lang, it.slug, it.name, it.path) as line
         from translated_slugs it join stories story on story.space_id = it.space_id and story.id = it.story_id
         where it.space_id = $1",
    ),
];

/// Everything in a space that an import writes, without the ids that differ between spaces: stories by UUID,
/// components by name and so on.
pub async fn dump(store: &Store, space: i64) -> Vec<String> {
    let session = store.connection("test").await.unwrap();
    let mut lines = Vec::new();
    for (what, sql) in PARTS {
        let rows = session.rows(sql, &[&space]).await.unwrap();
        lines.extend(rows.iter().map(|row| same_for_all(&format!("{what} {}", row.get::<_, Value>("line")), space)));
    }
    lines.sort();
    lines
}

/// A line without the ids and paths of the space's own assets, which differ between spaces. A path at the
/// source stays, so that a URL that was not rewritten does not look like one that was.
fn same_for_all(line: &str, space: i64) -> String {
    let own = format!("{space}/");
    let mut same = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(at) = rest.find("/f/").into_iter().chain(rest.find("id\\\":")).min() {
        let (before, from) = rest.split_at(at);
        same.push_str(before);
        if let Some(path) = from.strip_prefix("/f/") {
            let end = path.find(|c: char| !(c.is_ascii_alphanumeric() || "/._-%".contains(c))).unwrap_or(path.len());
            let (path, after) = path.split_at(end);
            if path.starts_with(&own) {
                same.push_str("/own/");
                same.push_str(path.rsplit('/').next().unwrap());
            } else {
                same.push_str("/f/");
                same.push_str(path);
            }
            rest = after;
        } else {
            let value = &from["id\\\":".len()..];
            same.push_str("id");
            rest = value.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit());
        }
    }
    same.push_str(rest);
    // The base URLs of servers differ as well.
    let same = same.replace("https:", "").replace("http:", "").replace("//a.storyblok.com", "");
    let parts = same.split("//127.0.0.1:").map(|part| part.trim_start_matches(|part: char| part.is_ascii_digit()));
    parts.collect::<Vec<_>>().join("")
}

/// Fails with the first lines that differ.
#[track_caller]
pub fn assert_same(one: &[String], other: &[String]) {
    let only = |these: &[String], those: &[String]| -> Vec<String> {
        let those: std::collections::HashSet<_> = those.iter().collect();
        these.iter().filter(|t| !those.contains(t)).take(3).map(|t| t.chars().take(700).collect()).collect()
    };
    assert!(one == other, "only here: {:#?}\nonly there: {:#?}", only(one, other), only(other, one));
}
