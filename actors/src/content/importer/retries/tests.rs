//! Waits pass by themselves here, because the clock is paused.

use super::{FILE_TRIES, Failure, RetryHandle, Waiting};
use crate::runtime::Runtime;
use domain::shared::{Clock, Entropy};
use jiff::{SignedDuration, Timestamp};
use ractor::{Actor, ActorProcessingErr, ActorRef};
use std::sync::Arc;
use tokio::sync::watch;

struct Zero;

impl Entropy for Zero {
    fn fill(&self, buffer: &mut [u8]) {
        buffer.fill(0);
    }
}

impl Clock for Zero {
    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH
    }
}

/// Stands for the actor of an import.
struct Parent;

impl Actor for Parent {
    type Msg = ();
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<()>, (): ()) -> Result<(), ActorProcessingErr> {
        Ok(())
    }
}

async fn started() -> (RetryHandle, watch::Receiver<Option<Waiting>>) {
    let runtime = Runtime::new(Arc::new(Zero), &prometheus::Registry::new()).unwrap();
    let (import, _) = Actor::spawn(None, Parent, ()).await.unwrap();
    let (shown, waiting) = watch::channel(None);
    (RetryHandle::start(runtime, Arc::new(Zero), shown, import.get_cell()).await.unwrap(), waiting)
}

#[tokio::test(start_paused = true)]
async fn what_fails_is_tried_again_after_growing_waits_which_are_shown_and_given_up_in_the_end() {
    let (retries, mut waiting) = started().await;
    let mut tries = retries.tries();
    for (failures, millis) in (1..FILE_TRIES).zip([375, 750, 1_500]) {
        let next = tries.failed(Failure::File).await.unwrap();
        assert_eq!(next.failures, failures);
        let shown = waiting.wait_for(Option::is_some).await.unwrap().clone();
        let until = Timestamp::UNIX_EPOCH + SignedDuration::from_millis(millis);
        assert_eq!(shown, Some(Waiting { requests: 1, until, reason: "file", failures }));
        next.due().await;
        waiting.wait_for(Option::is_none).await.unwrap();
    }
    assert!(tries.failed(Failure::File).await.is_none());
}

#[tokio::test(start_paused = true)]
async fn what_is_not_wanted_any_more_is_not_waited_for() {
    let (retries, mut waiting) = started().await;
    let (mut one, mut other) = (retries.tries(), retries.tries());
    let next = one.failed(Failure::File).await.unwrap();
    other.failed(Failure::File).await.unwrap().due().await;
    drop(other.failed(Failure::File).await);
    waiting.wait_for(|waiting| waiting.as_ref().is_some_and(|waiting| waiting.failures == 2)).await.unwrap();
    drop(next);
    drop((one, other));
    waiting.wait_for(Option::is_none).await.unwrap();
}
