//! Backlogs: they end with their webhook, cost nothing while they wait, and are measured.

use super::{fixture, retries::attempted, with_webhook};
use std::iter::repeat_n;
use storage::shared::deliveries;
use support::prelude::*;
use tokio::sync::Semaphore;

/// A receiver with four attempts under way and eight deliveries behind them.
async fn under_way(fixture: &SpaceFixture) -> (Receiver, i64, Arc<Semaphore>) {
    let receiver = Receiver::start().await;
    let webhook = fixture.webhook(&receiver).await;
    fixture.publish("first").await;
    fixture.until(webhook, "delivered", 1).await;
    let gate = Arc::new(Semaphore::new(0));
    receiver.will(repeat_n(Reaction::Gate(gate.clone(), 200), 4));
    for number in 0..12 {
        fixture.publish(&format!("s{number}")).await;
    }
    receiver.got(5).await;
    (receiver, webhook, gate)
}

#[tokio::test]
async fn a_pause_holds_back_what_is_not_under_way() {
    let fixture = fixture().await;
    let (receiver, webhook, gate) = under_way(&fixture).await;
    fixture.change_webhook(webhook, json!({ "active": false })).await;
    gate.add_permits(4);
    fixture.until(webhook, "delivered", 5).await;
    fixture.settle_times(20).await;
    assert_eq!(receiver.so_far().len(), 5);
    fixture.change_webhook(webhook, json!({ "active": true })).await;
    fixture.until(webhook, "delivered", 13).await;
}

#[tokio::test]
async fn a_deleted_webhook_gets_no_more_of_its_backlog() {
    let fixture = fixture().await;
    let (receiver, webhook, gate) = under_way(&fixture).await;
    fixture.admin().delete(&format!("/webhooks/{webhook}")).await.expect(200);
    gate.add_permits(4);
    fixture.until_number("select count(*) from delivery_attempts", 5).await;
    fixture.settle_times(20).await;
    assert_eq!(receiver.so_far().len(), 5);
}

/// The events of a story wait for the one that fails. They are not scanned again each time something else
/// happens.
#[tokio::test]
async fn what_waits_for_an_earlier_event_is_not_scanned_again_and_again() {
    let (fixture, receiver, webhook) = with_webhook().await;
    receiver.will(repeat_n(Reaction::Status(500), 2));
    let story = fixture.publish("a").await;
    for _ in 0..5 {
        fixture.act_on("POST", &format!("/stories/{story}/unpublish"), json!({}), 200).await;
        fixture.act_on("POST", &format!("/stories/{story}/publish"), json!({}), 200).await;
    }
    attempted(&fixture, webhook, "a", 1).await;
    fixture.until(webhook, "pending", 11).await;
    fixture.later(SignedDuration::from_secs(5));
    let claims = async || fixture.actors.handles().observe_all().await["dispatcher"]["claims"].as_u64().unwrap();
    fixture.settle_times(5).await;
    let before = claims().await;
    fixture.settle_times(50).await;
    // Every five seconds all receivers are scanned anyway.
    let after = claims().await;
    assert!(after - before <= 5, "{} claims that could bring nothing", after - before);
    fixture.publish("b").await;
    attempted(&fixture, webhook, "b", 1).await;
    fixture.later(SignedDuration::from_secs(60));
    fixture.until(webhook, "delivered", 12).await;
}

#[tokio::test]
async fn what_a_paused_webhook_holds_back_or_waits_for_a_failing_receiver_has_no_age() {
    let fixture = fixture().await;
    let receiver = Receiver::start().await;
    let webhook = fixture.webhook(&receiver).await;
    receiver.will(repeat_n(Reaction::Status(500), 1));
    fixture.publish("a").await;
    attempted(&fixture, webhook, "a", 1).await;
    let connection = fixture.connection().await;
    let backlog = async || deliveries::count_backlog(&connection).await.unwrap();
    let found = backlog().await;
    assert_eq!((found.open, found.waiting, found.oldest_at), (1, 0, Some("2026-03-01T12:00:00Z".parse().unwrap())));
    fixture.open_circuits().await;
    let found = backlog().await;
    assert_eq!((found.open, found.waiting, found.oldest_at), (1, 1, None));
    fixture.change_webhook(webhook, json!({ "active": false })).await;
    let found = backlog().await;
    assert_eq!((found.open, found.waiting, found.oldest_at), (1, 0, None));
}
