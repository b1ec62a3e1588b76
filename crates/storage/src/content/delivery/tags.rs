//! The tags of stories, counted.

use super::{ReadScope, select::condition_text};
use crate::{Executor, Result, row};
use domain::content::query::Condition;

/// A tag that at least one story has.
#[derive(Debug, Clone)]
pub struct Tag {
    /// The text of the tag.
    pub name: String,
    /// How many stories have it.
    pub count: i64,
}

/// Lists the tags of the stories that match all conditions, by name.
pub async fn list(executor: &impl Executor, scope: ReadScope<'_>, conditions: &[Condition]) -> Result<Vec<Tag>> {
    let mut builder = scope.builder();
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
