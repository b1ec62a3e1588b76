//! The sweeps: what each removes, and how long that is kept.

use jiff::{SignedDuration, Timestamp};
use storage::{Result, Session, content, identity, queue};

/// How many rows a batch removes at most.
const BATCH: i64 = 500;

/// One kind of thing that expires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sweep {
    /// Sessions that expired a day ago.
    Sessions,
    /// Stories that were deleted 90 days ago.
    Stories,
    /// Spaces whose grace of 30 days is over (decisions 12).
    Spaces,
    /// Jobs that were finished 7 days ago.
    Jobs,
}

impl Sweep {
    pub(super) const ALL: [Self; 4] = [Self::Sessions, Self::Stories, Self::Spaces, Self::Jobs];

    /// The key of its job.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Sessions => "sessions",
            Self::Stories => "stories",
            Self::Spaces => "spaces",
            Self::Jobs => "jobs",
        }
    }

    /// The sweep of a key.
    pub(super) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    /// How long its things are kept.
    fn kept_for(self) -> SignedDuration {
        let days = match self {
            Self::Sessions => 1,
            Self::Stories => 90,
            Self::Spaces => 30,
            Self::Jobs => 7,
        };
        SignedDuration::from_hours(24 * days)
    }

    /// Removes one batch of what is due, and answers how many rows that were. Nothing is due any more when it answers 0.
    pub(super) async fn batch(self, session: &Session, now: Timestamp) -> Result<u64> {
        let until = now.checked_sub(self.kept_for()).unwrap_or(Timestamp::MIN);
        match self {
            Self::Sessions => identity::upkeep::remove_expired_sessions(session, until, BATCH).await,
            Self::Stories => content::upkeep::remove_deleted_stories(session, until, BATCH).await,
            Self::Spaces => match content::upkeep::find_deleted_space(session, until).await? {
                Some(space) => content::upkeep::remove_deleted_space(session, space, until, BATCH).await,
                None => Ok(0),
            },
            Self::Jobs => queue::remove_finished(session, until, BATCH).await,
        }
    }
}
