//! Publishing and unpublishing some languages of a story.

use super::{
    events::event,
    steps::{audited, find_active, find_published, new_version},
    unpublish::unpublish,
};
use crate::content::{
    command::{CommandContext, SpaceCommand},
    validation::require_publishable,
};
use domain::{
    content::{Changes, EventKind, Language, Right, language_selection::LanguageSelection, story::Edition},
    shared::{Fault, FieldCode, StoryId},
};
use storage::{
    Result,
    content::{
        schedulings, spaces,
        stories::{
            editions,
            read::{StoryDetail, StoryWithDraft},
            versions::Status,
            write,
        },
    },
};

/// Publishes some languages of a story; the others stay as they are published. A folder stays as it is.
pub struct PublishLanguages {
    pub id: StoryId,
    /// The codes of the languages, and `[default]`.
    pub languages: Vec<String>,
}

impl SpaceCommand for PublishLanguages {
    type Output = StoryDetail;

    const NAME: &'static str = "story.publish_languages";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(StoryDetail, Changes)> {
        let found = find_active(ctx, self.id).await?;
        if found.current.story.is_folder {
            return Ok((found, Changes::default()));
        }
        publish_by_hand(ctx, found, &self.languages).await
    }
}

/// Completes the publish that a creation or an update was asked for. All languages were published along with
/// its writing, so that only the changes are missing; some of them are published now. `languages` is empty
/// for all.
pub(super) async fn publish_written(
    ctx: &CommandContext<'_>,
    written: StoryDetail,
    changes: Changes,
    languages: &[String],
) -> Result<(StoryDetail, Changes)> {
    if languages.is_empty() {
        let published = published(&written.current);
        return Ok((written, changes.and(published)));
    }
    let (detail, publishing) = publish_by_hand(ctx, written, languages).await?;
    Ok((detail, changes.and(publishing)))
}

/// Publishes some languages of a story, by hand: what was scheduled for their publishing is superseded. 422
/// on `lang` for a language that the space does not have.
async fn publish_by_hand(ctx: &CommandContext<'_>, found: StoryDetail, asked: &[String]) -> Result<(StoryDetail, Changes)> {
    let languages = spaces::languages(ctx.tx, ctx.space).await?;
    let selection = LanguageSelection::parse(asked, &languages)?;
    schedulings::mark_languages_superseded(ctx.tx, (ctx.space, found.current.story.id), &selection, ctx.now).await?;
    publish_languages(ctx, found, (&selection, &languages)).await
}

/// Publishes some languages of a story, by hand or by schedule. What is refused is refused before anything is
/// written.
pub(in super::super) async fn publish_languages(
    ctx: &CommandContext<'_>,
    StoryDetail { current: StoryWithDraft { story, draft }, mut related }: StoryDetail,
    (selection, languages): (&LanguageSelection, &[Language]),
) -> Result<(StoryDetail, Changes)> {
    let before = find_published(ctx, &story).await?;
    let edition = selection.published(before.as_ref(), &draft)?;
    require_publishable(ctx, &edition.content).await?;
    let differs = draft.differs_from(&edition);
    let number = story.last_version + 1;
    let story = story.publish_languages(selection, languages, (number, ctx.now), differs)?;
    write::save_version(ctx.tx, ctx.space, &story, &edition, new_version(ctx, Status::Published)).await?;
    publish_edition(ctx, story.id, &edition, &draft).await?;
    related.published = differs.then_some(edition.content);
    let current = StoryWithDraft { story, draft };
    let changes = published(&current);
    Ok((StoryDetail { current, related }, changes))
}

/// The changes of a publish.
fn published(story: &StoryWithDraft) -> Changes {
    let mut changes = audited("story.publish", story).visible();
    changes.events.push(event(EventKind::Published, &story.story));
    changes
}

/// Makes this edition the published one. Its index rows are copied from the draft, which is therefore
/// replaced until the end of this function; the transaction shows only the end.
async fn publish_edition(ctx: &CommandContext<'_>, id: StoryId, edition: &Edition, draft: &Edition) -> Result<()> {
    if !draft.differs_from(edition) {
        return editions::publish(ctx.tx, ctx.space, id).await;
    }
    editions::save_draft(ctx.tx, ctx.space, id, edition).await?;
    editions::publish(ctx.tx, ctx.space, id).await?;
    editions::save_draft(ctx.tx, ctx.space, id, draft).await
}

/// Unpublishes some languages of a story: readers get the default in them. A folder stays as it is.
pub struct UnpublishLanguages {
    pub id: StoryId,
    /// The codes of the languages. Together with `[default]` they have to be all that are published; then the
    /// whole story is unpublished.
    pub languages: Vec<String>,
}

impl SpaceCommand for UnpublishLanguages {
    type Output = StoryDetail;

    const NAME: &'static str = "story.unpublish_languages";

    const NEEDS: Right = Right::WriteContent;

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(StoryDetail, Changes)> {
        let found = find_active(ctx, self.id).await?;
        if found.current.story.is_folder {
            return Ok((found, Changes::default()));
        }
        let languages = spaces::languages(ctx.tx, ctx.space).await?;
        let selection = LanguageSelection::parse(&self.languages, &languages)?;
        unpublish_languages(ctx, found, (&selection, &languages)).await
    }
}

/// Unpublishes some languages of a story, by hand or by schedule. What is refused is refused before anything
/// is written.
pub(in super::super) async fn unpublish_languages(
    ctx: &CommandContext<'_>,
    StoryDetail { current, mut related }: StoryDetail,
    (selection, languages): (&LanguageSelection, &[Language]),
) -> Result<(StoryDetail, Changes)> {
    let published = current.story.published_translations(languages);
    if selection.has_default && published.keys().all(|code| selection.codes().any(|named| named == code)) {
        let (current, changes) = unpublish(ctx, current).await?;
        related.published = None;
        return Ok((StoryDetail { current, related }, changes));
    }
    let StoryWithDraft { story, draft } = current;
    let Some(before) = find_published(ctx, &story).await? else {
        return Err(Fault::invalid("base", FieldCode::NotPublished, "The story is not published").into());
    };
    let edition = selection.unpublished(&before)?;
    let (number, differs) = (story.last_version + 1, draft.differs_from(&edition));
    let story = story.unpublish_languages(selection, languages, number, differs)?;
    write::save_version(ctx.tx, ctx.space, &story, &edition, new_version(ctx, Status::Published)).await?;
    publish_edition(ctx, story.id, &edition, &draft).await?;
    related.published = differs.then_some(edition.content);
    let current = StoryWithDraft { story, draft };
    let mut changes = audited("story.unpublish", &current).visible();
    // The story itself is still published: receivers are told that its content has changed.
    changes.events.push(event(EventKind::Published, &current.story));
    Ok((StoryDetail { current, related }, changes))
}
