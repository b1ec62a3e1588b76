//! A copy of a story.

use super::{
    Create, Patch, TranslationOf, TranslationPatch, Written,
    steps::{audited, present},
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::Changes,
    shared::{Fault, StoryId},
};
use storage::{
    Result,
    content::stories::translations::{self, TranslatedSlug},
};

/// Copies a story's draft into a new story of its own, unpublished, with its names in other languages. Slugs in other languages are not
/// copied: two stories would stand at one path there. 422 for a folder.
pub struct Duplicate {
    /// Which.
    pub id: StoryId,
    /// The copy's name; the original's when `None`.
    pub name: Option<String>,
    /// The copy's slug.
    pub slug: String,
    /// The copy's folder; the original's when `None`.
    pub parent: Option<StoryId>,
}

impl SpaceCommand for Duplicate {
    type Output = Written;

    const NAME: &'static str = "story.duplicate";

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Written, Changes)> {
        let original = present(ctx, self.id).await?;
        if original.story.is_folder {
            return Err(Fault::invalid("base", "folder", "A folder cannot be duplicated").into());
        }
        let content = serde_json::from_str(original.draft.content.get());
        let content = content.map_err(|error| Fault::internal(format!("story {}: {error}", self.id)))?;
        let translations = translations::of_story(ctx.tx, ctx.space, self.id).await?;
        let copy = Patch {
            name: Some(self.name.clone().unwrap_or_else(|| original.draft.name.clone())),
            slug: Some(self.slug.clone()),
            parent: Some(self.parent.unwrap_or(original.story.place.parent)),
            content: Some(content),
            tags: Some(original.draft.tags.clone()),
            sort_by_date: Some(original.draft.sort_by_date),
            meta_data: Some(original.draft.meta_data.clone()),
            disable_fe_editor: Some(original.story.disable_fe_editor),
            translated_slugs: translations.into_iter().filter(|translation| translation.name.is_some()).map(named_alike).collect(),
            ..Patch::default()
        };
        let (written, mut changes) = Create { story: copy, publish: false }.run(ctx).await?;
        changes.audit = audited("story.duplicate", &written.found).audit;
        Ok((written, changes))
    }
}

/// The same name in that language, and no slug.
fn named_alike(it: TranslatedSlug) -> TranslationPatch {
    TranslationPatch { of: TranslationOf::Language(it.lang), slug: None, name: Some(it.name), destroy: false }
}
