//! A planned publish in the hosted shape.

use domain::{
    content::scheduling::Scheduling,
    shared::{SchedulingId, SpaceId, StoryId, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;

/// What a caller sees of it.
#[derive(Serialize)]
pub(super) struct SchedulingView {
    id: SchedulingId,
    space_id: SpaceId,
    story_id: StoryId,
    #[serde(serialize_with = "timestamp::serialize")]
    publish_at: Timestamp,
    /// Always null: a story is published in all its languages.
    language: Option<&'static str>,
    status: &'static str,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::serialize")]
    updated_at: Timestamp,
}

impl SchedulingView {
    /// The view of one.
    pub(super) fn of(space: SpaceId, it: &Scheduling) -> Self {
        Self {
            id: it.id,
            space_id: space,
            story_id: it.story,
            publish_at: it.publish_at,
            language: None,
            status: it.status.name(),
            created_at: it.created_at,
            updated_at: it.updated_at,
        }
    }
}
