//! A copy of a story.

use super::{
    Create, Patch, TranslationOf, TranslationPatch,
    steps::{audited, find_active},
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::Changes,
    shared::{Fault, StoryId},
};
use storage::{
    Result,
    content::stories::{read::StoryDetail, translations::TranslatedSlug},
};

/// Copies a story's draft into a new story of its own, unpublished, with its names in other languages. Slugs in other languages are not
/// copied, because both stories would then have the same path there. 422 for a folder.
pub struct Duplicate {
    /// The original.
    pub id: StoryId,
    /// The copy's name; the original's when `None`.
    pub name: Option<String>,
    /// The copy's slug.
    pub slug: String,
    /// The copy's folder; the original's when `None`.
    pub parent: Option<StoryId>,
}

impl SpaceCommand for Duplicate {
    type Output = StoryDetail;

    const NAME: &'static str = "story.duplicate";

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(StoryDetail, Changes)> {
        let StoryDetail { current: original, related } = find_active(ctx, self.id).await?;
        if original.story.is_folder {
            return Err(Fault::invalid("base", "folder", "A folder cannot be duplicated").into());
        }
        let content = serde_json::from_str(original.draft.content.get());
        let content = content.map_err(|error| Fault::internal(format!("story {}: {error}", self.id)))?;
        let translations = related.translated_slugs.into_iter().filter(|translation| translation.name.is_some());
        let copy = Patch {
            name: Some(self.name.clone().unwrap_or_else(|| original.draft.name.clone())),
            slug: Some(self.slug.clone()),
            parent: Some(self.parent.unwrap_or(original.story.place.parent)),
            content: Some(content),
            tags: Some(original.draft.tags.clone()),
            sort_by_date: Some(original.draft.sort_by_date),
            meta_data: Some(original.draft.meta_data.clone()),
            disable_fe_editor: Some(original.story.disable_fe_editor),
            translated_slugs: translations.map(same_name).collect(),
            ..Patch::default()
        };
        let (created, mut changes) = Create { story: copy, publish: false }.run(ctx).await?;
        changes.audit = audited("story.duplicate", &created.current).audit;
        Ok((created, changes))
    }
}

/// The same name in the same language, without a slug.
fn same_name(translation: TranslatedSlug) -> TranslationPatch {
    TranslationPatch { of: TranslationOf::Language(translation.lang), slug: None, name: Some(translation.name), destroy: false }
}
