//! Moves an existing story to another path, together with everything below it.

use crate::content::{
    command::CommandContext,
    stories::events::{moved, moved_from},
};
use domain::{
    content::{
        StoryEvent,
        story::{Story, StoryPlace},
    },
    shared::StoryId,
};
use std::collections::HashMap;
use storage::{
    Result,
    content::stories::{
        translations,
        tree::{self, MovedStory},
    },
};

/// A slug in a story's folder, with the path.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct FreePath {
    pub(super) slug: String,
    pub(super) full_slug: String,
    pub(super) is_startpage: bool,
}

/// Gives a story another slug in its folder. Returns the new paths of the story and of those below it, by id.
pub(super) async fn change_slug(
    ctx: &CommandContext<'_>,
    mut story: Story,
    FreePath { slug, full_slug, is_startpage }: FreePath,
    events: &mut Vec<StoryEvent>,
) -> Result<HashMap<StoryId, String>> {
    let old_path = story.place.full_slug.clone();
    story.place = StoryPlace { slug, full_slug, is_startpage, ..story.place };
    let below = move_from(ctx, &story, &old_path, events).await?;
    translations::refresh_paths(ctx.tx, ctx.space, &story).await?;
    let below = below.into_iter().map(|story| (story.id, story.full_slug));
    Ok([(story.id, story.place.full_slug)].into_iter().chain(below).collect())
}

/// Writes the place of a story whose path was `old_path`. Returns the stories below it, if they moved.
pub(super) async fn move_from(
    ctx: &CommandContext<'_>,
    story: &Story,
    old_path: &str,
    events: &mut Vec<StoryEvent>,
) -> Result<Vec<MovedStory>> {
    tree::set_place(ctx.tx, ctx.space, story, ctx.authorized.actor()).await?;
    if old_path == story.place.full_slug {
        return Ok(Vec::new());
    }
    events.push(moved_from(old_path, story));
    if !story.is_folder {
        return Ok(Vec::new());
    }
    let below = tree::move_below(ctx.tx, ctx.space, old_path, &story.place.full_slug).await?;
    events.extend(moved(&below));
    Ok(below)
}
