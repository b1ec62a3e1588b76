//! Inserts new stories. The number of statements does not depend on the number of stories.

use super::NewStory;
use crate::{Executor, Result, Tx, row, row::Verbatim};
use domain::{
    content::{
        import::prepare,
        index::Field,
        scheduling::StoryPlan,
        story::{Edition, Publication, Story},
    },
    shared::{Actor, SpaceId, StoryId},
};
use jiff::Timestamp;
use serde_json::value::RawValue;

/// Inserts stories with their editions, versions, tags, translations and schedules. Their paths and UUIDs
/// must be unused.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, all: &[NewStory<'_>], author: &Actor, at: Timestamp) -> Result<()> {
    let rows: Vec<EditionRow<'_>> = all.iter().flat_map(edition_rows).collect();
    insert_rows(tx, space, &rows, author, at).await?;
    insert_fields(tx, space, &rows).await?;
    insert_translations(tx, space, all).await?;
    insert_schedulings(tx, space, all, at).await
}

/// One row of the statement: a story with one of its contents. A story with a different published version has
/// two rows.
struct EditionRow<'a> {
    story: &'a Story,
    content: &'a prepare::Version,
    /// `draft`, `published` or `both`.
    editions: &'static str,
    /// The version number, if this content is stored as a version.
    version: Option<i32>,
}

/// The rows of a story: one if it is unpublished or its draft is published; otherwise the published version,
/// then the draft.
fn edition_rows<'a>(new: &'a NewStory<'_>) -> impl Iterator<Item = EditionRow<'a>> {
    let row = |content, editions, version| EditionRow { story: &new.story, content, editions, version };
    let draft = &new.source.draft;
    let is_version = !new.story.is_folder;
    let (published, draft) = match new.source.differing_published() {
        Some(published) => (Some(row(published, "published", Some(1))), row(draft, "draft", Some(2))),
        None if new.story.is_published() => (None, row(draft, "both", is_version.then_some(1))),
        None => (None, row(draft, "draft", is_version.then_some(1))),
    };
    published.into_iter().chain([draft])
}

/// Inserts into `stories`, `editions`, `edition_tags` and `story_versions` in one statement, so that each
/// content is sent and parsed once.
const INSERT_STORIES: &str =
    "with given as materialized (
         select given.*, given.content::jsonb as doc, array(select jsonb_array_elements_text(given.tags)) as tag_list,
                array(select jsonb_array_elements_text(given.refs)) as ref_list,
                setweight(to_tsvector('simple', translate(given.full_slug, '/-_.', '    ')), 'A')
                    || setweight(to_tsvector('simple', given.name), 'B')
                    || to_tsvector('simple', given.search_text) as search,
                case given.editions when 'both' then '{draft,published}'::edition_kind[]
                     else array[given.editions::edition_kind] end as kinds
         from unnest($2::bigint[], $3::uuid[], $4::uuid[], $5::bigint[], $6::boolean[], $7::boolean[], $8::text[], $9::text[],
                     $10::integer[], $11::text[], $12::boolean[], $13::boolean[], $14::integer[], $15::integer[],
                     $16::boolean[], $17::timestamptz[], $18::timestamptz[], $19::timestamptz[], $20::timestamptz[],
                     $21::timestamptz[], $22::timestamptz[], $23::text[], $24::integer[], $25::text[], $26::text[], $27::json[],
                     $28::text[], $29::jsonb[], $30::jsonb[], $31::date[], $32::text[], $33::json[])
              as given (id, uuid, group_id, parent_id, is_folder, is_startpage, slug, full_slug, position, default_root,
                        disable_fe_editor, pinned, last_version, published_version, unpublished_changes, created_at, updated_at,
                        published_at, first_published_at, publish_at, expire_at, editions, version, name, component, content,
                        search_text, refs, tags, sort_by_date, path, meta_data)
     ), stood as (
         insert into stories (space_id, id, uuid, group_id, parent_id, is_folder, is_startpage, slug, full_slug, position,
                              default_root, disable_fe_editor, pinned, last_version, published_version, unpublished_changes,
                              created_at, updated_at, published_at, first_published_at, publish_at, expire_at, author_id, author)
         overriding system value
         select $1, id, uuid, group_id, parent_id, is_folder, is_startpage, slug, full_slug, position, default_root,
                disable_fe_editor, pinned, last_version, published_version, unpublished_changes, created_at, updated_at,
                published_at, first_published_at, publish_at, expire_at, $34, $35
         from given where editions <> 'published'
     ), versioned as (
         insert into story_versions (space_id, story_id, number, status, name, content, author_id, author, created_at)
         select $1, id, version, case editions when 'draft' then 'draft' else 'published' end, name, content, $34, $35, $36
         from given where version is not null
     ), tagged as (
         insert into edition_tags (space_id, edition, story_id, position, tag)
         select distinct $1, copy.kind, given.id, given.position, tagged.tag
         from given, unnest(given.kinds) as copy (kind), unnest(given.tag_list) as tagged (tag) where not given.is_folder
     )
     insert into editions (space_id, edition, story_id, uuid, name, slug, full_slug, parent_id, position, is_startpage, is_folder,
                           component, content, doc, search, search_text, refs, tags, marks, more_marks, sort_by_date, path, meta_data,
                           group_id, created_at, updated_at, published_at, first_published_at)
     select $1, copy.kind, id, uuid, name, slug, full_slug, parent_id, position, is_startpage, is_folder, component, content, doc,
            search, search_text, ref_list, tag_list, marks, more_marks, sort_by_date, path, meta_data, group_id, created_at,
            updated_at, published_at, first_published_at
     from given, content_marks(given.doc, given.tag_list), unnest(given.kinds) as copy (kind)";

/// Inserts the rows of stories and of their contents.
async fn insert_rows(tx: &Tx<'_>, space: SpaceId, all: &[EditionRow<'_>], author: &Actor, at: Timestamp) -> Result<()> {
    fn story_column<'s, T>(all: &'s [EditionRow<'_>], column: impl Fn(&'s Story) -> T) -> Vec<T> {
        all.iter().map(|row| column(row.story)).collect()
    }
    fn edition_column<'s, T>(all: &'s [EditionRow<'_>], column: impl Fn(&'s Edition) -> T) -> Vec<T> {
        all.iter().map(|row| column(&row.content.edition)).collect()
    }
    let published_version = |story: &Story| match story.publication {
        Publication::Draft => None,
        Publication::Published { version, .. } => Some(version),
    };
    let changed = |story: &Story| matches!(story.publication, Publication::Published { changed: true, .. });
    let tags = edition_column(all, |edition| row::to_json(&edition.tags)).into_iter().collect::<Result<Vec<_>>>()?;
    let refs = all.iter().map(|row| row::to_json(&row.content.refs)).collect::<Result<Vec<_>>>()?;
    tx.execute(
        INSERT_STORIES,
        &[
            /* space_id */ &space,
            /* id */ &story_column(all, |story| story.id),
            /* uuid */ &story_column(all, |story| story.uuid),
            /* group_id */ &story_column(all, |story| story.group_id),
            /* parent_id */ &story_column(all, |story| story.place.parent),
            /* is_folder */ &story_column(all, |story| story.is_folder),
            /* is_startpage */ &story_column(all, |story| story.place.is_startpage),
            /* slug */ &story_column(all, |story| story.place.slug.as_str()),
            /* full_slug */ &story_column(all, |story| story.place.full_slug.as_str()),
            /* position */ &story_column(all, |story| story.place.position),
            /* default_root */ &story_column(all, |story| story.default_root.as_deref()),
            /* disable_fe_editor */ &story_column(all, |story| story.disable_fe_editor),
            /* pinned */ &story_column(all, |story| story.pinned),
            /* last_version */ &story_column(all, |story| story.last_version),
            /* published_version */ &story_column(all, published_version),
            /* unpublished_changes */ &story_column(all, changed),
            /* created_at */ &story_column(all, |story| story.created_at),
            /* updated_at */ &story_column(all, |story| story.updated_at),
            /* published_at */ &story_column(all, Story::published_at),
            /* first_published_at */ &story_column(all, |story| story.first_published_at),
            /* publish_at */ &story_column(all, |story| story.schedule.publish_at),
            /* expire_at */ &story_column(all, |story| story.schedule.expire_at),
            /* editions */ &all.iter().map(|row| row.editions).collect::<Vec<_>>(),
            /* version */ &all.iter().map(|row| row.version).collect::<Vec<_>>(),
            /* name */ &edition_column(all, |edition| edition.name.as_str()),
            /* component */ &edition_column(all, |edition| edition.component.as_deref()),
            /* content */ &edition_column(all, |edition| Text(edition.content.text())),
            /* search_text */ &all.iter().map(|row| row.content.search_text.as_str()).collect::<Vec<_>>(),
            /* refs */ &refs,
            /* tags */ &tags,
            /* sort_by_date */ &edition_column(all, |edition| edition.sort_by_date),
            /* path */ &edition_column(all, |edition| edition.path.as_deref()),
            /* meta_data */ &edition_column(all, |edition| edition.meta_data.clone().map(Verbatim)),
            /* author_id */ &author.id,
            /* author */ &author.label,
            /* created_at */ &at,
        ],
    )
    .await
    .map(drop)
}

/// Inserts the scalar fields of the root blocks. Numbers are formatted as PostgreSQL formats them in `jsonb`,
/// so that filters match both.
async fn insert_fields(tx: &Tx<'_>, space: SpaceId, all: &[EditionRow<'_>]) -> Result<()> {
    let lines: Vec<(&EditionRow<'_>, &Field)> =
        all.iter().flat_map(|row| row.content.fields.iter().map(move |field| (row, field))).collect();
    tx.execute(
        "insert into edition_fields (space_id, edition, story_id, position, field, value, is_whole, is_element)
         select $1, copy.kind, given.id, given.position, given.field, left(written.value, 200),
                given.is_whole and char_length(written.value) <= 200, given.is_element
         from unnest($2::text[], $3::bigint[], $4::integer[], $5::text[], $6::text[], $7::boolean[], $8::boolean[], $9::boolean[])
              as given (editions, id, position, field, value, is_number, is_whole, is_element)
         cross join lateral (
             select case when given.is_number then given.value::jsonb #>> '{}' else given.value end as value offset 0
         ) written
         cross join lateral unnest(case given.editions when 'both' then '{draft,published}'::edition_kind[]
                                        else array[given.editions::edition_kind] end) as copy (kind)",
        &[
            /* space_id */ &space,
            /* editions */ &lines.iter().map(|(line, _)| line.editions).collect::<Vec<_>>(),
            /* story_id */ &lines.iter().map(|(line, _)| line.story.id).collect::<Vec<_>>(),
            /* position */ &lines.iter().map(|(line, _)| line.story.place.position).collect::<Vec<_>>(),
            /* field */ &lines.iter().map(|(_, field)| field.name.as_str()).collect::<Vec<_>>(),
            /* value */ &lines.iter().map(|(_, field)| field.value.as_str()).collect::<Vec<_>>(),
            /* is_number */ &lines.iter().map(|(_, field)| field.is_number).collect::<Vec<_>>(),
            /* is_whole */ &lines.iter().map(|(_, field)| field.is_whole).collect::<Vec<_>>(),
            /* is_element */ &lines.iter().map(|(_, field)| field.is_element).collect::<Vec<_>>(),
        ],
    )
    .await
    .map(drop)
}

/// Inserts further publication times.
async fn insert_schedulings(tx: &Tx<'_>, space: SpaceId, all: &[NewStory<'_>], at: Timestamp) -> Result<()> {
    let planned: Vec<(StoryId, &StoryPlan)> =
        all.iter().flat_map(|new| new.schedulings.iter().map(|plan| (new.story.id, plan))).collect();
    if planned.is_empty() {
        return Ok(());
    }
    tx.execute(
        "insert into story_schedulings (space_id, story_id, publish_at, action, language, status, created_at, updated_at)
         select $1, planned.*, 'scheduled', $6, $6 from unnest($2::bigint[], $3::timestamptz[], $4::text[], $5::text[]) as planned",
        &[
            /* space_id */ &space,
            /* story_id */ &planned.iter().map(|p| p.0).collect::<Vec<_>>(),
            /* publish_at */ &planned.iter().map(|p| p.1.at).collect::<Vec<_>>(),
            /* action */ &planned.iter().map(|p| p.1.action.into_str()).collect::<Vec<_>>(),
            /* language */ &planned.iter().map(|p| p.1.language.as_deref()).collect::<Vec<_>>(),
            /* created_at, updated_at */ &at,
        ],
    )
    .await
    .map(drop)
}

/// Inserts slugs, names and paths in other languages: the stories' own, and those inherited from a translated
/// folder. The rows of that folder exist already.
async fn insert_translations(tx: &Tx<'_>, space: SpaceId, all: &[NewStory<'_>]) -> Result<()> {
    let own: Vec<_> = all.iter().flat_map(|new| new.source.translations.iter().map(|own| (new.story.id, own))).collect();
    let ids: Vec<_> = all.iter().map(|new| new.story.id).collect();
    tx.execute(
        "with own as (
             select * from unnest($3::bigint[], $4::text[], $5::text[], $6::text[]) as own (story_id, lang, slug, name)
         ), placed as (
             select story.id, story.slug, story.is_startpage, story.parent_id, folder.full_slug as above
             from unnest($2::bigint[]) as given (id)
             cross join lateral (select * from stories where space_id = $1 and stories.id = given.id offset 0) story
             left join lateral (select full_slug from stories where space_id = $1 and stories.id = story.parent_id offset 0) folder on true
             where cardinality($3::bigint[]) > 0 or exists (select from translated_slugs where space_id = $1)
         ), wanted as (
             select story_id as id, lang from own
             union
             select placed.id, above.lang from placed
             cross join lateral (
                 select lang from translated_slugs where space_id = $1 and story_id = placed.parent_id offset 0
             ) above
         )
         insert into translated_slugs (space_id, story_id, lang, slug, name, path)
         select $1, wanted.id, wanted.lang, own.slug, own.name,
                case when placed.parent_id = 0 then coalesce(own.slug, placed.slug)
                     else coalesce(above.path, placed.above) || '/' ||
                          case when placed.is_startpage then '' else coalesce(own.slug, placed.slug) end
                end
         from wanted
         join placed on placed.id = wanted.id
         left join own on own.story_id = wanted.id and own.lang = wanted.lang
         left join lateral (
             select path from translated_slugs
             where space_id = $1 and story_id = placed.parent_id and translated_slugs.lang = wanted.lang offset 0
         ) above on true",
        &[
            /* space_id */ &space,
            /* id */ &ids,
            /* own.story_id */ &own.iter().map(|(story, _)| *story).collect::<Vec<_>>(),
            /* own.lang */ &own.iter().map(|(_, own)| own.lang.as_str()).collect::<Vec<_>>(),
            /* own.slug */ &own.iter().map(|(_, own)| own.slug.as_deref()).collect::<Vec<_>>(),
            /* own.name */ &own.iter().map(|(_, own)| own.name.as_deref()).collect::<Vec<_>>(),
        ],
    )
    .await
    .map(drop)
}

/// JSON text that is sent without copying it first.
#[derive(Debug)]
struct Text<'a>(&'a RawValue);

impl tokio_postgres::types::ToSql for Text<'_> {
    fn to_sql(
        &self,
        _: &tokio_postgres::types::Type,
        out: &mut bytes::BytesMut,
    ) -> std::result::Result<tokio_postgres::types::IsNull, Box<dyn std::error::Error + Sync + Send>> {
        out.extend_from_slice(self.0.get().as_bytes());
        Ok(tokio_postgres::types::IsNull::No)
    }

    fn accepts(ty: &tokio_postgres::types::Type) -> bool {
        *ty == tokio_postgres::types::Type::JSON
    }

    tokio_postgres::types::to_sql_checked!();
}
