//! The counting of attempts in the database, compared with a simple model.

use domain::{identity::lockout::Rules, shared::Clock};
use jiff::{SignedDuration, Timestamp};
use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use std::{sync::Arc, time::Duration};
use storage::{
    Executor, Store,
    identity::attempts::{self, Conclusion, Decision, Key, PendingAttempt},
};
use tokio::task::JoinSet;

const KEY: Key = [3; 32];

async fn register(store: &Store, rules: &Rules, now: Timestamp) -> Decision {
    attempts::register(&store.connection("test").await.unwrap(), &KEY, rules, now).await.unwrap()
}

async fn conclude(store: &Store, conclusion: Conclusion) {
    attempts::conclude(&store.connection("test").await.unwrap(), Some(conclusion)).await.unwrap();
}

async fn refund(store: &Store, attempt: PendingAttempt) {
    attempts::refund(&store.connection("test").await.unwrap(), &attempt).await.unwrap();
}

/// Registers an attempt that fails, or is not allowed.
async fn fail(store: &Store, rules: &Rules, now: Timestamp) -> Decision {
    let decision = register(store, rules, now).await;
    if let Decision::Allowed(attempt) = decision {
        conclude(store, Conclusion::Failed(attempt)).await;
    }
    decision
}

fn is_allowed(decision: Decision) -> bool {
    matches!(decision, Decision::Allowed(_))
}

/// An event of a random history. An attempt under way is named by its place among those that are.
#[derive(Debug, Clone, Copy)]
enum Step {
    Register,
    Fail(usize),
    Succeed(usize),
    Refund(usize),
    Wait(i64),
}

/// What the database should say of an attempt.
#[derive(Debug, PartialEq, Eq)]
enum Expected {
    Allowed,
    Busy,
    Locked(Duration),
}

impl From<Decision> for Expected {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Allowed(_) => Self::Allowed,
            Decision::Busy => Self::Busy,
            Decision::Locked(wait) => Self::Locked(wait),
        }
    }
}

/// The model: the failures so far, and the attempts under way.
#[derive(Default)]
struct Model {
    failed_at: Vec<Timestamp>,
    under_way: Vec<Timestamp>,
    last: Option<Timestamp>,
    waits: u32,
    locked_until: Option<Timestamp>,
    day: Option<(Timestamp, u32)>,
}

fn ago(now: Timestamp, time: Duration) -> Timestamp {
    now - SignedDuration::try_from(time).unwrap()
}

impl Model {
    fn register(&mut self, rules: &Rules, now: Timestamp) -> Expected {
        let day = self.day.filter(|(since, _)| *since > now - SignedDuration::from_hours(24));
        let (since, mut today) = day.unwrap_or((now, 0));
        if self.last.is_some_and(|last| last <= ago(now, rules.forget_after)) {
            self.waits = 0;
        }
        // Abandoned attempts are failures of the time at which they were registered.
        let is_abandoned = |at: &Timestamp| *at <= now - SignedDuration::from_mins(1);
        let abandoned: Vec<Timestamp> = self.under_way.iter().copied().filter(is_abandoned).collect();
        self.under_way.retain(|at| !is_abandoned(at));
        today += u32::try_from(abandoned.len()).unwrap();
        self.failed_at.extend(abandoned);
        self.failed_at.retain(|failed_at| *failed_at > ago(now, rules.window));
        self.day = Some((since, today));

        let capped = (today >= rules.per_day).then(|| since + SignedDuration::from_hours(24));
        if let Some(until) = self.locked_until.filter(|until| *until > now).max(capped) {
            return Expected::Locked(until.duration_since(now).unsigned_abs().max(Duration::from_secs(1)));
        }
        let until_the_next_wait =
            if self.waits > 0 { 1 } else { (rules.failures as usize).saturating_sub(self.failed_at.len()).max(1) };
        if self.under_way.len() >= until_the_next_wait.min((rules.per_day - today) as usize) {
            return Expected::Busy;
        }
        self.under_way.push(now);
        self.locked_until = None;
        self.last = Some(now);
        Expected::Allowed
    }

    /// Takes an attempt from those under way; `false` when it was abandoned and counted.
    fn end(&mut self, at: Timestamp) -> bool {
        let place = self.under_way.iter().position(|under_way| *under_way == at);
        place.map(|place| self.under_way.remove(place)).is_some()
    }

    fn fail(&mut self, rules: &Rules, at: Timestamp) {
        if !self.end(at) {
            return;
        }
        self.failed_at.retain(|failed_at| *failed_at > ago(at, rules.window));
        self.failed_at.push(at);
        if self.waits > 0 || self.failed_at.len() >= rules.failures as usize {
            let wait = rules.wait.saturating_mul(1 << self.waits.min(20)).min(rules.max_wait);
            self.locked_until = Some(at + SignedDuration::try_from(wait).unwrap());
            self.waits += 1;
        }
        self.day = self.day.map(|(since, count)| (since, count + 1));
    }

    fn succeed(&mut self, at: Timestamp) {
        self.end(at);
        self.failed_at.clear();
        (self.waits, self.locked_until) = (0, None);
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        8 => Just(Step::Register),
        6 => (0_usize..4).prop_map(Step::Fail),
        1 => (0_usize..4).prop_map(Step::Succeed),
        1 => (0_usize..4).prop_map(Step::Refund),
        4 => prop_oneof![0_i64..59, 1_i64..200, 1_i64..2_000, 20_000_i64..90_000].prop_map(Step::Wait),
    ];
    prop::collection::vec(step, 1..60)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_counts_as_the_model_does() {
    let database = support::database().await;
    let rules = Rules { failures: 3, per_day: 12, ..Rules::default() };
    let runtime = tokio::runtime::Handle::current();
    let store = database.store.clone();
    let run = move || {
        let mut runner = TestRunner::new(Config { cases: 60, failure_persistence: None, ..Config::default() });
        runner.run(&steps(), |steps| {
            runtime.block_on(async {
                store.connection("test").await.unwrap().execute("delete from lockout_counters", &[]).await.unwrap();
                let (mut model, mut now) = (Model::default(), support::clock().now());
                let mut under_way: Vec<(Timestamp, PendingAttempt)> = Vec::new();
                for (number, step) in steps.into_iter().enumerate() {
                    match step {
                        Step::Wait(seconds) => now += SignedDuration::from_secs(seconds),
                        Step::Register => {
                            let decision = register(&store, &rules, now).await;
                            if let Decision::Allowed(attempt) = decision {
                                under_way.push((now, attempt));
                            }
                            prop_assert_eq!(Expected::from(decision), model.register(&rules, now), "step {}", number);
                        }
                        Step::Fail(place) if place < under_way.len() => {
                            let (at, attempt) = under_way.remove(place);
                            conclude(&store, Conclusion::Failed(attempt)).await;
                            model.fail(&rules, at);
                        }
                        Step::Succeed(place) if place < under_way.len() => {
                            let (at, attempt) = under_way.remove(place);
                            conclude(&store, Conclusion::Succeeded(attempt)).await;
                            model.succeed(at);
                        }
                        Step::Refund(place) if place < under_way.len() => {
                            let (at, attempt) = under_way.remove(place);
                            refund(&store, attempt).await;
                            model.end(at);
                        }
                        Step::Fail(_) | Step::Succeed(_) | Step::Refund(_) => {}
                    }
                }
                Ok(())
            })
        })
    };
    tokio::task::block_in_place(run).unwrap();
}

#[tokio::test]
async fn of_fifty_at_once_as_many_are_admitted_as_may_fail_and_all_are_counted() {
    let database = Arc::new(support::database().await);
    let now = support::clock().now();
    let mut crowd = JoinSet::new();
    for _ in 0..50 {
        let database = database.clone();
        crowd.spawn(async move { register(&database.store, &Rules::default(), now).await });
    }
    let decisions = crowd.join_all().await;
    assert_eq!(decisions.iter().filter(|decision| is_allowed(**decision)).count(), 5);
    assert_eq!(decisions.iter().filter(|decision| **decision == Decision::Busy).count(), 45);
    let row =
        database.store.connection("test").await.unwrap().row("select tried, day_count from lockout_counters", &[]).await.unwrap();
    assert_eq!((row.get::<_, i64>("tried"), row.get::<_, i32>("day_count")), (50, 0), "none has failed yet");
    for decision in decisions {
        if let Decision::Allowed(attempt) = decision {
            conclude(&database.store, Conclusion::Failed(attempt)).await;
        }
    }
    assert_eq!(register(&database.store, &Rules::default(), now).await, Decision::Locked(Duration::from_mins(1)));
}

#[tokio::test]
async fn an_attempt_whose_result_was_not_read_is_refunded() {
    let database = support::database().await;
    let (store, now) = (&database.store, support::clock().now());
    let rules = Rules::default();
    for _ in 0..20 {
        let Decision::Allowed(attempt) = register(store, &rules, now).await else { panic!("not allowed") };
        refund(store, attempt).await;
    }
    for _ in 0..5 {
        assert!(is_allowed(fail(store, &rules, now).await), "the twenty count as nothing");
    }
    assert_eq!(register(store, &rules, now).await, Decision::Locked(Duration::from_mins(1)));
    let later = now + SignedDuration::from_mins(1);
    let Decision::Allowed(attempt) = register(store, &rules, later).await else { panic!("not allowed") };
    refund(store, attempt).await;
    assert!(is_allowed(register(store, &rules, later).await), "there is no further wait");
}

/// A process may die while it checks, and a caller may go away: nothing is won by that.
#[tokio::test]
async fn an_attempt_that_is_never_concluded_counts_as_a_failure_after_a_minute() {
    let database = support::database().await;
    let (store, now) = (&database.store, support::clock().now());
    let rules = Rules::default();
    let Decision::Allowed(late) = register(store, &rules, now).await else { panic!("not allowed") };
    for _ in 0..4 {
        assert!(is_allowed(register(store, &rules, now).await));
    }
    assert_eq!(register(store, &rules, now + SignedDuration::from_secs(59)).await, Decision::Busy);
    let after = now + SignedDuration::from_mins(1);
    assert!(is_allowed(fail(store, &rules, after).await), "they are no longer under way");
    assert_eq!(register(store, &rules, after).await, Decision::Locked(Duration::from_mins(1)), "and it was one failure too many");
    conclude(store, Conclusion::Failed(late)).await;
    let row = store.connection("test").await.unwrap().row("select day_count, waits from lockout_counters", &[]).await.unwrap();
    assert_eq!((row.get::<_, i32>("day_count"), row.get::<_, i32>("waits")), (6, 1), "one that is concluded late is counted once");
}
