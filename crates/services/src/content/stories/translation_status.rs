//! How far stories are translated, and the command that says that a translation is still right.

use super::{
    if_match::{Written, find_stale},
    steps::{audited, find_active},
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes, Language, Right, language,
        story::StoryContent,
        translation_status::{TranslationStatus, survey},
        validation::Schemas,
    },
    shared::{Precondition, SpaceId, StoryId},
};
use std::collections::{BTreeSet, HashMap};
use storage::{
    Executor, Result,
    content::{spaces, stories::translation_status, validation},
};

/// The status of drafts in these languages, by their stories. Two round trips, however many they are.
pub async fn statuses(
    executor: &impl Executor,
    space: SpaceId,
    languages: &[Language],
    drafts: &[(StoryId, &StoryContent)],
) -> Result<HashMap<StoryId, Vec<TranslationStatus>>> {
    if languages.is_empty() || drafts.is_empty() {
        return Ok(HashMap::new());
    }
    let mut names = BTreeSet::new();
    for (_, draft) in drafts {
        names.extend(Schemas::names(draft.tree()?));
    }
    let names: Vec<&str> = names.into_iter().collect();
    let schemas = Schemas::new(validation::components(executor, space, &names).await?, &[]);
    let ids: Vec<StoryId> = drafts.iter().map(|(id, _)| *id).collect();
    let mut outdated = translation_status::find_all(executor, space, &ids).await?;
    let status = |(id, draft): &(StoryId, &StoryContent)| {
        let outdated = outdated.remove(id).unwrap_or_default();
        Ok((*id, survey(draft.tree()?, &schemas, languages, &outdated)))
    };
    drafts.iter().map(status).collect()
}

/// Says that translations are still right, although their default values were changed. The draft stays as it
/// is, and so does its revision.
pub struct ConfirmTranslations {
    pub id: StoryId,
    /// The revisions whose default values the caller has seen.
    pub expected: Precondition,
    /// The code of the language.
    pub language: String,
    /// The paths of the fields. Those that are not outdated stay as they are.
    pub fields: Vec<String>,
}

impl SpaceCommand for ConfirmTranslations {
    type Output = Written<Vec<TranslationStatus>>;

    const NAME: &'static str = "story.confirm_translations";

    const NEEDS: Right = Right::WriteContent;

    /// 422 on `language` for one that the space does not have.
    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Written<Vec<TranslationStatus>>, Changes)> {
        if let Some(found) = find_stale(ctx, self.id, &self.expected).await? {
            return Ok((Written::Stale(found), Changes::default()));
        }
        let current = find_active(ctx, self.id).await?.current;
        let languages = spaces::languages(ctx.tx, ctx.space).await?;
        language::require(&self.language, &languages)?;
        let drafts = [(self.id, &current.draft.content)];
        let mut found = statuses(ctx.tx, ctx.space, &languages, &drafts).await?.remove(&self.id).unwrap_or_default();
        let mut known = translation_status::find(ctx.tx, ctx.space, self.id).await?;
        let Some(status) = found.iter_mut().find(|status| status.language == self.language) else {
            return Ok((Written::Done(found), Changes::default()));
        };
        let suffix = language::suffix(&self.language);
        let confirmed: Vec<_> = status.outdated.extract_if(.., |place| self.fields.contains(&place.field)).collect();
        for place in &confirmed {
            let name = place.field.rsplit('/').next().unwrap_or_default();
            known.confirm(&suffix, place.uid.as_deref().unwrap_or_default(), name);
        }
        if confirmed.is_empty() {
            return Ok((Written::Done(found), Changes::default()));
        }
        translation_status::save(ctx.tx, ctx.space, self.id, &known).await?;
        Ok((Written::Done(found), audited("story.confirm_translations", &current)))
    }
}
