//! Soft deletion.

use super::{
    Written,
    steps::{audited, present, written},
};
use crate::content::{Desk, Write};
use domain::{
    content::{Changes, EventKind, StoryEvent},
    shared::StoryId,
};
use storage::{Result, content::stories::tree};

/// Deletes a story, and everything below it when it is a folder. It can be undeleted until retention sweeps it away.
pub struct Delete {
    /// Which.
    pub id: StoryId,
}

impl Write for Delete {
    type Done = Written;

    const NAME: &'static str = "story.delete";

    async fn run(&self, desk: &Desk<'_>) -> Result<(Written, Changes)> {
        let found = present(desk, self.id).await?;
        let deleted = tree::delete(desk.tx, desk.space, &found.story, desk.now).await?;
        let mut changes = audited("story.delete", &found);
        changes.events = deleted
            .iter()
            .map(|it| StoryEvent {
                kind: EventKind::Deleted,
                story_id: it.id,
                uuid: it.uuid,
                full_slug: it.full_slug.clone(),
                old_full_slug: None,
            })
            .collect();
        let was_public = found.story.is_folder || deleted.iter().any(|it| it.published);
        let changes = if was_public { changes.visible() } else { changes };
        Ok((written(desk, self.id).await?, changes))
    }
}
