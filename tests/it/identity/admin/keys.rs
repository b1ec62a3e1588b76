//! `/api/admin/keys…`.

use super::{ADMIN, administrator, app, recorded, with_administrator};
use crate::identity::FREE;
use domain::identity::oidc::{SigningAlgorithm, TokenType};
use futures_util::future;
use support::prelude::*;

const KEYS: &str = "/api/admin/keys";
const ROTATE: &str = "/api/admin/keys/rotate";

/// The ids of the keys of a state.
fn kids(body: &Value, state: &str) -> BTreeSet<String> {
    let keys = body["keys"].as_array().unwrap().iter().filter(|key| key["state"] == state);
    keys.map(|key| key["kid"].as_str().unwrap().to_owned()).collect()
}

async fn sign(app: &TestApp) -> String {
    app.key_ring.as_ref().unwrap().sign(SigningAlgorithm::Es256, TokenType::Access, &json!({})).await.unwrap()
}

async fn accepts(app: &TestApp, token: &str) -> bool {
    app.key_ring.as_ref().unwrap().verify::<Value>(token, TokenType::Access).await.unwrap().is_some()
}

/// Waits until the rotator has done what it was woken for.
async fn settled(app: &TestApp) {
    app.look().await;
}

async fn published(app: &TestApp) -> BTreeSet<String> {
    let jwks: Value = app.get("/.well-known/jwks.json").send().await.unwrap().json().await.unwrap();
    jwks["keys"].as_array().unwrap().iter().map(|key| key["kid"].as_str().unwrap().to_owned()).collect()
}

/// Long enough for every client to know the next keys.
const KNOWN: SignedDuration = SignedDuration::from_mins(10);

#[tokio::test]
async fn keys_are_listed_without_their_private_parts() {
    let (app, admin) = with_administrator().await;
    let body = admin.get(KEYS).await.body;
    let now = format!("{:.3}", app.clock.now());
    assert_eq!((kids(&body, "active").len(), kids(&body, "next").len()), (3, 3));
    for key in body["keys"].as_array().unwrap() {
        let activated_at = if key["state"] == "active" { json!(now) } else { json!(null) };
        let expected = json!({
            "kid": key["kid"], "alg": key["alg"], "state": key["state"], "isPublished": true, "createdAt": now,
            "activatedAt": activated_at, "retiredAt": null,
        });
        assert_eq!(*key, expected);
    }
    assert_eq!(body["rotatableFrom"], format!("{:.3}", app.clock.now().checked_add(KNOWN).unwrap()));
}

#[tokio::test]
async fn the_next_keys_take_over_once_every_client_knows_them() {
    let (app, admin) = with_administrator().await;
    let (before, old) = (admin.get(KEYS).await.body, sign(&app).await);
    app.clock.advance(KNOWN - SignedDuration::from_secs(90));
    let refused = admin.post(ROTATE, &json!({})).await;
    assert_eq!(refused.refusal(), (409, "nextKeyTooNew"));
    assert_eq!(refused.headers["retry-after"], "90");
    assert_eq!(refused.body["details"][0]["field"], "possibleFrom");
    let possible_from: jiff::Timestamp = refused.body["details"][0]["message"].as_str().unwrap().parse().unwrap();
    assert_eq!(possible_from, app.clock.now().checked_add(SignedDuration::from_secs(90)).unwrap());
    assert_eq!(admin.get(KEYS).await.body["keys"], before["keys"], "a refusal changes nothing");

    app.clock.advance(SignedDuration::from_secs(90));
    let rotated = admin.post(ROTATE, &json!({})).await.expect(200);
    assert_eq!(kids(&rotated, "active"), kids(&before, "next"));
    assert_eq!(kids(&rotated, "retired"), kids(&before, "active"));
    assert!(accepts(&app, &old).await, "what the old key signed is valid");
    assert!(accepts(&app, &sign(&app).await).await);
    settled(&app).await;
    let after = admin.get(KEYS).await.body;
    assert_eq!(kids(&after, "next").len(), 3, "those that follow are published at once");
    assert_eq!(published(&app).await.len(), 9);
    assert_eq!(admin.post(ROTATE, &json!({})).await.refusal(), (409, "nextKeyTooNew"), "and are too new");

    let entries = recorded(&app, "admin.keys.rotated").await;
    assert_eq!(entries.len(), 1);
    assert_eq!(
        (&entries[0][0], &entries[0][1], &entries[0][4]),
        (&json!("success"), &json!("admin"), &json!({ "compromised": false }))
    );
}

#[tokio::test]
async fn compromised_keys_are_all_replaced_at_once() {
    let (app, admin) = with_administrator().await;
    let (before, old) = (published(&app).await, sign(&app).await);
    app.clock.advance(SignedDuration::from_secs(1));
    admin.post(ROTATE, &json!({ "compromised": true })).await.expect(200);
    assert!(!accepts(&app, &old).await, "nothing that was signed before is valid");
    assert!(accepts(&app, &sign(&app).await).await);
    settled(&app).await;
    assert!(published(&app).await.is_disjoint(&before));
    let after = admin.get(KEYS).await.body;
    assert_eq!(["active", "next", "retired"].map(|state| kids(&after, state).len()), [3, 3, 0]);
    let entries = recorded(&app, "admin.keys.rotated").await;
    assert_eq!((entries.len(), &entries[0][4]), (1, &json!({ "compromised": true })));
    for wrong in [json!({ "compromised": "yes" }), json!({ "compromised": 1 }), json!({ "compromized": true })] {
        assert_eq!(admin.post(ROTATE, &wrong).await.refusal(), (400, "validation"), "{wrong}");
    }
}

/// Two processes, and several requests at each of them.
#[tokio::test]
async fn of_rotations_at_the_same_time_there_is_one() {
    let app = app().await;
    let other = TestApp::with(Setup { database: Some(app.database.clone()), variables: FREE, ..Setup::default() }).await;
    let admin = administrator(&app).await;
    let elsewhere = Person::elsewhere(&other, ADMIN).await;
    app.clock.advance(KNOWN);
    for compromised in [false, true] {
        let before = recorded(&app, "admin.keys.rotated").await.len();
        let body = json!({ "compromised": compromised });
        let asking = [&admin, &elsewhere, &admin, &elsewhere].map(|person| person.post(ROTATE, &body));
        let mut statuses: Vec<u16> = future::join_all(asking).await.iter().map(|response| response.status).collect();
        statuses.sort_unstable();
        // What compromised keys are replaced by was made after all of the requests had come.
        assert_eq!(statuses, if compromised { [200; 4] } else { [200, 409, 409, 409] });
        assert_eq!(recorded(&app, "admin.keys.rotated").await.len(), before + 1);
        for server in [&app, &other, &app] {
            settled(server).await;
        }
        let keys = admin.get(KEYS).await.body;
        assert_eq!((kids(&keys, "active").len(), kids(&keys, "next").len()), (3, 3));
        assert!(accepts(&other, &sign(&app).await).await);
        app.clock.advance(SignedDuration::from_secs(1));
    }
}
