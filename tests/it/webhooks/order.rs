//! The order in which deliveries arrive; no receiver holds up another.

use super::{fixture, retries::attempted, with_webhook};
use support::prelude::*;

#[tokio::test]
async fn what_happens_to_a_story_arrives_in_order_and_other_stories_do_not_wait() {
    let (fixture, receiver, webhook) = with_webhook().await;
    receiver.will([Reaction::Status(500)]);
    let story = fixture.publish("a").await;
    receiver.got(1).await;
    fixture.act_on("POST", &format!("/stories/{story}/unpublish"), json!({}), 200).await;
    fixture.publish("b").await;
    fixture.until(webhook, "delivered", 1).await;
    fixture.settle().await;
    let slugs = || receiver.so_far().iter().map(|s| s.json()["full_slug"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(slugs(), ["a", "b"], "the second event of a story waits for the first one");
    fixture.later(SignedDuration::from_secs(12));
    fixture.until(webhook, "delivered", 3).await;
    let actions: Vec<_> = receiver.so_far()[2..].iter().map(|value| value.json()["action"].clone()).collect();
    assert_eq!(actions, ["story.published", "story.unpublished"]);
}

#[tokio::test]
async fn a_dead_letter_unblocks_what_comes_after_it() {
    let (fixture, receiver, webhook) = with_webhook().await;
    receiver.will(std::iter::repeat_n(Reaction::Status(500), 5));
    let story = fixture.publish("a").await;
    fixture.act_on("POST", &format!("/stories/{story}/unpublish"), json!({}), 200).await;
    for attempt in 1..=4 {
        attempted(&fixture, webhook, "a", attempt).await;
        fixture.later(SignedDuration::from_hours(1));
    }
    fixture.until(webhook, "dead", 1).await;
    fixture.until(webhook, "delivered", 1).await;
    assert_eq!(receiver.got(6).await[5].json()["action"], "story.unpublished");
}

#[tokio::test]
async fn silent_receivers_do_not_hold_up_others() {
    let (fixture, good) = (fixture().await, Receiver::start().await);
    let mut silent = Vec::new();
    for _ in 0..19 {
        let receiver = Receiver::start().await;
        receiver.will(std::iter::repeat_n(Reaction::Silence, 100));
        fixture.webhook(&receiver).await;
        silent.push(receiver);
    }
    let webhook = fixture.webhook(&good).await;
    for number in 0..20 {
        fixture.publish(&format!("s{number}")).await;
    }
    // An attempt at a silent receiver takes two minutes here.
    let delivered = fixture.until(webhook, "delivered", 20);
    tokio::time::timeout(std::time::Duration::from_mins(1), delivered).await.expect("no delivery waits for a silent receiver");
    assert!(silent.iter().all(|s| s.so_far().len() <= 1), "one attempt at a time at a receiver that has not answered yet");
}

/// Also when there is much to do.
#[tokio::test]
async fn a_receiver_gets_four_at_a_time_at_most() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    fixture.webhook(&receiver).await;
    fixture.publish("first").await;
    receiver.got(1).await;
    receiver.will(std::iter::repeat_n(Reaction::Silence, 100));
    for number in 0..8 {
        fixture.publish(&format!("s{number}")).await;
    }
    receiver.got(5).await;
    fixture.settle_times(20).await;
    assert_eq!(receiver.so_far().len(), 5);
}
