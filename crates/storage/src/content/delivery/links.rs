//! The links of a space: every story and folder, small, for menus.

use super::{Copy, select::key_text, stories::Translation};
use crate::{Connection, Executor, Result, content::clauses::Clauses, row};
use domain::{
    content::query::SortKey,
    shared::{PageRequest, SpaceId},
};
use jiff::Timestamp;
use tokio_postgres::Row;
use uuid::Uuid;

/// One entry.
#[derive(Debug, Clone)]
pub struct Link {
    /// The story's number.
    pub id: i64,
    /// Its UUID.
    pub uuid: Uuid,
    /// The whole path.
    pub full_slug: String,
    /// Its 'real path'.
    pub path: Option<String>,
    /// Its name.
    pub name: String,
    /// Whether a published copy exists.
    pub published: bool,
    /// Its folder.
    pub parent_id: i64,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// Whether it answers for its folder's path.
    pub is_startpage: bool,
    /// Its place among its siblings.
    pub position: i32,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was saved.
    pub updated_at: Timestamp,
    /// When it was last published.
    pub published_at: Option<Timestamp>,
    /// Its paths in other languages.
    pub translated_slugs: Vec<Translation>,
}

/// What the map is narrowed to.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Full slugs that begin with this.
    pub starts_with: Option<String>,
    /// Direct children of this folder; 0 is the root.
    pub parent: Option<i64>,
    /// This one alone.
    pub uuid: Option<Uuid>,
}

const COLUMNS: &str = "edition.story_id, edition.uuid, edition.full_slug, edition.path, edition.name,
     edition.published_at is not null as published, edition.parent_id, edition.is_folder, edition.is_startpage, edition.position,
     edition.created_at, edition.updated_at, edition.published_at,
     (select coalesce(jsonb_agg(jsonb_build_object('lang', slug.lang, 'path', slug.path, 'name', slug.name) order by slug.lang), '[]')
      from translated_slugs slug
      where slug.space_id = edition.space_id and slug.story_id = edition.story_id) as translated_slugs";

/// Which editions belong to a copy; what an index can find of that is said first.
const OF_COPY: &str = "edition.edition in ('draft', {}::text::edition_kind)
     and edition.edition = case when edition.is_folder then 'draft'::edition_kind else {}::text::edition_kind end";

/// One link of a copy. A folder belongs to either copy, as in the list.
pub async fn find(connection: &Connection, space: SpaceId, copy: Copy, uuid: Uuid) -> Result<Option<Link>> {
    let sql = format!(
        "select {COLUMNS} from editions edition
         where edition.space_id = $1 and edition.uuid = $2 and {}",
        OF_COPY.replace("{}", "$3")
    );
    connection
        .row_opt(&sql, &[/* space_id */ &space.0, /* uuid */ &uuid, /* edition */ &copy.name()])
        .await?
        .as_ref()
        .map(link)
        .transpose()
}

/// The links of a copy, in this order, then by position and age; all of them without a page. Each is given to `take` as it comes: a whole map
/// is never held here. Answers how many there are on all pages. Folders belong to either copy (facts, section 1.13).
pub async fn each(
    connection: &Connection,
    space: SpaceId,
    copy: Copy,
    filter: &Filter,
    order: &[SortKey],
    page: Option<PageRequest>,
    mut take: impl FnMut(Link) -> Result<()> + Send,
) -> Result<i64> {
    let (sql, clauses) = statement(space, copy, filter, order, page);
    let (mut total, mut count) = (None, 0);
    connection
        .for_each_row(&sql, &clauses.values(), |row| {
            total = row::get(row, "total")?;
            // A row without a link only carries the total.
            let story: Option<i64> = row::get(row, "story_id")?;
            if story.is_some() {
                take(link(row)?)?;
                count += 1;
            }
            Ok(())
        })
        .await?;
    // The whole map counts itself.
    Ok(total.unwrap_or(count))
}

fn statement(space: SpaceId, copy: Copy, filter: &Filter, order: &[SortKey], page: Option<PageRequest>) -> (String, Clauses) {
    let mut clauses = Clauses::new();
    // $1 is the space, wherever it is needed.
    clauses.and("edition.space_id = {}", space.0);
    clauses.and(OF_COPY, copy.name());
    if let Some(prefix) = &filter.starts_with {
        let begins = clauses.begins("story.full_slug", prefix);
        of_stories(&mut clauses, &begins);
    }
    if let Some(parent) = filter.parent {
        let parent = clauses.bind(parent);
        of_stories(&mut clauses, &format!("story.parent_id = {parent}"));
    }
    if let Some(uuid) = filter.uuid {
        clauses.and("edition.uuid = {}", uuid);
    }
    let conditions = clauses.text().to_owned();
    // Folders are drafts: whatever a published story always has, they may lack.
    let order: String = order.iter().map(|key| key_text(&mut clauses, key, Copy::Draft) + ", ").collect();
    let from = format!("from editions edition where {conditions} order by {order}edition.position, edition.story_id");
    let Some(page) = page else {
        return (format!("select null::bigint as total, {COLUMNS} {from}"), clauses);
    };
    let (limit, offset) = (clauses.bind(page.limit()), clauses.bind(page.offset()));
    // A page past the end still has its total.
    let sql = format!(
        "select counted.total, edition.*
         from (select count(*) as total from editions edition where {conditions}) counted
         left join (select {COLUMNS}, row_number() over () as rank from (select * {from} limit {limit} offset {offset}) edition) edition on true
         order by edition.rank"
    );
    (sql, clauses)
}

/// Adds a condition on the stories: they have indexes for places that hold folders, too.
fn of_stories(clauses: &mut Clauses, condition: &str) {
    clauses.and_text(&format!(
        "edition.story_id in (select story.id from stories story where story.space_id = $1 and story.deleted_at is null and {condition})"
    ));
}

fn link(row: &Row) -> Result<Link> {
    Ok(Link {
        id: row::get(row, "story_id")?,
        uuid: row::get(row, "uuid")?,
        full_slug: row::get(row, "full_slug")?,
        path: row::get(row, "path")?,
        name: row::get(row, "name")?,
        published: row::get(row, "published")?,
        parent_id: row::get(row, "parent_id")?,
        is_folder: row::get(row, "is_folder")?,
        is_startpage: row::get(row, "is_startpage")?,
        position: row::get(row, "position")?,
        created_at: row::get(row, "created_at")?,
        updated_at: row::get(row, "updated_at")?,
        published_at: row::get(row, "published_at")?,
        translated_slugs: row::json(row, "translated_slugs")?,
    })
}
