//! How far stories are translated: counted and kept whenever a draft is written, told for one story field by
//! field; and the command that says that a translation is still right.

use super::{
    if_match::{Written, find_stale},
    steps::{audited, find_active},
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::{
        Changes, Language, Right, language,
        story::StoryContent,
        translation_status::{KeptTranslations, OutdatedTranslations, TranslationCounts, TranslationStatus, count, survey},
        validation::Schemas,
    },
    shared::{Precondition, SpaceId, StoryId},
};
use std::collections::{BTreeSet, HashMap};
use storage::{
    Executor, Result,
    content::{commit_log::LockedSpace, spaces, stories::translation_status, validation},
};

/// How many drafts are counted at once: their trees are large.
const BATCH: usize = 8;

/// The status of a draft in these languages. Two round trips.
pub async fn statuses(
    executor: &impl Executor,
    space: SpaceId,
    languages: &[Language],
    id: StoryId,
    draft: &StoryContent,
) -> Result<Vec<TranslationStatus>> {
    let outdated = translation_status::find(executor, space, id).await?.outdated;
    let schemas = schemas_of(executor, space, &[draft]).await?;
    Ok(survey(draft.tree()?, &schemas, languages, &outdated))
}

/// How far the drafts of a list are translated, by their stories: as it was kept when they were written.
/// Those of other schemas are counted here. Two round trips, and one for a batch of those.
pub async fn counts(
    executor: &impl Executor,
    space: SpaceId,
    drafts: &[(StoryId, &StoryContent)],
) -> Result<HashMap<StoryId, Vec<TranslationCounts>>> {
    let (languages, schemas_revision) = spaces::languages_and_schemas(executor, space).await?;
    if languages.is_empty() || drafts.is_empty() {
        return Ok(HashMap::new());
    }
    let ids: Vec<StoryId> = drafts.iter().map(|(id, _)| *id).collect();
    let mut kept = translation_status::find_all(executor, space, &ids).await?;
    let mut found = HashMap::new();
    let mut others = Vec::new();
    for (id, draft) in drafts {
        let kept = kept.remove(id).unwrap_or_default();
        match kept.counts_in(&languages, schemas_revision) {
            Some(counts) => drop(found.insert(*id, counts)),
            None => others.push((*id, draft, kept.outdated)),
        }
    }
    for batch in others.chunks(BATCH) {
        // Parsed for this only: a list keeps the drafts that it was given.
        let parsed: Vec<_> = batch.iter().map(|(_, draft, _)| StoryContent::from(draft.text().to_owned())).collect();
        let schemas = schemas_of(executor, space, &parsed.iter().collect::<Vec<_>>()).await?;
        for ((id, _, outdated), draft) in batch.iter().zip(&parsed) {
            found.insert(*id, count(draft.tree()?, &schemas, &languages, outdated));
        }
    }
    Ok(found)
}

/// Keeps how far new stories are translated, in which nothing is outdated. Two round trips, however many they
/// are; none in a space with one language.
pub(in crate::content) async fn keep_new(ctx: &CommandContext<'_>, drafts: &[(StoryId, &StoryContent)]) -> Result<()> {
    let LockedSpace { languages, schemas_revision, .. } = &ctx.locked;
    if languages.is_empty() || drafts.is_empty() {
        return Ok(());
    }
    let schemas = schemas_of(ctx.tx, ctx.space, &drafts.iter().map(|(_, draft)| *draft).collect::<Vec<_>>()).await?;
    let nothing = OutdatedTranslations::default();
    let counted = |(id, draft): &(StoryId, &StoryContent)| Ok((*id, count(draft.tree()?, &schemas, languages, &nothing)));
    let counts = drafts.iter().map(counted).collect::<Result<Vec<_>>>()?;
    translation_status::save_new(ctx.tx, ctx.space, *schemas_revision, &counts).await
}

/// Keeps which translations of a draft are outdated, and how far it is translated, unless it is known.
pub(in crate::content) async fn keep(
    ctx: &CommandContext<'_>,
    id: StoryId,
    outdated: OutdatedTranslations,
    draft: &StoryContent,
    known: &KeptTranslations,
) -> Result<()> {
    let LockedSpace { languages, schemas_revision, .. } = &ctx.locked;
    let kept = if languages.is_empty() {
        KeptTranslations { outdated, ..KeptTranslations::default() }
    } else {
        let schemas = schemas_of(ctx.tx, ctx.space, &[draft]).await?;
        let counts = count(draft.tree()?, &schemas, languages, &outdated);
        KeptTranslations { outdated, counts, schemas_revision: *schemas_revision }
    };
    if kept == *known { Ok(()) } else { translation_status::save(ctx.tx, ctx.space, id, &kept).await }
}

/// The schemas of all components that drafts name.
async fn schemas_of(executor: &impl Executor, space: SpaceId, drafts: &[&StoryContent]) -> Result<Schemas> {
    let mut names = BTreeSet::new();
    for draft in drafts {
        names.extend(Schemas::names(draft.tree()?));
    }
    let names: Vec<&str> = names.into_iter().collect();
    Ok(Schemas::new(validation::components(executor, space, &names).await?, &[]))
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
        let (draft, languages) = (&current.draft.content, &ctx.locked.languages);
        language::require(&self.language, languages)?;
        let known = translation_status::find(ctx.tx, ctx.space, self.id).await?;
        let mut outdated = known.outdated.clone();
        let schemas = schemas_of(ctx.tx, ctx.space, &[draft]).await?;
        let mut found = survey(draft.tree()?, &schemas, languages, &outdated);
        let Some(status) = found.iter_mut().find(|status| status.language == self.language) else {
            return Ok((Written::Done(found), Changes::default()));
        };
        let suffix = language::suffix(&self.language);
        let confirmed: Vec<_> = status.outdated.extract_if(.., |place| self.fields.contains(&place.field)).collect();
        for place in &confirmed {
            let name = place.field.rsplit('/').next().unwrap_or_default();
            outdated.confirm(&suffix, place.uid.as_deref().unwrap_or_default(), name);
        }
        if confirmed.is_empty() {
            return Ok((Written::Done(found), Changes::default()));
        }
        keep(ctx, self.id, outdated, draft, &known).await?;
        Ok((Written::Done(found), audited("story.confirm_translations", &current)))
    }
}
