//! Writing many new stories at once: a handful of statements, however many they are.

use crate::{Query, Result, Tx, row, row::Verbatim};
use domain::{
    content::story::{Edition, Publication, Story},
    shared::{SpaceId, StoryId},
};
use jiff::Timestamp;
use serde_json::value::RawValue;
use uuid::Uuid;

/// A new story or folder.
#[derive(Debug)]
pub struct New<'a> {
    /// The story, with a number that was reserved for it.
    pub story: Story,
    /// What its authors see.
    pub draft: Words<'a>,
    /// What everybody sees, when that is something else.
    pub published: Option<Words<'a>>,
    /// Language, slug and name.
    pub translations: Vec<(&'a str, Option<&'a str>, Option<&'a str>)>,
}

/// An edition with the words of its content.
#[derive(Debug, Clone, Copy)]
pub struct Words<'a> {
    /// The edition.
    pub edition: &'a Edition,
    /// The words.
    pub search_text: &'a str,
}

/// A story that stands somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Its number.
    pub id: i64,
    /// Its UUID.
    pub uuid: Uuid,
    /// Its path.
    pub full_slug: String,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// Whether it is in the trash.
    pub is_deleted: bool,
}

/// Who stands at these paths, has these UUIDs, or these numbers.
pub async fn standing(query: &impl Query, space: SpaceId, paths: &[&str], uuids: &[Uuid], ids: &[i64]) -> Result<Vec<Standing>> {
    let rows = query
        .rows(
            "select id, uuid, full_slug, is_folder, deleted_at is not null as is_deleted from stories
             where space_id = $1 and full_slug = any($2) and deleted_at is null
             union
             select id, uuid, full_slug, is_folder, deleted_at is not null from stories where space_id = $1 and uuid = any($3)
             union
             select id, uuid, full_slug, is_folder, deleted_at is not null from stories where space_id = $1 and id = any($4)",
            &[/* space_id */ &space.0, /* full_slug */ &paths, /* uuid */ &uuids, /* id */ &ids],
        )
        .await?;
    rows.iter().map(standing_of).collect()
}

/// Every folder of a space.
pub async fn folders(query: &impl Query, space: SpaceId) -> Result<Vec<Standing>> {
    let rows = query
        .rows(
            "select id, uuid, full_slug, is_folder, false as is_deleted from stories
             where space_id = $1 and is_folder and deleted_at is null",
            &[/* space_id */ &space.0],
        )
        .await?;
    rows.iter().map(standing_of).collect()
}

/// The number of each UUID in a space, deleted ones too.
pub async fn all_uuids(query: &impl Query, space: SpaceId) -> Result<Vec<(Uuid, i64)>> {
    let rows = query.rows("select uuid, id from stories where space_id = $1", &[/* space_id */ &space.0]).await?;
    rows.iter().map(|it| Ok((row::get(it, "uuid")?, row::get(it, "id")?))).collect()
}

/// Numbers for so many stories to come.
pub async fn reserve(tx: &Tx<'_>, count: usize) -> Result<Vec<i64>> {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let rows = tx
        .rows(
            "select nextval(pg_get_serial_sequence('stories', 'id')) as id from generate_series(1, $1::bigint)",
            &[/* count */ &count],
        )
        .await?;
    rows.iter().map(|it| row::get(it, "id")).collect()
}

/// Inserts stories with everything that is theirs. Nobody may stand at their places, and nobody may have their UUIDs.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, all: &[New<'_>], author: (&str, &str), at: Timestamp) -> Result<()> {
    insert_rows(tx, space, all).await?;
    let drafts: Vec<(StoryId, Words<'_>)> = all.iter().map(|it| (it.story.id, it.draft)).collect();
    let apart: Vec<(StoryId, Words<'_>)> = all.iter().filter_map(|it| Some((it.story.id, it.published?))).collect();
    let same: Vec<i64> =
        all.iter().filter(|it| it.story.is_published() && it.published.is_none()).map(|it| it.story.id.0).collect();
    insert_editions(tx, space, "draft", &drafts).await?;
    insert_editions(tx, space, "published", &apart).await?;
    copy_editions(tx, space, &same).await?;
    insert_versions(tx, space, all, author, at).await?;
    insert_translations(tx, space, all).await
}

async fn insert_rows(tx: &Tx<'_>, space: SpaceId, all: &[New<'_>]) -> Result<()> {
    fn of<'s, T>(all: &'s [New<'_>], column: impl Fn(&'s Story) -> T) -> Vec<T> {
        all.iter().map(|it| column(&it.story)).collect()
    }
    let published_version = |it: &Story| match it.publication {
        Publication::Draft => None,
        Publication::Published { version, .. } => Some(version),
    };
    let changed = |it: &Story| matches!(it.publication, Publication::Published { changed: true, .. });
    tx.execute(
        "insert into stories (space_id, id, uuid, group_id, parent_id, is_folder, is_startpage, slug, full_slug, position, default_root,
                              disable_fe_editor, pinned, last_version, published_version, unpublished_changes, created_at, updated_at,
                              published_at, first_published_at)
         overriding system value
         select $1, * from unnest($2::bigint[], $3::uuid[], $4::uuid[], $5::bigint[], $6::boolean[], $7::boolean[], $8::text[], $9::text[],
                                  $10::integer[], $11::text[], $12::boolean[], $13::boolean[], $14::integer[], $15::integer[],
                                  $16::boolean[], $17::timestamptz[], $18::timestamptz[], $19::timestamptz[], $20::timestamptz[])",
        &[
            /* space_id */ &space.0,
            /* id */ &of(all, |it| it.id.0),
            /* uuid */ &of(all, |it| it.uuid),
            /* group_id */ &of(all, |it| it.group_id),
            /* parent_id */ &of(all, |it| it.place.parent.0),
            /* is_folder */ &of(all, |it| it.is_folder),
            /* is_startpage */ &of(all, |it| it.place.is_startpage),
            /* slug */ &of(all, |it| it.place.slug.as_str()),
            /* full_slug */ &of(all, |it| it.place.full_slug.as_str()),
            /* position */ &of(all, |it| it.place.position),
            /* default_root */ &of(all, |it| it.default_root.as_deref()),
            /* disable_fe_editor */ &of(all, |it| it.disable_fe_editor),
            /* pinned */ &of(all, |it| it.pinned),
            /* last_version */ &of(all, |it| it.last_version),
            /* published_version */ &of(all, published_version),
            /* unpublished_changes */ &of(all, changed),
            /* created_at */ &of(all, |it| it.created_at),
            /* updated_at */ &of(all, |it| it.updated_at),
            /* published_at */ &of(all, Story::published_at),
            /* first_published_at */ &of(all, |it| it.first_published_at),
        ],
    )
    .await
    .map(drop)
}

async fn insert_editions(tx: &Tx<'_>, space: SpaceId, kind: &str, all: &[(StoryId, Words<'_>)]) -> Result<()> {
    fn of<'e, T>(all: &[(StoryId, Words<'e>)], column: impl Fn(&'e Edition) -> T) -> Vec<T> {
        all.iter().map(|(_, it)| column(it.edition)).collect()
    }
    if all.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = all.iter().map(|(id, _)| id.0).collect();
    let tags = of(all, |it| row::to_json(&it.tags)).into_iter().collect::<Result<Vec<_>>>()?;
    tx.execute(
        "insert into editions (space_id, edition, story_id, uuid, name, slug, full_slug, parent_id, position, is_startpage, is_folder,
                               component, content, doc, search_text, tags, sort_by_date, path, meta_data, group_id, created_at,
                               updated_at, published_at, first_published_at)
         select $1, $2::text::edition_kind, story.id, story.uuid, given.name, story.slug, story.full_slug, story.parent_id,
                story.position, story.is_startpage, story.is_folder, given.component, given.content, given.content::jsonb,
                given.search_text, array(select jsonb_array_elements_text(given.tags)), given.sort_by_date, given.path, given.meta_data,
                story.group_id, story.created_at, story.updated_at, story.published_at, story.first_published_at
         from unnest($3::bigint[], $4::text[], $5::text[], $6::json[], $7::text[], $8::jsonb[], $9::date[], $10::text[], $11::json[])
              as given (id, name, component, content, search_text, tags, sort_by_date, path, meta_data)
         cross join lateral (select * from stories where space_id = $1 and stories.id = given.id offset 0) story",
        &[
            /* space_id */ &space.0,
            /* edition */ &kind,
            /* story_id */ &ids,
            /* name */ &of(all, |it| it.name.as_str()),
            /* component */ &of(all, |it| it.component.as_deref()),
            /* content */ &of(all, |it| Text(&it.content)),
            /* search_text */ &all.iter().map(|(_, it)| it.search_text).collect::<Vec<_>>(),
            /* tags */ &tags,
            /* sort_by_date */ &of(all, |it| it.sort_by_date),
            /* path */ &of(all, |it| it.path.as_deref()),
            /* meta_data */ &of(all, |it| it.meta_data.clone().map(Verbatim)),
        ],
    )
    .await?;
    tx.execute(
        "with written as materialized (
             select edition.* from unnest($3::bigint[]) as given (id)
             cross join lateral (
                 select story_id, position, tags, doc from editions
                 where space_id = $1 and editions.edition = $2::text::edition_kind and story_id = given.id and not is_folder offset 0
             ) edition
         ), tagged as (
             insert into edition_tags (space_id, edition, story_id, position, tag)
             select $1, $2::text::edition_kind, story_id, position, it.tag
             from written, lateral (select distinct unnest(written.tags) as tag) it
         )
         insert into edition_fields (space_id, edition, story_id, position, field, value, is_whole, is_element)
         select $1, $2::text::edition_kind, edition.story_id, edition.position, it.field, left(it.value, 200),
                char_length(it.value) <= 200, it.is_element
         from written edition,
         lateral (
             select field, value #>> '{}' as value, false as is_element from jsonb_each(edition.doc) as each (field, value)
             where jsonb_typeof(value) in ('string', 'number', 'boolean')
             union all
             select field, item #>> '{}', true
             from jsonb_each(edition.doc) as each (field, value),
                  jsonb_array_elements(case when jsonb_typeof(value) = 'array' then value else '[]' end) as element (item)
             where jsonb_typeof(item) in ('string', 'number', 'boolean')
         ) it
         where char_length(it.field) <= 200",
        &[/* space_id */ &space.0, /* edition */ &kind, /* story_id */ &ids],
    )
    .await
    .map(drop)
}

/// Makes drafts the published copies too.
async fn copy_editions(tx: &Tx<'_>, space: SpaceId, ids: &[i64]) -> Result<()> {
    if ids.is_empty() {
        return Ok(());
    }
    tx.execute(
        "insert into editions (space_id, edition, story_id, uuid, name, slug, full_slug, parent_id, position, is_startpage, is_folder,
                               component, content, doc, search, search_text, tags, sort_by_date, path, meta_data, group_id, created_at,
                               updated_at, published_at, first_published_at)
         select space_id, 'published', story_id, uuid, name, slug, full_slug, parent_id, position, is_startpage, is_folder,
                component, content, doc, search, search_text, tags, sort_by_date, path, meta_data, group_id, created_at, updated_at,
                published_at, first_published_at
         from editions where space_id = $1 and edition = 'draft' and story_id = any($2)",
        &[/* space_id */ &space.0, /* story_id */ &ids],
    )
    .await?;
    tx.execute(
        "with tagged as (
             insert into edition_tags (space_id, edition, story_id, position, tag)
             select space_id, 'published', story_id, position, tag
             from edition_tags where space_id = $1 and edition = 'draft' and story_id = any($2)
         )
         insert into edition_fields (space_id, edition, story_id, position, field, value, is_whole, is_element)
         select space_id, 'published', story_id, position, field, value, is_whole, is_element
         from edition_fields where space_id = $1 and edition = 'draft' and story_id = any($2)",
        &[/* space_id */ &space.0, /* story_id */ &ids],
    )
    .await
    .map(drop)
}

/// One version of a story whose draft is published or that has none; two, the published one first, when they differ.
async fn insert_versions(tx: &Tx<'_>, space: SpaceId, all: &[New<'_>], author: (&str, &str), at: Timestamp) -> Result<()> {
    let mut versions: Vec<(i64, i32, &str, &Edition)> = Vec::with_capacity(all.len());
    for it in all.iter().filter(|it| !it.story.is_folder) {
        let id = it.story.id.0;
        match (it.published, it.story.is_published()) {
            (Some(published), _) => {
                versions.extend([(id, 1, "published", published.edition), (id, 2, "draft", it.draft.edition)]);
            }
            (None, true) => versions.push((id, 1, "published", it.draft.edition)),
            (None, false) => versions.push((id, 1, "draft", it.draft.edition)),
        }
    }
    tx.execute(
        "insert into story_versions (space_id, story_id, number, status, name, content, author_id, author, created_at)
         select $1, *, $7, $8, $9 from unnest($2::bigint[], $3::integer[], $4::text[], $5::text[], $6::json[])",
        &[
            /* space_id */ &space.0,
            /* story_id */ &versions.iter().map(|it| it.0).collect::<Vec<_>>(),
            /* number */ &versions.iter().map(|it| it.1).collect::<Vec<_>>(),
            /* status */ &versions.iter().map(|it| it.2).collect::<Vec<_>>(),
            /* name */ &versions.iter().map(|it| it.3.name.as_str()).collect::<Vec<_>>(),
            /* content */ &versions.iter().map(|it| Text(&it.3.content)).collect::<Vec<_>>(),
            /* author_id */ &author.0,
            /* author */ &author.1,
            /* created_at */ &at,
        ],
    )
    .await
    .map(drop)
}

/// Slugs, names and paths in other languages: their own, and those that follow from the folder above. That folder has its own already.
async fn insert_translations(tx: &Tx<'_>, space: SpaceId, all: &[New<'_>]) -> Result<()> {
    let own: Vec<_> = all.iter().flat_map(|it| it.translations.iter().map(|given| (it.story.id.0, *given))).collect();
    let ids: Vec<i64> = all.iter().map(|it| it.story.id.0).collect();
    tx.execute(
        "with own as (
             select * from unnest($3::bigint[], $4::text[], $5::text[], $6::text[]) as own (story_id, lang, slug, name)
         ), placed as (
             select story.id, story.slug, story.is_startpage, story.parent_id, folder.full_slug as above
             from unnest($2::bigint[]) as given (id)
             cross join lateral (select * from stories where space_id = $1 and stories.id = given.id offset 0) story
             left join lateral (select full_slug from stories where space_id = $1 and stories.id = story.parent_id offset 0) folder on true
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
            /* own.story_id */ &own.iter().map(|it| it.0).collect::<Vec<_>>(),
            /* own.lang */ &own.iter().map(|it| it.1.0).collect::<Vec<_>>(),
            /* own.slug */ &own.iter().map(|it| it.1.1).collect::<Vec<_>>(),
            /* own.name */ &own.iter().map(|it| it.1.2).collect::<Vec<_>>(),
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

fn standing_of(row: &tokio_postgres::Row) -> Result<Standing> {
    Ok(Standing {
        id: row::get(row, "id")?,
        uuid: row::get(row, "uuid")?,
        full_slug: row::get(row, "full_slug")?,
        is_folder: row::get(row, "is_folder")?,
        is_deleted: row::get(row, "is_deleted")?,
    })
}
