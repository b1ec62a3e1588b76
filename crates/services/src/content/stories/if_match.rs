//! A command of a story for the revision that the caller has seen, and what the story is after it.
//!
//! The revision is compared in the transaction of the command, which has locked the space: so of many writes
//! with one revision one succeeds.

use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{Changes, Right},
    shared::{Fault, Precondition, StoryId},
};
use storage::{
    Result,
    content::stories::read::{self, StoryDetail},
};

/// A command that runs only where the story has one of these revisions.
pub struct IfMatch<C> {
    pub story: StoryId,
    pub expected: Precondition,
    pub command: C,
}

/// What came of it.
pub enum Written<T = StoryDetail> {
    /// What the command gives: the story after it.
    Done(T),
    /// The story as it is; the caller has not seen this revision, and nothing was changed.
    Stale(Box<StoryDetail>),
}

impl<C: SpaceCommand<Output = StoryDetail>> SpaceCommand for IfMatch<C> {
    type Output = Written;

    const NAME: &'static str = C::NAME;

    const NEEDS: Right = C::NEEDS;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Written, Changes)> {
        if let Some(found) = find_stale(ctx, self.story, &self.expected).await? {
            return Ok((Written::Stale(found), Changes::default()));
        }
        let (mut detail, changes) = self.command.run(ctx).await?;
        stamp(ctx, &mut detail).await?;
        Ok((Written::Done(detail), changes))
    }
}

/// The story as it is, unless it has one of these revisions.
pub(super) async fn find_stale(
    ctx: &CommandContext<'_>,
    story: StoryId,
    expected: &Precondition,
) -> Result<Option<Box<StoryDetail>>> {
    if *expected == Precondition::None {
        return Ok(None);
    }
    let (revision, _) = read::find_revision(ctx.tx, ctx.space, story).await?.ok_or_else(Fault::not_found)?;
    if expected.holds(revision) {
        return Ok(None);
    }
    let found = read::find_detail(ctx.tx, ctx.space, story).await?.ok_or_else(Fault::not_found)?;
    Ok(Some(Box::new(found)))
}

/// Reads what the database has given the story: its revision, and who wrote it.
pub(super) async fn stamp(ctx: &CommandContext<'_>, detail: &mut StoryDetail) -> Result<()> {
    let story = &mut detail.current.story;
    (story.revision, story.author) = read::find_revision(ctx.tx, ctx.space, story.id).await?.ok_or_else(Fault::not_found)?;
    Ok(())
}
