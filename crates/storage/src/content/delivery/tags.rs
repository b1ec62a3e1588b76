//! The tags of the stories of a copy, counted.

use super::{Copy, select::condition_text};
use crate::{Connection, Executor, Result, content::clauses::Clauses, row};
use domain::{content::query::Condition, shared::SpaceId};

/// A tag and how many stories have it: at least one.
#[derive(Debug, Clone)]
pub struct Tag {
    /// The tag.
    pub name: String,
    /// The stories that have it.
    pub count: i64,
}

/// Every tag of the stories for which all conditions hold, by name.
pub async fn list(connection: &Connection, space: SpaceId, copy: Copy, conditions: &[Condition]) -> Result<Vec<Tag>> {
    let mut clauses = Clauses::new();
    clauses.and("edition.space_id = {}", space.0);
    clauses.and("edition.edition = {}::text::edition_kind and not edition.is_folder", copy.name());
    for condition in conditions {
        let text = condition_text(&mut clauses, condition);
        clauses.and_text(&text);
    }
    let sql = format!(
        "select tag.name, count(*) as count from editions edition cross join lateral unnest(edition.tags) as tag (name)
         where {} group by tag.name order by tag.name",
        clauses.text()
    );
    let rows = connection.rows(&sql, &clauses.values()).await?;
    rows.iter().map(|r| Ok(Tag { name: row::get(r, "name")?, count: row::get(r, "count")? })).collect()
}
