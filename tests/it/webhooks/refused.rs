//! The database refuses a row with an error that the server does not expect. No other delivery is held up.

use super::{fixture, registration, with_webhook};
use std::iter::repeat_n;
use support::{prelude::*, space_fixture::OtherSpace};

/// A space beside the first one, with a webhook.
async fn other_space(fixture: &SpaceFixture, receiver: &Receiver) -> OtherSpace {
    let other = fixture.another_space().await;
    let body = registration(&receiver.url(), &super::ALL);
    fixture.post(Caller::Token(&other.admin), &format!("/api/v1/spaces/{}/webhooks", other.id), body).await.expect(201);
    other
}

async fn publish_there(fixture: &SpaceFixture, other: &OtherSpace) {
    let story = json!({ "name": "there", "slug": "there", "content": { "component": "page" } });
    let path = format!("/api/v1/spaces/{}/stories", other.id);
    fixture.post(Caller::Token(&other.admin), &path, json!({ "story": story, "publish": 1 })).await.expect(201);
}

#[tokio::test]
async fn an_outcome_that_cannot_be_written_is_put_off_and_the_others_are_written() {
    let (fixture, receiver, webhook) = with_webhook().await;
    fixture.refuse("delivery_attempts", "new.delivery_id = (select min(id) from deliveries)").await;
    fixture.publish("a").await;
    receiver.got(1).await;
    fixture.publish("b").await;
    fixture.publish("c").await;
    fixture.until(webhook, "delivered", 2).await;
    let pending = fixture.until(webhook, "pending", 1).await.remove(0);
    assert_eq!((&pending["story"]["full_slug"], &pending["next_attempt_at"]), (&json!("a"), &json!("2026-03-01T13:00:00.000Z")));
    fixture.admit("delivery_attempts").await;
    fixture.later(SignedDuration::from_hours(1));
    fixture.until(webhook, "delivered", 3).await;
    assert_eq!(receiver.so_far().len(), 4, "the one that could not be recorded came twice");
}

#[tokio::test]
async fn dead_letters_of_a_space_that_cannot_be_written_hold_up_no_others() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    receiver.will(repeat_n(Reaction::Status(500), 3));
    fixture.webhook(&receiver).await;
    let other = other_space(&fixture, &receiver).await;
    fixture.refuse("audit_log", &format!("new.space_id = {} and new.action = 'webhook.dead_lettered'", fixture.space)).await;
    // Both are one failure from being dead.
    fixture.sql("update receivers set active = false").await;
    fixture.publish("here").await;
    publish_there(&fixture, &other).await;
    fixture.until_number("select count(*) from delivery_queue", 2).await;
    fixture.sql("update delivery_queue set failures = 4").await;
    fixture.sql("update receivers set active = true").await;
    let dead = "select count(*) from delivery_queue where dead_at is not null";
    fixture.until_number(dead, 1).await;
    assert_eq!(fixture.count("select count(*) from audit_log where action = 'webhook.dead_lettered'").await, 1);
    fixture.until_number("select count(*) from delivery_queue where due_at > '2026-03-01T12:30:00Z' and failures = 4", 1).await;
    fixture.admit("audit_log").await;
    fixture.later(SignedDuration::from_hours(1));
    fixture.until_number(dead, 2).await;
    assert_eq!(receiver.so_far().len(), 3, "the one that could not be recorded came twice");
}

#[tokio::test]
async fn events_of_a_space_that_cannot_be_delivered_hold_up_no_others() {
    let (fixture, here, there) = (fixture().await, Receiver::start().await, Receiver::start().await);
    fixture.webhook(&here).await;
    let other = other_space(&fixture, &there).await;
    fixture.refuse("deliveries", "new.receiver_id = (select min(id) from receivers)").await;
    fixture.publish("first").await;
    publish_there(&fixture, &other).await;
    fixture.until_number("select count(*) from deliveries", 1).await;
    there.got(1).await;
    fixture.admit("deliveries").await;
    here.got(1).await;
}

/// A kind of receiver without a handler for its dead letters.
#[tokio::test]
async fn deliveries_without_an_owner_become_dead_too() {
    let fixture = fixture().await;
    fixture.sql(
        "with receiver as (
             insert into receivers (kind, url, created_at) values ('unknown', 'http://127.0.0.1:1/', '2026-03-01T12:00:00Z') returning id
         ), made as (
             insert into deliveries (public_id, receiver_id, event, key, content_type, body, created_at)
             select gen_random_uuid(), id, 'test', 'test', 'text/plain', '', '2026-03-01T12:00:00Z' from receiver
             returning id, receiver_id
         )
         insert into delivery_queue (delivery_id, receiver_id, key, due_at, failures)
         select id, receiver_id, 'test', '2026-03-01T12:00:00Z', 4 from made",
    )
    .await;
    fixture.until_number("select count(*) from delivery_queue where dead_at is not null", 1).await;
    assert_eq!(fixture.count("select count(*) from delivery_attempts").await, 1);
}
