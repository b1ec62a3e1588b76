//! Actors that hang.

use super::{PATIENT, SECOND, assert_unavailable, probe, probe_handle, root, runtime};
use crate::runtime::Restart;
use probe::Message;
use std::time::Duration;
use tokio::{
    sync::oneshot,
    time::{Instant, sleep},
};

/// The interval of the watchdog, and the time that an actor has to answer.
const DETECTED_WITHIN: Duration = Duration::from_secs(40).saturating_add(PATIENT.frozen_after);

#[tokio::test(start_paused = true)]
async fn an_actor_that_hangs_is_replaced_and_its_neighbour_goes_on() {
    let runtime = runtime();
    let (frozen, well) = (probe_handle(&runtime, 8), probe_handle(&runtime, 8));
    let children = vec![probe::child("frozen", Restart::Permanent, &frozen), probe::child("well", Restart::Permanent, &well)];
    let _root = root(&runtime, PATIENT, children).await;
    assert_eq!(well.ask(Message::Count).await.unwrap(), 1);

    let (_closed, gate) = oneshot::channel();
    let (began, restarted) = (Instant::now(), frozen.wait_restarted());
    assert_unavailable(frozen.ask(|reply| Message::Wait(gate, reply)).await);
    assert_unavailable(frozen.ask(Message::Count).await);
    restarted.await;
    assert!(began.elapsed() >= PATIENT.frozen_after && began.elapsed() < DETECTED_WITHIN, "{:?}", began.elapsed());

    assert_eq!(frozen.ask(Message::Count).await.unwrap(), 1, "the new actor starts afresh");
    assert_eq!(well.ask(Message::Count).await.unwrap(), 2, "the neighbour kept its state");
    assert_eq!(runtime.metrics().restarts("probe").get(), 1);
    assert_eq!((frozen.free_permits(), runtime.metrics().permits("probe").get()), (8, 0), "every permit came back");
}

#[tokio::test(start_paused = true)]
async fn a_full_mailbox_does_not_hide_an_actor_that_hangs() {
    let runtime = runtime();
    let handle = probe_handle(&runtime, 1);
    let _root = root(&runtime, PATIENT, vec![probe::child("frozen", Restart::Permanent, &handle)]).await;
    let (_closed, gate) = oneshot::channel();
    let restarted = handle.wait_restarted();
    assert_unavailable(handle.ask(|reply| Message::Wait(gate, reply)).await);
    assert_eq!(handle.free_permits(), 0);
    restarted.await;
    assert_eq!(handle.ask(Message::Count).await.unwrap(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_actor_that_is_slow_and_answers_in_time_is_left_alone() {
    let runtime = runtime();
    let handle = probe_handle(&runtime, 8);
    let _root = root(&runtime, PATIENT, vec![probe::child("slow", Restart::Permanent, &handle)]).await;
    assert_eq!(handle.ask(Message::Count).await.unwrap(), 1);
    for _ in 0..3 {
        let (open, gate) = oneshot::channel();
        assert_unavailable(handle.ask(|reply| Message::Wait(gate, reply)).await);
        sleep(PATIENT.frozen_after.saturating_sub(10 * SECOND)).await;
        open.send(()).unwrap();
        sleep(SECOND).await;
    }
    sleep(DETECTED_WITHIN).await;
    assert_eq!(handle.ask(Message::Count).await.unwrap(), 2, "it is still the same actor");
    assert_eq!(runtime.metrics().restarts("probe").get(), 0);
}
