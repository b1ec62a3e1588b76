//! Panics, restarts, budgets.

use super::{PATIENT, QUICK, SECOND, assert_unavailable, limited, probe, probe_handle, root, runtime, supervisor_handle};
use crate::runtime::{
    Child, Restart, Supervisor,
    supervisor::{self, Started},
};
use probe::Message;
use serde_json::{Value, json};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};
use tokio::time::Instant;

async fn observed(actor: &ractor::ActorRef<supervisor::Message>, runtime: &crate::runtime::Runtime) -> Value {
    let handle = supervisor_handle(runtime);
    handle.set(actor.clone());
    handle.observe().await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_thousand_panics_leave_the_neighbour_alone_and_no_caller_waiting() {
    let runtime = runtime();
    let (sick, well) = (probe_handle(&runtime, 8), probe_handle(&runtime, 8));
    let children = vec![probe::child("sick", Restart::Permanent, &sick), probe::child("well", Restart::Permanent, &well)];
    let root = root(&runtime, PATIENT, children).await;

    for round in 1..=1_000 {
        let restarted = sick.wait_restarted();
        let panicking = sick.ask(Message::Panic);
        let waiting = sick.ask(Message::Count);
        let (panicking, waiting) = tokio::join!(panicking, waiting);
        assert_unavailable(panicking);
        assert_unavailable(waiting);
        assert_eq!(well.ask(Message::Count).await.unwrap(), round, "the neighbour kept its state");
        restarted.await;
        assert_eq!(sick.ask(Message::Count).await.unwrap(), 1, "the new actor starts afresh");
    }
    assert_eq!(observed(&root, &runtime).await, json!({"children": 2, "restarting": [], "restarts": 1_000}));
    assert_eq!(runtime.metrics().restarts("probe").get(), 1_000);
    assert_eq!(runtime.metrics().permits("probe").get(), 0, "every permit came back");
}

#[tokio::test(start_paused = true)]
async fn a_failed_actor_is_unavailable_for_its_backoff_and_the_wait_grows() {
    let runtime = runtime();
    let handle = probe_handle(&runtime, 8);
    let _root = root(&runtime, PATIENT, vec![probe::child("sick", Restart::Permanent, &handle)]).await;
    for failures in 1..=8 {
        let (before, restarted) = (Instant::now(), handle.wait_restarted());
        assert_unavailable(handle.ask(Message::Fail).await);
        assert_unavailable(handle.ask(Message::Count).await);
        restarted.await;
        let waited = before.elapsed();
        let expected = QUICK.after(failures, runtime.jitter_seed());
        assert!(waited >= expected && waited < expected + Duration::from_millis(5), "failure {failures}: {waited:?}, {expected:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_long_run_resets_the_backoff() {
    let runtime = runtime();
    let handle = probe_handle(&runtime, 8);
    let _root = root(&runtime, PATIENT, vec![probe::child("sick", Restart::Permanent, &handle)]).await;
    for quiet in [Duration::ZERO, Duration::ZERO, Duration::ZERO, PATIENT.reset_after] {
        tokio::time::advance(quiet).await;
        let (before, restarted) = (Instant::now(), handle.wait_restarted());
        assert_unavailable(handle.ask(Message::Fail).await);
        restarted.await;
        if !quiet.is_zero() {
            assert!(before.elapsed() < QUICK.first * 2, "back to the first step: {:?}", before.elapsed());
        }
    }
}

#[tokio::test(start_paused = true)]
async fn over_budget_the_failure_reaches_the_root() {
    let runtime = runtime();
    let handle = probe_handle(&runtime, 8);
    let middle = supervisor_handle(&runtime);
    let (below, probe) = (runtime.clone(), probe::child("sick", Restart::Permanent, &handle));
    let middle_child = Child::new("middle", Restart::Permanent, &middle, move || {
        (Supervisor, supervisor::Params { runtime: below.clone(), policy: limited(2), children: vec![probe.clone()] })
    });
    let root = root(&runtime, limited(1), vec![middle_child]).await;

    // Each middle supervisor makes two restarts and fails at the third failure; the root restarts it once.
    for _ in 0..5 {
        let restarted = handle.wait_restarted();
        assert_unavailable(handle.ask(Message::Panic).await);
        restarted.await;
    }
    assert_unavailable(handle.ask(Message::Panic).await);
    root.wait(Some(5 * SECOND)).await.expect("the root fails");
    assert_unavailable(handle.ask(Message::Count).await);
}

#[tokio::test(start_paused = true)]
async fn a_permanent_child_that_ends_by_itself_comes_back_and_the_others_do_not() {
    let runtime = runtime();
    let handles = [Restart::Permanent, Restart::OnFailure, Restart::Temporary].map(|restart| (restart, probe_handle(&runtime, 8)));
    let children = handles.iter().map(|(restart, handle)| probe::child(&format!("{restart:?}"), *restart, handle)).collect();
    let root = root(&runtime, PATIENT, children).await;
    let restarted = handles[0].1.wait_restarted();
    for (_, handle) in &handles {
        assert!(handle.send(Message::End).is_ok());
    }
    restarted.await;
    assert_eq!(observed(&root, &runtime).await["children"], 1);
    assert_eq!(handles[0].1.ask(Message::Count).await.unwrap(), 1);
    assert_unavailable(handles[1].1.ask(Message::Count).await);
    assert_unavailable(handles[2].1.ask(Message::Count).await);
}

#[tokio::test(start_paused = true)]
async fn of_those_that_may_end_only_one_that_failed_comes_back() {
    let runtime = runtime();
    let (on_failure, temporary) = (probe_handle(&runtime, 8), probe_handle(&runtime, 8));
    let children = vec![probe::child("a", Restart::OnFailure, &on_failure), probe::child("b", Restart::Temporary, &temporary)];
    let root = root(&runtime, PATIENT, children).await;
    let restarted = on_failure.wait_restarted();
    assert_unavailable(temporary.ask(Message::Panic).await);
    assert_unavailable(on_failure.ask(Message::Panic).await);
    restarted.await;
    assert_eq!(observed(&root, &runtime).await, json!({"children": 1, "restarting": [], "restarts": 1}));
}

#[tokio::test(start_paused = true)]
async fn a_child_that_cannot_be_started_again_has_failed_again() {
    let runtime = runtime();
    let handle = probe_handle(&runtime, 8);
    let starts = Arc::new(AtomicU32::new(0));
    let counted = starts.clone();
    // Starts the first and the fifth time.
    let child = Child::new("sick", Restart::Permanent, &handle, move || {
        let starts = counted.fetch_add(1, Ordering::Relaxed) + 1;
        (probe::Probe, starts == 1 || starts == 5)
    });
    let _root = root(&runtime, PATIENT, vec![child]).await;
    let restarted = handle.wait_restarted();
    assert_unavailable(handle.ask(Message::Panic).await);
    restarted.await;
    assert_eq!(starts.load(Ordering::Relaxed), 5);
}

#[tokio::test(start_paused = true)]
async fn a_further_child_starts_once_and_is_not_started_past_its_backoff() {
    let runtime = runtime();
    let handle = probe_handle(&runtime, 8);
    let supervisor = supervisor_handle(&runtime);
    supervisor.set(root(&runtime, PATIENT, Vec::new()).await);
    let start = || {
        let child = probe::child("late", Restart::OnFailure, &handle);
        supervisor.ask(|reply| supervisor::Message::Start { child, reply })
    };
    assert_eq!(start().await.unwrap(), Started::Running);
    assert_eq!(handle.ask(Message::Count).await.unwrap(), 1);
    assert_eq!(start().await.unwrap(), Started::Running);
    assert_eq!(handle.ask(Message::Count).await.unwrap(), 2, "it is the same actor");

    let restarted = handle.wait_restarted();
    assert_unavailable(handle.ask(Message::Panic).await);
    // It may be caught while it ends; then asking again tells.
    let mut started = start().await.unwrap();
    if started == Started::Ended {
        started = start().await.unwrap();
    }
    assert_eq!(started, Started::Restarting);
    restarted.await;
    assert_eq!(start().await.unwrap(), Started::Running);
}
