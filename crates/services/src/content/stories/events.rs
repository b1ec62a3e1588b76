//! The events that commands of stories announce to webhooks.

use domain::content::{EventKind, StoryEvent, story::Story};
use storage::content::stories::tree::MovedStory;

/// The event that a story was published or unpublished.
pub fn event(kind: EventKind, story: &Story) -> StoryEvent {
    StoryEvent { kind, story_id: story.id, uuid: story.uuid, full_slug: story.place.full_slug.clone(), old_full_slug: None }
}

/// The event that a story moved.
pub fn moved_from(old_full_slug: &str, story: &Story) -> StoryEvent {
    StoryEvent { old_full_slug: Some(old_full_slug.to_owned()), ..event(EventKind::Moved, story) }
}

/// The events of stories that moved.
pub fn moved(stories: &[MovedStory]) -> impl Iterator<Item = StoryEvent> {
    stories.iter().map(|story| StoryEvent {
        kind: EventKind::Moved,
        story_id: story.id,
        uuid: story.uuid,
        full_slug: story.full_slug.clone(),
        old_full_slug: Some(story.old_full_slug.clone()),
    })
}
