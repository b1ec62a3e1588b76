//! F28: the wall clock goes forward and back while deliveries wait. Leases hold by the database's clock, so nothing is lost or sent in a storm.

use super::{desk, retries::attempted};
use crate::support::{
    desk::Desk,
    receiver::{Reaction, Receiver},
};
use jiff::SignedDuration;
use serde_json::json;
use std::{iter::repeat_n, sync::Arc};
use tokio::sync::Semaphore;

const JUMPS: [SignedDuration; 4] = [
    SignedDuration::from_hours(2),
    SignedDuration::from_hours(-4),
    SignedDuration::from_hours(26),
    SignedDuration::from_hours(-24),
];

async fn rest(desk: &Desk) {
    for _ in 0..10 {
        desk.settle().await;
    }
}

#[tokio::test]
async fn deliveries_get_on_however_the_clock_jumps() {
    let (desk, receiver) = (desk().await, Receiver::start().await);
    let webhook = desk.webhook(&receiver).await;
    let mut count = 0;
    for by in JUMPS {
        let gate = Arc::new(Semaphore::new(0));
        receiver.will([Reaction::Gate(gate.clone(), 200)]);
        desk.publish(&format!("running{count}")).await;
        receiver.got(count + 1).await;
        desk.later(by);
        rest(&desk).await;
        assert_eq!(receiver.so_far().len(), count + 1, "what is under way is not sent a second time");
        gate.add_permits(1);
        desk.publish(&format!("after{count}")).await;
        count += 2;
        desk.until(webhook, "delivered", count).await;
    }
    let delivered = desk.deliveries(webhook, "").await;
    assert!(delivered.iter().all(|d| d["attempts"][0]["duration_ms"].as_i64().unwrap() >= 0));
}

/// A day is over at once: what waited for its next attempt gets one, not all that it has left.
#[tokio::test]
async fn a_jump_forward_uses_up_one_attempt() {
    let (desk, receiver) = (desk().await, Receiver::start().await);
    let webhook = desk.webhook(&receiver).await;
    receiver.will(repeat_n(Reaction::Status(500), 9));
    let story = desk.publish("a").await;
    attempted(&desk, webhook, "a", 1).await;
    desk.act_on("POST", &format!("/stories/{story}/unpublish"), json!({}), 200).await;
    desk.later(SignedDuration::from_hours(24));
    attempted(&desk, webhook, "a", 2).await;
    rest(&desk).await;
    assert_eq!(receiver.so_far().len(), 2);
    // And back: it waits for the time that it was given, and is neither lost nor overtaken.
    desk.later(SignedDuration::from_hours(-24));
    rest(&desk).await;
    assert_eq!((receiver.so_far().len(), desk.deliveries(webhook, "?status=pending").await.len()), (2, 2));
    desk.later(SignedDuration::from_hours(24) + SignedDuration::from_mins(2));
    attempted(&desk, webhook, "a", 3).await;
}
