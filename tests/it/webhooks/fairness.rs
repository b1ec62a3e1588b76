//! Receivers that accept deliveries and never answer take nothing from those that are new, from those that
//! fail once, and from other spaces.

use super::{fixture, registration, retries::attempted, with_webhook};
use std::iter::repeat_n;
use support::{prelude::*, silence::Silence};
use tokio::sync::Semaphore;

#[tokio::test]
async fn a_new_receiver_does_not_wait_for_silent_ones() {
    for (health, failures) in [("new", 0), ("failing", 5)] {
        let (fixture, receiver) = (fixture().await, Receiver::start().await);
        let silence = fixture.silent_receivers(health, failures).await;
        fixture.webhook(&receiver).await;
        fixture.publish("a").await;
        receiver.got(1).await;
        silence.lasts(&fixture.database).await;
    }
}

/// Its backlog goes on at the old pace, four at a time, and what was refused arrives after its first wait.
#[tokio::test]
async fn a_good_receiver_that_fails_once_keeps_its_pace() {
    let (fixture, receiver, webhook) = with_webhook().await;
    fixture.publish("before").await;
    fixture.until(webhook, "delivered", 1).await;
    let silence = fixture.silent_receivers("failing", 5).await;

    let gate = Arc::new(Semaphore::new(0));
    let four_wait = repeat_n(Reaction::Gate(gate.clone(), 200), 4);
    receiver.will([Reaction::Status(503), Reaction::Status(200)].into_iter().chain(four_wait));
    fixture.publish("refused").await;
    attempted(&fixture, webhook, "refused", 1).await;
    for number in 0..8 {
        fixture.publish(&format!("s{number}")).await;
    }
    receiver.got(7).await;
    gate.add_permits(4);
    receiver.got(10).await;
    fixture.later(SignedDuration::from_secs(12));
    fixture.settle().await;
    assert_eq!(receiver.got(11).await[10].json()["full_slug"], "refused");
    silence.lasts(&fixture.database).await;
}

/// One space has less than half of the 256 attempts for receivers that fail, and another one gets its own at
/// once.
#[tokio::test]
async fn one_space_leaves_attempts_to_the_others() {
    let (fixture, receiver, silence) = (fixture().await, Receiver::start().await, Silence::start().await);
    let other = fixture.another_space().await;
    let path = format!("/api/v1/spaces/{}", other.id);
    let admin = Caller::Token(&other.admin);
    fixture.post(admin, &format!("{path}/webhooks"), registration(&receiver.url(), &["story.published"])).await.expect(201);
    fixture.sql("update receivers set health = 'failing', failures = 5").await;
    silence.register(&fixture.database, &fixture.space.to_string(), "failing", 5).await;
    fixture.settle().await;
    silence.under_way(112).await;
    let story = json!({ "name": "a", "slug": "a", "content": { "component": "page" } });
    fixture.post(admin, &format!("{path}/stories"), json!({ "story": story, "publish": 1 })).await.expect(201);
    receiver.got(1).await;
    fixture.settle_times(20).await;
    assert_eq!(silence.attempts(), 112);
    silence.lasts(&fixture.database).await;
}
