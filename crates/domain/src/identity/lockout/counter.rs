//! The rule of the lockout, as a function of what was counted. Several processes count together, so the
//! database carries it out in one statement (`storage::identity::lockout`), which a test compares with this,
//! history by history.

use super::Rules;
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;

/// When an attempt that was not concluded becomes a failure. Longer than any request takes.
pub const ABANDONED_AFTER: Duration = Duration::from_mins(1);
/// How long failures count towards [`Rules::per_day`].
pub const DAY: Duration = Duration::from_hours(24);

/// Whether an attempt is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// It may be checked, and is under way until it is concluded.
    Allowed,
    /// As many attempts are under way as may fail; one of them is soon concluded.
    Busy,
    /// No attempt is allowed for this time, a second at least.
    Locked(Duration),
}

impl Admission {
    /// That of an attempt which is not allowed, while the counter is locked until a time or not at all.
    pub fn refused(until: Option<Timestamp>, now: Timestamp) -> Self {
        match until.map(|until| until.duration_since(now)).filter(SignedDuration::is_positive) {
            Some(wait) => Self::Locked(wait.unsigned_abs().max(Duration::from_secs(1))),
            None => Self::Busy,
        }
    }
}

/// What was counted at one target.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counter {
    /// When attempts failed, those within the window.
    recent: Vec<Timestamp>,
    /// When attempts were registered that are not concluded.
    under_way: Vec<Timestamp>,
    /// When the last attempt was allowed.
    last_at: Option<Timestamp>,
    /// How many waits followed on failures since the last success.
    waits: u32,
    locked_until: Option<Timestamp>,
    /// Since when failures of the day are counted, and how many they are.
    day: Option<(Timestamp, u32)>,
}

impl Counter {
    /// Registers one more attempt, whether or not it is allowed.
    pub fn register(&mut self, rules: &Rules, now: Timestamp) -> Admission {
        if self.last_at.is_some_and(|last| last <= before(now, rules.forget_after)) {
            self.waits = 0;
        }
        // An abandoned attempt failed at the time at which it was registered.
        let (abandoned, under_way) = self.under_way.iter().partition::<Vec<_>, _>(|at| **at <= before(now, ABANDONED_AFTER));
        self.under_way = under_way;
        self.recent.extend(&abandoned);
        self.recent.retain(|failed_at| *failed_at > before(now, rules.window));
        let (since, today) = self.day.filter(|(since, _)| *since > before(now, DAY)).unwrap_or((now, 0));
        let today = today.saturating_add(count(&abandoned));
        self.day = Some((since, today));

        let over_the_day = (today >= rules.per_day).then(|| after(since, DAY));
        let until = self.locked_until.filter(|until| *until > now).max(over_the_day);
        let until_the_next_wait = if self.waits > 0 { 1 } else { rules.failures.saturating_sub(count(&self.recent)).max(1) };
        let may_fail = until_the_next_wait.min(rules.per_day.saturating_sub(today));
        if until.is_some() || count(&self.under_way) >= may_fail {
            return Admission::refused(until, now);
        }
        self.under_way.push(now);
        (self.locked_until, self.last_at) = (None, Some(now));
        Admission::Allowed
    }

    /// Counts an attempt as failed, and begins a wait when the rules say so. One that was counted as
    /// abandoned is not counted twice.
    pub fn fail(&mut self, rules: &Rules, at: Timestamp) {
        if !self.end(at) {
            return;
        }
        self.recent.retain(|failed_at| *failed_at > before(at, rules.window));
        self.recent.push(at);
        if self.waits > 0 || count(&self.recent) >= rules.failures {
            self.locked_until = Some(after(at, rules.lock_duration(self.waits)));
            self.waits = self.waits.saturating_add(1);
        }
        self.day = self.day.map(|(since, failures)| (since, failures.saturating_add(1)));
    }

    /// Forgets the failures before a success. They still count towards those of the day.
    pub fn succeed(&mut self, at: Timestamp) {
        self.end(at);
        self.recent.clear();
        (self.waits, self.locked_until) = (0, None);
    }

    /// Concludes an attempt that could not be checked because of an error. It counts as nothing.
    pub fn refund(&mut self, at: Timestamp) {
        self.end(at);
    }

    /// Takes an attempt from those under way; `false` when it is none of them.
    fn end(&mut self, at: Timestamp) -> bool {
        let place = self.under_way.iter().position(|under_way| *under_way == at);
        place.map(|place| self.under_way.remove(place)).is_some()
    }
}

fn count(times: &[Timestamp]) -> u32 {
    u32::try_from(times.len()).unwrap_or(u32::MAX)
}

fn before(now: Timestamp, time: Duration) -> Timestamp {
    now.checked_sub(time).unwrap_or(Timestamp::MIN)
}

fn after(now: Timestamp, time: Duration) -> Timestamp {
    now.checked_add(SignedDuration::try_from(time).unwrap_or(SignedDuration::MAX)).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Admission, Counter, Rules};
    use jiff::{SignedDuration, Timestamp};
    use std::time::Duration;

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    fn at(seconds: i64) -> Timestamp {
        NOW + SignedDuration::from_secs(seconds)
    }

    /// Registers an attempt that fails, or is not allowed.
    fn fail(counter: &mut Counter, rules: &Rules, now: Timestamp) -> Admission {
        let admission = counter.register(rules, now);
        if admission == Admission::Allowed {
            counter.fail(rules, now);
        }
        admission
    }

    #[test]
    fn each_wait_is_twice_as_long_as_the_one_before_and_a_success_forgets_them() {
        let rules = Rules { failures: 2, ..Rules::default() };
        let mut counter = Counter::default();
        for now in [0, 1] {
            assert_eq!(fail(&mut counter, &rules, at(now)), Admission::Allowed);
        }
        assert_eq!(fail(&mut counter, &rules, at(2)), Admission::Locked(Duration::from_secs(59)));
        assert_eq!(fail(&mut counter, &rules, at(61)), Admission::Allowed);
        assert_eq!(fail(&mut counter, &rules, at(62)), Admission::Locked(Duration::from_secs(119)));
        assert_eq!(counter.register(&rules, at(181)), Admission::Allowed);
        counter.succeed(at(181));
        assert_eq!(fail(&mut counter, &rules, at(182)), Admission::Allowed);
        assert_eq!(fail(&mut counter, &rules, at(183)), Admission::Allowed, "the first of two failures costs nothing again");
    }

    #[test]
    fn no_more_are_under_way_than_may_fail_and_one_that_is_left_is_a_failure() {
        let rules = Rules { failures: 2, ..Rules::default() };
        let mut counter = Counter::default();
        let admissions = [0, 1, 2].map(|now| counter.register(&rules, at(now)));
        assert_eq!(admissions, [Admission::Allowed, Admission::Allowed, Admission::Busy]);
        counter.refund(at(1));
        assert_eq!(counter.register(&rules, at(3)), Admission::Allowed);
        assert_eq!(counter.register(&rules, at(61)), Admission::Busy, "one was abandoned and one is under way");
    }

    #[test]
    fn those_of_a_day_are_bounded_whatever_the_waits() {
        let rules = Rules { failures: 5, per_day: 3, ..Rules::default() };
        let mut counter = Counter::default();
        for now in [0, 1, 2] {
            assert_eq!(fail(&mut counter, &rules, at(now)), Admission::Allowed);
        }
        assert_eq!(fail(&mut counter, &rules, at(3)), Admission::Locked(Duration::from_secs(86_397)));
        assert_eq!(fail(&mut counter, &rules, at(86_400)), Admission::Allowed);
    }
}
