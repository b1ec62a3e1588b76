//! Going back to an older version.

use super::{
    Written,
    patch::content_of,
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

impl Write for Restore {
    type Done = Written;

    const NAME: &'static str = "story.restore_version";

    async fn run(&self, desk: &Desk<'_>) -> Result<(Written, Changes)> {
        let Found { story, mut draft } = present(desk, self.id).await?;
        let content = match versions::find(desk.tx, desk.space, self.version).await? {
            Some((owner, version)) if owner == self.id => {
                draft.name = version.name;
                version.content
            }
            _ => return Err(Fault::invalid("version", "unknown", "must be a version of this story").into()),
        };
        let content = content.map(|raw| serde_json::from_str(raw.get())).transpose();
        let content = content.map_err(|error| Fault::internal(format!("version {}: {error}", self.version)))?;
        (draft.component, draft.content) = content_of(story.is_folder, content, None, desk.entropy)?;
        let differs = match read::find_published(desk.tx, desk.space, self.id).await? {
            Some(published) => draft.differs_from(&published),
            None => false,
        };
        let number = story.last_version + 1;
        let after = Found { story: story.saved(number, desk.now, differs), draft };
        editions::save_draft(desk.tx, desk.space, self.id, &after.draft).await?;
        write::save(desk.tx, desk.space, &after.story).await?;
        add_version(desk, &after, Status::Draft).await?;
        Ok((written(desk, self.id).await?, audited("story.restore_version", &after)))
    }
}
