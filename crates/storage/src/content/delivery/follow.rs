//! What stories refer to, read in the same statement as they: step by step, from the references that stand beside the content.
//!
//! ```text
//! page(story_id, rank)
//! -> named1: what the page refers to -> step1: which stories these are -> named2: what those refer to …
//! -> keys(story_id, rank, asked): the page, and for each UUID that was asked after the story or nothing
//! ```

use super::stories::Delivered;
use crate::content::clauses::Clauses;
use std::{collections::HashMap, fmt::Write};
use uuid::Uuid;

/// How far references are followed. It may be farther than needed: the caller knows what is a reference in which language.
#[derive(Debug, Clone, Default)]
pub struct Follow {
    /// For each step the references that are followed: `component.field`, and an empty text for links.
    pub steps: Vec<Vec<String>>,
    /// How many stories are read at each step at most.
    pub most: i64,
}

/// What was found there: a story for each UUID that was asked after, or that there is none.
#[derive(Debug, Default)]
pub struct Followed(HashMap<Uuid, Option<Delivered>>);

impl Followed {
    /// The story of a UUID. `None`: nobody has asked after it.
    pub fn get(&self, uuid: Uuid) -> Option<Option<&Delivered>> {
        self.0.get(&uuid).map(Option::as_ref)
    }

    pub(super) fn add(&mut self, uuid: Uuid, story: Option<Delivered>) {
        self.0.insert(uuid, story);
    }
}

/// The common table expressions behind a page, and the keys of all that is to be read.
pub(super) fn keys(clauses: &mut Clauses, page: &str, follow: &Follow) -> (String, String) {
    let mut tables = format!("page as materialized ({page})");
    let mut keys = "select story_id, rank, null::uuid as asked from page".to_owned();
    let most = clauses.bind(follow.most);
    let mut known = String::new();
    for (number, kinds) in follow.steps.iter().enumerate() {
        let kinds = clauses.bind(kinds.clone());
        let before = if number == 0 { "page".to_owned() } else { format!("step{number}") };
        let number = number + 1;
        // Looked up by key, one by one: see `stories::read::RELATED`. Writing into a text cannot fail.
        let _ = write!(
            tables,
            ", named{number} as materialized (
                 select distinct right(ref, 36)::uuid as asked from {before}
                 cross join lateral (select edition.refs from editions edition where edition.space_id = $1
                     and edition.edition = $2::text::edition_kind and edition.story_id = {before}.story_id offset 0) origin
                 cross join lateral unnest(origin.refs) as ref
                 where left(ref, -37) = any({kinds}){known} limit {most}
             ), step{number} as materialized (
                 select named{number}.asked, target.story_id from named{number}
                 left join lateral (select edition.story_id from editions edition where edition.uuid = named{number}.asked
                     and edition.space_id = $1 and edition.edition = $2::text::edition_kind and not edition.is_folder offset 0) target on true
             )"
        );
        let _ = write!(known, " and right(ref, 36)::uuid not in (select asked from named{number})");
        let _ = write!(keys, " union all select story_id, 0, asked from step{number}");
    }
    (tables, keys)
}
