//! A new story or folder.

use super::{
    Patch, Written,
    events::event,
    patch::content_of,
    steps::{add_version, audited, folder, translate, written},
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes, EventKind,
        scheduling::Plan,
        slug::{self, Slug},
        story::{Edition, Place, Publication, Story, clean_name, clean_tags},
    },
    shared::{Fault, StoryId},
};
use storage::{
    Result,
    content::{
        schedulings,
        stories::{editions, read::Found, translations, tree, versions::Status, write},
    },
};

/// Creates a story, and publishes it when asked to.
pub struct Create {
    /// What it is to be; name and slug are required.
    pub story: Patch,
    /// Whether it is published at once.
    pub publish: bool,
}

impl SpaceCommand for Create {
    type Output = Written;

    const NAME: &'static str = "story.create";

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Written, Changes)> {
        let (mut story, draft) = self.drawn_up(ctx).await?;
        if self.publish {
            story = story.publish(1, ctx.now)?;
        }
        story.id = write::insert(ctx.tx, ctx.space, &story, &draft).await?;
        if self.publish {
            editions::publish(ctx.tx, ctx.space, story.id).await?;
        }
        let found = Found { story, draft };
        if found.story.plan != Plan::default() {
            schedulings::wake(ctx.tx).await?;
        }
        if !found.story.is_folder {
            add_version(ctx, &found, if self.publish { Status::Published } else { Status::Draft }).await?;
        }
        translate(ctx, &found.story, &self.story.translated_slugs).await?;
        if self.story.translated_slugs.is_empty() && found.story.place.parent != StoryId::ROOT {
            translations::refresh_paths(ctx.tx, ctx.space, &found.story).await?;
        }
        let changes = self.changes(&found);
        Ok((written(ctx, found.story.id).await?, changes))
    }
}

impl Create {
    async fn drawn_up(&self, ctx: &CommandContext<'_>) -> Result<(Story, Edition)> {
        let wanted = &self.story;
        let name = clean_name(wanted.name.as_deref().unwrap_or_default())?;
        let slug = Slug::parse(wanted.slug.as_deref().unwrap_or_default())?;
        let is_folder = wanted.is_folder.unwrap_or(false);
        let is_startpage = wanted.is_startpage.unwrap_or(false);
        if is_folder && is_startpage {
            return Err(Fault::invalid("is_startpage", "folder", "cannot be set on a folder").into());
        }
        let parent = wanted.parent.unwrap_or(StoryId::ROOT);
        let above = folder(ctx, parent).await?;
        let full_slug = slug::full_slug(above.as_ref().map(|above| above.full_slug.as_str()), slug.as_str(), is_startpage)?;
        let position = match wanted.position {
            Some(position) => position,
            None => tree::first_position(ctx.tx, ctx.space, parent).await?,
        };
        let default_root = above.as_ref().and_then(|above| above.default_root.as_deref());
        let (component, content) = content_of(is_folder, wanted.content.clone(), default_root, ctx.entropy)?;
        let story = Story {
            id: StoryId::ROOT,
            uuid: ctx.entropy.uuid(),
            group_id: ctx.entropy.uuid(),
            is_folder,
            place: Place { parent, slug: slug.as_str().to_owned(), full_slug, position, is_startpage },
            default_root: None,
            disable_fe_editor: false,
            pinned: false,
            publication: Publication::Draft,
            last_version: i32::from(!is_folder),
            created_at: ctx.now,
            updated_at: ctx.now,
            first_published_at: None,
            plan: Plan::default(),
            deleted_at: None,
        };
        let bare = Edition {
            name,
            component,
            content,
            tags: clean_tags(wanted.tags.clone().unwrap_or_default())?,
            sort_by_date: None,
            path: None,
            meta_data: None,
        };
        let draft = Patch { content: None, ..wanted.clone() }.edit(&story, bare, ctx.entropy)?;
        Ok((wanted.settle(story, ctx.now)?, draft))
    }

    fn changes(&self, found: &Found) -> Changes {
        let mut changes = audited("story.create", found);
        if self.publish {
            changes.audit.extend(audited("story.publish", found).audit);
            changes.events.push(event(EventKind::Published, &found.story));
        }
        // Published lists of links show every folder.
        if self.publish || found.story.is_folder { changes.visible() } else { changes }
    }
}
