//! The dispatcher is restarted while it records: what it was recording is not lost with it.

use domain::shared::{Backoff, Entropy, SharedEntropy};
use std::sync::atomic::{AtomicBool, Ordering};
use support::prelude::*;
use tokio::sync::Semaphore;

/// Random numbers that panic once when they are armed, and so fail the actor that draws next.
struct Fragile {
    entropy: SharedEntropy,
    is_armed: AtomicBool,
}

impl Entropy for Fragile {
    fn fill(&self, buffer: &mut [u8]) {
        assert!(!self.is_armed.swap(false, Ordering::AcqRel), "wanted by the test");
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
    let entropy = Arc::new(Fragile { entropy: support::entropy(9), is_armed: AtomicBool::new(false) });
    let mut params = support::system_params(&fixture.database, fixture.clock.clone());
    params.entropy = entropy.clone();
    params.restart_backoff = Backoff { first: Duration::from_micros(50), cap: Duration::from_micros(50), jitter: 0 };
    let system = support::system_with(params).await;
    fixture.sql("update receivers set active = true").await;
    system.handles().notifications.wake_all();
    receiver.got(4).await;

    // The next random number is drawn by the dispatcher when it decides what follows from an outcome.
    entropy.is_armed.store(true, Ordering::Release);
    gate.add_permits(3);
    for _ in 0..2000 {
        if fixture.count("select count(*) from delivery_queue").await == 0 {
            break;
        }
        system.handles().observe_all().await;
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(fixture.count("select count(*) from delivery_attempts where result = 'delivered' and number = 1").await, 4);
    let dispatcher = system.handles().observe_all().await["dispatcher"].clone();
    let [sent, recorded, unwritten] = ["sent", "recorded", "unwritten"].map(|member| dispatcher[member].clone());
    assert_eq!((sent, recorded, unwritten), (json!(0), json!(3), json!(0)), "all by the one that has sent nothing");
    assert_eq!(receiver.so_far().len(), 4, "each one once");
}
