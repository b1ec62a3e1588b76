//! Stories that were moved out of the way of others: `import_asides`.

use crate::{Executor, Result, Tx, row};
use domain::shared::{SpaceId, StoryId};

/// A story that stands aside, below the folder in which it stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aside {
    /// The story.
    pub story: StoryId,
    /// Its number at the source.
    pub source_id: i64,
    /// Its own slug.
    pub slug: String,
    /// Whether it was its folder's start page.
    pub is_startpage: bool,
    /// The slug that it was given instead.
    pub aside_slug: String,
}

/// Remembers one. What was its own before it stepped aside the first time stays that.
pub async fn put(tx: &Tx<'_>, space: SpaceId, it: &Aside) -> Result<()> {
    tx.execute(
        "insert into import_asides as aside (space_id, story_id, source_id, slug, is_startpage, aside_slug)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (space_id, story_id) do update set
             source_id = excluded.source_id, aside_slug = excluded.aside_slug,
             slug = case when aside.aside_slug = excluded.slug then aside.slug else excluded.slug end,
             is_startpage = case when aside.aside_slug = excluded.slug then aside.is_startpage else excluded.is_startpage end",
        &[
            /* space_id */ &space.0,
            /* story_id */ &it.story.0,
            /* source_id */ &it.source_id,
            /* slug */ &it.slug,
            /* is_startpage */ &it.is_startpage,
            /* aside_slug */ &it.aside_slug,
        ],
    )
    .await
    .map(drop)
}

/// One of them stands somewhere else by now, and still not where it belongs.
pub async fn stands(tx: &Tx<'_>, space: SpaceId, story: StoryId, aside_slug: &str) -> Result<()> {
    tx.execute_one(
        "import_aside.stands",
        "update import_asides set aside_slug = $3 where space_id = $1 and story_id = $2",
        &[/* space_id */ &space.0, /* story_id */ &story.0, /* aside_slug */ &aside_slug],
    )
    .await
}

/// All of a space: those that stand higher up come first.
pub async fn list(query: &impl Executor, space: SpaceId) -> Result<Vec<Aside>> {
    let rows = query
        .rows(
            "select aside.story_id, aside.source_id, aside.slug, aside.is_startpage, aside.aside_slug
             from import_asides aside join stories story on story.space_id = aside.space_id and story.id = aside.story_id
             where aside.space_id = $1 order by length(story.full_slug), aside.story_id",
            &[/* space_id */ &space.0],
        )
        .await?;
    rows.iter()
        .map(|r| {
            Ok(Aside {
                story: StoryId(row::get(r, "story_id")?),
                source_id: row::get(r, "source_id")?,
                slug: row::get(r, "slug")?,
                is_startpage: row::get(r, "is_startpage")?,
                aside_slug: row::get(r, "aside_slug")?,
            })
        })
        .collect()
}

/// Forgets one: it stands where it belongs, or where somebody put it.
pub async fn remove(tx: &Tx<'_>, space: SpaceId, story: StoryId) -> Result<()> {
    tx.execute(
        "delete from import_asides where space_id = $1 and story_id = $2",
        &[/* space_id */ &space.0, /* story_id */ &story.0],
    )
    .await
    .map(drop)
}
