//! A copy of a story.

use super::{
    Create, Patch, TranslationOf, TranslationPatch,
    place::find_folder,
    steps::{audited, find_active},
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{Changes, Right},
    shared::{Fault, FieldCode, StoryId},
};
use storage::{
    Result,
    content::stories::{
        read::{Ancestor, StoryDetail},
        translation_status,
        translations::TranslatedSlug,
        tree,
    },
};
use uuid::Uuid;

/// Copies a story's draft into a new story of its own, unpublished, with its names in other languages; what
/// is outdated there is so in the copy. Slugs in other languages are not copied, because both stories would
/// then have the same path there. 422 for a folder.
pub struct Duplicate {
    pub id: StoryId,
    /// The copy's name; the original's when `None`.
    pub name: Option<String>,
    /// The copy's slug; the original's when `None`.
    pub slug: Option<String>,
    /// The copy's folder; the original's when `None`.
    pub parent: Option<StoryId>,
    /// The group that makes it an alternate of others; one of its own when `None`.
    pub group_id: Option<Uuid>,
    /// Whether it has the original's real path; otherwise it has none.
    pub keeps_path: bool,
    /// Whether it is as deep below `parent` as the original is below the folder on the level of `parent`;
    /// folders that are missing are made.
    pub creates_folders: bool,
}

impl SpaceCommand for Duplicate {
    type Output = StoryDetail;

    const NAME: &'static str = "story.duplicate";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(StoryDetail, Changes)> {
        let StoryDetail { current: original, related } = find_active(ctx, self.id).await?;
        if original.story.is_folder {
            return Err(Fault::invalid("base", FieldCode::Folder, "A folder cannot be duplicated").into());
        }
        let (parent, folders) = match self.parent {
            None => (original.story.place.parent, Changes::default()),
            Some(parent) if self.creates_folders => create_folders(ctx, parent, &related.ancestors).await?,
            Some(parent) => (parent, Changes::default()),
        };
        let translations = related.translated_slugs.into_iter().filter(|translation| translation.name.is_some());
        let copy = Patch {
            name: Some(self.name.clone().unwrap_or_else(|| original.draft.name.clone())),
            slug: Some(self.slug.clone().unwrap_or_else(|| original.story.place.slug.clone())),
            parent: Some(parent),
            group_id: self.group_id,
            path: self.keeps_path.then(|| original.draft.path.clone()),
            content: Some(original.draft.content.shared()?),
            tags: Some(original.draft.tags.clone()),
            sort_by_date: Some(original.draft.sort_by_date),
            meta_data: Some(original.draft.meta_data.clone()),
            disable_fe_editor: Some(original.story.disable_fe_editor),
            translated_slugs: translations.map(same_name).collect(),
            ..Patch::default()
        };
        let (created, mut changes) = Create { story: copy, ..Create::default() }.run(ctx).await?;
        if original.draft.content.is_translated() {
            let kept = translation_status::find(ctx.tx, ctx.space, self.id).await?;
            translation_status::save(ctx.tx, ctx.space, created.current.story.id, &kept).await?;
        }
        changes.audit = audited("story.duplicate", &created.current).audit;
        Ok((created, folders.and(changes)))
    }
}

/// Makes the folders below `target` that the original has below the folder on the same level, unless they are
/// there. Returns the lowest.
async fn create_folders(ctx: &CommandContext<'_>, target: StoryId, ancestors: &[Ancestor]) -> Result<(StoryId, Changes)> {
    let mut path = find_folder(ctx, target).await?.map(|folder| folder.full_slug);
    let level = path.as_ref().map_or(0, |path| path.split('/').count());
    let (mut parent, mut changes) = (target, Changes::default());
    for ancestor in ancestors.iter().skip(level) {
        let full_slug = path.map_or_else(|| ancestor.slug.clone(), |above| format!("{above}/{}", ancestor.slug));
        parent = if let Some(found) = tree::find_at(ctx.tx, ctx.space, &full_slug).await? {
            found
        } else {
            let folder = Patch {
                name: Some(ancestor.name.clone()),
                slug: Some(ancestor.slug.clone()),
                parent: Some(parent),
                is_folder: Some(true),
                ..Patch::default()
            };
            let (made, making) = Create { story: folder, ..Create::default() }.run(ctx).await?;
            changes = changes.and(making);
            made.current.story.id
        };
        path = Some(full_slug);
    }
    Ok((parent, changes))
}

/// The same name in the same language, without a slug.
fn same_name(translation: TranslatedSlug) -> TranslationPatch {
    TranslationPatch { of: TranslationOf::Language(translation.lang), slug: None, name: Some(translation.name), destroy: false }
}
