//! From events to deliveries: one for each webhook that was subscribed when the event happened.

use super::{fixture, with_webhook};
use support::prelude::*;

#[tokio::test]
async fn a_webhook_hears_of_nothing_that_happened_before_it_was_there_and_of_everything_after() {
    let (fixture, receiver) = (fixture().await, Receiver::start().await);
    fixture.publish("before").await;
    let webhook = fixture.webhook(&receiver).await;
    fixture.publish("between").await;
    fixture.change_webhook(webhook, json!({ "events": ["story.unpublished"] })).await;
    fixture.publish("after").await;
    fixture.until(webhook, "delivered", 1).await;
    assert_eq!(receiver.so_far()[0].json()["full_slug"], "between");
}

#[tokio::test]
async fn several_processes_make_one_delivery_and_send_it_once() {
    let fixture = fixture().await;
    let variables = [("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1")];
    let other = Setup { variables: &variables, database: Some(fixture.database.clone()), ..Setup::default() };
    let other = TestApp::with(other).await;
    let receiver = Receiver::start().await;
    let webhook = fixture.webhook(&receiver).await;
    for number in 0..30 {
        fixture.publish(&format!("s{number}")).await;
        other.actors.handles().notifications.wake_all();
    }
    fixture.until(webhook, "delivered", 30).await;
    let mut ids: Vec<_> = receiver.so_far().iter().map(|s| s.header("x-webhook-delivery").to_owned()).collect();
    assert_eq!(ids.len(), 30);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 30);
}

#[tokio::test]
async fn deliveries_of_a_webhook_that_is_gone_are_not_sent_and_are_removed() {
    let (fixture, receiver, webhook) = with_webhook().await;
    fixture.change_webhook(webhook, json!({ "active": false })).await;
    fixture.publish("a").await;
    fixture.until(webhook, "pending", 1).await;
    fixture.admin().delete(&format!("/webhooks/{webhook}")).await.expect(200);
    for _ in 0..500 {
        fixture.later(jiff::SignedDuration::from_hours(2));
        fixture.settle().await;
        if fixture.every_row(&["receivers", "deliveries", "delivery_queue"]).await.is_empty() {
            assert_eq!(receiver.so_far().len(), 0);
            return;
        }
    }
    panic!("rows are left: {}", fixture.every_row(&["receivers", "deliveries", "delivery_queue"]).await);
}

/// Bodies and answers are kept for 30 days, dead letters for 90.
#[tokio::test]
async fn deliveries_are_kept_for_as_long_as_promised() {
    let (fixture, receiver) = (super::desk_with(&[("APP_WEBHOOK_BACKOFF", "1ms,1ms,1ms,1ms")]).await, Receiver::start().await);
    let webhook = fixture.webhook(&receiver).await;
    fixture.publish("arrives").await;
    fixture.until(webhook, "delivered", 1).await;
    let answer = support::receiver::Reaction::Full(500, vec![], b"no".to_vec());
    receiver.will(std::iter::repeat_n(answer, 5));
    fixture.publish("dies").await;
    while fixture.deliveries(webhook, "?status=dead").await.is_empty() {
        fixture.later(jiff::SignedDuration::from_secs(1));
        fixture.settle().await;
    }
    let sweep_until = async |days: i64, what: &str, is_done: &dyn Fn(&[serde_json::Value]) -> bool| {
        fixture.later(jiff::SignedDuration::from_hours(24 * days));
        for _ in 0..500 {
            fixture.settle().await;
            if is_done(&fixture.deliveries(webhook, "").await) {
                return;
            }
            fixture.later(jiff::SignedDuration::from_mins(1));
        }
        panic!("{what}: {:?}", fixture.deliveries(webhook, "").await);
    };
    for _ in 0..10 {
        fixture.later(jiff::SignedDuration::from_hours(24));
        fixture.settle().await;
    }
    assert_eq!(fixture.deliveries(webhook, "").await.len(), 2);
    sweep_until(21, "what arrived goes after 30 days", &|all| all.len() == 1 && all[0]["attempts"][4]["answer"].is_null()).await;
    let dead = fixture.deliveries(webhook, "").await.remove(0);
    assert_eq!((&dead["status"], &dead["story"]["full_slug"]), (&json!("dead"), &json!(null)));
    let path = fixture.path(&format!("/webhooks/{webhook}/deliveries/{}/redeliver", dead["id"].as_str().unwrap()));
    fixture.post(Caller::Token(&fixture.admin), &path, json!({})).await.expect(409);
    sweep_until(60, "dead letters go after 90 days", &<[_]>::is_empty).await;
    assert_eq!(fixture.every_row(&["story_events"]).await, "");
}

#[tokio::test]
async fn a_space_without_webhooks_costs_no_rows() {
    let fixture = fixture().await;
    fixture.publish("a").await;
    fixture.settle_times(10).await;
    assert_eq!(fixture.every_row(&["deliveries"]).await, "");
}
