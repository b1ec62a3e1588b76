//! The counting of attempts in the database, compared with the rule of the domain.

use domain::identity::lockout::{Admission, Counter, Rules};
use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use storage::identity::lockout::{self, Conclusion, Key, PendingAttempt};
use support::prelude::*;

const KEY: Key = [3; 32];

async fn register(store: &Store, rules: &Rules, now: Timestamp) -> (Admission, PendingAttempt) {
    lockout::register(&store.connection("test").await.unwrap(), &KEY, rules, now).await.unwrap()
}

/// An attempt that is allowed.
async fn allowed(store: &Store, rules: &Rules, now: Timestamp) -> PendingAttempt {
    let (admission, attempt) = register(store, rules, now).await;
    assert_eq!(admission, Admission::Allowed);
    attempt
}

async fn conclude(store: &Store, conclusion: Conclusion) {
    lockout::conclude(&store.connection("test").await.unwrap(), Some(conclusion)).await.unwrap();
}

async fn refund(store: &Store, attempt: PendingAttempt) {
    lockout::refund(&store.connection("test").await.unwrap(), &attempt).await.unwrap();
}

/// Registers an attempt that fails, or is not allowed.
async fn fail(store: &Store, rules: &Rules, now: Timestamp) -> Admission {
    let (admission, attempt) = register(store, rules, now).await;
    if admission == Admission::Allowed {
        conclude(store, Conclusion::Failed(attempt)).await;
    }
    admission
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
async fn the_database_counts_as_the_rule_says() {
    let database = support::database().await;
    let rules = Rules { failures: 3, per_day: 12, ..Rules::default() };
    let runtime = tokio::runtime::Handle::current();
    let store = database.store.clone();
    let run = move || {
        let mut runner = TestRunner::new(Config { cases: 60, failure_persistence: None, ..Config::default() });
        runner.run(&steps(), |steps| {
            runtime.block_on(async {
                store.connection("test").await.unwrap().execute("delete from lockout_counters", &[]).await.unwrap();
                let (mut rule, mut now) = (Counter::default(), support::clock().now());
                let mut under_way: Vec<(Timestamp, PendingAttempt)> = Vec::new();
                for (number, step) in steps.into_iter().enumerate() {
                    match step {
                        Step::Wait(seconds) => now += SignedDuration::from_secs(seconds),
                        Step::Register => {
                            let (admission, attempt) = register(&store, &rules, now).await;
                            if admission == Admission::Allowed {
                                under_way.push((now, attempt));
                            }
                            prop_assert_eq!(admission, rule.register(&rules, now), "step {}", number);
                        }
                        Step::Fail(place) if place < under_way.len() => {
                            let (at, attempt) = under_way.remove(place);
                            conclude(&store, Conclusion::Failed(attempt)).await;
                            rule.fail(&rules, at);
                        }
                        Step::Succeed(place) if place < under_way.len() => {
                            let (at, attempt) = under_way.remove(place);
                            conclude(&store, Conclusion::Succeeded(attempt)).await;
                            rule.succeed(at);
                        }
                        Step::Refund(place) if place < under_way.len() => {
                            let (at, attempt) = under_way.remove(place);
                            refund(&store, attempt).await;
                            rule.refund(at);
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
    let decisions = join_all((0..50).map(async |_| register(&database.store, &Rules::default(), now).await)).await;
    assert_eq!(decisions.iter().filter(|(admission, _)| *admission == Admission::Allowed).count(), 5);
    assert_eq!(decisions.iter().filter(|(admission, _)| *admission == Admission::Busy).count(), 45);
    let row = database.row("select tried, day_count from lockout_counters", &[]).await;
    assert_eq!((row.get::<_, i64>("tried"), row.get::<_, i32>("day_count")), (50, 0), "none has failed yet");
    for (_, attempt) in decisions.into_iter().filter(|(admission, _)| *admission == Admission::Allowed) {
        conclude(&database.store, Conclusion::Failed(attempt)).await;
    }
    assert_eq!(register(&database.store, &Rules::default(), now).await.0, Admission::Locked(Duration::from_mins(1)));
}

#[tokio::test]
async fn an_attempt_whose_result_was_not_read_is_refunded() {
    let database = support::database().await;
    let (store, now) = (&database.store, support::clock().now());
    let rules = Rules::default();
    for _ in 0..20 {
        let attempt = allowed(store, &rules, now).await;
        refund(store, attempt).await;
    }
    for _ in 0..5 {
        assert_eq!(fail(store, &rules, now).await, Admission::Allowed, "the twenty count as nothing");
    }
    assert_eq!(register(store, &rules, now).await.0, Admission::Locked(Duration::from_mins(1)));
    let later = now + SignedDuration::from_mins(1);
    let attempt = allowed(store, &rules, later).await;
    refund(store, attempt).await;
    assert_eq!(register(store, &rules, later).await.0, Admission::Allowed, "there is no further wait");
}

/// A process may die while it checks, and a caller may go away: nothing is won by that.
#[tokio::test]
async fn an_attempt_that_is_never_concluded_counts_as_a_failure_after_a_minute() {
    let database = support::database().await;
    let (store, now) = (&database.store, support::clock().now());
    let rules = Rules::default();
    let late = allowed(store, &rules, now).await;
    for _ in 0..4 {
        assert_eq!(register(store, &rules, now).await.0, Admission::Allowed);
    }
    assert_eq!(register(store, &rules, now + SignedDuration::from_secs(59)).await.0, Admission::Busy);
    let after = now + SignedDuration::from_mins(1);
    assert_eq!(fail(store, &rules, after).await, Admission::Allowed, "they are no longer under way");
    assert_eq!(
        register(store, &rules, after).await.0,
        Admission::Locked(Duration::from_mins(1)),
        "and it was one failure too many"
    );
    conclude(store, Conclusion::Failed(late)).await;
    let row = store.connection("test").await.unwrap().row("select day_count, waits from lockout_counters", &[]).await.unwrap();
    assert_eq!((row.get::<_, i32>("day_count"), row.get::<_, i32>("waits")), (6, 1), "one that is concluded late is counted once");
}
