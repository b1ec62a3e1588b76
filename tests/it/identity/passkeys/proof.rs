//! Being proved again by a passkey: to give the password up, or, without one, to leave.

use super::{ANN, PASSWORD, Person, app, count, passwordless, told, with_a_passkey};
use crate::identity::get_with_cookies;
use jiff::SignedDuration;
use serde_json::{Value, json};

const OTHER: &str = "an even quieter port";

#[tokio::test]
async fn a_password_is_given_up_by_itself_or_by_a_passkey() {
    for by_passkey in [false, true] {
        let app = app().await;
        let (ann, mut key) = with_a_passkey(&app, ANN).await;
        let phone = Person::elsewhere(&app, ANN).await;
        let proof = if by_passkey { ann.proof(&mut key).await } else { json!({ "password": PASSWORD }) };
        let said = ann.delete("/api/me/password", &proof).await;
        assert_eq!((said.status, said.body["message"].is_string()), (200, true), "{}", said.body);
        assert!(said.cookie("session").is_some(), "a fresh cookie");
        assert_eq!((ann.get("/api/me").await.status, phone.get("/api/me").await.status), (200, 401));
        assert_eq!(ann.get("/api/me").await.body["hasPassword"], false);
        assert_eq!(phone.login(ANN, PASSWORD).await.refusal(), (401, "invalidCredentials"));
        assert_eq!(phone.sign_in_with(&mut key).await.status, 200);
        assert_eq!(told(&app, "auth.password.removed", "success").await, 1);
        assert_eq!(ann.delete("/api/me/password", &proof).await.refusal(), (400, "noPassword"));

        assert_eq!(ann.post("/api/me/password", &json!({ "newPassword": PASSWORD })).await.refusal(), (400, "passwordReused"));
        assert_eq!(ann.post("/api/me/password", &json!({ "newPassword": OTHER })).await.status, 200);
        assert_eq!(phone.login(ANN, OTHER).await.status, 200);
    }
}

#[tokio::test]
async fn attack_85_a_password_without_a_passkey_stays() {
    let app = app().await;
    let ann = Person::signed_in(&app, ANN).await;
    let said = ann.delete("/api/me/password", &json!({ "password": PASSWORD })).await;
    assert_eq!((said.refusal(), said.cookie("session")), ((403, "passkeyRequired"), None));
    assert_eq!(ann.post("/api/me/password-reauth", &json!({})).await.refusal(), (400, "noPasskeys"));
    assert_eq!(Person::at(&app).login(ANN, PASSWORD).await.status, 200);
}

#[tokio::test]
async fn what_proves_nothing_changes_nothing() {
    let app = app().await;
    let (ann, mut key) = with_a_passkey(&app, ANN).await;
    let (_, mut bobs) = with_a_passkey(&app, "bob@example.org").await;
    let remove = async |body: &Value| ann.delete("/api/me/password", body).await;
    for (body, refusal) in [
        (json!({}), (400, "validation")),
        (json!({ "challenge": "x" }), (400, "validation")),
        (json!({ "password": "not the harbour" }), (403, "invalidPassword")),
        (json!({ "credential": "x" }), (403, "invalidAssertion")),
    ] {
        assert_eq!(remove(&body).await.refusal(), refusal, "{body}");
    }
    let options = ann.options("/api/me/password-reauth").await;
    assert_eq!(options["allowCredentials"].as_array().unwrap().len(), 1);
    assert_eq!(options["allowCredentials"][0]["transports"], json!(["nfc", "usb"]));
    let unverified = key.get_lying(&options, |told| told.flags &= !0x04);
    assert_eq!(remove(&json!({ "credential": unverified })).await.refusal(), (403, "invalidAssertion"));
    let right = key.get(&options);
    assert_eq!(remove(&json!({ "credential": right })).await.refusal(), (403, "invalidAssertion"), "it was tried once");

    let mut options = ann.options("/api/me/password-reauth").await;
    options["allowCredentials"] = json!([]);
    let somebody_elses = bobs.get(&options);
    assert_eq!(remove(&json!({ "credential": somebody_elses })).await.refusal(), (403, "invalidAssertion"), "another's passkey");
    let went_back = key.get_lying(&ann.options("/api/me/password-reauth").await, |told| told.count = 0);
    assert_eq!(ann.sign_in_with(&mut key).await.status, 200);
    assert_eq!(remove(&json!({ "credential": went_back })).await.status, 403);
    assert_eq!(ann.get("/api/me").await.body["hasPassword"], true);
    assert_eq!(
        count(&app, "select count(*) from account_audit where event = 'auth.password.removed' and status = 'success'").await,
        0
    );
}

#[tokio::test]
async fn attack_87_a_question_is_answered_once_in_time_by_whom_and_for_what_it_was_asked() {
    let app = app().await;
    let (ann, mut key) = with_a_passkey(&app, ANN).await;
    let (bob, _) = with_a_passkey(&app, "bob@example.org").await;
    let refused = (403, "invalidAssertion");

    let proof = ann.proof(&mut key).await;
    let said = Person::at(&app).finish_login(&proof["credential"]).await;
    assert_eq!(said.refusal(), (401, "challengeExpired"), "it signs nobody in");
    let login = key.get(&ann.options("/api/webauthn/login/start").await);
    let as_proof = json!({ "challenge": Value::Null, "credential": login });
    assert_eq!(ann.delete("/api/me/password", &as_proof).await.refusal(), refused, "and what signs in proves nobody again");

    let proof = ann.proof(&mut key).await;
    assert_eq!(bob.delete("/api/me/password", &proof).await.refusal(), refused, "somebody else");
    assert_eq!(ann.delete("/api/me/password", &proof).await.refusal(), refused, "and now it is used up");

    let proof = ann.proof(&mut key).await;
    let elsewhere = Person::elsewhere(&app, ANN).await;
    assert_eq!(elsewhere.delete("/api/me/password", &proof).await.refusal(), refused, "another session of hers");

    let proof = ann.proof(&mut key).await;
    app.clock.advance(SignedDuration::from_mins(5));
    assert_eq!(ann.delete("/api/me/password", &proof).await.refusal(), refused, "after five minutes");

    let mut proof = ann.proof(&mut key).await;
    let challenge = std::mem::replace(&mut proof["challenge"], json!("another"));
    assert_eq!(ann.delete("/api/me/password", &proof).await.refusal(), refused, "another question");
    proof["challenge"] = challenge;
    assert_eq!(ann.delete("/api/me/password", &proof).await.status, 200);
    assert_eq!(ann.delete("/api/me", &proof).await.refusal(), refused, "twice");
}

#[tokio::test]
async fn who_has_no_password_leaves_by_a_passkey() {
    let app = app().await;
    Person::at(&app).register("first@example.org").await;
    let (ann, mut key) = passwordless(&app, ANN).await;
    assert_eq!(ann.delete("/api/me", &json!({})).await.refusal(), (400, "validation"));
    assert_eq!(ann.delete("/api/me", &json!({ "password": PASSWORD })).await.refusal(), (403, "invalidPassword"));
    let proof = ann.proof(&mut key).await;
    let said = ann.delete("/api/me", &proof).await;
    assert_eq!((said.status, said.cookie("session").as_deref()), (200, Some("")), "{}", said.body);
    assert_eq!(ann.sign_in_with(&mut key).await.refusal(), (401, "invalidCredential"));
    assert_eq!(count(&app, "select count(*) from users").await, 1);
    assert_eq!(count(&app, "select count(*) from passkeys").await, 0);
}

#[tokio::test]
async fn who_has_a_password_leaves_by_it() {
    let app = app().await;
    Person::at(&app).register("first@example.org").await;
    let (ann, mut key) = with_a_passkey(&app, ANN).await;
    let proof = ann.proof(&mut key).await;
    assert_eq!(ann.delete("/api/me", &proof).await.refusal(), (400, "passwordRequired"));
    assert_eq!(ann.delete("/api/me", &json!({ "password": PASSWORD })).await.status, 200);
}

#[tokio::test]
async fn a_session_of_before_is_dead_after_the_password_is_given_up() {
    let app = app().await;
    let (ann, _) = with_a_passkey(&app, ANN).await;
    let before = format!("session={}", ann.login(ANN, PASSWORD).await.cookie("session").unwrap());
    assert_eq!(ann.delete("/api/me/password", &json!({ "password": PASSWORD })).await.status, 200);
    assert_eq!(get_with_cookies(&app, "/api/me", &before).await.status, 401);
}
