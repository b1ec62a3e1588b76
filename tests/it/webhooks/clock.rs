//! The wall clock jumps forward and back while deliveries wait. Leases hold by the database's clock, so no delivery is lost or sent twice at once.

use super::{fixture, retries::attempted};
use crate::support::{
    receiver::{Reaction, Receiver},
    space_fixture::SpaceFixture,
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

async fn rest(fixture: &SpaceFixture) {
    for _ in 0..10 {
        fixture.settle().await;
    }
}

#[tokio::test]
async fn deliveries_get_on_however_the_clock_jumps() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    let webhook = fixture.webhook(&receiver).await;
    let mut count = 0;
    for by in JUMPS {
        let gate = Arc::new(Semaphore::new(0));
        receiver.will([Reaction::Gate(gate.clone(), 200)]);
        fixture.publish(&format!("running{count}")).await;
        receiver.got(count + 1).await;
        fixture.later(by);
        rest(&fixture).await;
        assert_eq!(receiver.so_far().len(), count + 1, "what is under way is not sent a second time");
        gate.add_permits(1);
        fixture.publish(&format!("after{count}")).await;
        count += 2;
        fixture.until(webhook, "delivered", count).await;
    }
    let delivered = fixture.deliveries(webhook, "").await;
    assert!(delivered.iter().all(|d| d["attempts"][0]["duration_ms"].as_i64().unwrap() >= 0));
}

/// The clock jumps a day ahead: a delivery that waits for its next attempt gets one attempt, not all that are left.
#[tokio::test]
async fn a_jump_forward_uses_up_one_attempt() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    let webhook = fixture.webhook(&receiver).await;
    receiver.will(repeat_n(Reaction::Status(500), 9));
    let story = fixture.publish("a").await;
    attempted(&fixture, webhook, "a", 1).await;
    fixture.act_on("POST", &format!("/stories/{story}/unpublish"), json!({}), 200).await;
    fixture.later(SignedDuration::from_hours(24));
    attempted(&fixture, webhook, "a", 2).await;
    rest(&fixture).await;
    assert_eq!(receiver.so_far().len(), 2);
    // And back: it waits for its due time, and is neither lost nor overtaken.
    fixture.later(SignedDuration::from_hours(-24));
    rest(&fixture).await;
    assert_eq!((receiver.so_far().len(), fixture.deliveries(webhook, "?status=pending").await.len()), (2, 2));
    fixture.later(SignedDuration::from_hours(24) + SignedDuration::from_mins(2));
    attempted(&fixture, webhook, "a", 3).await;
}
