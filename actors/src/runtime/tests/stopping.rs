//! Draining.

use super::{PATIENT, SECOND, assert_unavailable, probe, probe_handle, root, runtime, supervisor_handle};
use crate::runtime::{Child, Restart, Supervisor, drain::drain, supervisor};
use futures_util::future::join_all;
use probe::Message;
use tokio::sync::oneshot;

#[tokio::test(start_paused = true)]
async fn a_drain_answers_what_was_admitted_and_refuses_what_comes_after() {
    let runtime = runtime();
    let handle = probe_handle(&runtime, 16);
    let middle = supervisor_handle(&runtime);
    let (below, probe) = (runtime.clone(), probe::child("busy", Restart::Permanent, &handle));
    let middle_child = Child::new("middle", Restart::Permanent, &middle, move || {
        (Supervisor, supervisor::Params { runtime: below.clone(), policy: PATIENT, children: vec![probe.clone()] })
    });
    let root = root(&runtime, PATIENT, vec![middle_child]).await;

    let (open, gate) = oneshot::channel();
    let blocked = handle.ask(|reply| Message::Wait(gate, reply));
    let queued = join_all((0..10).map(|_| handle.ask(Message::Count)));
    let (finish, finished) = oneshot::channel::<()>();
    runtime.tasks().spawn("test.task", async {
        let _ = finished.await;
    });
    let stop = async {
        tokio::task::yield_now().await;
        let draining = drain(&runtime, &root, 10 * SECOND);
        tokio::pin!(draining);
        assert!(futures_util::poll!(&mut draining).is_pending());
        assert_unavailable(handle.ask(Message::Count).await);
        open.send(()).unwrap();
        finish.send(()).unwrap();
        draining.await
    };
    let (first, queued, clean) = tokio::join!(blocked, queued, stop);
    assert!(clean);
    assert_eq!(first.unwrap(), 0);
    let answers: Vec<u32> = queued.into_iter().map(Result::unwrap).collect();
    assert_eq!(answers, (1..=10).collect::<Vec<_>>());
    assert_eq!(runtime.metrics().restarts("probe").get(), 0, "nothing was restarted");
}

#[tokio::test(start_paused = true)]
async fn a_drain_cuts_off_what_does_not_finish() {
    let runtime = runtime();
    let handle = probe_handle(&runtime, 16);
    let root = root(&runtime, PATIENT, vec![probe::child("stuck", Restart::Permanent, &handle)]).await;
    let (_open, gate) = oneshot::channel();
    let stuck = handle.ask(|reply| Message::Wait(gate, reply));
    let stop = async {
        tokio::task::yield_now().await;
        drain(&runtime, &root, 2 * SECOND).await
    };
    let (stuck, clean) = tokio::join!(stuck, stop);
    assert!(!clean);
    assert_unavailable(stuck);
}
