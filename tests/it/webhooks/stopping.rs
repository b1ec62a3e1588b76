//! A process that is told to stop.

use super::{desk_with, with_webhook};
use std::iter::repeat_n;
use support::prelude::*;
use tokio::sync::Semaphore;

/// From the signal on no delivery is attempted; the attempts that run are recorded.
#[tokio::test]
async fn nothing_is_attempted_any_more_and_what_runs_is_recorded() {
    let (fixture, receiver, webhook) = with_webhook().await;
    let gate = Arc::new(Semaphore::new(0));
    receiver.will([Reaction::Gate(gate.clone(), 200)]);
    fixture.publish("a").await;
    receiver.got(1).await;
    fixture.actors.begin_shutdown();
    fixture.publish("b").await;
    fixture.until(webhook, "pending", 2).await;
    gate.add_permits(1);
    fixture.until(webhook, "delivered", 1).await;
    fixture.settle_times(20).await;
    assert_eq!(receiver.so_far().len(), 1);
}

/// A dead letter is a command of its space: the spaces stop after the last outcome is recorded.
#[tokio::test]
async fn a_dead_letter_is_written_while_the_process_stops() {
    let (fixture, receiver) = (desk_with(&[("APP_WEBHOOK_BACKOFF", "1ms,1ms,1ms,1ms")]).await, Receiver::start().await);
    fixture.webhook(&receiver).await;
    let gate = Arc::new(Semaphore::new(0));
    receiver.will(repeat_n(Reaction::Status(500), 4).chain([Reaction::Gate(gate.clone(), 500)]));
    fixture.publish("a").await;
    for _ in 0..4 {
        fixture.settle().await;
        fixture.later(SignedDuration::from_secs(1));
    }
    while receiver.so_far().len() < 5 {
        fixture.later(SignedDuration::from_secs(1));
        fixture.settle().await;
    }
    let (is_done, ()) = tokio::join!(fixture.actors.drain(Duration::from_secs(30)), async { gate.add_permits(1) });
    assert!(is_done);
    assert_eq!(fixture.count("select count(*) from delivery_queue where dead_at is not null").await, 1);
    assert_eq!(fixture.count("select count(*) from audit_log where action = 'webhook.dead_lettered'").await, 1);
}
