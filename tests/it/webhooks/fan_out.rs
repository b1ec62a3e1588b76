//! From events to deliveries: each once, for who was subscribed when it happened.

use super::{Caller, desk};
use crate::support::{self, Setup, TestApp, receiver::Receiver};
use serde_json::json;

#[tokio::test]
async fn a_webhook_hears_of_nothing_that_happened_before_it_was_there_and_of_everything_after() {
    let (desk, receiver) = (desk().await, Receiver::start().await);
    desk.publish("before").await;
    let webhook = desk.webhook(&receiver).await;
    desk.publish("between").await;
    desk.change_webhook(webhook, json!({ "events": ["story.unpublished"] })).await;
    desk.publish("after").await;
    desk.until(webhook, "delivered", 1).await;
    assert_eq!(receiver.so_far()[0].json()["full_slug"], "between");
}

#[tokio::test]
async fn several_processes_make_one_delivery_and_send_it_once() {
    let desk = desk().await;
    let variables = [("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1")];
    let other = Setup { variables: &variables, database: Some(desk.app().database.clone()), ..Setup::default() };
    let other = TestApp::with(other).await;
    let receiver = Receiver::start().await;
    let webhook = desk.webhook(&receiver).await;
    for number in 0..30 {
        desk.publish(&format!("s{number}")).await;
        other.actors.handles().notifications.wake_all();
    }
    desk.until(webhook, "delivered", 30).await;
    let mut ids: Vec<_> = receiver.so_far().iter().map(|s| s.header("x-webhook-delivery").to_owned()).collect();
    assert_eq!(ids.len(), 30);
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 30);
}

#[tokio::test]
async fn deliveries_of_a_webhook_that_is_gone_are_not_sent_and_are_swept_away() {
    let (desk, receiver) = (desk().await, Receiver::start().await);
    let webhook = desk.webhook(&receiver).await;
    desk.change_webhook(webhook, json!({ "active": false })).await;
    desk.publish("a").await;
    desk.until(webhook, "pending", 1).await;
    desk.delete(Caller::Token(&desk.admin), &desk.path(&format!("/webhooks/{webhook}"))).await.expect(200);
    for _ in 0..500 {
        desk.later(jiff::SignedDuration::from_hours(2));
        desk.settle().await;
        if desk.every_row(&["receivers", "deliveries", "delivery_queue"]).await.is_empty() {
            assert_eq!(receiver.so_far().len(), 0);
            return;
        }
    }
    panic!("rows are left: {}", desk.every_row(&["receivers", "deliveries", "delivery_queue"]).await);
}

/// W9: bodies and answers for 30 days, dead letters for 90.
#[tokio::test]
async fn deliveries_are_kept_for_as_long_as_promised() {
    let (desk, receiver) = (super::desk_with(&[("APP_WEBHOOK_BACKOFF", "1ms,1ms,1ms,1ms")]).await, Receiver::start().await);
    let webhook = desk.webhook(&receiver).await;
    desk.publish("arrives").await;
    desk.until(webhook, "delivered", 1).await;
    let answer = support::receiver::Reaction::Full(500, vec![], b"no".to_vec());
    receiver.will(std::iter::repeat_n(answer, 5));
    desk.publish("dies").await;
    while desk.deliveries(webhook, "?status=dead").await.is_empty() {
        desk.later(jiff::SignedDuration::from_secs(1));
        desk.settle().await;
    }
    let sweep_until = async |days: i64, what: &str, is_done: &dyn Fn(&[serde_json::Value]) -> bool| {
        desk.later(jiff::SignedDuration::from_hours(24 * days));
        for _ in 0..500 {
            desk.settle().await;
            if is_done(&desk.deliveries(webhook, "").await) {
                return;
            }
            desk.later(jiff::SignedDuration::from_mins(1));
        }
        panic!("{what}: {:?}", desk.deliveries(webhook, "").await);
    };
    for _ in 0..10 {
        desk.later(jiff::SignedDuration::from_hours(24));
        desk.settle().await;
    }
    assert_eq!(desk.deliveries(webhook, "").await.len(), 2);
    sweep_until(21, "what arrived goes after 30 days", &|all| all.len() == 1 && all[0]["attempts"][4]["answer"].is_null()).await;
    let dead = desk.deliveries(webhook, "").await.remove(0);
    assert_eq!((&dead["status"], &dead["story"]["full_slug"]), (&json!("dead"), &json!(null)));
    let path = desk.path(&format!("/webhooks/{webhook}/deliveries/{}/redeliver", dead["id"].as_str().unwrap()));
    desk.post(Caller::Token(&desk.admin), &path, json!({})).await.expect(409);
    sweep_until(60, "dead letters go after 90 days", &<[_]>::is_empty).await;
    assert_eq!(desk.every_row(&["story_events"]).await, "");
}

#[tokio::test]
async fn a_space_without_webhooks_costs_no_rows() {
    let desk = desk().await;
    desk.publish("a").await;
    for _ in 0..10 {
        desk.settle().await;
    }
    assert_eq!(desk.every_row(&["deliveries"]).await, "");
}
