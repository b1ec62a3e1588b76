//! The change of a story that a caller asks for.

use domain::{
    content::{
        Checks, blocks,
        scheduling::{PublishSchedule, future},
        story::{Edition, Story, StoryContent, clean_name, clean_tags},
    },
    shared::{Entropy, Fault, FieldCode, StoryId},
};
use jiff::{Timestamp, civil::Date};
use serde_json::{Value, value::RawValue};
use std::sync::Arc;
use storage::content::stories::read::StoryWithDraft;
use uuid::Uuid;

/// New values of a story's fields. `None` leaves a field as it is; in a doubled option the inner `None`
/// clears it.
#[derive(Debug, Clone, Default)]
pub struct Patch {
    pub name: Option<String>,
    /// The story's own segment of the path.
    pub slug: Option<String>,
    pub parent: Option<StoryId>,
    /// The content tree; it replaces the old one entirely.
    pub content: Option<Arc<Value>>,
    /// Whether it is a folder; fixed at creation.
    pub is_folder: Option<bool>,
    /// Whether it answers for its folder's path.
    pub is_startpage: Option<bool>,
    pub tags: Option<Vec<String>>,
    /// The position among its siblings.
    pub position: Option<i32>,
    pub path: Option<Option<String>>,
    /// A folder's default content type.
    pub default_root: Option<Option<String>>,
    /// Whether the visual editor is off.
    pub disable_fe_editor: Option<bool>,
    /// Whether it is pinned.
    pub pinned: Option<bool>,
    /// A date to sort by.
    pub sort_by_date: Option<Option<Date>>,
    /// Free data of integrations.
    pub meta_data: Option<Option<Box<RawValue>>>,
    /// The group of alternates.
    pub group_id: Option<Uuid>,
    /// The time of the first publish, for content that comes from another system.
    pub first_published_at: Option<Option<Timestamp>>,
    /// The time at which it is to be published.
    pub publish_at: Option<Option<Timestamp>>,
    /// The time at which it is to be unpublished.
    pub expire_at: Option<Option<Timestamp>>,
    /// Slugs and names in other languages.
    pub translated_slugs: Vec<TranslationPatch>,
}

/// The change of the slug and the name in one language. `None` leaves a value as it is.
#[derive(Debug, Clone)]
pub struct TranslationPatch {
    pub of: TranslationOf,
    /// The slug in it; the inner `None` is the default one.
    pub slug: Option<Option<String>>,
    /// The name in it.
    pub name: Option<Option<String>>,
    /// Whether it is removed instead.
    pub destroy: bool,
}

/// How a translation of a story is named.
#[derive(Debug, Clone)]
pub enum TranslationOf {
    /// The one of a language, by its code; it may be new.
    Language(String),
    /// An existing one, by its number.
    Number(i64),
}

impl Patch {
    /// The draft with this change made.
    pub(super) fn apply_to_draft(&self, story: &Story, mut draft: Edition, entropy: &dyn Entropy) -> Result<Edition, Fault> {
        if let Some(name) = &self.name {
            draft.name = clean_name(name)?;
        }
        if let Some(content) = &self.content {
            (draft.component, draft.content) = content_of(story.is_folder, Some(content.clone()), None, entropy)?;
        }
        if let Some(tags) = &self.tags {
            draft.tags = clean_tags(tags.clone())?;
        }
        if let Some(date) = self.sort_by_date {
            draft.sort_by_date = date;
        }
        if let Some(path) = &self.path {
            draft.path = path.as_ref().map(|path| path.trim().to_owned()).filter(|path| !path.is_empty());
        }
        if let Some(meta_data) = &self.meta_data {
            draft.meta_data.clone_from(meta_data);
        }
        Ok(draft)
    }

    /// 422 for each field, beside content and name, that this would change: an autosave writes a draft only.
    pub(super) fn refuse_more_than_a_draft(
        &self,
        before: &StoryWithDraft,
        now: Timestamp,
        entropy: &dyn Entropy,
    ) -> Result<(), Fault> {
        let (story, place) = (&before.story, &before.story.place);
        let after = self.apply_to_story(story.clone(), now)?;
        let draft = Self { content: None, ..self.clone() }.apply_to_draft(story, before.draft.clone(), entropy)?;
        let mut checks = Checks::default();
        for (field, differs) in [
            ("slug", self.slug.as_ref().is_some_and(|slug| *slug != place.slug)),
            ("parent_id", self.parent.is_some_and(|parent| parent != place.parent)),
            ("position", self.position.is_some_and(|position| position != place.position)),
            ("is_startpage", self.is_startpage.is_some_and(|is_startpage| is_startpage != place.is_startpage)),
            ("tag_list", draft.tags != before.draft.tags),
            ("path", draft.path != before.draft.path),
            ("sort_by_date", draft.sort_by_date != before.draft.sort_by_date),
            ("meta_data", !draft.has_meta_data_of(&before.draft)),
            ("default_root", after.default_root != story.default_root),
            ("disable_fe_editor", after.disable_fe_editor != story.disable_fe_editor),
            ("pinned", after.pinned != story.pinned),
            ("group_id", after.group_id != story.group_id),
            ("first_published_at", after.first_published_at != story.first_published_at),
            ("publish_at", after.schedule.publish_at != story.schedule.publish_at),
            ("expire_at", after.schedule.expire_at != story.schedule.expire_at),
            ("translated_slugs_attributes", !self.translated_slugs.is_empty()),
        ] {
            if differs {
                checks.refuse(field, FieldCode::Fixed, "cannot be changed by an autosave; save the story");
            }
        }
        checks.finish()
    }

    /// The own dates of the story with this change made. A new date must be in the future; one that is sent
    /// back as it was read may be past. A folder has none.
    fn schedule(&self, story: &Story, now: Timestamp) -> Result<PublishSchedule, Fault> {
        if story.is_folder {
            return Ok(PublishSchedule::default());
        }
        let time = |field, given: Option<Option<Timestamp>>, old: Option<Timestamp>| match given {
            Some(Some(at)) if Some(at) != old => future(field, at, now).map(Some),
            given => Ok(given.unwrap_or(old)),
        };
        let publish_at = time("publish_at", self.publish_at, story.schedule.publish_at)?;
        let expire_at = time("expire_at", self.expire_at, story.schedule.expire_at)?;
        let schedule = PublishSchedule { publish_at, expire_at };
        if publish_at.zip(expire_at).is_some_and(|(publish, expire)| expire <= publish) {
            return Err(Fault::invalid("expire_at", FieldCode::Invalid, "must be after publish_at"));
        }
        Ok(schedule)
    }

    /// The story with this change made, but for its place, which [`super::place`] sets.
    pub(super) fn apply_to_story(&self, mut story: Story, now: Timestamp) -> Result<Story, Fault> {
        if self.is_folder.is_some_and(|is_folder| is_folder != story.is_folder) {
            return Err(Fault::invalid("is_folder", FieldCode::Fixed, "cannot be changed"));
        }
        if let Some(default_root) = &self.default_root {
            story.default_root.clone_from(default_root);
        }
        story.disable_fe_editor = self.disable_fe_editor.unwrap_or(story.disable_fe_editor);
        story.pinned = self.pinned.unwrap_or(story.pinned);
        story.group_id = self.group_id.unwrap_or(story.group_id);
        story.first_published_at = self.first_published_at.unwrap_or(story.first_published_at);
        story.schedule = self.schedule(&story, now)?;
        Ok(story)
    }
}

/// The root component of a content tree, and the tree, completed. A folder's content is any object, and
/// mostly empty.
pub(super) fn content_of(
    is_folder: bool,
    content: Option<Arc<Value>>,
    default_root: Option<&str>,
    entropy: &dyn Entropy,
) -> Result<(Option<String>, StoryContent), Fault> {
    if is_folder {
        return Ok((None, StoryContent::of(settings_of(content)?)?));
    }
    let content = blocks::complete(content, default_root, entropy)?;
    let component = content.as_object().and_then(blocks::component).map(str::to_owned);
    Ok((component, StoryContent::of(content)?))
}

fn settings_of(content: Option<Arc<Value>>) -> Result<Arc<Value>, Fault> {
    match content {
        Some(settings) if settings.is_object() => Ok(settings),
        Some(other) if !other.is_null() => Err(Fault::invalid("content", FieldCode::Invalid, "must be an object")),
        _ => Ok(Arc::new(Value::Object(serde_json::Map::new()))),
    }
}
