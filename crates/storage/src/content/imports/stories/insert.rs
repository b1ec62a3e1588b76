//! The inserts. Statements are about all stories of a call: a handful, however many those are.

use super::{New, Words};
use crate::{Executor, Result, Tx, row, row::Verbatim};
use domain::{
    content::{
        index::Field,
        story::{Edition, Publication, Story},
    },
    shared::SpaceId,
};
use jiff::Timestamp;
use serde_json::value::RawValue;

/// Inserts stories with everything that is theirs. Nobody may stand at their places, and nobody may have their UUIDs.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, all: &[New<'_>], author: (&str, &str), at: Timestamp) -> Result<()> {
    let rows: Vec<Content<'_>> = all.iter().flat_map(contents).collect();
    insert_rows(tx, space, &rows, author, at).await?;
    insert_fields(tx, space, &rows).await?;
    insert_translations(tx, space, all).await?;
    insert_schedulings(tx, space, all, at).await
}

/// What is read of a story, once for each content that it has.
struct Content<'a> {
    story: &'a Story,
    words: Words<'a>,
    /// `draft`, `published` or `both`.
    editions: &'static str,
    /// The version that it is, if it is one.
    version: Option<i32>,
}

/// One version of a story whose draft is published or that has none; two, the published one first, when they differ.
fn contents<'a>(it: &'a New<'a>) -> impl Iterator<Item = Content<'a>> {
    let copy = |words, editions, version| Content { story: &it.story, words, editions, version };
    let is_version = !it.story.is_folder;
    let (published, draft) = match it.published {
        Some(published) => (Some(copy(published, "published", Some(1))), copy(it.draft, "draft", Some(2))),
        None if it.story.is_published() => (None, copy(it.draft, "both", is_version.then_some(1))),
        None => (None, copy(it.draft, "draft", is_version.then_some(1))),
    };
    published.into_iter().chain([draft])
}

/// Rows of `stories`, `editions`, `edition_tags` and `story_versions` in one statement: each content is sent and read once.
async fn insert_rows(tx: &Tx<'_>, space: SpaceId, all: &[Content<'_>], author: (&str, &str), at: Timestamp) -> Result<()> {
    fn of<'s, T>(all: &'s [Content<'_>], column: impl Fn(&'s Story) -> T) -> Vec<T> {
        all.iter().map(|value| column(value.story)).collect()
    }
    fn said<'s, T>(all: &'s [Content<'_>], column: impl Fn(&'s Edition) -> T) -> Vec<T> {
        all.iter().map(|value| column(value.words.edition)).collect()
    }
    let published_version = |value: &Story| match value.publication {
        Publication::Draft => None,
        Publication::Published { version, .. } => Some(version),
    };
    let changed = |value: &Story| matches!(value.publication, Publication::Published { changed: true, .. });
    let tags = said(all, |value| row::to_json(&value.tags)).into_iter().collect::<Result<Vec<_>>>()?;
    let refs = all.iter().map(|value| row::to_json(&value.words.refs)).collect::<Result<Vec<_>>>()?;
    tx.execute(
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
                                  created_at, updated_at, published_at, first_published_at, publish_at, expire_at)
             overriding system value
             select $1, id, uuid, group_id, parent_id, is_folder, is_startpage, slug, full_slug, position, default_root,
                    disable_fe_editor, pinned, last_version, published_version, unpublished_changes, created_at, updated_at,
                    published_at, first_published_at, publish_at, expire_at
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
                               component, content, doc, search, search_text, refs, tags, sort_by_date, path, meta_data, group_id,
                               created_at, updated_at, published_at, first_published_at)
         select $1, copy.kind, id, uuid, name, slug, full_slug, parent_id, position, is_startpage, is_folder, component, content, doc,
                search, search_text, ref_list, tag_list, sort_by_date, path, meta_data,
                group_id, created_at, updated_at, published_at, first_published_at
         from given, unnest(given.kinds) as copy (kind)",
        &[
            /* space_id */ &space.0,
            /* id */ &of(all, |value| value.id.0),
            /* uuid */ &of(all, |value| value.uuid),
            /* group_id */ &of(all, |value| value.group_id),
            /* parent_id */ &of(all, |value| value.place.parent.0),
            /* is_folder */ &of(all, |value| value.is_folder),
            /* is_startpage */ &of(all, |value| value.place.is_startpage),
            /* slug */ &of(all, |value| value.place.slug.as_str()),
            /* full_slug */ &of(all, |value| value.place.full_slug.as_str()),
            /* position */ &of(all, |value| value.place.position),
            /* default_root */ &of(all, |value| value.default_root.as_deref()),
            /* disable_fe_editor */ &of(all, |value| value.disable_fe_editor),
            /* pinned */ &of(all, |value| value.pinned),
            /* last_version */ &of(all, |value| value.last_version),
            /* published_version */ &of(all, published_version),
            /* unpublished_changes */ &of(all, changed),
            /* created_at */ &of(all, |value| value.created_at),
            /* updated_at */ &of(all, |value| value.updated_at),
            /* published_at */ &of(all, Story::published_at),
            /* first_published_at */ &of(all, |value| value.first_published_at),
            /* publish_at */ &of(all, |value| value.plan.publish_at),
            /* expire_at */ &of(all, |value| value.plan.expire_at),
            /* editions */ &all.iter().map(|value| value.editions).collect::<Vec<_>>(),
            /* version */ &all.iter().map(|value| value.version).collect::<Vec<_>>(),
            /* name */ &said(all, |value| value.name.as_str()),
            /* component */ &said(all, |value| value.component.as_deref()),
            /* content */ &said(all, |value| Text(&value.content)),
            /* search_text */ &all.iter().map(|value| value.words.search_text).collect::<Vec<_>>(),
            /* refs */ &refs,
            /* tags */ &tags,
            /* sort_by_date */ &said(all, |value| value.sort_by_date),
            /* path */ &said(all, |value| value.path.as_deref()),
            /* meta_data */ &said(all, |value| value.meta_data.clone().map(Verbatim)),
            /* author_id */ &author.0,
            /* author */ &author.1,
            /* created_at */ &at,
        ],
    )
    .await
    .map(drop)
}

/// The plain fields of their root blocks. Numbers are written as PostgreSQL reads them in a document, so that both are found alike.
async fn insert_fields(tx: &Tx<'_>, space: SpaceId, all: &[Content<'_>]) -> Result<()> {
    let lines: Vec<(&Content<'_>, &Field)> =
        all.iter().flat_map(|value| value.words.fields.iter().map(move |field| (value, field))).collect();
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
            /* space_id */ &space.0,
            /* editions */ &lines.iter().map(|(line, _)| line.editions).collect::<Vec<_>>(),
            /* story_id */ &lines.iter().map(|(line, _)| line.story.id.0).collect::<Vec<_>>(),
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

/// What is planned for them beside what they carry themselves.
async fn insert_schedulings(tx: &Tx<'_>, space: SpaceId, all: &[New<'_>], at: Timestamp) -> Result<()> {
    let planned: Vec<(i64, Timestamp)> =
        all.iter().flat_map(|value| value.schedulings.iter().map(|at| (value.story.id.0, *at))).collect();
    if planned.is_empty() {
        return Ok(());
    }
    tx.execute(
        "insert into story_schedulings (space_id, story_id, publish_at, status, created_at, updated_at)
         select $1, planned.*, 'scheduled', $4, $4 from unnest($2::bigint[], $3::timestamptz[]) as planned",
        &[
            /* space_id */ &space.0,
            /* story_id */ &planned.iter().map(|p| p.0).collect::<Vec<_>>(),
            /* publish_at */ &planned.iter().map(|p| p.1).collect::<Vec<_>>(),
            /* created_at, updated_at */ &at,
        ],
    )
    .await
    .map(drop)
}

/// Slugs, names and paths in other languages: their own, and those that follow from the folder above. That folder has its own already.
async fn insert_translations(tx: &Tx<'_>, space: SpaceId, all: &[New<'_>]) -> Result<()> {
    let own: Vec<_> = all.iter().flat_map(|value| value.translations.iter().map(|given| (value.story.id.0, *given))).collect();
    let ids: Vec<i64> = all.iter().map(|value| value.story.id.0).collect();
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
            /* space_id */ &space.0,
            /* id */ &ids,
            /* own.story_id */ &own.iter().map(|o| o.0).collect::<Vec<_>>(),
            /* own.lang */ &own.iter().map(|o| o.1.0).collect::<Vec<_>>(),
            /* own.slug */ &own.iter().map(|o| o.1.1).collect::<Vec<_>>(),
            /* own.name */ &own.iter().map(|o| o.1.2).collect::<Vec<_>>(),
        ],
    )
    .await
    .map(drop)
}

/// JSON text that is sent without being copied first.
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
