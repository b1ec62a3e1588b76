//! The links of a space: each story and folder with the few properties that menus need.

use super::{ContentVersion, ReadScope, select::key_text, story::Translation};
use crate::{Executor, Reader, Result, content::where_builder::WhereBuilder, row};
use domain::{content::query::SortKey, shared::PageRequest};
use jiff::Timestamp;
use tokio_postgres::Row;
use uuid::Uuid;

/// A story or folder as a link.
#[derive(Debug, Clone)]
pub struct Link {
    /// The id of the story.
    pub id: i64,
    /// The UUID of the story.
    pub uuid: Uuid,
    pub full_slug: String,
    /// The address outside of the content tree, which editors call «real path».
    pub path: Option<String>,
    pub name: String,
    /// Whether there is a published version.
    pub published: bool,
    /// The folder; 0 is the root.
    pub parent_id: i64,
    /// Whether it is a folder.
    pub is_folder: bool,
    /// Whether the path of its folder leads to it, too.
    pub is_startpage: bool,
    /// The position among its siblings.
    pub position: i32,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was saved.
    pub updated_at: Timestamp,
    /// When it was last published.
    pub published_at: Option<Timestamp>,
    /// The paths in other languages, ordered by language.
    pub translated_slugs: Vec<Translation>,
}

/// Conditions on the links; all that are given hold.
#[derive(Debug, Clone, Default)]
pub struct LinkFilter {
    /// The beginning of the full slug.
    pub starts_with: Option<String>,
    /// The folder; 0 is the root.
    pub parent: Option<i64>,
    pub uuid: Option<Uuid>,
}

const COLUMNS: &str = "edition.story_id, edition.uuid, edition.full_slug, edition.path, edition.name,
     edition.published_at is not null as published, edition.parent_id, edition.is_folder, edition.is_startpage, edition.position,
     edition.created_at, edition.updated_at, edition.published_at,
     (select coalesce(jsonb_agg(jsonb_build_object('lang', slug.lang, 'path', slug.path, 'name', slug.name) order by slug.lang), '[]')
      from translated_slugs slug
      where slug.space_id = $1 and slug.story_id = edition.story_id) as translated_slugs";

/// Which editions belong to a version: the stories that have it, and the drafts of all folders, which are
/// never published. The first condition is what an index can find.
const OF_VERSION: &str = "edition.edition in ('draft', {}::text::edition_kind)
     and edition.edition = case when edition.is_folder then 'draft'::edition_kind else {}::text::edition_kind end";

/// Finds one link. Folders belong to both versions.
pub async fn find(connection: &impl Executor, scope: ReadScope<'_>, uuid: Uuid) -> Result<Option<Link>> {
    let mut builder = links_builder(scope);
    builder.and("edition.uuid = {}", uuid);
    let sql = format!("select {COLUMNS} from editions edition where {}", builder.text());
    connection.row_opt(&sql, &builder.values()).await?.as_ref().map(link).transpose()
}

/// Visits the links in an order, those that are equal in it by position and age; all of them when no page is
/// given. Each is visited as its row arrives, so that a whole map is never held here. Returns how many links
/// there are on all pages. Folders belong to both versions.
pub async fn for_each(
    connection: &Reader,
    scope: ReadScope<'_>,
    filter: &LinkFilter,
    order: &[SortKey],
    page: Option<PageRequest>,
    mut visit: impl FnMut(Link) -> Result<()> + Send,
) -> Result<i64> {
    let (sql, builder) = links_sql(scope, filter, order, page);
    let (mut total, mut count) = (None, 0);
    connection
        .for_each_row(&sql, &builder.values(), |row| {
            total = row::get(row, "total")?;
            // A page past the end is one row, which has only the total.
            let story: Option<i64> = row::get(row, "story_id")?;
            if story.is_some() {
                visit(link(row)?)?;
                count += 1;
            }
            Ok(())
        })
        .await?;
    // Without a page no total is asked for: all links were visited.
    Ok(total.unwrap_or(count))
}

/// The conditions that `edition` is a link of the scope; `$1` is the space, wherever it is needed.
fn links_builder(scope: ReadScope<'_>) -> WhereBuilder {
    let mut builder = WhereBuilder::new();
    builder.and("edition.space_id = {}", scope.space.0);
    builder.and(OF_VERSION, scope.version.into_str());
    scope.restrict(&mut builder);
    builder
}

fn links_sql(scope: ReadScope<'_>, filter: &LinkFilter, order: &[SortKey], page: Option<PageRequest>) -> (String, WhereBuilder) {
    let mut builder = links_builder(scope);
    if let Some(prefix) = &filter.starts_with {
        let begins = builder.begins("story.full_slug", prefix);
        of_stories(&mut builder, &begins);
    }
    if let Some(parent) = filter.parent {
        let parent = builder.bind(parent);
        of_stories(&mut builder, &format!("story.parent_id = {parent}"));
    }
    if let Some(uuid) = filter.uuid {
        builder.and("edition.uuid = {}", uuid);
    }
    let conditions = builder.text().to_owned();
    // Folders have only drafts, so the sort keys that every published story has may be null.
    let order: String = order.iter().map(|key| key_text(&mut builder, key, ContentVersion::Draft) + ", ").collect();
    let from = format!("from editions edition where {conditions} order by {order}edition.position, edition.story_id");
    let Some(page) = page else {
        return (format!("select null::bigint as total, {COLUMNS} {from}"), builder);
    };
    let (limit, offset) = (builder.bind(page.limit()), builder.bind(page.offset()));
    // The outer join gives a page past the end a row with the total.
    let sql = format!(
        "select counted.total, edition.*
         from (select count(*) as total from editions edition where {conditions}) counted
         left join (select {COLUMNS}, row_number() over () as rank from (select * {from} limit {limit} offset {offset}) edition) edition on true
         order by edition.rank"
    );
    (sql, builder)
}

/// Adds a condition on `stories`: its indexes on the place in the tree cover folders, those of `editions` do
/// not.
fn of_stories(builder: &mut WhereBuilder, condition: &str) {
    builder.and_text(&format!(
        "edition.story_id in (select story.id from stories story where story.space_id = $1 and story.deleted_at is null and {condition})"
    ));
}

fn link(row: &Row) -> Result<Link> {
    Ok(row::read!(row => Link {
        uuid, full_slug, path, name, published, parent_id, is_folder, is_startpage, position, created_at, updated_at,
        published_at;
        id: row::get(row, "story_id")?,
        translated_slugs: row::json(row, "translated_slugs")?,
    }))
}
