//! The dispatcher is restarted while it records: what it was recording is not lost with it.

use domain::shared::{Backoff, Entropy, SharedEntropy};
use std::sync::{
    Mutex,
    atomic::{AtomicBool, Ordering},
};
use support::{prelude::*, short_wait};
use tokio::{sync::Semaphore, task};

/// Random numbers. Once they are armed, the first task that draws one and has not drawn before panics.
struct Fragile {
    entropy: SharedEntropy,
    drawn: Mutex<HashSet<task::Id>>,
    is_armed: AtomicBool,
}

impl Entropy for Fragile {
    fn fill(&self, buffer: &mut [u8]) {
        let is_first = task::try_id().is_some_and(|task| self.drawn.lock().unwrap().insert(task));
        assert!(!is_first || !self.is_armed.swap(false, Ordering::AcqRel), "wanted by the test");
        self.entropy.fill(buffer);
    }
}

#[tokio::test]
async fn what_a_dispatcher_was_recording_when_it_died_is_recorded_by_the_next_one() {
    let variables = [("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1")];
    let setup = Setup { variables: &variables, leases_by_clock: true, ..Setup::default() };
    let (fixture, receiver) = (SpaceFixture::with(setup).await, Receiver::start().await);
    let webhook = fixture.webhook(&receiver).await;
    // A receiver that has answered gets several at a time.
    fixture.publish("first").await;
    fixture.until(webhook, "delivered", 1).await;
    fixture.sql("update receivers set active = false").await;
    for slug in ["a", "b", "c"] {
        fixture.publish(slug).await;
    }
    fixture.until_number("select count(*) from delivery_queue", 3).await;
    assert!(fixture.actors.drain(Duration::from_secs(30)).await, "the dispatcher of this test sends alone");
    let gate = Arc::new(Semaphore::new(0));
    receiver.answers(Reaction::Gate(gate.clone(), 200));
    let entropy = Arc::new(Fragile { entropy: support::entropy(9), drawn: Mutex::default(), is_armed: AtomicBool::new(false) });
    let mut params = support::system_params(&fixture.database, fixture.clock.clone());
    params.entropy = entropy.clone();
    params.deliveries.timeout = PATIENCE;
    params.restart_backoff = Backoff { first: Duration::from_micros(50), cap: Duration::from_micros(50), jitter: 0 };
    fixture.sql("update receivers set active = true").await;
    let system = support::system_with(params).await;
    receiver.got(4).await;
    // All others have polled by now, and have drawn a random number for when they poll again. The dispatcher
    // draws its first one when it decides what follows from an outcome.
    system.handles().observe_all().await;
    entropy.is_armed.store(true, Ordering::Release);
    gate.add_permits(3);
    for _ in 0..2000 {
        if fixture.count("select count(*) from delivery_queue").await == 0 {
            break;
        }
        system.handles().observe_all().await;
        short_wait().await;
    }
    assert_eq!(fixture.count("select count(*) from delivery_attempts where result = 'delivered' and number = 1").await, 4);
    let dispatcher = system.handles().observe_all().await["dispatcher"].clone();
    let [sent, recorded, unwritten] = ["sent", "recorded", "unwritten"].map(|member| dispatcher[member].clone());
    assert_eq!((sent, recorded, unwritten), (json!(0), json!(3), json!(0)), "all by the one that has sent nothing");
    assert_eq!(receiver.so_far().len(), 4, "each one once");
}
