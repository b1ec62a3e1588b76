//! When news of spaces came, counted: whether something that was asked at a certain time may still be true.

use actors::content::SpaceEvent;
use domain::shared::SpaceId;
use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

/// SpaceRouter share this many counters: news of one makes some others ask once more, and that is all.
const STRIPES: usize = 1024;

/// A moment between two pieces of news.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Moment(u64);

/// What was heard, and when.
pub(super) struct Heard {
    now: AtomicU64,
    gap: AtomicU64,
    stripes: Vec<Stripe>,
}

#[derive(Default)]
struct Stripe {
    /// The moment of the newest news.
    at: AtomicU64,
    /// Which that was: the space and its revision.
    newest: Mutex<Option<(SpaceId, i64)>>,
}

impl Heard {
    /// Nothing.
    pub(super) fn new() -> Self {
        let stripes = std::iter::repeat_with(Stripe::default).take(STRIPES).collect();
        Self { now: AtomicU64::new(0), gap: AtomicU64::new(0), stripes }
    }

    /// To be taken before the database is asked, so that news which comes meanwhile is later.
    pub(super) fn now(&self) -> Moment {
        Moment(self.now.load(Ordering::SeqCst))
    }

    /// Whether nothing was heard of the space since then.
    pub(super) fn is_silent_since(&self, moment: Moment, space: SpaceId) -> bool {
        let newest = self.stripe(space).map_or(u64::MAX, |s| s.at.load(Ordering::SeqCst));
        newest.max(self.gap.load(Ordering::SeqCst)) <= moment.0
    }

    /// Hears. When this returns, nothing that was asked before is held for true.
    pub(super) fn tell(&self, news: SpaceEvent) {
        match news {
            SpaceEvent::Resync => {
                self.gap.fetch_max(self.tick(), Ordering::SeqCst);
            }
            SpaceEvent::Committed { space, version } => {
                let Some(stripe) = self.stripe(space) else { return };
                let mut newest = stripe.newest.lock().unwrap_or_else(PoisonError::into_inner);
                // Our own writes are heard twice, the second time through the database.
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
    use super::{Heard, SpaceEvent, SpaceId};
    use storage::content::commit_log::SpaceVersion;

    fn moved(space: i64, revision: i64) -> SpaceEvent {
        SpaceEvent::Committed { space: SpaceId(space), version: SpaceVersion { cv: 1, revision } }
    }

    #[test]
    fn what_was_asked_before_the_news_is_doubted_and_what_was_asked_after_is_not() {
        let heard = Heard::new();
        let before = heard.now();
        heard.tell(moved(7, 1));
        assert!(!heard.is_silent_since(before, SpaceId(7)));
        assert!(heard.is_silent_since(before, SpaceId(8)), "another space");
        assert!(heard.is_silent_since(heard.now(), SpaceId(7)));
    }

    #[test]
    fn the_same_news_twice_or_late_is_no_news_and_a_newer_revision_is() {
        let heard = Heard::new();
        heard.tell(moved(7, 5));
        let after = heard.now();
        heard.tell(moved(7, 5));
        heard.tell(moved(7, 4));
        assert!(heard.is_silent_since(after, SpaceId(7)));
        heard.tell(moved(7, 6));
        assert!(!heard.is_silent_since(after, SpaceId(7)));
    }

    #[test]
    fn spaces_that_share_a_counter_hide_no_news_from_each_other() {
        let (heard, other) = (Heard::new(), 7 + i64::try_from(super::STRIPES).unwrap());
        heard.tell(moved(other, 100));
        let between = heard.now();
        heard.tell(moved(7, 1));
        assert!(!heard.is_silent_since(between, SpaceId(7)));
        assert!(!heard.is_silent_since(between, SpaceId(other)));
    }

    #[test]
    fn after_a_gap_everything_is_doubted() {
        let heard = Heard::new();
        let before = heard.now();
        heard.tell(SpaceEvent::Resync);
        assert!(!heard.is_silent_since(before, SpaceId(1)));
        assert!(heard.is_silent_since(heard.now(), SpaceId(1)));
    }
}
