//! Going back to an older version.

use super::{
    Written,
    patch::content_of,
    steps::{add_version, audited, present, written},
};
use crate::content::command::{CommandContext, SpaceCommand};
use domain::{
    content::Changes,
    shared::{Fault, StoryId},
};
use storage::{
    Result,
    content::stories::{
        editions,
        read::{self, Found},
        versions::{self, Status},
        write,
    },
};

/// Makes an older version the draft. What is published stays.
pub struct Restore {
    /// Which story.
    pub id: StoryId,
    /// Which version, by its number in the space.
    pub version: i64,
}

impl SpaceCommand for Restore {
    type Output = Written;

    const NAME: &'static str = "story.restore_version";

    async fn run(&self, ctx: &CommandContext<'_>) -> Result<(Written, Changes)> {
        let Found { story, mut draft } = present(ctx, self.id).await?;
        let content = match versions::find(ctx.tx, ctx.space, self.version).await? {
            Some((owner, version)) if owner == self.id => {
                draft.name = version.name;
                version.content
            }
            _ => return Err(Fault::invalid("version", "unknown", "must be a version of this story").into()),
        };
        let content = content.map(|raw| serde_json::from_str(raw.get())).transpose();
        let content = content.map_err(|error| Fault::internal(format!("version {}: {error}", self.version)))?;
        (draft.component, draft.content) = content_of(story.is_folder, content, None, ctx.entropy)?;
        let differs = match read::find_published(ctx.tx, ctx.space, self.id).await? {
            Some(published) => draft.differs_from(&published),
            None => false,
        };
        let number = story.last_version + 1;
        let after = Found { story: story.saved(number, ctx.now, differs), draft };
        editions::save_draft(ctx.tx, ctx.space, self.id, &after.draft).await?;
        write::save(ctx.tx, ctx.space, &after.story).await?;
        add_version(ctx, &after, Status::Draft).await?;
        Ok((written(ctx, self.id).await?, audited("story.restore_version", &after)))
    }
}
