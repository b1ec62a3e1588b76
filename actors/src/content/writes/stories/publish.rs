//! The publish action.

use super::{
    Written,
    events::event,
    steps::{add_version, audited, present, written},
};
use crate::content::{Desk, Write};
use domain::{
    content::{Changes, EventKind},
    shared::StoryId,
};
use storage::{
    Result,
    content::{
        schedulings,
        stories::{editions, read::Found, versions::Status, write},
    },
};

/// Makes the draft what everybody sees.
pub struct Publish {
    /// Which.
    pub id: StoryId,
}

impl Write for Publish {
    type Done = Written;

    const NAME: &'static str = "story.publish";

    async fn run(&self, desk: &Desk<'_>) -> Result<(Written, Changes)> {
        let found = present(desk, self.id).await?;
        schedulings::overtake(desk.tx, desk.space, self.id, desk.now).await?;
        published(desk, found).await
    }
}

/// Publishes a story, by hand or because its time has come.
pub(in super::super) async fn published(desk: &Desk<'_>, Found { story, draft }: Found) -> Result<(Written, Changes)> {
    let version = story.last_version + 1;
    let after = Found { story: story.publish(version, desk.now)?, draft };
    write::save(desk.tx, desk.space, &after.story).await?;
    editions::publish(desk.tx, desk.space, after.story.id).await?;
    add_version(desk, &after, Status::Published).await?;
    let mut changes = audited("story.publish", &after).visible();
    changes.events.push(event(EventKind::Published, &after.story));
    Ok((written(desk, after.story.id).await?, changes))
}
