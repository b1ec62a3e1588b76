//! The place of a story: its folder, slug and position, and the path that follows from them.

use crate::content::command::CommandContext;
use domain::{
    content::{
        slug::{self, Slug},
        story::{Story, StoryPlace},
    },
    shared::{Fault, FieldCode, StoryId},
};
use storage::{
    Result,
    content::stories::tree::{self, Folder, MovedStory},
};

/// The folder of a new place; `None` is the root. 422 on `parent_id` when it is no folder of this space.
pub(super) async fn find_folder(ctx: &CommandContext<'_>, parent: StoryId) -> Result<Option<Folder>> {
    if parent == StoryId::ROOT {
        return Ok(None);
    }
    match tree::find_folder(ctx.tx, ctx.space, parent).await? {
        Some(folder) if folder.is_folder => Ok(Some(folder)),
        Some(_) => Err(Fault::invalid("parent_id", FieldCode::NotAFolder, "must be a folder").into()),
        None => Err(Fault::invalid("parent_id", FieldCode::Unknown, "must exist").into()),
    }
}

/// The new place of a story. `None` keeps what is.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Destination<'a> {
    pub(super) parent: Option<StoryId>,
    pub(super) slug: Option<&'a str>,
    pub(super) position: Option<i32>,
    pub(super) is_startpage: Option<bool>,
}

impl Destination<'_> {
    /// Whether it is the place that a story has already.
    pub(super) fn is_at(&self, place: &StoryPlace) -> bool {
        self.parent.is_none_or(|parent| parent == place.parent)
            && self.slug.is_none_or(|slug| slug == place.slug)
            && self.position.is_none_or(|position| position == place.position)
            && self.is_startpage.is_none_or(|is_startpage| is_startpage == place.is_startpage)
    }
}

/// Puts a story at its destination, writes its group, and moves everything below it along. Returns the story
/// and the stories whose path changed, itself first. Their translated paths are stale afterwards: see
/// [`super::translations::refresh_paths`].
pub(super) async fn set_place(
    ctx: &CommandContext<'_>,
    mut story: Story,
    old: &StoryPlace,
    to: Destination<'_>,
) -> Result<(Story, Vec<MovedStory>)> {
    if let Some(slug) = to.slug {
        Slug::parse(slug)?.as_str().clone_into(&mut story.place.slug);
    }
    story.place.is_startpage = to.is_startpage.unwrap_or(old.is_startpage);
    if story.is_folder && story.place.is_startpage {
        return Err(Fault::invalid("is_startpage", FieldCode::Folder, "cannot be set on a folder").into());
    }
    story.place.parent = to.parent.unwrap_or(old.parent);
    let folder = find_folder(ctx, story.place.parent).await?;
    let above = folder.as_ref().map(|f| f.full_slug.as_str());
    let is_into_itself = above.is_some_and(|above| above == old.full_slug || above.starts_with(&format!("{}/", old.full_slug)));
    if story.is_folder && is_into_itself {
        return Err(Fault::invalid("parent_id", FieldCode::Cycle, "must not be the folder itself or below it").into());
    }
    story.place.full_slug = slug::full_slug(above, &story.place.slug, story.place.is_startpage)?;
    story.place.position = match to.position {
        Some(position) => position,
        None if story.place.parent == old.parent => old.position,
        None => tree::first_position(ctx.tx, ctx.space, story.place.parent).await?,
    };
    tree::set_place(ctx.tx, ctx.space, &story, ctx.authorized.actor()).await?;
    if story.place.full_slug == old.full_slug {
        return Ok((story, Vec::new()));
    }
    let mut moved = vec![MovedStory {
        id: story.id,
        uuid: story.uuid,
        full_slug: story.place.full_slug.clone(),
        old_full_slug: old.full_slug.clone(),
        published: story.is_published(),
    }];
    if story.is_folder {
        moved.extend(tree::move_below(ctx.tx, ctx.space, &old.full_slug, &story.place.full_slug).await?);
    }
    Ok((story, moved))
}
