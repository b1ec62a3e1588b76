//! The sweeps: what each removes, and how long that is kept.

use jiff::{SignedDuration, Timestamp};
use storage::{Result, Session, content, identity, queue, shared::deliveries};

/// How many rows a batch removes at most.
const BATCH: i64 = 500;

/// What the operator decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// `APP_ACCOUNT_AUDIT_DAYS`.
    pub account_audit: SignedDuration,
    /// `APP_WEBHOOK_KEEP_DAYS`: deliveries that arrived; of those that were given up the bodies and the answers; events.
    pub deliveries: SignedDuration,
    /// `APP_WEBHOOK_DEAD_LETTER_DAYS`: deliveries that were given up.
    pub dead_letters: SignedDuration,
}

impl Default for Kept {
    fn default() -> Self {
        Self { account_audit: days(400), deliveries: days(30), dead_letters: days(90) }
    }
}

fn days(number: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * number)
}

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
    /// Entries of the accounts' audit trail of 400 days ago, or as configured. A space's audit log goes only with its space.
    AccountAudit,
    /// Deliveries that arrived, and the bodies of those that did not.
    Deliveries,
    /// Deliveries that were given up.
    DeadLetters,
    /// Receivers that are closed, with everything of them.
    Receivers,
    /// Events of which deliveries were made.
    Events,
}

impl Sweep {
    pub(super) const ALL: [Self; 9] = [
        Self::Sessions,
        Self::Stories,
        Self::Spaces,
        Self::Jobs,
        Self::AccountAudit,
        Self::Deliveries,
        Self::DeadLetters,
        Self::Receivers,
        Self::Events,
    ];

    /// The key of its job.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Sessions => "sessions",
            Self::Stories => "stories",
            Self::Spaces => "spaces",
            Self::Jobs => "jobs",
            Self::AccountAudit => "accountAudit",
            Self::Deliveries => "deliveries",
            Self::DeadLetters => "deadLetters",
            Self::Receivers => "receivers",
            Self::Events => "events",
        }
    }

    /// The sweep of a key.
    pub(super) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    /// How long its things are kept.
    fn kept_for(self, kept: Kept) -> SignedDuration {
        match self {
            Self::Sessions => days(1),
            Self::Stories => days(90),
            Self::Spaces => days(30),
            Self::Jobs => days(7),
            Self::AccountAudit => kept.account_audit,
            Self::Deliveries | Self::Events => kept.deliveries,
            Self::DeadLetters => kept.dead_letters,
            Self::Receivers => SignedDuration::ZERO,
        }
    }

    /// Removes one batch of what is due, and answers how many rows that were. Nothing is due any more when it answers 0.
    pub(super) async fn batch(self, session: &Session, kept: Kept, now: Timestamp) -> Result<u64> {
        let until = now.checked_sub(self.kept_for(kept)).unwrap_or(Timestamp::MIN);
        match self {
            Self::Sessions => identity::upkeep::remove_expired_sessions(session, until, BATCH).await,
            Self::Stories => content::upkeep::remove_deleted_stories(session, until, BATCH).await,
            Self::Spaces => match content::upkeep::find_deleted_space(session, until).await? {
                Some(space) => content::upkeep::remove_deleted_space(session, space, until, BATCH).await,
                None => Ok(0),
            },
            Self::Jobs => queue::remove_finished(session, until, BATCH).await,
            Self::AccountAudit => identity::upkeep::remove_old_audit(session, until, BATCH).await,
            Self::Deliveries => match deliveries::remove_delivered(session, until, BATCH).await? {
                0 => deliveries::expunge(session, until, BATCH).await,
                removed => Ok(removed),
            },
            Self::DeadLetters => deliveries::remove_dead(session, until, BATCH).await,
            Self::Receivers => deliveries::remove_closed(session, BATCH).await,
            Self::Events => content::upkeep::remove_old_events(session, until, BATCH).await,
        }
    }
}
