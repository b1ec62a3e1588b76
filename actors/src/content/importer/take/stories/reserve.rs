//! The numbers of stories, given before any is written.

use crate::content::{
    CommandContext,
    importer::{memory::Memory, take::Taken},
};
use domain::{content::import::Kind, shared::SpaceId};
use std::collections::HashMap;
use storage::{
    Executor, Result,
    content::imports::{ids::Known, stories},
};
use uuid::Uuid;

/// Gives every story of the source a number before any is written, so that those which come first can name those which come later. Those
/// that are here already, by their UUIDs, have theirs. The others are numbered as they are at the source: of two at one position, the lower number is
/// the first one.
pub(in crate::content::importer) async fn reserve(
    query: &impl Executor,
    ctx: Option<&CommandContext<'_>>,
    space: SpaceId,
    memory: &Memory,
    wanted: &[(i64, Uuid)],
    taken: &mut Taken,
) -> Result<()> {
    let mut unknown: Vec<_> = wanted.iter().filter(|(source, _)| memory.known(Kind::Story, *source).is_none()).collect();
    unknown.sort_unstable();
    let here: HashMap<_, _> = stories::all_uuids(query, space).await?.into_iter().collect();
    let missing = unknown.iter().filter(|(_, uuid)| !here.contains_key(uuid)).count();
    let mut fresh: Vec<i64> = match ctx {
        Some(ctx) => stories::reserve(ctx.tx, missing).await?,
        None => (0..missing).map(|_| taken.make_up()).collect(),
    };
    fresh.sort_unstable();
    let mut fresh = fresh.into_iter();
    for (source, uuid) in unknown {
        if let Some(id) = here.get(uuid).copied().or_else(|| fresh.next()) {
            taken.ids.push((Kind::Story, *source, Known::reserved(id)));
        }
    }
    Ok(())
}
