//! Schedules: when a story is to be published or unpublished.
//!
//! A story has one time of each itself (`publish_at`, `expire_at`); schedulings are further plans, with a
//! history, also for one language alone. A publish by hand supersedes the scheduled ones of its languages.

use crate::shared::{Fault, FieldCode, SchedulingId, StoryId};
use jiff::Timestamp;
use strum::{EnumString, IntoStaticStr, VariantArray};

/// The own times of a story.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PublishSchedule {
    /// The time of its publish.
    pub publish_at: Option<Timestamp>,
    /// The time of its unpublish.
    pub expire_at: Option<Timestamp>,
}

/// The status of a scheduling. Its name is on the wire and in rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(const_into_str, serialize_all = "snake_case")]
pub enum Status {
    /// It is still to run.
    Scheduled,
    /// It published the story.
    #[strum(serialize = "schedule_published")]
    Published,
    /// It unpublished the story, or the story was not published by then.
    #[strum(serialize = "schedule_unpublished")]
    Unpublished,
    /// The story was published by hand before.
    #[strum(serialize = "published_before_schedule")]
    Superseded,
    Deleted,
    /// It could not be done: the story is deleted, is not valid where the space publishes only valid ones, or
    /// its languages are not as the plan needs them.
    InvalidStory,
}

/// What is done to a story. Its name is on the wire and in rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, EnumString, IntoStaticStr, VariantArray)]
#[strum(const_into_str, serialize_all = "snake_case")]
pub enum PublishAction {
    #[default]
    Publish,
    Unpublish,
}

impl PublishAction {
    /// The status of a scheduling that did it.
    pub fn done(self) -> Status {
        match self {
            Self::Publish => Status::Published,
            Self::Unpublish => Status::Unpublished,
        }
    }
}

/// What is planned for a story.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoryPlan {
    /// Its time: `publish_at` on the wire, whatever is done then.
    pub at: Timestamp,
    pub action: PublishAction,
    /// The only language that it is about, a code or `[default]`; `None` for all.
    pub language: Option<String>,
}

impl StoryPlan {
    /// A publish in all languages.
    pub fn publish(at: Timestamp) -> Self {
        Self { at, action: PublishAction::Publish, language: None }
    }
}

/// A plan for a story, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheduling {
    pub id: SchedulingId,
    pub story: StoryId,
    pub plan: StoryPlan,
    pub status: Status,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The time of its last change.
    pub updated_at: Timestamp,
}

impl Scheduling {
    /// 422 for one that is not scheduled any more.
    pub fn open(self) -> Result<Self, Fault> {
        match self.status {
            Status::Scheduled => Ok(self),
            _ => Err(Fault::invalid("status", FieldCode::Over, "is no longer scheduled")),
        }
    }
}

/// 422 for a time that is not in the future.
pub fn future(field: &'static str, at: Timestamp, now: Timestamp) -> Result<Timestamp, Fault> {
    if at <= now { Err(Fault::invalid(field, FieldCode::Past, "must be in the future")) } else { Ok(at) }
}

#[cfg(test)]
mod tests {
    use super::{PublishAction, Status, future};
    use jiff::{SignedDuration, Timestamp};
    use strum::VariantArray;

    #[test]
    fn a_schedule_is_in_the_future() {
        let at: Timestamp = "2026-03-01T08:05:00Z".parse().unwrap();
        assert!(future("publish_at", at, at).is_err());
        assert!(future("publish_at", at, at - SignedDuration::from_millis(1)).is_ok());
    }

    #[test]
    fn a_status_is_read_as_it_is_written() {
        assert!(Status::VARIANTS.iter().all(|value| value.into_str().parse() == Ok(*value)));
        assert!(PublishAction::VARIANTS.iter().all(|value| value.into_str().parse() == Ok(*value)));
    }
}
