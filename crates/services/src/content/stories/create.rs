//! A new story or folder.

use super::{
    Patch,
    folder_types::require_allowed,
    if_match::stamp,
    languages::publish_written,
    patch::content_of,
    place::find_folder,
    preset::{PresetChoice, with_preset},
    steps::{audited, new_version},
    translation_status::keep_new,
    translations::{refresh_paths, refuse_shared_path, set_translations},
};
use crate::content::{
    command::{CommandContext, SpaceCommand},
    validation::require_publishable,
};
use domain::{
    content::{
        Changes, Right,
        scheduling::PublishSchedule,
        slug::{self, Slug},
        story::{Edition, Publication, Story, StoryPlace, clean_name, clean_tags},
    },
    shared::{Authorship, Fault, FieldCode, StoryId},
};
use futures_util::future::try_join;
use std::sync::Arc;
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
#[derive(Default)]
pub struct Create {
    /// The fields of the story; name and slug are required.
    pub story: Patch,
    /// Whether it is published at once.
    pub publish: bool,
    /// The languages that are published then, by their codes, `[default]` among them; empty for all.
    pub languages: Vec<String>,
    /// The preset that its content begins with.
    pub preset: PresetChoice,
}

impl SpaceCommand for Create {
    type Output = StoryDetail;

    const NAME: &'static str = "story.create";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(StoryDetail, Changes)> {
        let (mut story, draft) = self.build(ctx).await?;
        // A folder has no edition to publish.
        let publishes = self.publish && !story.is_folder;
        let publishes_all = publishes && self.languages.is_empty();
        if publishes_all {
            require_publishable(ctx, &draft.content).await?;
            story = story.publish(1, ctx.now)?;
        }
        story.id = write::insert(ctx.tx, ctx.space, &story, &draft, ctx.authorized.actor()).await?;
        if publishes_all {
            editions::publish(ctx.tx, ctx.space, story.id).await?;
        }
        if !story.is_folder {
            let status = if publishes_all { Status::Published } else { Status::Draft };
            versions::insert(ctx.tx, ctx.space, &story, &draft, new_version(ctx, status)).await?;
        }
        if story.schedule != PublishSchedule::default() {
            schedulings::wake(ctx.tx).await?;
        }
        if !story.is_folder {
            keep_new(ctx, &[(story.id, &draft.content)]).await?;
        }
        set_translations(ctx, &story, &[], &self.story.translated_slugs).await?;
        if story.place.parent != StoryId::ROOT || !self.story.translated_slugs.is_empty() {
            refresh_paths(ctx, &story).await?;
        } else {
            refuse_shared_path(ctx, &story).await?;
        }
        let related = read::find_related(ctx.tx, ctx.space, story.id).await?;
        let current = StoryWithDraft { story, draft };
        let changes = created(&current);
        let detail = StoryDetail { current, related };
        let (mut detail, changes) =
            if publishes { publish_written(ctx, detail, changes, &self.languages).await? } else { (detail, changes) };
        stamp(ctx, &mut detail).await?;
        Ok((detail, changes))
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
            return Err(Fault::invalid("is_startpage", FieldCode::Folder, "cannot be set on a folder").into());
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
        let content = match self.preset {
            PresetChoice::Nothing => given.content.clone(),
            _ if is_folder => return Err(Fault::invalid("preset_id", FieldCode::Folder, "cannot be set on a folder").into()),
            choice => {
                let content = given.content.as_deref().cloned();
                with_preset(ctx, choice, content, default_root).await?.map(Arc::new)
            }
        };
        let (component, content) = content_of(is_folder, content, default_root, ctx.entropy)?;
        if !is_folder {
            require_allowed(ctx, parent, component.as_deref()).await?;
        }
        let story = Story {
            id: StoryId::ROOT,
            uuid: ctx.entropy.uuid(),
            group_id: ctx.entropy.uuid(),
            is_folder,
            place: StoryPlace { parent, slug: slug.as_str().to_owned(), full_slug, position, is_startpage },
            default_root: None,
            disable_fe_editor: false,
            pinned: false,
            publication: Publication::Draft,
            translations: None,
            last_version: i32::from(!is_folder),
            created_at: ctx.now,
            updated_at: ctx.now,
            first_published_at: None,
            schedule: PublishSchedule::default(),
            deleted_at: None,
            // The database gives it both.
            revision: 0,
            author: Authorship::default(),
            is_autosaved: false,
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
}

fn created(story: &StoryWithDraft) -> Changes {
    let changes = audited("story.create", story);
    // Published lists of links show every folder.
    if story.story.is_folder { changes.visible() } else { changes }
}
