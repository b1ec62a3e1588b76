//! How far stories are translated: `story_translations`. A story of which nothing is to be kept has no row.

use crate::{Executor, Result, Tx, row};
use domain::{
    content::translation_status::{KeptTranslations, OutdatedTranslations, TranslationCounts},
    shared::{SpaceId, StoryId},
};
use std::collections::HashMap;
use tokio_postgres::Row;

/// What is kept of these stories; those of which nothing is are not in it.
pub async fn find_all(executor: &impl Executor, space: SpaceId, ids: &[StoryId]) -> Result<HashMap<StoryId, KeptTranslations>> {
    let sql =
        "select story_id, outdated, counts, schemas_revision from story_translations where space_id = $1 and story_id = any($2)";
    let rows = executor.rows(sql, &[/* space_id */ &space, /* story_id */ &ids]).await?;
    rows.iter().map(|row| Ok((row::get(row, "story_id")?, kept(row)?))).collect()
}

fn kept(row: &Row) -> Result<KeptTranslations> {
    let (outdated, counts) = (row::json(row, "outdated")?, row::list(row, "counts")?);
    Ok(KeptTranslations { outdated, counts, schemas_revision: row::get(row, "schemas_revision")? })
}

/// What is kept of a story.
pub async fn find(executor: &impl Executor, space: SpaceId, id: StoryId) -> Result<KeptTranslations> {
    Ok(find_all(executor, space, &[id]).await?.remove(&id).unwrap_or_default())
}

/// Keeps this of a story in place of what was before.
pub async fn save(tx: &Tx<'_>, space: SpaceId, id: StoryId, kept: &KeptTranslations) -> Result<()> {
    if kept.outdated.is_empty() && kept.counts.is_empty() {
        let sql = "delete from story_translations where space_id = $1 and story_id = $2";
        return tx.execute(sql, &[/* space_id */ &space, /* story_id */ &id]).await.map(drop);
    }
    tx.execute_one(
        "story_translations.save",
        "insert into story_translations (space_id, story_id, outdated, counts, schemas_revision) values ($1, $2, $3, $4, $5)
         on conflict (space_id, story_id) do update
         set outdated = excluded.outdated, counts = excluded.counts, schemas_revision = excluded.schemas_revision",
        &[
            /* space_id */ &space,
            /* story_id */ &id,
            /* outdated */ &row::to_json(&kept.outdated)?,
            /* counts */ &row::to_json(&kept.counts)?,
            /* schemas_revision */ &kept.schemas_revision,
        ],
    )
    .await
}

/// Keeps the counts of new stories, in which nothing is outdated.
pub async fn save_new(tx: &Tx<'_>, space: SpaceId, schemas_revision: i64, all: &[(StoryId, Vec<TranslationCounts>)]) -> Result<()> {
    let counts = all.iter().map(|(_, counts)| row::to_json(counts)).collect::<Result<Vec<_>>>()?;
    tx.execute(
        "insert into story_translations (space_id, story_id, outdated, counts, schemas_revision)
         select $1, story_id, $4, counts, $5 from unnest($2::bigint[], $3::jsonb[]) as counted (story_id, counts)",
        &[
            /* space_id */ &space,
            /* story_id */ &all.iter().map(|(id, _)| *id).collect::<Vec<_>>(),
            /* counts */ &counts,
            /* outdated */ &row::to_json(&OutdatedTranslations::default())?,
            /* schemas_revision */ &schemas_revision,
        ],
    )
    .await
    .map(drop)
}
