//! A new story or folder.

use super::{
    Patch,
    events::event,
    patch::content_of,
    place::find_folder,
    steps::{audited, new_version},
    translations::{refresh_paths, set_translations},
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes, EventKind,
        scheduling::PublishSchedule,
        slug::{self, Slug},
        story::{Edition, Place, Publication, Story, clean_name, clean_tags},
    },
    shared::{Fault, StoryId},
};
use futures_util::future::try_join;
use storage::{
    Result,
    content::{
        schedulings,
        stories::{
            editions,
            read::{self, StoryDetail, StoryWithDraft},
            tree,
            versions::{self, Status},
            write,
        },
    },
};

/// Creates a story, and publishes it when asked to.
pub struct Create {
    /// The fields of the story; name and slug are required.
    pub story: Patch,
    /// Whether it is published at once.
    pub publish: bool,
}

impl SpaceCommand for Create {
    type Output = StoryDetail;

    const NAME: &'static str = "story.create";

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(StoryDetail, Changes)> {
        let (mut story, draft) = self.build(ctx).await?;
        if self.publish {
            story = story.publish(1, ctx.now)?;
        }
        story.id = write::insert(ctx.tx, ctx.space, &story, &draft).await?;
        if self.publish {
            editions::publish(ctx.tx, ctx.space, story.id).await?;
        }
        if !story.is_folder {
            let status = if self.publish { Status::Published } else { Status::Draft };
            versions::insert(ctx.tx, ctx.space, &story, &draft, new_version(ctx, status)).await?;
        }
        if story.schedule != PublishSchedule::default() {
            schedulings::wake(ctx.tx).await?;
        }
        set_translations(ctx, &story, &[], &self.story.translated_slugs).await?;
        if story.place.parent != StoryId::ROOT || !self.story.translated_slugs.is_empty() {
            refresh_paths(ctx, &story).await?;
        }
        let related = read::find_related(ctx.tx, ctx.space, story.id).await?;
        let current = StoryWithDraft { story, draft };
        let changes = self.changes(&current);
        Ok((StoryDetail { current, related }, changes))
    }
}

impl Create {
    /// The story and its draft as they are to be inserted. The number is not known yet.
    async fn build(&self, ctx: &CommandContext<'_>) -> Result<(Story, Edition)> {
        let given = &self.story;
        let name = clean_name(given.name.as_deref().unwrap_or_default())?;
        let slug = Slug::parse(given.slug.as_deref().unwrap_or_default())?;
        let is_folder = given.is_folder.unwrap_or(false);
        let is_startpage = given.is_startpage.unwrap_or(false);
        if is_folder && is_startpage {
            return Err(Fault::invalid("is_startpage", "folder", "cannot be set on a folder").into());
        }
        let parent = given.parent.unwrap_or(StoryId::ROOT);
        let first_position = async {
            match given.position {
                Some(position) => Ok(position),
                None => tree::first_position(ctx.tx, ctx.space, parent).await,
            }
        };
        let (folder, position) = try_join(find_folder(ctx, parent), first_position).await?;
        let full_slug = slug::full_slug(folder.as_ref().map(|f| f.full_slug.as_str()), slug.as_str(), is_startpage)?;
        let default_root = folder.as_ref().and_then(|f| f.default_root.as_deref());
        let (component, content) = content_of(is_folder, given.content.clone(), default_root, ctx.entropy)?;
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
            schedule: PublishSchedule::default(),
            deleted_at: None,
        };
        let bare = Edition {
            name,
            component,
            content,
            tags: clean_tags(given.tags.clone().unwrap_or_default())?,
            sort_by_date: None,
            path: None,
            meta_data: None,
        };
        let draft = Patch { content: None, ..given.clone() }.apply_to_draft(&story, bare, ctx.entropy)?;
        Ok((given.apply_to_story(story, ctx.now)?, draft))
    }

    fn changes(&self, created: &StoryWithDraft) -> Changes {
        let mut changes = audited("story.create", created);
        if self.publish {
            changes.audit.extend(audited("story.publish", created).audit);
            changes.events.push(event(EventKind::Published, &created.story));
        }
        // Published lists of links show every folder.
        if self.publish || created.story.is_folder { changes.visible() } else { changes }
    }
}
