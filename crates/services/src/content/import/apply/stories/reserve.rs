//! Reserves the ids of stories.

use crate::content::import::{
    apply::{ApplyMode, ChunkOutcome},
    state::ImportState,
};
use domain::{content::import::Kind, shared::SpaceId};
use std::collections::HashMap;
use storage::{
    Executor, Result,
    content::imports::{ids::IdMapping, stories},
};
use uuid::Uuid;

/// Maps every story of the source, given as id and UUID, to an id here before any story is written, so that content can refer to stories that come
/// later. A story whose UUID exists here has the id of that one. The others get new ids in the order of their ids at the source, because that
/// order decides between two stories at the same position. A dry run gives them fake ids.
pub(in crate::content::import) async fn reserve_ids(
    mode: &ApplyMode<'_>,
    state: &ImportState,
    stories: &[(i64, Uuid)],
    outcome: &mut ChunkOutcome,
) -> Result<()> {
    let unmapped = Unmapped::load(&mode.executor(), mode.space(), state, stories).await?;
    let ids = match mode.ctx() {
        Some(ctx) => stories::reserve_ids(ctx.tx, unmapped.count_new()).await?,
        None => (0..unmapped.count_new()).map(|_| outcome.next_fake_id()).collect(),
    };
    unmapped.map_to(ids, outcome);
    Ok(())
}

/// Stories of the source without a mapping.
struct Unmapped {
    /// Id at the source and UUID, in ascending order.
    stories: Vec<(i64, Uuid)>,
    /// The ids of all stories here.
    existing: HashMap<Uuid, i64>,
}

impl Unmapped {
    async fn load(executor: &impl Executor, space: SpaceId, state: &ImportState, stories: &[(i64, Uuid)]) -> Result<Self> {
        let is_unmapped = |(id, _): &&(i64, Uuid)| state.mapping(Kind::Story, *id).is_none();
        let mut unmapped: Vec<_> = stories.iter().filter(is_unmapped).copied().collect();
        unmapped.sort_unstable();
        let existing = stories::list_uuids(executor, space).await?.into_iter().collect();
        Ok(Self { stories: unmapped, existing })
    }

    fn count_new(&self) -> usize {
        self.stories.iter().filter(|(_, uuid)| !self.existing.contains_key(uuid)).count()
    }

    fn map_to(self, mut new_ids: Vec<i64>, outcome: &mut ChunkOutcome) {
        new_ids.sort_unstable();
        let mut new_ids = new_ids.into_iter();
        for (source_id, uuid) in self.stories {
            if let Some(id) = self.existing.get(&uuid).copied().or_else(|| new_ids.next()) {
                outcome.ids.push((Kind::Story, source_id, IdMapping::reserved(id)));
            }
        }
    }
}
