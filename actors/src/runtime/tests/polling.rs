//! The actor that polls.

use super::{PATIENT, SECOND, root, runtime};
use crate::runtime::{Cause, Child, Handle, Poller, Restart, Runtime, polling::Message};
use ractor::{ActorCell, ActorId};
use serde::Serialize;
use serde_json::json;
use std::time::Duration;
use tokio::{sync::mpsc, time::Instant};

/// A poller that reports its polls, and waits as long as it is told.
struct Recorder {
    wait: Duration,
    polls: mpsc::UnboundedSender<Cause>,
    ended: Vec<Option<String>>,
    /// Spawns a child that fails, at the first poll.
    spawns: bool,
}

impl Poller for Recorder {
    async fn poll(&mut self, cause: Cause, myself: &ActorCell) -> Duration {
        self.polls.send(cause).unwrap();
        if std::mem::take(&mut self.spawns) {
            ractor::Actor::spawn_linked(None, super::probe::Probe, true, myself.clone()).await.unwrap().0.stop(None);
        }
        self.wait
    }

    fn observe(&mut self) -> impl Serialize {
        json!({ "ended": self.ended.len() })
    }

    fn child_ended(&mut self, _: ActorId, error: Option<&str>) {
        self.ended.push(error.map(str::to_owned));
    }
}

async fn start(runtime: &Runtime, wait: Duration, spawns: bool) -> (Handle<Message>, mpsc::UnboundedReceiver<Cause>) {
    let handle = Handle::polling(runtime, "recorder", 8);
    let (sender, polls) = mpsc::unbounded_channel();
    let make = move || Recorder { wait, polls: sender.clone(), ended: Vec::new(), spawns };
    let root = root(runtime, PATIENT, vec![Child::polling(Restart::Permanent, &handle, make)]).await;
    std::mem::forget(root);
    (handle, polls)
}

#[tokio::test(start_paused = true)]
async fn it_polls_at_its_start_and_then_when_the_time_it_asked_for_has_passed() {
    let (_handle, mut polls) = start(&runtime(), 7 * SECOND, false).await;
    let began = Instant::now();
    for poll in 0..3 {
        assert_eq!(polls.recv().await, Some(Cause::Timer));
        assert_eq!(began.elapsed().as_secs(), 7 * poll);
    }
}

#[tokio::test(start_paused = true)]
async fn a_wake_up_polls_at_once_and_the_timer_begins_anew() {
    let (handle, mut polls) = start(&runtime(), 7 * SECOND, false).await;
    assert_eq!(polls.recv().await, Some(Cause::Timer));
    tokio::time::sleep(5 * SECOND).await;
    let began = Instant::now();
    handle.wake_sender().wake();
    assert_eq!((polls.recv().await, began.elapsed().as_secs()), (Some(Cause::Woken), 0));
    handle.finished_sender().wake();
    assert_eq!((polls.recv().await, began.elapsed().as_secs()), (Some(Cause::Finished), 0));
    assert_eq!((polls.recv().await, began.elapsed().as_secs()), (Some(Cause::Timer), 7), "there is one timer");
}

#[tokio::test(start_paused = true)]
async fn much_to_do_does_not_keep_it_from_answering() {
    let (handle, mut polls) = start(&runtime(), Duration::ZERO, false).await;
    for _ in 0..100 {
        assert_eq!(handle.observe().await.unwrap(), json!({ "ended": 0 }));
        assert!(polls.recv().await.is_some());
    }
}

#[tokio::test(start_paused = true)]
async fn the_end_of_an_actor_below_it_is_noted_and_polls() {
    let (handle, mut polls) = start(&runtime(), 7 * SECOND, true).await;
    assert_eq!(polls.recv().await, Some(Cause::Timer));
    assert_eq!(polls.recv().await, Some(Cause::Finished));
    assert_eq!(handle.observe().await.unwrap(), json!({ "ended": 1 }));
}
