//! Builds the rows of new stories.

use super::placement::PlacedStory;
use domain::content::{
    import::prepare,
    scheduling::PublishSchedule,
    story::{Publication, Story},
};
use jiff::Timestamp;
use storage::content::imports::stories::NewStory;

/// The rows of a new story.
pub(super) fn new_story<'a>(placed: &PlacedStory<'a>, now: Timestamp) -> NewStory<'a> {
    let source = placed.source;
    let updated_at = source.updated_at.unwrap_or(now);
    let differs = source.differing_published().is_some();
    let publication = match &source.published {
        None => Publication::Draft,
        Some(published) => Publication::Published { version: 1, at: published.at.unwrap_or(updated_at), changed: differs },
    };
    let first_published_at = source.first_published_at.or(match publication {
        Publication::Draft => None,
        Publication::Published { at, .. } => Some(at),
    });
    let story = Story {
        id: placed.id,
        uuid: source.uuid,
        group_id: source.group_id,
        is_folder: source.is_folder,
        place: placed.place.clone(),
        default_root: source.default_root.clone(),
        disable_fe_editor: source.disable_fe_editor,
        pinned: source.pinned,
        publication,
        translations: None,
        last_version: if source.is_folder { 0 } else { 1 + i32::from(differs) },
        created_at: source.created_at.unwrap_or(now),
        updated_at,
        first_published_at,
        schedule: future_schedule(source, now),
        deleted_at: None,
        // The database gives it both.
        revision: 0,
        author: domain::shared::Authorship::default(),
        is_autosaved: false,
    };
    NewStory { story, source, schedulings: placed.plans.future(now) }
}

/// The publication times on the story itself that are still to come; the source has executed the others.
pub(super) fn future_schedule(source: &prepare::Story, now: Timestamp) -> PublishSchedule {
    let future = |at: Option<Timestamp>| at.filter(|at| *at > now);
    PublishSchedule { publish_at: future(source.schedule.publish_at), expire_at: future(source.schedule.expire_at) }
}
