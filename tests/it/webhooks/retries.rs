//! Failed deliveries: when they are attempted again, and when they are dead.

use super::{desk_with, fixture, with_webhook};
use std::iter::repeat_n;
use support::prelude::*;
use tokio::sync::Semaphore;

const FAILED: Reaction = Reaction::Status(500);

/// When the next attempt is due, in seconds after the last one began.
fn wait(delivery: &Value) -> f64 {
    let time = |value: &Value| value.as_str().unwrap().parse::<Timestamp>().unwrap();
    let last = delivery["attempts"].as_array().unwrap().last().unwrap();
    time(&delivery["next_attempt_at"]).duration_since(time(&last["started_at"])).as_secs_f64()
}

/// The delivery about a story, once it has that number of `attempts`.
pub(super) async fn attempted(fixture: &SpaceFixture, webhook: i64, slug: &str, attempts: usize) -> Value {
    for _ in 0..2000 {
        for found in fixture.deliveries(webhook, "").await {
            if found["story"]["full_slug"] == slug && found["attempts"].as_array().unwrap().len() == attempts {
                return found;
            }
        }
        fixture.settle().await;
    }
    panic!("{slug} never had {attempts} attempts: {:?}", fixture.deliveries(webhook, "").await);
}

#[tokio::test]
async fn a_delivery_is_tried_five_times_with_growing_waits_and_then_given_up_in_the_audit_log() {
    let (fixture, receiver, webhook) = with_webhook().await;
    receiver.will(repeat_n(FAILED, 5));
    let story = fixture.publish("a").await;
    let mut steps = [10.0, 60.0, 300.0, 1800.0].into_iter();
    for attempt in 1..=4 {
        receiver.got(attempt).await;
        let pending = attempted(&fixture, webhook, "a", attempt).await;
        let step: f64 = steps.next().unwrap();
        assert!((step * 0.8..=step * 1.2).contains(&wait(&pending)), "attempt {attempt}: {}", wait(&pending));
        fixture.settle().await;
        assert_eq!(receiver.so_far().len(), attempt, "nothing comes before it is due");
        fixture.later(SignedDuration::from_secs_f64(step * 1.2));
        fixture.settle().await;
    }
    let dead = fixture.until(webhook, "dead", 1).await.remove(0);
    let numbers: Vec<_> = dead["attempts"].as_array().unwrap().iter().map(|d| d["number"].as_i64().unwrap()).collect();
    assert_eq!((numbers, &dead["next_attempt_at"]), ((1..=5).collect(), &json!(null)));
    let got = receiver.got(5).await;
    assert!(got.iter().all(|g| g.body == got[0].body), "the bytes are the same on every attempt");
    let signature = |name: &str| got.iter().map(|g| g.header(name).to_owned()).collect::<std::collections::HashSet<_>>().len();
    assert_eq!((signature("x-webhook-signature"), signature("webhook-timestamp")), (1, 5));

    let path = fixture.path("/audit_log?types=webhook.dead_lettered");
    let log = fixture.get(Caller::Token(&fixture.admin), &path).await.expect(200);
    let entry = &log["audit_log"][0];
    assert_eq!(log["audit_log"].as_array().unwrap().len(), 1);
    assert_eq!(
        (&entry["actor"]["type"], &entry["target"]["type"], &entry["target"]["label"]),
        (&json!("system"), &json!("webhook"), &json!("Build"))
    );
    let facts = json!({
        "delivery_id": dead["id"], "event": "story.published", "story_id": story, "reason": "attempts", "attempts": 5, "result": "rejected", "status": 500
    });
    assert_eq!(entry["meta"], facts);
    for _ in 0..10 {
        fixture.later(SignedDuration::from_hours(2));
        fixture.settle().await;
    }
    assert_eq!(receiver.so_far().len(), 5);
}

/// After 410 Gone nothing more is sent.
#[tokio::test]
async fn a_receiver_that_is_gone_gets_nothing_more_and_its_webhook_is_paused() {
    let (fixture, receiver, webhook) = with_webhook().await;
    receiver.will([Reaction::Status(410)]);
    let story = fixture.publish("a").await;
    let dead = fixture.until(webhook, "dead", 1).await.remove(0);
    let attempts = dead["attempts"].as_array().unwrap();
    assert_eq!((attempts.len(), &attempts[0]["result"], &attempts[0]["status"]), (1, &json!("gone"), &json!(410)));
    let read = async || fixture.viewer().get(&format!("/webhooks/{webhook}")).await.expect(200);
    assert_eq!(read().await["webhook"]["active"], false);
    let log = fixture.admin().get("/audit_log?types=webhook.paused,webhook.dead_lettered").await;
    let log = log.expect(200)["audit_log"].clone();
    assert_eq!((&log[0]["action"], &log[1]["action"]), (&json!("webhook.paused"), &json!("webhook.dead_lettered")));
    assert_eq!(log[0]["meta"], json!({ "reason": "gone", "delivery_id": dead["id"], "status": 410 }));
    assert_eq!(log[1]["meta"]["story_id"], story);

    fixture.publish("b").await;
    fixture.until(webhook, "pending", 1).await;
    fixture.settle_times(10).await;
    assert_eq!(receiver.so_far().len(), 1);
    fixture.change_webhook(webhook, json!({ "active": true })).await;
    fixture.until(webhook, "delivered", 1).await;
}

#[tokio::test]
async fn a_webhook_with_a_new_url_is_not_paused_by_the_old_receiver() {
    let (fixture, gone, here) = (fixture().await, Receiver::start().await, Receiver::start().await);
    let webhook = fixture.webhook(&gone).await;
    let gate = Arc::new(Semaphore::new(0));
    gone.will([Reaction::Gate(gate.clone(), 410)]);
    fixture.publish("a").await;
    gone.got(1).await;
    fixture.change_webhook(webhook, json!({ "url": here.url() })).await;
    gate.add_permits(1);
    fixture.until(webhook, "dead", 1).await;
    fixture.publish("b").await;
    fixture.until(webhook, "delivered", 1).await;
    assert_eq!(here.so_far().len(), 1);
}

#[tokio::test]
async fn a_receiver_may_ask_for_more_time_up_to_an_hour() {
    for (asked, seconds) in
        [("120".to_owned(), 120.0), ("Sun, 01 Mar 2026 12:05:00 GMT".to_owned(), 300.0), ("100000".to_owned(), 3600.0)]
    {
        let (fixture, receiver, webhook) = with_webhook().await;
        receiver.will([Reaction::Full(503, vec![("retry-after", asked.clone())], vec![])]);
        fixture.publish("a").await;
        receiver.got(1).await;
        let pending = attempted(&fixture, webhook, "a", 1).await;
        assert!((wait(&pending) - seconds).abs() < 0.001, "{asked}: {}", wait(&pending));
    }
}

#[tokio::test]
async fn a_receiver_that_recovers_in_time_gets_the_delivery() {
    let (fixture, receiver) = (desk_with(&[("APP_WEBHOOK_BACKOFF", "1ms,1ms,1ms,1ms")]).await, Receiver::start().await);
    let webhook = fixture.webhook(&receiver).await;
    receiver.will(repeat_n(FAILED, 4));
    fixture.publish("a").await;
    for attempt in 1..=4 {
        attempted(&fixture, webhook, "a", attempt).await;
        fixture.later(SignedDuration::from_secs(1));
    }
    let delivered = fixture.until(webhook, "delivered", 1).await.remove(0);
    let results: Vec<_> = delivered["attempts"].as_array().unwrap().iter().map(|d| d["result"].as_str().unwrap()).collect();
    assert_eq!(results, ["rejected", "rejected", "rejected", "rejected", "delivered"]);
}

#[tokio::test]
async fn an_unreachable_target_and_one_that_is_no_longer_allowed_have_results_of_their_own() {
    let fixture = fixture().await;
    let closed = {
        let receiver = Receiver::start().await;
        fixture.webhook(&receiver).await
    };
    fixture.publish("a").await;
    let pending = attempted(&fixture, closed, "a", 1).await;
    assert_eq!((&pending["attempts"][0]["result"], &pending["attempts"][0]["status"]), (&json!("unreachable"), &json!(null)));

    fixture.sql("update receivers set url = 'http://10.0.0.1/', health = 'new'").await;
    fixture.publish("b").await;
    let blocked = attempted(&fixture, closed, "b", 1).await["attempts"][0].clone();
    assert_eq!((&blocked["result"], &blocked["answer"]), (&json!("blocked"), &json!(null)));
}
