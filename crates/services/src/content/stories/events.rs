//! The events that writes of stories announce.

use domain::content::{EventKind, StoryEvent, story::Story};
use storage::content::stories::tree::Touched;

/// The event that a story was published or unpublished.
pub fn event(kind: EventKind, story: &Story) -> StoryEvent {
    StoryEvent { kind, story_id: story.id, uuid: story.uuid, full_slug: story.place.full_slug.clone(), old_full_slug: None }
}

/// The event that a story moved.
pub fn moved_from(old_full_slug: &str, story: &Story) -> StoryEvent {
    StoryEvent { old_full_slug: Some(old_full_slug.to_owned()), ..event(EventKind::Moved, story) }
}

/// The events of stories that moved.
pub fn moved(touched: &[Touched]) -> impl Iterator<Item = StoryEvent> {
    touched.iter().map(|t| StoryEvent {
        kind: EventKind::Moved,
        story_id: t.id,
        uuid: t.uuid,
        full_slug: t.full_slug.clone(),
        old_full_slug: Some(t.old_full_slug.clone()),
    })
}
