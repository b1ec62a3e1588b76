//! Outdated translations of stories: `story_translations`. A story without any has no row.

use crate::{Executor, Result, Tx, row};
use domain::{
    content::translation_status::OutdatedTranslations,
    shared::{SpaceId, StoryId},
};
use std::collections::HashMap;

/// The outdated translations of these stories; those without any are not in it.
pub async fn find_all(executor: &impl Executor, space: SpaceId, ids: &[StoryId]) -> Result<HashMap<StoryId, OutdatedTranslations>> {
    let sql = "select story_id, outdated from story_translations where space_id = $1 and story_id = any($2)";
    let rows = executor.rows(sql, &[/* space_id */ &space, /* story_id */ &ids]).await?;
    rows.iter().map(|row| Ok((row::get(row, "story_id")?, row::json(row, "outdated")?))).collect()
}

/// The outdated translations of a story.
pub async fn find(executor: &impl Executor, space: SpaceId, id: StoryId) -> Result<OutdatedTranslations> {
    Ok(find_all(executor, space, &[id]).await?.remove(&id).unwrap_or_default())
}

/// Keeps the outdated translations of a story in place of those before.
pub async fn save(tx: &Tx<'_>, space: SpaceId, id: StoryId, outdated: &OutdatedTranslations) -> Result<()> {
    if outdated.is_empty() {
        return forget(tx, space, id).await;
    }
    tx.execute_one(
        "story_translations.save",
        "insert into story_translations (space_id, story_id, outdated) values ($1, $2, $3)
         on conflict (space_id, story_id) do update set outdated = excluded.outdated",
        &[/* space_id */ &space, /* story_id */ &id, /* outdated */ &row::to_json(outdated)?],
    )
    .await
}

/// Takes all translations of a story as up to date.
pub async fn forget(tx: &Tx<'_>, space: SpaceId, id: StoryId) -> Result<()> {
    let sql = "delete from story_translations where space_id = $1 and story_id = $2";
    tx.execute(sql, &[/* space_id */ &space, /* story_id */ &id]).await.map(drop)
}
