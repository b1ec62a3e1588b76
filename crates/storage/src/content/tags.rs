//! The tags of stories. A tag is a text in `editions.tags`, with a row in `edition_tags` for what readers
//! look stories up by; it exists as long as a story has it.

use crate::{Connection, Executor, Result, Tx, content::where_builder::contains_pattern, row};
use domain::shared::{Page, PageRequest, SpaceId, StoryId};
use tokio_postgres::Row;

/// A tag that at least one story has, in its draft or its published edition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// The text of the tag.
    pub name: String,
    /// How many stories have it.
    pub stories: i64,
}

const COUNTED: &str = "select tag, count(distinct story_id) as stories from edition_tags
    where space_id = $1 and edition in ('draft', 'published')";

/// A page of the tags whose name contains a text, by their names.
pub async fn list(connection: &Connection, space: SpaceId, search: Option<&str>, page: PageRequest) -> Result<Page<Tag>> {
    let pattern = search.map(contains_pattern);
    let condition = "and ($2::text is null or tag ilike $2)";
    let total = connection
        .row(
            &format!("select count(*) as total from ({COUNTED} {condition} group by tag) counted"),
            &[/* space_id */ &space, /* search */ &pattern],
        )
        .await?;
    let rows = connection
        .rows(
            &format!("{COUNTED} {condition} group by tag order by tag limit $3 offset $4"),
            &[
                /* space_id */ &space,
                /* search */ &pattern,
                /* limit */ &page.limit(),
                /* offset */ &page.offset(),
            ],
        )
        .await?;
    Ok(Page { items: rows.iter().map(tag).collect::<Result<_>>()?, total: row::get(&total, "total")? })
}

/// A tag by its name.
pub async fn find(executor: &impl Executor, space: SpaceId, name: &str) -> Result<Option<Tag>> {
    let sql = format!("{COUNTED} and tag = $2 group by tag");
    executor.row_opt(&sql, &[/* space_id */ &space, /* name */ &name]).await?.as_ref().map(tag).transpose()
}

/// Renames a tag in every edition, of folders and of stories in the trash too. A story that has both names
/// has the new one once, where the first of the two was. Returns how many stories and folders changed.
pub async fn rename(tx: &Tx<'_>, space: SpaceId, from: &str, to: &str) -> Result<i64> {
    let counted = tx
        .row(
            "with changed as (
                 update editions set tags = array(
                     select renamed.name
                     from (
                         select case when old.name = $2 then $3 else old.name end as name, min(old.number) as number
                         from unnest(tags) with ordinality old (name, number) group by 1
                     ) renamed
                     order by renamed.number
                 )
                 where space_id = $1 and $2 = any(tags)
                 returning story_id, edition, position, is_folder
             ), revised as (
                 update stories set revision = revision where space_id = $1 and id in (select story_id from changed)
             ), untagged as (
                 delete from edition_tags
                 where space_id = $1 and tag in ($2, $3) and (story_id, edition) in (select story_id, edition from changed)
             ), tagged as (
                 insert into edition_tags (space_id, edition, story_id, position, tag)
                 select $1, edition, story_id, position, $3 from changed where not is_folder
             )
             select count(distinct story_id) as stories from changed",
            &[/* space_id */ &space, /* from */ &from, /* to */ &to],
        )
        .await?;
    row::get(&counted, "stories")
}

/// Removes a tag from every edition. Returns how many stories and folders had it.
pub async fn remove(tx: &Tx<'_>, space: SpaceId, name: &str) -> Result<i64> {
    let counted = tx
        .row(
            "with changed as (
                 update editions set tags = array_remove(tags, $2) where space_id = $1 and $2 = any(tags) returning story_id
             ), revised as (
                 update stories set revision = revision where space_id = $1 and id in (select story_id from changed)
             ), untagged as (
                 delete from edition_tags where space_id = $1 and tag = $2
             )
             select count(distinct story_id) as stories from changed",
            &[/* space_id */ &space, /* name */ &name],
        )
        .await?;
    row::get(&counted, "stories")
}

/// A story that got tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tagged {
    pub id: StoryId,
    pub name: String,
    /// How many tags it has now.
    pub tags: i32,
}

/// Which of these stories exist and are not deleted.
pub async fn active_stories(tx: &Tx<'_>, space: SpaceId, ids: &[i64]) -> Result<Vec<i64>> {
    let rows = tx
        .rows(
            "select id from stories where space_id = $1 and id = any($2) and deleted_at is null",
            &[/* space_id */ &space, /* id */ &ids],
        )
        .await?;
    rows.iter().map(|r| row::get(r, "id")).collect()
}

/// Adds tags to stories, to the draft and to the published edition, behind those that they have. Returns the
/// stories that did not have all of theirs.
pub async fn add(tx: &Tx<'_>, space: SpaceId, pairs: &[(StoryId, String)]) -> Result<Vec<Tagged>> {
    let ids: Vec<i64> = pairs.iter().map(|(story, _)| story.0).collect();
    let names: Vec<&str> = pairs.iter().map(|(_, name)| name.as_str()).collect();
    let rows = tx
        .rows(
            "with given as (
                 select story_id, name, min(number) as number
                 from unnest($2::bigint[], $3::text[]) with ordinality given (story_id, name, number) group by 1, 2
             ), changed as (
                 update editions edition set tags = edition.tags || array(
                     select given.name from given
                     where given.story_id = edition.story_id and given.name <> all (edition.tags) order by given.number
                 )
                 where edition.space_id = $1 and edition.edition in ('draft', 'published') and edition.story_id = any($2)
                   and exists (select from given where given.story_id = edition.story_id and given.name <> all (edition.tags))
                 returning edition.story_id, edition.edition, edition.position, edition.is_folder, edition.name, cardinality(edition.tags) as tags
             ), revised as (
                 update stories set revision = revision where space_id = $1 and id in (select story_id from changed)
             ), tagged as (
                 insert into edition_tags (space_id, edition, story_id, position, tag)
                 select $1, changed.edition, changed.story_id, changed.position, given.name
                 from changed join given on given.story_id = changed.story_id
                 where not changed.is_folder and not exists (
                     select from edition_tags old
                     where old.space_id = $1 and old.story_id = changed.story_id and old.edition = changed.edition and old.tag = given.name
                 )
             )
             select distinct on (story_id) story_id, name, max(tags) over (partition by story_id) as tags from changed order by story_id, edition",
            &[/* space_id */ &space, /* story_id */ &ids, /* name */ &names],
        )
        .await?;
    let tagged = |r: &Row| Ok(Tagged { id: row::get(r, "story_id")?, name: row::get(r, "name")?, tags: row::get(r, "tags")? });
    rows.iter().map(tagged).collect()
}

fn tag(row: &Row) -> Result<Tag> {
    Ok(Tag { name: row::get(row, "tag")?, stories: row::get(row, "stories")? })
}
