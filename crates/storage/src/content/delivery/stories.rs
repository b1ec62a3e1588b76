//! Stories as readers see them: one edition of each.

use super::{
    Copy,
    follow::{Follow, Followed},
    select::{assembled, statement},
};
use crate::{
    Connection, Executor, Result,
    content::{
        clauses::Clauses,
        stories::read::{Alternate, edition},
    },
    row,
};
use domain::{
    content::{query::Plan, story::Edition},
    shared::{Page, SpaceId, StoryId},
};
use jiff::Timestamp;
use serde::Deserialize;
use tokio_postgres::Row;
use uuid::Uuid;

/// One edition of a story, with what a delivered story shows beside it.
#[derive(Debug, Clone)]
pub struct Delivered {
    /// Its number.
    pub id: StoryId,
    /// Its UUID.
    pub uuid: Uuid,
    /// Its own segment of the path.
    pub slug: String,
    /// The whole path.
    pub full_slug: String,
    /// Its folder.
    pub parent: StoryId,
    /// Its place among its siblings.
    pub position: i32,
    /// Whether it answers for its folder's path.
    pub is_startpage: bool,
    /// Shared by alternates.
    pub group_id: Uuid,
    /// Name, content, tags …
    pub edition: Edition,
    /// Whether the content has translated fields; if not, its text is the same in every language.
    pub is_translated: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// When this edition was saved.
    pub updated_at: Timestamp,
    /// When it was last published.
    pub published_at: Option<Timestamp>,
    /// When it was first published.
    pub first_published_at: Option<Timestamp>,
    /// Slugs in other languages, by language.
    pub translated_slugs: Vec<Translation>,
    /// The other stories of its group that this copy has.
    pub alternates: Vec<Alternate>,
}

/// A language's slug and name of a story.
#[derive(Debug, Clone, Deserialize)]
pub struct Translation {
    /// The language's code.
    pub lang: String,
    /// The whole path in it.
    pub path: String,
    /// The name in it.
    pub name: Option<String>,
}

/// How one story is asked for: by its full slug, its number or its UUID, whichever the text can be. A path wins over a number.
#[derive(Debug, Clone)]
pub struct Identifier {
    /// What was asked for.
    pub text: String,
    /// A language in which the path may be written, too; with or without its code in front, as answers in that language show it.
    pub language: Option<String>,
}

impl Identifier {
    /// The path without the code of the language in front.
    fn path(&self) -> &str {
        let code = self.language.as_deref().unwrap_or_default();
        self.text.strip_prefix(code).and_then(|rest| rest.strip_prefix('/')).filter(|_| !code.is_empty()).unwrap_or(&self.text)
    }
}

/// What is told beside a story is put in order here, not there: to make ready for sorting costs PostgreSQL more than finding nothing, and most
/// stories have neither.
const COLUMNS: &str = "edition.story_id, edition.uuid, edition.slug, edition.full_slug, edition.parent_id, edition.position,
     edition.is_startpage, edition.group_id, edition.name, edition.component, edition.content, edition.tags, edition.sort_by_date,
     edition.path, edition.meta_data, edition.is_translated, edition.created_at, edition.updated_at, edition.published_at, edition.first_published_at,
     (select jsonb_agg(jsonb_build_object('lang', slug.lang, 'path', slug.path, 'name', slug.name))
      from translated_slugs slug where slug.space_id = edition.space_id and slug.story_id = edition.story_id) as translated_slugs,
     (select jsonb_agg(jsonb_build_object('id', other.id, 'name', copy.name, 'slug', other.slug,
                                          'published', other.published_version is not null, 'full_slug', other.full_slug,
                                          'is_folder', other.is_folder, 'parent_id', other.parent_id))
      from stories other
      cross join lateral (select mate.name from editions mate where mate.space_id = other.space_id and mate.story_id = other.id
                                                                and mate.edition = edition.edition offset 0) copy
      where other.space_id = edition.space_id and other.group_id = edition.group_id and other.id <> edition.story_id) as alternates";

/// The page of a plan and what its stories refer to, in one statement.
pub async fn list(
    connection: &Connection,
    space: SpaceId,
    copy: Copy,
    plan: &Plan,
    follow: &Follow,
) -> Result<(Page<Delivered>, Followed)> {
    let (sql, clauses) = statement(plan, space, copy, COLUMNS, follow);
    let rows = connection.rows(&sql, &clauses.values()).await?;
    let total = rows.first().map_or(Ok(0), |row| row::get(row, "total"))?;
    let (items, followed) = sorted_out(&rows)?;
    Ok((Page { items, total }, followed))
}

/// The stories of the page, and those that were followed to.
fn sorted_out(rows: &[Row]) -> Result<(Vec<Delivered>, Followed)> {
    let (mut page, mut followed) = (Vec::new(), Followed::default());
    for row in rows {
        let story = present(row)?;
        match row::get(row, "asked")? {
            Some(uuid) => followed.add(uuid, story),
            None => page.extend(story),
        }
    }
    Ok((page, followed))
}

/// The stories of these UUIDs, in their order. What this copy does not have is left out.
pub async fn by_uuids(connection: &Connection, space: SpaceId, copy: Copy, uuids: &[Uuid]) -> Result<Vec<Delivered>> {
    connection
        .rows(
            &format!(
                "select {COLUMNS} from unnest($3::uuid[]) with ordinality as wanted (uuid, rank)
                 join editions edition on edition.space_id = $1 and edition.edition = $2::text::edition_kind
                      and edition.uuid = wanted.uuid and not edition.is_folder
                 order by wanted.rank"
            ),
            &[/* space_id */ &space.0, /* edition */ &copy.name(), /* uuid */ &uuids],
        )
        .await?
        .iter()
        .map(delivered)
        .collect()
}

/// The story of a row; `None` for a row that only carries the total, or says that there is no such story.
fn present(row: &Row) -> Result<Option<Delivered>> {
    let story: Option<i64> = row::get(row, "story_id")?;
    story.map(|_| delivered(row)).transpose()
}

/// One story and what it refers to, in one statement. What the text says as it is written comes first, so that no translation hides a
/// path; then the path in the language, then the path behind the language's code.
pub async fn find(
    connection: &Connection,
    space: SpaceId,
    copy: Copy,
    identifier: &Identifier,
    follow: &Follow,
) -> Result<Option<(Delivered, Followed)>> {
    let (sql, clauses) = find_statement(space, copy, identifier, follow);
    let (mut found, followed) = sorted_out(&connection.rows(&sql, &clauses.values()).await?)?;
    Ok(found.pop().map(|story| (story, followed)))
}

fn find_statement(space: SpaceId, copy: Copy, identifier: &Identifier, follow: &Follow) -> (String, Clauses) {
    let mut clauses = Clauses::new();
    clauses.and("edition.space_id = {}", space.0);
    clauses.and("edition.edition = {}::text::edition_kind and not edition.is_folder", copy.name());
    let of_copy = clauses.text().to_owned();
    let text = &identifier.text;
    let (path, startpage) = (clauses.bind(text.clone()), clauses.bind(format!("{text}/")));
    let mut ways = vec![format!("edition.full_slug in ({path}, {startpage})")];
    ways.extend(text.parse::<i64>().ok().map(|id| format!("edition.story_id = {}", clauses.bind(id))));
    ways.extend(text.parse::<Uuid>().ok().map(|uuid| format!("edition.uuid = {}", clauses.bind(uuid))));
    let plain = format!("editions edition where {of_copy} and ({})", ways.join(" or "));
    let order = format!("edition.full_slug = {path} desc, edition.full_slug = {startpage} desc limit 1");
    let Some(language) = &identifier.language else {
        if follow.steps.is_empty() {
            return (format!("select null::uuid as asked, {COLUMNS} from {plain} order by {order}"), clauses);
        }
        let page = format!("select edition.story_id, 1::bigint as rank from {plain} order by {order}");
        return (assembled(&mut clauses, Vec::new(), "0", &page, COLUMNS, follow), clauses);
    };
    let (lang, local) = (clauses.bind(language.clone()), clauses.bind(identifier.path().to_owned()));
    let wanted = format!(
        "wanted as materialized (
             select edition.story_id, case edition.full_slug when {path} then 0 when {startpage} then 1 else 2 end as rank from {plain}
             union all
             select slug.story_id, case slug.path when {local} then 3 else 4 end
             from translated_slugs slug where slug.space_id = $1 and slug.lang = {lang} and slug.path in ({local}, {local} || '/')
             union all
             select edition.story_id, case edition.full_slug when {local} then 5 else 6 end
             from editions edition where {of_copy} and edition.full_slug in ({local}, {local} || '/')
         )"
    );
    let page = format!(
        "select edition.story_id, 1::bigint as rank from wanted
         cross join lateral (select edition.story_id from editions edition
                             where {of_copy} and edition.story_id = wanted.story_id offset 0) edition
         order by wanted.rank, edition.story_id limit 1"
    );
    (assembled(&mut clauses, vec![wanted], "0", &page, COLUMNS, follow), clauses)
}

fn delivered(row: &Row) -> Result<Delivered> {
    let mut translated_slugs: Vec<Translation> = row::list(row, "translated_slugs")?;
    translated_slugs.sort_unstable_by(|one, other| one.lang.cmp(&other.lang));
    let mut alternates: Vec<Alternate> = row::list(row, "alternates")?;
    alternates.sort_unstable_by_key(|alternate| alternate.id);
    Ok(Delivered {
        id: StoryId(row::get(row, "story_id")?),
        uuid: row::get(row, "uuid")?,
        slug: row::get(row, "slug")?,
        full_slug: row::get(row, "full_slug")?,
        parent: StoryId(row::get(row, "parent_id")?),
        position: row::get(row, "position")?,
        is_startpage: row::get(row, "is_startpage")?,
        group_id: row::get(row, "group_id")?,
        edition: edition(row)?,
        is_translated: row::get(row, "is_translated")?,
        created_at: row::get(row, "created_at")?,
        updated_at: row::get(row, "updated_at")?,
        published_at: row::get(row, "published_at")?,
        first_published_at: row::get(row, "first_published_at")?,
        translated_slugs,
        alternates,
    })
}
