//! Plans: when a story is to be published or taken offline.
//!
//! A story carries one of each (`publish_at`, `expire_at`); schedulings are further ones, with a history. Whatever publishes a story by
//! hand overtakes what was planned for its publishing.

use crate::shared::{Fault, SchedulingId, StoryId};
use jiff::Timestamp;

/// What a story itself carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Plan {
    /// When it is published.
    pub publish_at: Option<Timestamp>,
    /// When it is taken offline.
    pub expire_at: Option<Timestamp>,
}

/// What became of a scheduling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It waits for its time.
    Scheduled,
    /// It published the story.
    Published,
    /// The story was published by hand before.
    Superseded,
    /// It was called off.
    Deleted,
    /// There was nothing that could be published: the story is deleted, or a folder.
    InvalidStory,
}

impl Status {
    const ALL: [Self; 5] = [Self::Scheduled, Self::Published, Self::Superseded, Self::Deleted, Self::InvalidStory];

    /// The name on the wire and in rows.
    pub fn name(self) -> &'static str {
        match self {
            Self::Scheduled => "scheduled",
            Self::Published => "schedule_published",
            Self::Superseded => "published_before_schedule",
            Self::Deleted => "deleted",
            Self::InvalidStory => "invalid_story",
        }
    }

    /// The status of a name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|value| value.name() == name)
    }
}

/// A planned publish of a story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scheduling {
    /// Its number.
    pub id: SchedulingId,
    /// The story.
    pub story: StoryId,
    /// When.
    pub publish_at: Timestamp,
    /// What became of it.
    pub status: Status,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl Scheduling {
    /// 422 for one that is over.
    pub fn open(self) -> Result<Self, Fault> {
        match self.status {
            Status::Scheduled => Ok(self),
            _ => Err(Fault::invalid("status", "over", "is no longer scheduled")),
        }
    }
}

/// 422 for a time that is over.
pub fn future(field: &'static str, at: Timestamp, now: Timestamp) -> Result<Timestamp, Fault> {
    if at <= now { Err(Fault::invalid(field, "past", "must be in the future")) } else { Ok(at) }
}

#[cfg(test)]
mod tests {
    use super::{Status, future};
    use jiff::{SignedDuration, Timestamp};

    #[test]
    fn what_is_planned_lies_ahead() {
        let at: Timestamp = "2026-03-01T08:05:00Z".parse().unwrap();
        assert!(future("publish_at", at, at).is_err());
        assert!(future("publish_at", at, at - SignedDuration::from_millis(1)).is_ok());
    }

    #[test]
    fn a_status_is_read_as_it_is_written() {
        assert!(Status::ALL.into_iter().all(|value| Status::of(value.name()) == Some(value)));
    }
}
