//! Reserves the ids of stories.

use crate::content::import::{
    apply::{ApplyContext, ChunkOutcome},
    state::SourceStory,
};
use domain::content::import::IdMapping;
use storage::{Result, content::imports::stories};

/// Maps every story of the source to an id here before any story is written, so that content can refer to
/// stories that come later. A story whose UUID exists here has the id of that one. The others get new ids in
/// the order of their ids at the source, because that order decides between two stories at the same position.
/// A dry run gives them fake ids.
pub(in crate::content::import) async fn reserve_ids(context: &ApplyContext<'_>, outcome: &mut ChunkOutcome) -> Result<()> {
    let existing = stories::list_uuids(context.executor(), context.space()).await?;
    let unmapped = context.state.source_stories.iter().filter(|story| context.state.mapping(story.id).is_none());
    let (found, mut new): (Vec<&SourceStory>, Vec<_>) = unmapped.partition(|story| existing.contains_key(&story.uuid));
    let mut ids = match context.ctx() {
        Some(ctx) => stories::reserve_ids(ctx.tx, new.len()).await?,
        None => new.iter().map(|_| outcome.next_fake_id()).collect(),
    };
    new.sort_unstable_by_key(|story| story.id);
    ids.sort_unstable();
    let found = found.into_iter().filter_map(|story| Some((story, *existing.get(&story.uuid)?)));
    for (story, id) in new.into_iter().zip(ids).chain(found) {
        outcome.ids.insert(story.id, IdMapping::reserved(id));
    }
    Ok(())
}
