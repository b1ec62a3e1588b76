//! The counting of attempts in the database, compared with a simple model.

use crate::support;
use domain::{identity::lockout::Rules, shared::Clock};
use jiff::{SignedDuration, Timestamp};
use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use std::{sync::Arc, time::Duration};
use storage::{
    Executor, Store, Tx, TxOperation,
    identity::attempts::{self, Decision, Key},
};
use tokio::task::JoinSet;

const KEY: Key = [3; 32];

/// Resets the counter.
struct Reset;

impl TxOperation for Reset {
    type Output = ();

    const NAME: &'static str = "test.reset";

    async fn run(&self, tx: &Tx<'_>) -> storage::Result<()> {
        attempts::reset(tx, &KEY).await
    }
}

async fn register(store: &Store, rules: &Rules, now: Timestamp) -> Decision {
    attempts::register(&store.connection("test").await.unwrap(), &KEY, rules, now).await.unwrap()
}

/// An event of a random history.
#[derive(Debug, Clone, Copy)]
enum Step {
    Try,
    Succeed,
    Wait(i64),
}

/// The model: the failures so far.
#[derive(Default)]
struct Model {
    failed_at: Vec<Timestamp>,
    last: Option<Timestamp>,
    waits: u32,
    locked_until: Option<Timestamp>,
    day: Option<(Timestamp, u32)>,
}

impl Model {
    fn register(&mut self, rules: &Rules, now: Timestamp) -> Decision {
        let ago = |time: Duration| now - SignedDuration::try_from(time).unwrap();
        let day = self.day.filter(|(since, _)| *since > now - SignedDuration::from_hours(24));
        let ends = self.locked_until.filter(|locked_until| *locked_until > now);
        let capped = day.filter(|(_, count)| *count >= rules.per_day).map(|(since, _)| since + SignedDuration::from_hours(24));
        if let Some(until) = ends.max(capped) {
            return Decision::Locked(until.duration_since(now).unsigned_abs().max(Duration::from_secs(1)));
        }
        if self.last.is_some_and(|last| last <= ago(rules.forget_after)) {
            self.waits = 0;
        }
        self.failed_at.retain(|failed_at| *failed_at > ago(rules.window));
        self.failed_at.push(now);
        self.locked_until = None;
        if self.waits > 0 || self.failed_at.len() >= rules.failures as usize {
            let wait = rules.wait.saturating_mul(1 << self.waits.min(20)).min(rules.max_wait);
            self.locked_until = Some(now + SignedDuration::try_from(wait).unwrap());
            self.waits += 1;
        }
        self.last = Some(now);
        self.day = Some(day.map_or((now, 1), |(since, count)| (since, count + 1)));
        Decision::Allowed
    }

    fn succeed(&mut self) {
        self.failed_at.clear();
        (self.waits, self.locked_until) = (0, None);
        self.day = self.day.map(|(since, count)| (since, count.saturating_sub(1)));
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => Just(Step::Try),
        1 => Just(Step::Succeed),
        4 => prop_oneof![1_i64..200, 1_i64..2_000, 20_000_i64..90_000].prop_map(Step::Wait),
    ];
    prop::collection::vec(step, 1..40)
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
                store.connection("test").await.unwrap().execute("delete from guesses", &[]).await.unwrap();
                let (mut model, mut now) = (Model::default(), support::clock().now());
                for (at, step) in steps.into_iter().enumerate() {
                    match step {
                        Step::Wait(seconds) => now += SignedDuration::from_secs(seconds),
                        Step::Succeed => {
                            store.transact(&Reset).await.unwrap();
                            model.succeed();
                        }
                        Step::Try => {
                            prop_assert_eq!(register(&store, &rules, now).await, model.register(&rules, now), "step {}", at);
                        }
                    }
                }
                Ok(())
            })
        })
    };
    tokio::task::block_in_place(run).unwrap();
}

#[tokio::test]
async fn of_fifty_at_once_as_many_are_admitted_as_the_rules_allow_and_all_are_counted() {
    let database = Arc::new(support::database().await);
    let now = support::clock().now();
    let mut crowd = JoinSet::new();
    for _ in 0..50 {
        let database = database.clone();
        crowd.spawn(async move { register(&database.store, &Rules::default(), now).await });
    }
    let admitted = crowd.join_all().await.into_iter().filter(|j| *j == Decision::Allowed).count();
    let row = database.store.connection("test").await.unwrap().row("select tried, day_count from guesses", &[]).await.unwrap();
    assert_eq!((admitted, row.get::<_, i64>("tried"), row.get::<_, i32>("day_count")), (5, 50, 5));
}

#[tokio::test]
async fn an_attempt_whose_result_was_not_read_is_refunded() {
    let database = support::database().await;
    let now = support::clock().now();
    let rules = Rules::default();
    for _ in 0..20 {
        assert_eq!(register(&database.store, &rules, now).await, Decision::Allowed);
        attempts::refund(&database.store.connection("test").await.unwrap(), &KEY).await.unwrap();
    }
    // The attempt that caused the lockout can be refunded as well.
    for _ in 0..5 {
        assert_eq!(register(&database.store, &rules, now).await, Decision::Allowed);
    }
    assert_eq!(register(&database.store, &rules, now).await, Decision::Locked(Duration::from_mins(1)));
    attempts::refund(&database.store.connection("test").await.unwrap(), &KEY).await.unwrap();
    assert_eq!(register(&database.store, &rules, now).await, Decision::Allowed);
    assert_eq!(register(&database.store, &rules, now).await, Decision::Locked(Duration::from_mins(1)));
}
