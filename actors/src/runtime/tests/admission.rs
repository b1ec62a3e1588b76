//! Permits, deadlines, wake-ups.

use super::{PATIENT, assert_unavailable, probe, probe_handle, root, runtime};
use crate::runtime::{Restart, WakeSender, handle::DEADLINE};
use futures_util::future::join_all;
use probe::Message;
use serde_json::json;
use tokio::{sync::oneshot, time::Instant};

#[tokio::test(start_paused = true)]
async fn an_actor_that_does_not_answer_costs_a_caller_the_deadline_and_no_permit_for_ever() {
    let runtime = runtime();
    let handle = probe_handle(&runtime, 2);
    let _root = root(&runtime, PATIENT, vec![probe::child("slow", Restart::Permanent, &handle)]).await;
    let (open, gate) = oneshot::channel();
    let before = Instant::now();
    assert_unavailable(handle.ask(|reply| Message::Wait(gate, reply)).await);
    assert_eq!(before.elapsed().as_secs(), DEADLINE.as_secs());
    assert_eq!(handle.free_permits(), 1, "it has not answered yet");
    assert_unavailable(handle.ask(Message::Count).await);
    assert_eq!(handle.free_permits(), 0);
    assert_unavailable(handle.ask(Message::Count).await);
    assert_eq!(before.elapsed().as_secs(), 2 * DEADLINE.as_secs(), "the last one was refused before the mailbox");

    open.send(()).unwrap();
    // The count that timed out is still handled: it was in the mailbox.
    while handle.free_permits() < 2 {
        tokio::task::yield_now().await;
    }
    assert_eq!(handle.ask(Message::Count).await.unwrap(), 2);
    assert_eq!(runtime.metrics().permits("probe").get(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_flood_is_refused_before_the_mailbox_and_leaves_nothing_behind() {
    let runtime = runtime();
    let handle = probe_handle(&runtime, 128);
    let _root = root(&runtime, PATIENT, vec![probe::child("popular", Restart::Permanent, &handle)]).await;
    let (open, gate) = oneshot::channel();
    let blocked = handle.ask(|reply| Message::Wait(gate, reply));
    let flood = async {
        let asks: Vec<_> = (0..100_000).map(|_| handle.ask(Message::Count)).collect();
        let answers = join_all(asks);
        tokio::pin!(answers);
        // Offer them all before the actor moves on.
        assert!(futures_util::poll!(&mut answers).is_pending());
        assert_eq!(handle.free_permits(), 0);
        assert_eq!(runtime.metrics().permits("probe").get(), 128, "the mailbox never holds more");
        open.send(()).unwrap();
        answers.await
    };
    let (first, answers) = tokio::join!(blocked, flood);
    assert_eq!(first.unwrap(), 0);
    let (admitted, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
    assert_eq!((admitted.len(), refused.len()), (127, 99_873));
    refused.into_iter().for_each(assert_unavailable);
    assert_eq!(handle.ask(Message::Count).await.unwrap(), 128, "it recovers at once");
    assert_eq!(runtime.metrics().permits("probe").get(), 0);
}

#[tokio::test(start_paused = true)]
async fn wake_ups_are_one_message_until_it_is_handled() {
    let runtime = runtime();
    let handle = probe_handle(&runtime, 8);
    let _root = root(&runtime, PATIENT, vec![probe::child("woken", Restart::Permanent, &handle)]).await;
    let sender = WakeSender::new(handle.clone(), Message::Woken);
    let (open, gate) = oneshot::channel();
    let blocked = handle.ask(|reply| Message::Wait(gate, reply));
    let wake_ups = async {
        for _ in 0..1_000 {
            sender.wake();
        }
        open.send(()).unwrap();
    };
    let (_, ()) = tokio::join!(blocked, wake_ups);
    assert_eq!(handle.observe().await.unwrap(), json!({"count": 1}));
    sender.wake();
    assert_eq!(handle.observe().await.unwrap(), json!({"count": 2}), "one after the first was handled counts again");
}

#[tokio::test(start_paused = true)]
async fn a_wake_up_without_an_actor_does_not_break_the_sender() {
    let runtime = runtime();
    let handle = probe_handle(&runtime, 8);
    let sender = WakeSender::new(handle.clone(), Message::Woken);
    sender.wake();
    let _root = root(&runtime, PATIENT, vec![probe::child("woken", Restart::Permanent, &handle)]).await;
    sender.wake();
    assert_eq!(handle.observe().await.unwrap(), json!({"count": 1}));
}
