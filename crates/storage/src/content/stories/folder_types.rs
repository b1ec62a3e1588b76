//! Which content types folders allow, and which are below one.

use crate::{Executor, Result, content::where_builder::Subtree, row};
use domain::{
    content::folder_types::FolderTypes,
    shared::{SpaceId, StoryId},
};
use serde_json::Value;
use tokio_postgres::Row;

/// The content types that a folder and those above it allow, its own first.
pub async fn above(executor: &impl Executor, space: SpaceId, id: StoryId) -> Result<Vec<FolderTypes>> {
    let rows = executor
        .rows(
            "with recursive above as (
                 select id, parent_id, 1 as depth from stories where space_id = $1 and id = $2
                 union all
                 select folder.id, folder.parent_id, above.depth + 1
                 from above
                 cross join lateral (select id, parent_id from stories where space_id = $1 and id = above.parent_id offset 0) folder
             )
             select draft.content -> 'content_types' as content_types, draft.content -> 'lock_subfolders_content_types' as lock
             from above
             cross join lateral (
                 select content from editions where space_id = $1 and edition = 'draft' and story_id = above.id offset 0
             ) draft
             order by above.depth",
            &[/* space_id */ &space, /* id */ &id],
        )
        .await?;
    let types = |row: &Row| -> Result<FolderTypes> {
        let (listed, lock): (Option<Value>, Option<Value>) = (row::json_opt(row, "content_types")?, row::json_opt(row, "lock")?);
        Ok(FolderTypes::read(listed.as_ref(), lock.as_ref()))
    };
    rows.iter().map(types).collect()
}

/// The root components of the stories below a folder, by its path, each once.
pub async fn components_below(executor: &impl Executor, space: SpaceId, folder: &str) -> Result<Vec<String>> {
    let subtree = Subtree::folder(folder);
    let rows = executor
        .rows(
            "select distinct component from editions
             where space_id = $1 and edition = 'draft' and full_slug ~>=~ $2 and full_slug ~<~ $3
             and not is_folder and component is not null",
            &[/* space_id */ &space, /* from */ &subtree.from, /* before */ &subtree.before],
        )
        .await?;
    rows.iter().map(|row| row::get(row, "component")).collect()
}
