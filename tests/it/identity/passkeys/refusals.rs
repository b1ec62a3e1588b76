//! Forged responses to the challenge of a sign-in are refused.

use super::{ANN, ann_with_a_passkey, app, audit_entries, sign_in_lying, with_a_passkey};
use crate::identity::meanwhile;
use support::{Forgery, prelude::*};

const START: &str = "/api/webauthn/login/start";
const FINISH: &str = "/api/webauthn/login/finish";

/// Sends forged responses. Each is tried a second time.
async fn refused(lies: &[(&str, Forgery)]) {
    let app = app().await;
    let (_, mut key) = with_a_passkey(&app, ANN).await;
    for (what, lie) in lies {
        let stranger = Person::at(&app);
        let options = stranger.options(START).await;
        let answer = key.get_forged(&options, lie);
        assert_eq!(stranger.finish_login(&answer).await.refusal(), (401, "invalidCredential"), "{what}");
        assert_eq!(stranger.get("/api/me").await.status, 401, "{what}");
        let right = key.get(&options);
        assert_eq!(stranger.finish_login(&right).await.refusal(), (401, "challengeExpired"), "{what}: no second try");
    }
    let failures = 2 * i64::try_from(lies.len()).unwrap();
    assert_eq!(audit_entries(&app, "auth.login.failure", "failure").await, failures);
    assert_eq!(Person::at(&app).sign_in_with(&mut key).await.status, 200, "the truth is believed");
}

#[tokio::test]
async fn other_origins_and_frames_are_refused() {
    refused(&[
        ("evil", |told| told.client_data["origin"] = json!("https://evil.example")),
        ("below", |told| told.client_data["origin"] = json!(below(told.client_data["origin"].as_str().unwrap()))),
        ("another scheme", |told| {
            told.client_data["origin"] = json!(told.client_data["origin"].as_str().unwrap().replace("http:", "https:"));
        }),
        ("another port", |told| told.client_data["origin"] = json!("http://127.0.0.1:1")),
        ("no port", |told| told.client_data["origin"] = json!("http://localhost")),
        ("no origin", |told| told.client_data["origin"] = json!("null")),
        ("a frame", |told| told.client_data["crossOrigin"] = json!(true)),
        ("a frame by its other name", |told| told.client_data["topOrigin"] = json!("https://evil.example")),
        ("another domain", |told| told.rp_id = "evil.example".to_owned()),
    ])
    .await;
}

/// A subdomain of the server's host.
fn below(origin: &str) -> String {
    origin.replace("127.0.0.1", "sub.localhost")
}

#[tokio::test]
async fn a_response_for_one_ceremony_is_refused_by_another() {
    refused(&[
        ("made", |told| told.client_data["type"] = json!("webauthn.create")),
        ("paid", |told| told.client_data["type"] = json!("payment.get")),
    ])
    .await;

    let (_app, ann, mut key) = ann_with_a_passkey().await;
    let (register, login) = ("/api/webauthn/register/start", START);
    let made = key.create(&ann.options(register).await);
    assert_eq!(ann.finish_login(&made).await.refusal(), (401, "invalidCredential"), "it is no assertion at all");
    let as_login = key.get_forged(&ann.options(login).await, |_| {});
    let finish = "/api/webauthn/register/finish";
    assert_eq!(ann.post(finish, &json!({ "credential": as_login })).await.refusal(), (400, "invalidAttestation"));

    let mut options = ann.options(register).await;
    options["allowCredentials"] = json!([]);
    options["rpId"] = json!("localhost");
    let answer = key.get(&options);
    assert_eq!(ann.finish_login(&answer).await.refusal(), (401, "challengeExpired"), "a challenge of the other ceremony");
    let mut options = ann.options(register).await;
    options["challenge"] = ann.options(login).await["challenge"].clone();
    let response = ann.post(finish, &json!({ "credential": key.create(&options) })).await;
    assert_eq!(response.refusal(), (400, "challengeExpired"), "and the reverse");
    let lied = key.create_forged(&ann.options(register).await, |told| told.client_data["type"] = json!("webauthn.get"));
    assert_eq!(ann.post(finish, &json!({ "credential": lied })).await.refusal(), (400, "invalidAttestation"));
}

#[tokio::test]
async fn a_response_without_presence_verification_or_the_right_user_handle_is_refused() {
    refused(&[
        ("no user presence", |told| told.flags &= !0x01),
        ("no user verification", |told| told.flags &= !0x04),
        ("on several devices all at once", |told| told.flags |= 0x08),
        ("no user handle", |told| told.user_handle = None),
        ("another user handle", |told| told.user_handle = Some(vec![0; 32])),
        ("no handle of ours", |told| told.user_handle = Some(vec![1])),
        ("an unknown passkey", |told| told.id = vec![7; 32]),
        ("no passkey", |told| told.id = Vec::new()),
    ])
    .await;
}

#[tokio::test]
async fn a_signature_that_does_not_fit_is_refused() {
    let app = app().await;
    let (_, mut key) = with_a_passkey(&app, ANN).await;
    let stranger = Person::at(&app);
    for member in ["signature", "authenticatorData", "clientDataJSON"] {
        let mut answer = key.get(&stranger.options(START).await);
        let other = key.get(&stranger.options(START).await);
        answer["response"][member] = other["response"][member].clone();
        assert_eq!(stranger.finish_login(&answer).await.refusal(), (401, "invalidCredential"), "{member}");
    }
    for (body, refusal) in [
        (json!({}), (400, "validation")),
        (json!({ "credential": "x" }), (401, "invalidCredential")),
        (json!({ "credential": { "response": { "signature": 1 } } }), (401, "invalidCredential")),
    ] {
        assert_eq!(Person::at(&app).post(FINISH, &body).await.refusal(), refusal, "{body}");
    }
}

#[tokio::test]
async fn a_counter_that_goes_back_is_refused_and_the_owner_notified() {
    let (app, ann, mut key) = ann_with_a_passkey().await;
    assert_eq!(ann.sign_in_with(&mut key).await.status, 200);
    assert_eq!(ann.sign_in_with(&mut key).await.status, 200);
    for copied in [2, 1, 0] {
        let response = sign_in_lying(&Person::at(&app), &mut key, |told| told.count = copied).await;
        assert_eq!(response.refusal(), (401, "invalidCredential"), "{copied}");
    }
    assert_eq!(audit_entries(&app, "webauthn.counter_regression", "failure").await, 3);
    let own = ann.get("/api/me/activity").await.body["activity"].clone();
    assert!(own.as_array().unwrap().iter().any(|o| o["event"] == "webauthn.counter_regression"), "its owner can see it");
    let response = sign_in_lying(&Person::at(&app), &mut key, |told| told.count = 9).await;
    assert_eq!(response.status, 200, "it may leave some out");
    assert_eq!(app.count("select sign_count from passkeys").await, 9);
}

/// A cloned key is used between the check of the counter and the sign-in.
#[tokio::test]
async fn a_counter_that_goes_back_concurrently_is_refused_and_the_owner_notified() {
    let app = app().await;
    let (_, mut key) = with_a_passkey(&app, ANN).await;
    let stranger = Person::at(&app);
    let answer = key.get(&stranger.options(START).await);
    let response = meanwhile(&app, "update passkeys set sign_count = 1", stranger.finish_login(&answer)).await;
    assert_eq!(response.refusal(), (401, "invalidCredential"));
    assert_eq!(audit_entries(&app, "webauthn.counter_regression", "failure").await, 1);
    assert_eq!(audit_entries(&app, "auth.login.failure", "failure").await, 1);

    let answer = key.get(&stranger.options(START).await);
    let response = meanwhile(&app, "delete from passkeys", stranger.finish_login(&answer)).await;
    assert_eq!(response.refusal(), (401, "invalidCredential"));
    assert_eq!(audit_entries(&app, "webauthn.counter_regression", "failure").await, 1, "one that is gone has no count");
}

#[tokio::test]
async fn of_two_authenticators_with_one_count_at_once_one_gets_in() {
    let app = Arc::new(app().await);
    let (_, mut key) = with_a_passkey(&app, ANN).await;
    for round in 1..=20 {
        let mut pair = JoinSet::new();
        for _ in 0..2 {
            let person = Person::at(&app);
            let answer = key.get_forged(&person.options(START).await, |told| told.count = round);
            pair.spawn(async move { person.finish_login(&answer).await.status });
        }
        let mut statuses = pair.join_all().await;
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 401], "round {round}");
    }
    assert_eq!(audit_entries(&app, "webauthn.counter_regression", "failure").await, 20, "whichever look found it");
}
