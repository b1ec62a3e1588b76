//! Stories that an import has moved to a temporary slug: table `import_displaced_stories`.

use crate::{Executor, Result, Tx, row};
use domain::{
    content::import::{SourceId, record},
    shared::{SpaceId, StoryId},
};

/// A story at a temporary slug, in the folder where it was before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DisplacedStory {
    pub story: StoryId,
    pub source_id: SourceId<record::Story>,
    pub slug: String,
    /// Whether it was its folder's start page before.
    pub is_startpage: bool,
    /// Its temporary slug. A story with another slug has been moved since and is no longer displaced.
    pub temporary_slug: String,
}

/// Records a displaced story. If it is displaced a second time, the row keeps its original slug.
pub async fn upsert(tx: &Tx<'_>, space: SpaceId, displaced: &DisplacedStory) -> Result<()> {
    tx.execute(
        "insert into import_displaced_stories as displaced (space_id, story_id, source_id, slug, is_startpage, temporary_slug)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (space_id, story_id) do update set
             source_id = excluded.source_id, temporary_slug = excluded.temporary_slug,
             slug = case when displaced.temporary_slug = excluded.slug then displaced.slug else excluded.slug end,
             is_startpage = case when displaced.temporary_slug = excluded.slug then displaced.is_startpage else excluded.is_startpage end",
        &[
            /* space_id */ &space,
            /* story_id */ &displaced.story,
            /* source_id */ &displaced.source_id,
            /* slug */ &displaced.slug,
            /* is_startpage */ &displaced.is_startpage,
            /* temporary_slug */ &displaced.temporary_slug,
        ],
    )
    .await
    .map(drop)
}

/// Records that a displaced story has another slug now, which is still not its original one.
pub async fn set_slug(tx: &Tx<'_>, space: SpaceId, story: StoryId, temporary_slug: &str) -> Result<()> {
    tx.execute_one(
        "import.set_displaced_slug",
        "update import_displaced_stories set temporary_slug = $3 where space_id = $1 and story_id = $2",
        &[/* space_id */ &space, /* story_id */ &story, /* temporary_slug */ &temporary_slug],
    )
    .await
}

/// Lists the displaced stories of a space, parents before children.
pub async fn list(executor: &impl Executor, space: SpaceId) -> Result<Vec<DisplacedStory>> {
    let rows = executor
        .rows(
            "select displaced.story_id, displaced.source_id, displaced.slug, displaced.is_startpage, displaced.temporary_slug
             from import_displaced_stories displaced join stories story on story.space_id = $1 and story.id = displaced.story_id
             where displaced.space_id = $1 order by length(story.full_slug), displaced.story_id",
            &[/* space_id */ &space],
        )
        .await?;
    rows.iter()
        .map(|r| {
            Ok(row::read!(r => DisplacedStory {
                source_id, slug, is_startpage, temporary_slug;
                story: row::get(r, "story_id")?,
            }))
        })
        .collect()
}

/// Deletes the row of a story that is back in its place or was moved elsewhere.
pub async fn remove(tx: &Tx<'_>, space: SpaceId, story: StoryId) -> Result<()> {
    tx.execute(
        "delete from import_displaced_stories where space_id = $1 and story_id = $2",
        &[/* space_id */ &space, /* story_id */ &story],
    )
    .await
    .map(drop)
}
