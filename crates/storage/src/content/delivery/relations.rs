//! The stories that stories refer to, read in the same statement: step by step, by the column `refs`, which
//! lists the references of a version.
//!
//! ```text
//! page(story_id, rank)
//! -> named1: the UUIDs that the page refers to -> step1: the stories of these UUIDs -> named2: the UUIDs that those refer to …
//! -> keys(story_id, rank, asked): the page, and a row for each of these UUIDs, with its story or with null
//! ```

use super::{ReadScope, select::edition_with_uuid, story::DeliveredStory};
use crate::content::where_builder::WhereBuilder;
use std::{collections::HashMap, fmt::Write};
use uuid::Uuid;

/// Which references are followed, and how far. More may be read than the answer needs: `refs` holds the
/// references of all languages, and only the caller knows which of them its language shows.
#[derive(Debug, Clone, Default)]
pub struct RelationPlan {
    /// For each step the references that are followed: `component.field`, and an empty text for links.
    pub steps: Vec<Vec<String>>,
    /// How many stories are read at each step at most.
    pub limit: i64,
}

/// The stories that were read for a [`RelationPlan`].
#[derive(Debug, Default)]
pub struct RelatedStories(HashMap<Uuid, Option<DeliveredStory>>);

impl RelatedStories {
    /// The story of a UUID, `Some(None)` when there is no such story. `None` when the UUID was not looked
    /// for.
    pub fn get(&self, uuid: Uuid) -> Option<Option<&DeliveredStory>> {
        self.0.get(&uuid).map(Option::as_ref)
    }

    pub(super) fn add(&mut self, uuid: Uuid, story: Option<DeliveredStory>) {
        self.0.insert(uuid, story);
    }
}

/// The common table expressions for a page and its relations, and the query of the keys of all of them.
pub(super) fn relation_ctes(builder: &mut WhereBuilder, page: &str, plan: &RelationPlan, scope: ReadScope<'_>) -> (String, String) {
    let mut tables = format!("page as materialized ({page})");
    let mut keys = "select story_id, rank, null::uuid as asked from page".to_owned();
    let limit = builder.bind(plan.limit);
    let restriction =
        scope.stories.ids().map(|ids| format!(" and edition.story_id = any({})", builder.bind(ids))).unwrap_or_default();
    let mut known = String::new();
    for (number, kinds) in plan.steps.iter().enumerate() {
        let kinds = builder.bind(kinds.clone());
        let before = if number == 0 { "page".to_owned() } else { format!("step{number}") };
        let number = number + 1;
        let target = edition_with_uuid(&format!("named{number}.asked"));
        // `offset 0` keeps PostgreSQL from turning the lookups by key into a join over all editions. Writing
        // into a `String` cannot fail.
        let _ = write!(
            tables,
            ", named{number} as materialized (
                 select distinct right(ref, 36)::uuid as asked from {before}
                 cross join lateral (select edition.refs from editions edition where edition.space_id = $1
                     and edition.edition = $2::text::edition_kind and edition.story_id = {before}.story_id offset 0) origin
                 cross join lateral unnest(origin.refs) as ref
                 where left(ref, -37) = any({kinds}){known} limit {limit}
             ), step{number} as materialized (
                 select named{number}.asked, edition.story_id from named{number}
                 left join {target} on not edition.is_folder{restriction}
             )"
        );
        let _ = write!(known, " and right(ref, 36)::uuid not in (select asked from named{number})");
        let _ = write!(keys, " union all select story_id, 0, asked from step{number}");
    }
    (tables, keys)
}
