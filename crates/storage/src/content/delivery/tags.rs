//! The tags of stories, counted.

use super::{ContentVersion, select::condition_text};
use crate::{Executor, Result, content::where_builder::WhereBuilder, row};
use domain::{content::query::Condition, shared::SpaceId};

/// A tag that at least one story has.
#[derive(Debug, Clone)]
pub struct Tag {
    /// The text of the tag.
    pub name: String,
    /// How many stories have it.
    pub count: i64,
}

/// Lists the tags of the stories that match all conditions, by name.
pub async fn list(executor: &impl Executor, space: SpaceId, version: ContentVersion, conditions: &[Condition]) -> Result<Vec<Tag>> {
    let mut builder = WhereBuilder::new();
    builder.and("edition.space_id = {}", space.0);
    builder.and("edition.edition = {}::text::edition_kind and not edition.is_folder", version.name());
    for condition in conditions {
        let text = condition_text(&mut builder, condition);
        builder.and_text(&text);
    }
    let sql = format!(
        "select tag.name, count(*) as count from editions edition cross join lateral unnest(edition.tags) as tag (name)
         where {} group by tag.name order by tag.name",
        builder.text()
    );
    let rows = executor.rows(&sql, &builder.values()).await?;
    rows.iter().map(|r| Ok(Tag { name: row::get(r, "name")?, count: row::get(r, "count")? })).collect()
}
