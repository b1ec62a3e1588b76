//! The wall clock jumps forward and back while deliveries wait. Leases hold by the database's clock, so no
//! delivery is lost or sent twice at once.

use super::{retries::attempted, with_webhook};
use std::iter::repeat_n;
use support::prelude::*;
use tokio::sync::Semaphore;

const JUMPS: [SignedDuration; 4] = [
    SignedDuration::from_hours(2),
    SignedDuration::from_hours(-4),
    SignedDuration::from_hours(26),
    SignedDuration::from_hours(-24),
];

async fn rest(fixture: &SpaceFixture) {
    fixture.settle_times(10).await;
}

#[tokio::test]
async fn deliveries_get_on_however_the_clock_jumps() {
    let (fixture, receiver, webhook) = with_webhook().await;
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

/// The clock jumps a day ahead: a delivery that waits for its next attempt gets one attempt, not all that are
/// left.
#[tokio::test]
async fn a_jump_forward_uses_up_one_attempt() {
    let (fixture, receiver, webhook) = with_webhook().await;
    receiver.will(repeat_n(Reaction::Status(500), 9));
    let story = fixture.publish("a").await;
    attempted(&fixture, webhook, "a", 1).await;
    fixture.act_on("POST", &format!("/stories/{story}/unpublish"), json!({}), 200).await;
    fixture.later(SignedDuration::from_hours(24));
    attempted(&fixture, webhook, "a", 2).await;
    rest(&fixture).await;
    assert_eq!(receiver.so_far().len(), 2);
}

/// The clock of the machine was a day ahead when attempts failed, and goes back: neither they nor what waits
/// behind them stand still for a day.
#[tokio::test]
async fn after_a_clock_that_was_ahead_goes_back_deliveries_go_on() {
    let (fixture, receiver, webhook) = with_webhook().await;
    receiver.will([Reaction::Status(500)]);
    fixture.later(SignedDuration::from_hours(24));
    let story = fixture.publish("a").await;
    attempted(&fixture, webhook, "a", 1).await;
    fixture.act_on("POST", &format!("/stories/{story}/unpublish"), json!({}), 200).await;
    rest(&fixture).await;
    assert_eq!(receiver.so_far().len(), 1, "it waits for its next attempt, and the other one behind it");
    fixture.later(SignedDuration::from_hours(-24));
    let delivered = fixture.until(webhook, "delivered", 2).await;
    assert_eq!(delivered[1]["attempts"].as_array().unwrap().len(), 2);
}

/// Leases that a process took before the clock went back, and that it did not give back because it was
/// killed.
#[tokio::test]
async fn after_a_clock_that_was_ahead_goes_back_no_lease_holds_for_longer_than_one() {
    let (fixture, _receiver, webhook) = with_webhook().await;
    fixture.sql("update receivers set active = false").await;
    fixture.publish("a").await;
    fixture.until_number("select count(*) from delivery_queue", 1).await;
    let leased = "update delivery_queue set lease_token = gen_random_uuid(), lease_until = clock_timestamp() + interval '1 day'";
    fixture.sql(leased).await;
    fixture.sql("update receivers set active = true").await;
    fixture.later(SignedDuration::from_hours(-24));
    // Twice as long as an attempt may take here.
    let short = "select count(*) from delivery_queue where lease_until <= clock_timestamp() + interval '4 minutes'";
    fixture.until_number(short, 1).await;
    // The time of a lease is over.
    fixture.sql("update delivery_queue set lease_until = clock_timestamp()").await;
    fixture.until(webhook, "delivered", 1).await;
}

/// The clock of one process is wrong: what it writes is due by the clock of the database.
#[tokio::test]
async fn the_clock_of_a_process_puts_no_delivery_off() {
    let (fixture, receiver, webhook) = with_webhook().await;
    let of_the_database = support::clock();
    fixture.clock.drives_no_longer();
    of_the_database.drives(&fixture.database);
    receiver.will([Reaction::Status(500)]);
    for ahead in [24, -48] {
        fixture.later(SignedDuration::from_hours(ahead));
        rest(&fixture).await;
    }
    fixture.publish("a").await;
    attempted(&fixture, webhook, "a", 1).await;
    of_the_database.advance(SignedDuration::from_secs(7));
    rest(&fixture).await;
    assert_eq!(receiver.so_far().len(), 1, "not before the first wait of the schedule");
    of_the_database.advance(SignedDuration::from_secs(6));
    fixture.until(webhook, "delivered", 1).await;
}
