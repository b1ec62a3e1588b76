//! What a receiver gets.

use super::{SECRET, fixture, with_webhook};
use crypto::webhook::Signer;
use support::prelude::*;

#[tokio::test]
async fn a_publish_arrives_signed_and_in_the_words_of_the_contract() {
    let (fixture, receiver, webhook) = with_webhook().await;
    receiver.will([Reaction::Full(202, vec![], b"thank you".to_vec())]);
    let story = fixture.publish("first").await;
    let got = receiver.got(1).await.remove(0);

    let uuid = fixture.viewer().get(&format!("/stories/{story}")).await.expect(200)["story"]["uuid"].clone();
    let id = got.header("x-webhook-delivery").to_owned();
    assert!(id.len() == 36 && id.starts_with("whd_"), "{id}");
    let expected = format!(
        r#"{{"action":"story.published","space_id":{},"story_id":{story},"full_slug":"first","uuid":{uuid},"delivery_id":"{id}","timestamp":"2026-03-01T12:00:00.000Z"}}"#,
        fixture.space
    );
    assert_eq!(got.text(), expected);

    let signer = Signer::new(&SECRET.as_bytes().to_vec().into());
    assert_eq!(got.header("x-webhook-signature"), signer.hex(&got.body));
    let second = fixture.clock.now().as_second();
    assert_eq!(got.header("webhook-signature"), signer.standard(&id, second, &got.body));
    assert_eq!((got.header("webhook-id"), got.header("webhook-timestamp")), (id.as_str(), second.to_string().as_str()));
    assert_eq!((got.header("content-type"), got.header("x-webhook-event")), ("application/json", "story.published"));
    assert!(got.header("user-agent").starts_with("lectern/"));
    assert!(got.headers.get("x-webhook-signature-previous").is_none());

    let delivered = fixture.until(webhook, "delivered", 1).await.remove(0);
    assert_eq!(
        (&delivered["id"], &delivered["status"], &delivered["event"]),
        (&json!(id), &json!("delivered"), &json!("story.published"))
    );
    assert_eq!(delivered["story"], json!({ "id": story, "uuid": uuid, "full_slug": "first" }));
    assert_eq!(delivered["next_attempt_at"], json!(null));
    let attempt = &delivered["attempts"][0];
    assert_eq!(
        (&attempt["number"], &attempt["result"], &attempt["status"], &attempt["answer"], &attempt["replayed"]),
        (&json!(1), &json!("delivered"), &json!(202), &json!("thank you"), &json!(false))
    );
    // The health is written in the same round, behind the outcome.
    fixture.settle().await;
    let read = fixture.viewer().get(&format!("/webhooks/{webhook}")).await.expect(200);
    assert_eq!(read["webhook"]["health"]["status"], "well");
    let path = fixture.path(&format!("/webhooks/{webhook}/deliveries"));
    let read = fixture.get(Caller::Token(&fixture.viewer), &path).await.expect(200)["deliveries"][0]["attempts"][0].clone();
    assert_eq!((&read["status"], &read["answer"]), (&json!(202), &json!(null)), "an answer may name the path, which is a secret");
}

#[tokio::test]
async fn each_webhook_gets_what_it_asked_for_and_no_other_space_hears_of_it() {
    let fixture = fixture().await;
    let (all, some) = (Receiver::start().await, Receiver::start().await);
    let (webhook, other) = (fixture.webhook(&all).await, fixture.webhook_for(&some, &["story.moved"]).await);
    let story = fixture.publish("here").await;
    fixture.act_on("PUT", &format!("/stories/{story}"), json!({ "story": { "slug": "there" } }), 200).await;
    assert_eq!(fixture.until(webhook, "delivered", 2).await.len(), 2);
    fixture.until(other, "delivered", 1).await;
    let moved = some.got(1).await.remove(0).json();
    assert_eq!(
        (&moved["action"], &moved["full_slug"], &moved["old_full_slug"]),
        (&json!("story.moved"), &json!("there"), &json!("here"))
    );
    // The same event has another number for each webhook.
    assert_ne!(moved["delivery_id"], all.so_far()[1].json()["delivery_id"]);
}

#[tokio::test]
async fn a_ping_is_a_delivery_like_any_other() {
    let (fixture, receiver, webhook) = with_webhook().await;
    let path = fixture.path(&format!("/webhooks/{webhook}/ping"));
    let sent = fixture.post(Caller::Token(&fixture.admin), &path, json!({})).await.expect(202);
    assert_eq!((&sent["delivery"]["event"], &sent["delivery"]["story"]), (&json!("webhook.ping"), &json!(null)));
    let got = receiver.got(1).await.remove(0);
    assert_eq!(got.header("x-webhook-event"), "webhook.ping");
    assert_eq!(got.header("x-webhook-signature"), Signer::new(&SECRET.as_bytes().to_vec().into()).hex(&got.body));
    assert_eq!((&got.json()["webhook_id"], &got.json()["delivery_id"]), (&json!(webhook), &sent["delivery"]["id"]));
    fixture.change_webhook(webhook, json!({ "active": false })).await;
    fixture.post(Caller::Token(&fixture.admin), &path, json!({})).await.expect(409);
}

#[tokio::test]
async fn what_happens_while_a_webhook_is_paused_waits_for_it() {
    let (fixture, receiver, webhook) = with_webhook().await;
    fixture.change_webhook(webhook, json!({ "active": false })).await;
    let story = fixture.publish("a").await;
    fixture.act_on("POST", &format!("/stories/{story}/unpublish"), json!({}), 200).await;
    fixture.until(webhook, "pending", 2).await;
    fixture.settle_times(10).await;
    assert_eq!(receiver.so_far().len(), 0);
    fixture.change_webhook(webhook, json!({ "active": true })).await;
    let actions: Vec<_> = receiver.got(2).await.iter().map(|g| g.json()["action"].clone()).collect();
    assert_eq!(actions, ["story.published", "story.unpublished"]);
}

#[tokio::test]
async fn deliveries_are_paged_and_filtered() {
    let (fixture, _receiver, webhook) = with_webhook().await;
    for slug in ["a", "b", "c"] {
        fixture.publish(slug).await;
    }
    fixture.until(webhook, "delivered", 3).await;
    let path = fixture.path(&format!("/webhooks/{webhook}/deliveries?per_page=2&page=2"));
    let page = fixture.get(Caller::Token(&fixture.viewer), &path).await;
    assert_eq!((page.header("total"), page.header("per-page")), ("3", "2"));
    assert_eq!(page.expect(200)["deliveries"][0]["story"]["full_slug"], "a", "the newest come first");
    assert_eq!(fixture.deliveries(webhook, "?status=dead").await.len(), 0);
    for bad in ["?status=lost", "?page=0", "?since=1"] {
        let path = fixture.path(&format!("/webhooks/{webhook}/deliveries{bad}"));
        fixture.get(Caller::Token(&fixture.viewer), &path).await.expect(422);
    }
}

/// Redirects, responses that do not end, and bodies that no text column can hold.
#[tokio::test]
async fn a_redirect_is_not_followed_and_an_answer_is_cut() {
    let (fixture, receiver, elsewhere) = (fixture().await, Receiver::start().await, Receiver::start().await);
    let webhook = fixture.webhook(&receiver).await;
    receiver
        .will([Reaction::Full(302, vec![("location", elsewhere.url())], vec![]), Reaction::Full(200, vec![], vec![0xff; 1 << 20])]);
    let story = fixture.publish("a").await;
    fixture.until(webhook, "pending", 1).await;
    receiver.got(1).await;
    fixture.publish("b").await;
    let delivered = fixture.until(webhook, "delivered", 1).await.remove(0);
    assert!(delivered["attempts"][0]["answer"].as_str().unwrap().len() <= 4096);
    let pending = fixture.until(webhook, "pending", 1).await.remove(0);
    assert_eq!((&pending["story"]["id"], &pending["attempts"][0]["status"]), (&json!(story), &json!(302)));
    assert_eq!(elsewhere.so_far().len(), 0);
}
