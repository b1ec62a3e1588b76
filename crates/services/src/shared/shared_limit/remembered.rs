//! What the database has said about callers, remembered for a second, so that a caller who keeps asking while
//! it is refused costs the database nothing.

use domain::shared::SharedClock;
use jiff::Timestamp;
use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use storage::shared::rate_limits::Allowance;

/// How long a refusal is repeated without asking again. After that long, every process knows that a block was
/// lifted.
const REPEATED: Duration = Duration::from_secs(1);
/// How many callers are remembered.
const MAX_CALLERS: usize = 10_000;

/// What is remembered, by caller.
pub(super) struct Remembered {
    clock: SharedClock,
    max_callers: usize,
    all: Mutex<All>,
}

#[derive(Default)]
struct All {
    callers: HashMap<String, RememberedCaller>,
    /// Until when buckets are not full that were forgotten for want of room.
    forgotten_until: Option<Timestamp>,
}

/// What the database said of a caller.
#[derive(Clone, Copy)]
struct RememberedCaller {
    at: Timestamp,
    /// How many requests may come at once.
    limit: u32,
    /// When one more request is admitted.
    next_at: Timestamp,
    /// When the bucket is full again.
    full_at: Timestamp,
}

impl Remembered {
    /// Nothing is remembered.
    pub(super) fn new(clock: SharedClock) -> Self {
        Self { clock, max_callers: MAX_CALLERS, all: Mutex::default() }
    }

    /// Remembers what the database has just said. When too many callers are remembered, all are forgotten.
    pub(super) fn note(&self, caller: &str, allowance: &Allowance) {
        let at = self.clock.now();
        let after = |time: Duration| at.checked_add(time).unwrap_or(Timestamp::MAX);
        let remembered = RememberedCaller {
            at,
            limit: allowance.limit,
            next_at: after(allowance.next_after),
            full_at: after(allowance.reset_after),
        };
        let mut all = self.lock();
        if all.callers.len() >= self.max_callers && !all.callers.contains_key(caller) {
            all.forgotten_until = all.callers.values().map(|caller| caller.full_at).chain(all.forgotten_until).max();
            all.callers.clear();
        }
        all.callers.insert(caller.to_owned(), remembered);
    }

    /// What is left to a caller who is refused, if that was said within the last second.
    pub(super) fn repeat(&self, caller: &str) -> Option<Allowance> {
        let now = self.clock.now();
        let caller = self.lock().callers.get(caller).copied()?;
        let age = Duration::try_from(now.duration_since(caller.at)).ok()?;
        let wait = Duration::try_from(caller.next_at.duration_since(now)).ok()?;
        let reset_after = Duration::try_from(caller.full_at.duration_since(now)).ok()?;
        let refused = Allowance { limit: caller.limit, remaining: 0, reset_after, next_after: wait, refused_for: Some(wait) };
        (age < REPEATED && !wait.is_zero()).then_some(refused)
    }

    /// Whether a caller may have been counted here since its bucket was full: `false` only if not.
    pub(super) fn may_know(&self, caller: &str) -> bool {
        let now = self.clock.now();
        let all = self.lock();
        all.forgotten_until.is_some_and(|until| now < until) || all.callers.get(caller).is_some_and(|caller| now < caller.full_at)
    }

    /// Forgets a caller.
    pub(super) fn forget(&self, caller: &str) {
        self.lock().callers.remove(caller);
    }

    fn lock(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::Remembered;
    use domain::shared::Clock;
    use jiff::{SignedDuration, Timestamp};
    use std::{
        sync::{Arc, Mutex},
        time::Duration,
    };
    use storage::shared::rate_limits::Allowance;

    struct Held(Mutex<Timestamp>);

    impl Clock for Held {
        fn now(&self) -> Timestamp {
            *self.0.lock().unwrap()
        }
    }

    impl Held {
        fn advance(&self, millis: i64) {
            let mut now = self.0.lock().unwrap();
            *now = now.checked_add(SignedDuration::from_millis(millis)).unwrap();
        }
    }

    fn remembered(max_callers: usize) -> (Arc<Held>, Remembered) {
        let clock = Arc::new(Held(Mutex::new("2026-03-01T12:00:00Z".parse().unwrap())));
        (clock.clone(), Remembered { max_callers, ..Remembered::new(clock) })
    }

    /// Three a minute, of which `remaining` are left.
    fn left(remaining: u32) -> Allowance {
        let reset_after = Duration::from_secs(20) * (3 - remaining);
        let next_after = if remaining == 0 { Duration::from_secs(20) } else { Duration::ZERO };
        Allowance { limit: 3, remaining, reset_after, next_after, refused_for: None }
    }

    /// How long the caller that the tests are about is refused.
    fn wait(remembered: &Remembered) -> Option<Duration> {
        remembered.repeat("ann").and_then(|caller| caller.refused_for)
    }

    #[test]
    fn a_refusal_is_repeated_for_a_second_with_the_time_that_is_left() {
        let (clock, remembered) = remembered(10);
        remembered.note("ann", &left(0));
        remembered.note("bob", &left(1));
        assert_eq!((remembered.repeat("bob"), remembered.repeat("eve")), (None, None));
        assert_eq!(wait(&remembered), Some(Duration::from_secs(20)));
        clock.advance(999);
        let caller = remembered.repeat("ann").unwrap();
        assert_eq!((caller.limit, caller.remaining, caller.reset_after), (3, 0, Duration::from_millis(59_001)));
        assert_eq!(wait(&remembered), Some(Duration::from_millis(19_001)));
        clock.advance(1);
        assert_eq!(wait(&remembered), None, "the database is asked again");
        clock.advance(-1001);
        assert_eq!(wait(&remembered), None, "the clock was set back");
    }

    #[test]
    fn a_refusal_ends_when_the_next_request_is_due_and_when_it_is_forgotten() {
        let (clock, remembered) = remembered(10);
        remembered.note("ann", &Allowance { next_after: Duration::from_millis(300), ..left(0) });
        clock.advance(299);
        assert!(wait(&remembered).is_some());
        clock.advance(1);
        assert_eq!(wait(&remembered), None);
        remembered.note("ann", &left(0));
        remembered.forget("ann");
        assert_eq!((wait(&remembered), remembered.may_know("ann")), (None, false));
    }

    #[test]
    fn who_was_counted_is_known_until_the_bucket_is_full() {
        let (clock, remembered) = remembered(2);
        remembered.note("ann", &left(2));
        clock.advance(19_999);
        assert_eq!((remembered.may_know("ann"), remembered.may_know("bob")), (true, false));
        clock.advance(1);
        assert!(!remembered.may_know("ann"));
        for caller in ["bob", "eve"] {
            remembered.note(caller, &left(0));
        }
        assert_eq!(
            (remembered.repeat("bob"), remembered.repeat("eve").is_some()),
            (None, true),
            "there was no room, so bob was forgotten"
        );
        assert!(remembered.may_know("bob") && remembered.may_know("joe"), "the database is asked");
        clock.advance(60_000);
        assert!(!remembered.may_know("bob"));
    }
}
