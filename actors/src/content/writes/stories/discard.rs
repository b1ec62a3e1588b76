//! Going back to what is published.

use super::{
    Written,
    steps::{add_version, audited, present, written},
};
use crate::content::{Desk, Write};
use domain::{
    content::Changes,
    shared::{Fault, StoryId},
};
use storage::{
    Result,
    content::stories::{
        editions,
        read::{self, Found},
        versions::Status,
        write,
    },
};

/// Makes the draft what is published. 422 when nothing is.
pub struct DiscardChanges {
    /// Which.
    pub id: StoryId,
}

impl Write for DiscardChanges {
    type Done = Written;

    const NAME: &'static str = "story.discard_changes";

    async fn run(&self, desk: &Desk<'_>) -> Result<(Written, Changes)> {
        let before = present(desk, self.id).await?;
        let Some(published) = read::find_published(desk.tx, desk.space, self.id).await? else {
            return Err(Fault::invalid("base", "notPublished", "The story is not published").into());
        };
        let version = before.story.last_version + 1;
        let after = Found { story: before.story.saved(version, desk.now, false), draft: published };
        editions::save_draft(desk.tx, desk.space, self.id, &after.draft).await?;
        write::save(desk.tx, desk.space, &after.story).await?;
        add_version(desk, &after, Status::Draft).await?;
        Ok((written(desk, self.id).await?, audited("story.discard_changes", &after)))
    }
}
