//! The webhook about a deleted account.

use super::{ANN, FREE, Reaction, Receiver, SignedDuration, TARGETS, later};
use crypto::webhook::Signer;
use support::prelude::*;

const MASTER: (&str, &str) = ("APP_CLIENT_SECRET_MASTER", "0123456789abcdef0123456789abcdef");
/// What is derived of that for the client `web-app`.
const DERIVED: &str = "ZMPkRfLtRkPAmhz3Mgs1vJa0TD7paB6manfhWneN-eQ";

async fn app(clients: &str) -> TestApp {
    // The only administrator could not be deleted.
    let variables = [FREE, &[TARGETS, MASTER, ("APP_FIRST_USER_IS_ADMIN", "false"), ("APP_OIDC_CLIENTS_JSON", clients)]].concat();
    TestApp::with_variables(&variables).await
}

fn signer(secret: &str) -> Signer {
    Signer::new(&secret.as_bytes().to_vec().into())
}

#[tokio::test]
async fn every_client_that_wants_it_is_told_of_a_deleted_account() {
    let (derived, own, silent) = (Receiver::start().await, Receiver::start().await, Receiver::start().await);
    let client = |id: &str, rest: serde_json::Value| {
        let mut client = json!({ "clientId": id, "redirectUris": ["https://app.example.org/cb"] });
        client.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        client
    };
    let clients = json!([
        client("web-app", json!({ "webhookUrl": derived.url() })),
        client("own", json!({ "webhookUrl": own.url(), "webhookSecret": "a secret of its own" })),
        client("silent", json!({ "backchannelLogoutUri": silent.url() })),
    ]);
    let app = app(&clients.to_string()).await;
    derived.will([Reaction::Status(500)]);
    let ann = Person::signed_in(&app, ANN).await;
    let user = ann.get("/api/me").await.body["id"].clone();
    app.sql("update users set legacy_sub = 'auth0|42'").await;
    assert_eq!(ann.delete("/api/me", &json!({ "password": PASSWORD })).await.status, 200);

    for (receiver, client, secret) in [(&derived, "web-app", DERIVED), (&own, "own", "a secret of its own")] {
        let got = receiver.got(1).await.remove(0);
        let id = got.header("x-webhook-delivery").to_owned();
        assert_eq!(
            got.json(),
            json!({
                "action": "user.deleted", "user_id": user, "legacy_sub": "auth0|42", "email_hash": null,
                "initiated_by": "user", "client_id": client, "delivery_id": id, "timestamp": "2026-03-01T12:00:00.000Z",
            })
        );
        assert!(!got.text().contains(ANN));
        assert_eq!((got.header("content-type"), got.header("x-webhook-event")), ("application/json", "user.deleted"));
        assert_eq!(got.header("x-webhook-signature"), signer(secret).hex(&got.body));
        let at = got.header("webhook-timestamp").parse().unwrap();
        assert_eq!((got.header("webhook-id"), at), (id.as_str(), app.clock.now().as_second()));
        assert_eq!(got.header("webhook-signature"), signer(secret).standard(&id, at, &got.body));
    }
    app.database.until("select count(*) from delivery_attempts where result = 'rejected'", 1).await;
    later(&app, SignedDuration::from_secs(12));
    let got = derived.got(2).await;
    assert_eq!((&got[0].body, got[0].header("x-webhook-delivery")), (&got[1].body, got[1].header("x-webhook-delivery")));
    assert!(silent.so_far().is_empty());
}

#[tokio::test]
async fn a_webhook_that_cannot_be_delivered_is_a_dead_letter_with_an_entry_in_the_audit_trail() {
    let receiver = Receiver::start().await;
    let clients = json!([{ "clientId": "web", "redirectUris": ["https://app.example.org/cb"], "webhookUrl": receiver.url() }]);
    let app = app(&clients.to_string()).await;
    receiver.will(std::iter::repeat_n(Reaction::Status(500), 5));
    let ann = Person::signed_in(&app, ANN).await;
    assert_eq!(ann.delete("/api/me", &json!({ "password": PASSWORD })).await.status, 200);
    for attempt in 1..=5 {
        receiver.got(attempt).await;
        app.database.until("select count(*) from delivery_attempts", attempt).await;
        later(&app, SignedDuration::from_hours(1));
    }
    app.database.until("select count(*) from delivery_queue where dead_at is not null", 1).await;
    let entry = "select count(*) from account_audit where event = 'webhook.dead_letter' and details ->> 'attempts' = '5'";
    assert_eq!(app.count(entry).await, 1);
}

/// Like deliveries of webhooks: it waits while the circuit of the client is open, and dies of its age without
/// an attempt.
#[tokio::test]
async fn a_notice_to_a_client_that_never_comes_back_waits_for_three_days() {
    let receiver = Receiver::start().await;
    let clients = json!([{ "clientId": "web", "redirectUris": ["https://app.example.org/cb"], "webhookUrl": receiver.url() }]);
    let app = app(&clients.to_string()).await;
    let open = "update receivers set health = 'failing', failures = 10, circuit = 'open',
                    circuit_opened_at = statement_timestamp(), circuit_until = statement_timestamp() + interval '30 seconds'";
    app.sql(open).await;
    let ann = Person::signed_in(&app, ANN).await;
    assert_eq!(ann.delete("/api/me", &json!({ "password": PASSWORD })).await.status, 200);
    later(&app, SignedDuration::from_secs(20));
    app.actors.handles().observe_all().await;
    assert_eq!(receiver.so_far().len(), 0);
    later(&app, SignedDuration::from_hours(72));
    app.database.until("select count(*) from delivery_queue where dead_at is not null", 1).await;
    let entry = "select count(*) from account_audit where event = 'webhook.dead_letter'
                 and details ->> 'reason' = 'age' and details ->> 'attempts' = '0' and details ->> 'result' is null";
    assert_eq!((app.count(entry).await, receiver.so_far().len()), (1, 0));
}

/// The signature of the documentation's example.
#[test]
fn the_signature_is_that_of_the_vector() {
    let body = concat!(
        r#"{"action":"user.deleted","user_id":"7f0d3f0c-6f0a-4a56-9a0e-2b4f3b2f7a11","legacy_sub":null,"email_hash":null,"#,
        r#""initiated_by":"user","client_id":"web-app","delivery_id":"whd_01J9ZK3V5Q8T4N2M7B6C1D0EFG","timestamp":"2026-11-21T08:00:00.000Z"}"#
    );
    let signature = signer("webhook-secret-0123456789abcdef").hex(body.as_bytes());
    assert_eq!(signature, "8f8a3d2e0f14b8ff89593f693c9622af71ff9b0933f98d7589c096cf7afa53f6");
}
