//! Redelivery.

use super::{desk_with, with_webhook};
use support::{NEVER_IDLE, prelude::*};

#[tokio::test]
async fn what_arrived_is_sent_again_with_the_same_number_and_bytes() {
    let (fixture, receiver, webhook) = with_webhook().await;
    fixture.publish("a").await;
    let delivered = fixture.until(webhook, "delivered", 1).await.remove(0);
    let path = fixture.path(&format!("/webhooks/{webhook}/deliveries/{}/redeliver", delivered["id"].as_str().unwrap()));
    let again = fixture.post(Caller::Token(&fixture.admin), &path, json!({})).await.expect(202);
    assert_eq!((&again["delivery"]["id"], &again["delivery"]["status"]), (&delivered["id"], &json!("pending")));
    assert_eq!(fixture.newest_entry().await[0], "webhook.redeliver");
    let got = receiver.got(2).await;
    assert_eq!(got[0].body, got[1].body);
    let delivered = fixture.until(webhook, "delivered", 1).await.remove(0);
    let attempts: Vec<_> =
        delivered["attempts"].as_array().unwrap().iter().map(|d| (d["number"].as_i64(), d["replayed"].as_bool())).collect();
    assert_eq!(attempts, [(Some(1), Some(false)), (Some(2), Some(true))]);
}

/// Two requests for a redelivery, and an attempt that another process is just recording in between.
#[tokio::test]
async fn an_attempt_that_is_just_being_recorded_is_counted() {
    let (fixture, _receiver, webhook) = with_webhook().await;
    fixture.publish("a").await;
    let delivered = fixture.until(webhook, "delivered", 1).await.remove(0);
    // Another process is to send it.
    fixture.sql("update receivers set active = false").await;
    let path = fixture.path(&format!("/webhooks/{webhook}/deliveries/{}/redeliver", delivered["id"].as_str().unwrap()));
    fixture.post(Caller::Token(&fixture.admin), &path, json!({})).await.expect(202);
    let mut connection = fixture.connection().await;
    let tx = connection.begin();
    tx.execute(NEVER_IDLE, &[]).await.unwrap();
    tx.execute("delete from delivery_queue", &[]).await.unwrap();
    let attempt = "insert into delivery_attempts (delivery_id, number, result, replayed, started_at, took_ms)
                   select delivery_id, 2, result, true, started_at, took_ms from delivery_attempts";
    tx.execute(attempt, &[]).await.unwrap();
    let again = async { fixture.post(Caller::Token(&fixture.admin), &path, json!({})).await.expect(202) };
    let recorded = async {
        support::until_waited_for(&tx).await;
        tx.commit().await.unwrap();
    };
    tokio::join!(again, recorded);
    assert_eq!(fixture.count("select attempts from delivery_queue").await, 2);
}

#[tokio::test]
async fn a_dead_letter_is_sent_again_with_five_new_attempts_and_what_is_pending_is_not() {
    let (fixture, receiver) = (desk_with(&[("APP_WEBHOOK_BACKOFF", "1ms,1ms,1ms,1ms")]).await, Receiver::start().await);
    let webhook = fixture.webhook(&receiver).await;
    receiver.will(std::iter::repeat_n(Reaction::Status(500), 9));
    fixture.publish("a").await;
    let dead = loop {
        fixture.later(SignedDuration::from_secs(1));
        fixture.settle().await;
        if let Some(dead) = fixture.deliveries(webhook, "?status=dead").await.pop() {
            break dead;
        }
    };
    let path = fixture.path(&format!("/webhooks/{webhook}/deliveries/{}/redeliver", dead["id"].as_str().unwrap()));
    fixture.post(Caller::Token(&fixture.admin), &path, json!({})).await.expect(202);
    fixture.post(Caller::Token(&fixture.admin), &path, json!({})).await.expect(409);
    loop {
        fixture.later(SignedDuration::from_secs(1));
        fixture.settle().await;
        if let Some(delivered) = fixture.deliveries(webhook, "?status=delivered").await.pop() {
            assert_eq!(delivered["attempts"].as_array().unwrap().len(), 10);
            assert_eq!(delivered["attempts"][9]["replayed"], true);
            break;
        }
    }
}

#[tokio::test]
async fn a_range_is_sent_again_without_its_end() {
    let (fixture, receiver, webhook) = with_webhook().await;
    for (number, slug) in ["a", "b", "c"].into_iter().enumerate() {
        fixture.publish(slug).await;
        fixture.until(webhook, "delivered", number + 1).await;
        fixture.later(SignedDuration::from_mins(1));
    }
    let path = fixture.path(&format!("/webhooks/{webhook}/redeliver"));
    let body = json!({ "from": "2026-03-01T12:00:00Z", "to": "2026-03-01T12:02:00Z", "status": "dead" });
    assert_eq!(fixture.post(Caller::Token(&fixture.admin), &path, body).await.expect(202), json!({ "redelivering": 0 }));
    let body = json!({ "from": "2026-03-01T12:00:00Z", "to": "2026-03-01T12:02:00Z" });
    assert_eq!(fixture.post(Caller::Token(&fixture.admin), &path, body).await.expect(202), json!({ "redelivering": 2 }));
    let got = receiver.got(5).await;
    let mut again: Vec<_> = got[3..].iter().map(|g| g.json()["full_slug"].as_str().unwrap().to_owned()).collect();
    again.sort();
    assert_eq!(again, ["a", "b"]);
    fixture.post(Caller::Token(&fixture.admin), &path, json!({ "from": "now" })).await.expect(422);
}
