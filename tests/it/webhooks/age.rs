//! The age of deliveries: from when it counts, and which time does not.

use super::desk_with;
use support::prelude::*;

/// A server on which deliveries become an hour old, with a delivery at a receiver that takes none.
async fn one_that_waits() -> (SpaceFixture, Receiver, i64) {
    let (fixture, receiver) = (desk_with(&[("APP_WEBHOOK_MAX_AGE", "1")]).await, Receiver::start().await);
    receiver.answers(Reaction::Status(500));
    let webhook = fixture.webhook(&receiver).await;
    fixture.open_circuits().await;
    fixture.publish("a").await;
    fixture.until(webhook, "pending", 1).await;
    (fixture, receiver, webhook)
}

async fn goes_by(fixture: &SpaceFixture, minutes: i64) {
    fixture.later(SignedDuration::from_mins(minutes));
    fixture.settle_times(5).await;
}

async fn sending(fixture: &SpaceFixture, paused_at: &str) {
    fixture.sql(&format!("update sending set paused_at = {paused_at}")).await;
}

#[tokio::test]
async fn time_in_which_nothing_is_sent_on_purpose_does_not_count() {
    let (fixture, receiver, webhook) = one_that_waits().await;
    // Both pauses overlap, and last for three hours in all.
    fixture.change_webhook(webhook, json!({ "active": false })).await;
    goes_by(&fixture, 60).await;
    sending(&fixture, "statement_timestamp()").await;
    goes_by(&fixture, 60).await;
    fixture.change_webhook(webhook, json!({ "active": true })).await;
    goes_by(&fixture, 60).await;
    assert_eq!(receiver.so_far().len(), 0);
    sending(&fixture, "null").await;
    goes_by(&fixture, 58).await;
    fixture.until_number("select count(*) from delivery_attempts", 1).await;
    assert_eq!(fixture.until(webhook, "pending", 1).await.len(), 1);
    assert_eq!(receiver.so_far().len(), 1, "a probe");
    goes_by(&fixture, 2).await;
    fixture.until(webhook, "dead", 1).await;
    assert_eq!(receiver.so_far().len(), 1);
    let audited = "select count(*) from audit_log where action = 'webhook.dead_lettered' and meta ->> 'reason' = 'age'
                   and meta ->> 'attempts' = '1'";
    assert_eq!(fixture.count(audited).await, 1);
}

#[tokio::test]
async fn what_is_sent_again_is_young_again() {
    let (fixture, receiver, webhook) = one_that_waits().await;
    fixture.later(SignedDuration::from_mins(60));
    let dead = fixture.until(webhook, "dead", 1).await.remove(0);
    assert_eq!((&dead["attempts"], receiver.so_far().len()), (&json!([]), 0), "what is due and too old is not sent");
    let path = fixture.path(&format!("/webhooks/{webhook}/deliveries/{}/redeliver", dead["id"].as_str().unwrap()));
    fixture.post(Caller::Token(&fixture.admin), &path, json!({})).await.expect(202);
    // The probe that was due is sent at once, and fails.
    fixture.until_number("select count(*) from delivery_attempts", 1).await;
    receiver.answers(Reaction::Status(200));
    goes_by(&fixture, 59).await;
    fixture.until(webhook, "delivered", 1).await;
}

/// Also one that only waits for its next attempt, at a receiver whose circuit is closed.
#[tokio::test]
async fn a_delivery_that_is_not_due_dies_of_its_age_too() {
    let variables = [("APP_WEBHOOK_MAX_AGE", "1"), ("APP_WEBHOOK_BACKOFF", "5h,5h,5h,5h")];
    let (fixture, receiver) = (desk_with(&variables).await, Receiver::start().await);
    let webhook = fixture.webhook(&receiver).await;
    receiver.will([Reaction::Status(500)]);
    let story = fixture.publish("a").await;
    super::retries::attempted(&fixture, webhook, "a", 1).await;
    fixture.later(SignedDuration::from_mins(30));
    fixture.act_on("POST", &format!("/stories/{story}/unpublish"), json!({}), 200).await;
    fixture.until(webhook, "pending", 2).await;
    fixture.later(SignedDuration::from_mins(30));
    fixture.until(webhook, "dead", 1).await;
    fixture.until(webhook, "delivered", 1).await;
    assert_eq!(receiver.so_far().len(), 2, "the next one of its story goes on");
}
