//! Invalidation: whether anything was committed in a space since the database was asked. Commits are ordered
//! by a counter, not by a clock.

use actors::content::SpaceEvent;
use domain::shared::SpaceId;
use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, Ordering},
};

/// How many stripes the spaces share. A commit in one space makes the others of its stripe ask the database
/// once more.
const STRIPES: usize = 1024;

/// A point in the order of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::content) struct Epoch(u64);

/// The newest events.
pub(in crate::content) struct Invalidation {
    now: AtomicU64,
    /// The epoch of the newest resync: after it nothing older holds.
    resynced_at: AtomicU64,
    stripes: Vec<Stripe>,
}

#[derive(Default)]
struct Stripe {
    /// The epoch of the newest commit.
    at: AtomicU64,
    /// The space and the revision of that commit.
    newest: Mutex<Option<(SpaceId, i64)>>,
}

impl Stripe {
    fn newest(&self) -> MutexGuard<'_, Option<(SpaceId, i64)>> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Invalidation {
    /// No events yet.
    pub(in crate::content) fn new() -> Self {
        let stripes = std::iter::repeat_with(Stripe::default).take(STRIPES).collect();
        Self { now: AtomicU64::new(0), resynced_at: AtomicU64::new(0), stripes }
    }

    /// The epoch now. It must be taken before the database is asked, so that an event which arrives meanwhile
    /// is later.
    pub(in crate::content) fn now(&self) -> Epoch {
        Epoch(self.now.load(Ordering::SeqCst))
    }

    /// Whether nothing has happened in a space since an epoch.
    pub(in crate::content) fn unchanged_since(&self, epoch: Epoch, space: SpaceId) -> bool {
        let newest = self.stripe(space).map_or(u64::MAX, |s| s.at.load(Ordering::SeqCst));
        newest.max(self.resynced_at.load(Ordering::SeqCst)) <= epoch.0
    }

    /// Takes note of an event. When this returns, what was read from the database before no longer holds.
    pub(in crate::content) fn handle(&self, event: SpaceEvent) {
        match event {
            SpaceEvent::Resync => {
                // The database may be one that was promoted without the last writes, and counts on from an
                // older revision.
                for stripe in &self.stripes {
                    stripe.newest().take();
                }
                self.resynced_at.fetch_max(self.tick(), Ordering::SeqCst);
            }
            SpaceEvent::Committed { space, version } => {
                let Some(stripe) = self.stripe(space) else { return };
                let mut newest = stripe.newest();
                // A commit of this process is announced twice: by the space's actor and by NOTIFY.
                if newest.is_some_and(|(newest, revision)| newest == space && revision >= version.revision) {
                    return;
                }
                *newest = Some((space, version.revision));
                stripe.at.fetch_max(self.tick(), Ordering::SeqCst);
            }
        }
    }

    fn tick(&self) -> u64 {
        self.now.fetch_add(1, Ordering::SeqCst) + 1
    }

    fn stripe(&self, space: SpaceId) -> Option<&Stripe> {
        self.stripes.get(usize::try_from(space.0.unsigned_abs()).unwrap_or(0) % STRIPES)
    }
}

#[cfg(test)]
mod tests {
    use super::{Invalidation, SpaceEvent, SpaceId};
    use storage::content::commit_log::SpaceVersion;

    fn committed(space: i64, revision: i64) -> SpaceEvent {
        SpaceEvent::Committed { space: SpaceId(space), version: SpaceVersion { cv: 1, revision } }
    }

    #[test]
    fn what_was_read_before_a_commit_does_not_hold_and_what_was_read_after_it_does() {
        let invalidation = Invalidation::new();
        let before = invalidation.now();
        invalidation.handle(committed(7, 1));
        assert!(!invalidation.unchanged_since(before, SpaceId(7)));
        assert!(invalidation.unchanged_since(before, SpaceId(8)), "another space");
        assert!(invalidation.unchanged_since(invalidation.now(), SpaceId(7)));
    }

    #[test]
    fn a_commit_that_is_announced_again_or_late_changes_nothing_and_a_newer_one_does() {
        let invalidation = Invalidation::new();
        invalidation.handle(committed(7, 5));
        let after = invalidation.now();
        invalidation.handle(committed(7, 5));
        invalidation.handle(committed(7, 4));
        assert!(invalidation.unchanged_since(after, SpaceId(7)));
        invalidation.handle(committed(7, 6));
        assert!(!invalidation.unchanged_since(after, SpaceId(7)));
    }

    #[test]
    fn spaces_of_one_stripe_do_not_hide_commits_from_each_other() {
        let (invalidation, other) = (Invalidation::new(), 7 + i64::try_from(super::STRIPES).unwrap());
        invalidation.handle(committed(other, 100));
        let between = invalidation.now();
        invalidation.handle(committed(7, 1));
        assert!(!invalidation.unchanged_since(between, SpaceId(7)));
        assert!(!invalidation.unchanged_since(between, SpaceId(other)));
    }

    #[test]
    fn after_a_resync_nothing_older_holds() {
        let invalidation = Invalidation::new();
        let before = invalidation.now();
        invalidation.handle(SpaceEvent::Resync);
        assert!(!invalidation.unchanged_since(before, SpaceId(1)));
        assert!(invalidation.unchanged_since(invalidation.now(), SpaceId(1)));
    }

    #[test]
    fn after_a_resync_a_database_that_counts_on_from_an_older_revision_is_heard() {
        let invalidation = Invalidation::new();
        invalidation.handle(committed(7, 100));
        invalidation.handle(SpaceEvent::Resync);
        for revision in 92..=100 {
            let before = invalidation.now();
            invalidation.handle(committed(7, revision));
            assert!(!invalidation.unchanged_since(before, SpaceId(7)), "{revision}");
        }
    }
}
