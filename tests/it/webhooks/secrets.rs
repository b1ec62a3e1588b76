//! Secrets: how they are stored, and how they are replaced.

use super::{SECRET, with_webhook};
use crypto::webhook::Signer;
use support::prelude::*;

const NEW: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// A dump of the tables contains no secret in clear.
#[tokio::test]
async fn no_table_holds_a_secret_that_can_be_read() {
    let (fixture, _receiver, webhook) = with_webhook().await;
    fixture.change_webhook(webhook, json!({ "secret": NEW })).await;
    fixture.publish("a").await;
    fixture.until(webhook, "delivered", 1).await;
    let tables = ["webhooks", "receivers", "deliveries", "delivery_queue", "delivery_attempts", "audit_log", "jobs"];
    let rows = fixture.every_row(&tables).await;
    for secret in [SECRET, NEW] {
        let hexadecimal = hex::encode(secret);
        assert!(!rows.contains(secret) && !rows.contains(&hexadecimal));
    }
}

#[tokio::test]
async fn two_secrets_are_valid_for_a_day_and_then_the_new_one_alone() {
    let (fixture, receiver, webhook) = with_webhook().await;
    fixture.change_webhook(webhook, json!({ "secret": NEW })).await;
    let signers = [NEW, SECRET].map(|value| Signer::new(&value.as_bytes().to_vec().into()));

    fixture.publish("a").await;
    let got = receiver.got(1).await.remove(0);
    let (id, second) = (got.header("webhook-id").to_owned(), fixture.clock.now().as_second());
    assert_eq!(got.header("x-webhook-signature"), signers[0].hex(&got.body));
    assert_eq!(got.header("x-webhook-signature-previous"), signers[1].hex(&got.body));
    let both = signers.each_ref().map(|e| e.standard(&id, second, &got.body)).join(" ");
    assert_eq!(got.header("webhook-signature"), both);

    fixture.later(SignedDuration::from_hours(24));
    fixture.publish("b").await;
    let got = receiver.got(2).await.remove(1);
    assert_eq!(got.header("x-webhook-signature"), signers[0].hex(&got.body));
    assert!(got.headers.get("x-webhook-signature-previous").is_none());
    assert!(!got.header("webhook-signature").contains(' '));
}
