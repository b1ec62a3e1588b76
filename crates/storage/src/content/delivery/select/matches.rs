//! The stories that the conditions of a plan match.
//!
//! ```text
//! found    queries of `story_id`, each story once: each condition that an index of tags or fields answers is one. What matches is in all of them
//! rest     everything else, as conditions on `edition`
//! ```
//!
//! Stories that were found are looked up by their keys; where nothing is found this way, the stories of the
//! version are gone through. Neither is left to PostgreSQL: before it has statistics of a space that was just
//! written, it expects one row of every condition, and compares each story with each entry.

use super::{
    conditions::condition_text,
    entries::{Entries, is_in},
};
use crate::content::where_builder::WhereBuilder;
use domain::content::query::Plan;

/// What has to hold for a story to be in a list.
pub(super) struct Matches {
    found: Vec<String>,
    rest: Vec<String>,
    /// The condition of the space and the version.
    scope: String,
}

impl Matches {
    /// The stories that match all conditions of a plan.
    pub(super) fn of(builder: &mut WhereBuilder, plan: &Plan) -> Self {
        let mut matches = Self { found: Vec::new(), rest: Vec::new(), scope: builder.text().to_owned() };
        for condition in &plan.conditions {
            match Entries::of(builder, condition) {
                Some(entries) => matches.found.push(entries.select("entry.story_id")),
                None => matches.rest.push(condition_text(builder, condition)),
            }
        }
        matches
    }

    /// The stories of a query of `story_id`, which has each once.
    pub(super) fn in_query(builder: &WhereBuilder, query: &str) -> Self {
        Self { found: vec![query.to_owned()], rest: Vec::new(), scope: builder.text().to_owned() }
    }

    /// The query of these columns of `edition`, which may go on with `and` or `order by`.
    pub(super) fn select(&self, columns: &str) -> String {
        match self.found_in_all() {
            Some(found) => {
                let edition = edition_of("found.story_id");
                format!("select {columns} from ({found}) found cross join {edition} where {}", conjunction(&self.rest))
            }
            None => format!("select {columns} from editions edition where {} and {}", self.scope, conjunction(&self.rest)),
        }
    }

    /// The query of the number of stories.
    pub(super) fn count(&self) -> String {
        match self.found_in_all() {
            Some(found) if self.rest.is_empty() => format!("select count(*) from ({found}) found"),
            _ => self.select("count(*)"),
        }
    }

    /// The condition that a story of the version matches. `story_id` is the column that has its key;
    /// everything else is asked of `edition`.
    pub(super) fn condition(&self, story_id: &str) -> String {
        let found = self.found.iter().map(|query| is_in(story_id, query));
        conjunction(&found.chain(self.rest.iter().cloned()).collect::<Vec<_>>())
    }

    /// Whether every story of the version matches.
    pub(super) fn is_all(&self) -> bool {
        self.found.is_empty() && self.rest.is_empty()
    }

    /// The query of the keys that all indexes have.
    fn found_in_all(&self) -> Option<String> {
        let (first, others) = self.found.split_first()?;
        let others: Vec<String> = others.iter().map(|query| is_in("first.story_id", query)).collect();
        Some(format!("select first.story_id from ({first}) first where {}", conjunction(&others)))
    }
}

/// The story with this key, as `edition` of a lateral join. Only the primary key serves a look-up that does
/// not say that the story is no folder, and `offset 0` keeps other conditions out of it.
pub(in crate::content::delivery) fn edition_of(story_id: &str) -> String {
    format!(
        "lateral (select * from editions it where it.space_id = $1 and it.edition = $2::text::edition_kind and it.story_id = {story_id} offset 0) edition"
    )
}

/// The same by the UUID, for which there is one index.
pub(in crate::content::delivery) fn edition_with_uuid(uuid: &str) -> String {
    format!(
        "lateral (select * from editions it where it.uuid = {uuid} and it.space_id = $1 and it.edition = $2::text::edition_kind offset 0) edition"
    )
}

fn conjunction(conditions: &[String]) -> String {
    if conditions.is_empty() { "true".to_owned() } else { conditions.join(" and ") }
}
