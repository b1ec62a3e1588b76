//! Re-authentication by a passkey: to remove the password, or, without one, to delete the account.

use super::{
    ANN, SoftKey, ann_with_a_passkey, app, audit_entries, come_back, passkey_proof, passwordless, signed_in, with_a_passkey,
};
use crate::identity::{get_with_cookies, meanwhile};
use support::prelude::*;

const OTHER: &str = "an even quieter port";

#[tokio::test]
async fn a_password_is_given_up_by_itself_or_by_a_passkey() {
    for by_passkey in [false, true] {
        let (app, ann, mut key) = ann_with_a_passkey().await;
        come_back(&ann, &app, &mut key).await;
        let phone = Person::elsewhere(&app, ANN).await;
        let proof = if by_passkey { passkey_proof(&ann, &mut key).await } else { json!({ "password": PASSWORD }) };
        let response = ann.delete("/api/me/password", &proof).await;
        assert_eq!((response.status, response.body["message"].is_string()), (200, true), "{}", response.body);
        assert!(response.cookie("session").is_some(), "a fresh cookie");
        assert_eq!((ann.get("/api/me").await.status, phone.get("/api/me").await.status), (200, 401));
        assert_eq!(ann.get("/api/me").await.body["hasPassword"], false);
        assert_eq!(phone.login(ANN, PASSWORD).await.refusal(), (401, "invalidCredentials"));
        assert_eq!(phone.sign_in_with(&mut key).await.status, 200);
        assert_eq!(audit_entries(&app, "auth.password.removed", "success").await, 1);
        assert_eq!(ann.delete("/api/me/password", &proof).await.refusal(), (400, "noPassword"));

        assert_eq!(ann.post("/api/me/password", &json!({ "newPassword": PASSWORD })).await.refusal(), (400, "passwordReused"));
        assert_eq!(ann.post("/api/me/password", &json!({ "newPassword": OTHER })).await.status, 200);
        assert_eq!(phone.login(ANN, OTHER).await.status, 200);
    }
}

#[tokio::test]
async fn a_password_without_a_passkey_stays() {
    let (app, ann) = signed_in().await;
    let response = ann.delete("/api/me/password", &json!({ "password": PASSWORD })).await;
    assert_eq!((response.refusal(), response.cookie("session")), ((403, "passkeyRequired"), None));
    assert_eq!(ann.post("/api/me/password-reauth", &json!({})).await.refusal(), (400, "noPasskeys"));
    assert_eq!(Person::at(&app).login(ANN, PASSWORD).await.status, 200);
}

#[tokio::test]
async fn a_failed_reauthentication_changes_nothing() {
    let (app, ann, mut key) = ann_with_a_passkey().await;
    come_back(&ann, &app, &mut key).await;
    let (_, mut bobs) = with_a_passkey(&app, "bob@example.org").await;
    let remove = async |body: &Value| ann.delete("/api/me/password", body).await;
    for (body, refusal) in [
        (json!({}), (400, "validation")),
        (json!({ "challenge": "x" }), (400, "validation")),
        (json!({ "password": "not the harbour" }), (403, "invalidPassword")),
        (json!({ "credential": "x" }), (403, "invalidAssertion")),
        (json!({ "password": PASSWORD, "credential": "x" }), (400, "validation")),
        (json!({ "password": "", "credential": passkey_proof(&ann, &mut key).await["credential"] }), (400, "validation")),
    ] {
        assert_eq!(remove(&body).await.refusal(), refusal, "{body}");
    }
    let options = ann.options("/api/me/password-reauth").await;
    assert_eq!(options["allowCredentials"].as_array().unwrap().len(), 1);
    assert_eq!(options["allowCredentials"][0]["transports"], json!(["nfc", "usb"]));
    let unverified = key.get_forged(&options, |told| told.flags &= !0x04);
    assert_eq!(remove(&json!({ "credential": unverified })).await.refusal(), (403, "invalidAssertion"));
    let right = key.get(&options);
    assert_eq!(remove(&json!({ "credential": right })).await.refusal(), (403, "invalidAssertion"), "it was tried once");

    let mut options = ann.options("/api/me/password-reauth").await;
    options["allowCredentials"] = json!([]);
    let somebody_elses = bobs.get(&options);
    assert_eq!(remove(&json!({ "credential": somebody_elses })).await.refusal(), (403, "invalidAssertion"), "another's passkey");
    let went_back = key.get_forged(&ann.options("/api/me/password-reauth").await, |told| told.count = 0);
    let before = audit_entries(&app, "webauthn.counter_regression", "failure").await;
    assert_eq!(remove(&json!({ "credential": went_back })).await.refusal(), (403, "invalidAssertion"));
    assert_eq!((before, audit_entries(&app, "webauthn.counter_regression", "failure").await), (0, 1));
    assert_eq!(ann.get("/api/me").await.body["hasPassword"], true);
    assert_eq!(
        app.count("select count(*) from account_audit where event = 'auth.password.removed' and status = 'success'").await,
        0
    );
}

#[tokio::test]
async fn a_challenge_works_once_in_time_for_its_session_and_its_purpose() {
    let (app, ann, mut key) = ann_with_a_passkey().await;
    come_back(&ann, &app, &mut key).await;
    let (bob, _) = with_a_passkey(&app, "bob@example.org").await;
    let refused = (403, "invalidAssertion");

    let proof = passkey_proof(&ann, &mut key).await;
    let response = Person::at(&app).finish_login(&proof["credential"]).await;
    assert_eq!(response.refusal(), (401, "challengeExpired"), "it does not sign in");
    let login = key.get(&ann.options("/api/webauthn/login/start").await);
    let as_proof = json!({ "challenge": Value::Null, "credential": login });
    assert_eq!(
        ann.delete("/api/me/password", &as_proof).await.refusal(),
        refused,
        "and a response to a login does not reauthenticate"
    );

    let proof = passkey_proof(&ann, &mut key).await;
    assert_eq!(bob.delete("/api/me/password", &proof).await.refusal(), refused, "another account");
    assert_eq!(ann.delete("/api/me/password", &proof).await.refusal(), refused, "and now it is used up");

    let proof = passkey_proof(&ann, &mut key).await;
    let elsewhere = Person::elsewhere(&app, ANN).await;
    assert_eq!(elsewhere.delete("/api/me/password", &proof).await.refusal(), refused, "another session of hers");

    let proof = passkey_proof(&ann, &mut key).await;
    app.clock.advance(SignedDuration::from_mins(5));
    assert_eq!(ann.delete("/api/me/password", &proof).await.refusal(), refused, "after five minutes");

    let mut proof = passkey_proof(&ann, &mut key).await;
    let challenge = std::mem::replace(&mut proof["challenge"], json!("another"));
    assert_eq!(ann.delete("/api/me/password", &proof).await.refusal(), refused, "another question");
    proof["challenge"] = challenge;
    assert_eq!(ann.delete("/api/me/password", &proof).await.refusal(), refused, "and that was the only try");
    let mut proof = passkey_proof(&ann, &mut key).await;
    let credential = std::mem::replace(&mut proof["credential"], json!({ "id": "x" }));
    assert_eq!(ann.delete("/api/me/password", &proof).await.refusal(), refused, "no answer at all");
    proof["credential"] = credential;
    assert_eq!(ann.delete("/api/me/password", &proof).await.refusal(), refused, "was one as well");

    let proof = passkey_proof(&ann, &mut key).await;
    assert_eq!(ann.delete("/api/me/password", &proof).await.status, 200);
    assert_eq!(ann.delete("/api/me", &proof).await.refusal(), refused, "twice");
}

#[tokio::test]
async fn a_passkey_that_a_stranger_registers_at_an_open_browser_does_not_reauthenticate() {
    let app = app().await;
    let (ann, mut own) = with_a_passkey(&app, ANN).await;
    come_back(&ann, &app, &mut own).await;
    app.clock.advance(SignedDuration::from_mins(10));
    let mut planted = SoftKey::at(&app.url(""));
    assert_eq!(ann.add_passkey(&mut planted).await.status, 200);
    let mut options = ann.options("/api/me/password-reauth").await;
    assert_eq!(options["allowCredentials"].as_array().unwrap().len(), 1, "it is not even asked for");
    options["allowCredentials"] = json!([]);
    let proof = json!({ "credential": planted.get(&options) });
    assert_eq!(ann.delete("/api/me/password", &proof).await.refusal(), (403, "invalidAssertion"));
    let reason = "select count(*) from account_audit where event = 'auth.password.removed' and details ->> 'reason' = 'newPasskey'";
    assert_eq!(app.count(reason).await, 1);
    assert_eq!(ann.get("/api/me").await.body["hasPassword"], true);
    let proof = passkey_proof(&ann, &mut own).await;
    assert_eq!(ann.delete("/api/me/password", &proof).await.status, 200, "the one of before does");
    // The same rule holds for deleting the account.
    let mut options = ann.options("/api/me/password-reauth").await;
    options["allowCredentials"] = json!([]);
    let proof = json!({ "credential": planted.get(&options) });
    assert_eq!(ann.delete("/api/me", &proof).await.refusal(), (403, "invalidAssertion"));
}

#[tokio::test]
async fn a_passkey_that_is_made_behind_the_sign_in_counts_at_once_and_a_late_one_from_the_next_session_on() {
    let app = app().await;
    Person::at(&app).register("first@example.org").await;
    let bob = Person::signed_in(&app, "bob@example.org").await;
    let mut bobs = SoftKey::at(&app.url(""));
    app.clock.advance(SignedDuration::from_mins(10) - SignedDuration::from_secs(1));
    bob.add_passkey(&mut bobs).await;
    let proof = passkey_proof(&bob, &mut bobs).await;
    assert_eq!(bob.delete("/api/me/password", &proof).await.status, 200);

    let ann = Person::signed_in(&app, ANN).await;
    let mut key = SoftKey::at(&app.url(""));
    app.clock.advance(SignedDuration::from_mins(10));
    ann.add_passkey(&mut key).await;
    assert_eq!(ann.post("/api/me/password-reauth", &json!({})).await.refusal(), (400, "noPasskeys"), "it came late");
    come_back(&ann, &app, &mut key).await;
    let proof = passkey_proof(&ann, &mut key).await;
    assert_eq!(ann.delete("/api/me/password", &proof).await.status, 200);
}

/// A cloned key is used between the check of the counter and the act that it authorises.
#[tokio::test]
async fn a_passkey_that_changed_at_that_moment_proves_nothing() {
    let app = app().await;
    Person::at(&app).register("first@example.org").await;
    let (ann, mut anns) = with_a_passkey(&app, ANN).await;
    let (bob, mut bobs) = passwordless(&app, "bob@example.org").await;
    for (person, key, path) in [(ann, &mut anns, "/api/me/password"), (bob, &mut bobs, "/api/me")] {
        come_back(&person, &app, key).await;
        person.add_passkey(&mut SoftKey::at(&app.url(""))).await;
        for (change, told_of) in [
            ("update passkeys set sign_count = sign_count + 1 where last_used_at is not null", 1),
            ("delete from passkeys where last_used_at is not null", 0),
        ] {
            let before = audit_entries(&app, "webauthn.counter_regression", "failure").await;
            let proof = passkey_proof(&person, key).await;
            let response = meanwhile(&app, change, person.delete(path, &proof)).await;
            assert_eq!(response.refusal(), (403, "invalidAssertion"), "{path}: {change}");
            let after = audit_entries(&app, "webauthn.counter_regression", "failure").await;
            assert_eq!(after - before, told_of, "{path}: {change}");
            assert_eq!(person.get("/api/me").await.status, 200, "the session is as good as before");
        }
    }
}

/// Sends a reauthentication fifty times at once. Returns how often each status came.
async fn fifty(person: &Person, path: &str, proof: &Value) -> BTreeMap<u16, usize> {
    let csrf = person.csrf().await;
    let mut crowd = JoinSet::new();
    for _ in 0..50 {
        let request = person.browser.delete(person.url(path)).header("x-csrf-token", &csrf).json(proof);
        crowd.spawn(async move { request.send().await.unwrap().status().as_u16() });
    }
    let mut statuses = BTreeMap::new();
    for status in crowd.join_all().await {
        *statuses.entry(status).or_default() += 1;
    }
    statuses
}

#[tokio::test]
async fn of_fifty_concurrent_uses_of_one_reauthentication_one_succeeds() {
    let app = app().await;
    // Ann is the only administrator, so no request deletes the account: one gets as far as that refusal
    // (409), the others are refused before.
    let (ann, mut key) = passwordless(&app, ANN).await;
    come_back(&ann, &app, &mut key).await;
    let proof = passkey_proof(&ann, &mut key).await;
    assert_eq!(fifty(&ann, "/api/me", &proof).await, BTreeMap::from([(403, 49), (409, 1)]));

    let bob = Person::signed_in(&app, "bob@example.org").await;
    let mut phone = SoftKey::synced(&app.url(""));
    bob.add_passkey(&mut phone).await;
    come_back(&bob, &app, &mut phone).await;
    let proof = passkey_proof(&bob, &mut phone).await;
    let statuses = fifty(&bob, "/api/me/password", &proof).await;
    assert_eq!((statuses.get(&200), statuses.values().sum()), (Some(&1), 50), "{statuses:?}");
    assert_eq!(audit_entries(&app, "auth.password.removed", "success").await, 2, "Ann's was one");
}

#[tokio::test]
async fn an_account_without_a_password_is_deleted_with_a_passkey() {
    let app = app().await;
    Person::at(&app).register("first@example.org").await;
    let (ann, mut key) = passwordless(&app, ANN).await;
    come_back(&ann, &app, &mut key).await;
    assert_eq!(ann.delete("/api/me", &json!({})).await.refusal(), (400, "validation"));
    assert_eq!(ann.delete("/api/me", &json!({ "password": PASSWORD })).await.refusal(), (403, "invalidPassword"));
    let proof = passkey_proof(&ann, &mut key).await;
    let response = ann.delete("/api/me", &proof).await;
    assert_eq!((response.status, response.cookie("session").as_deref()), (200, Some("")), "{}", response.body);
    assert_eq!(ann.sign_in_with(&mut key).await.refusal(), (401, "invalidCredential"));
    assert_eq!(app.count("select count(*) from users").await, 1);
    assert_eq!(app.count("select count(*) from passkeys").await, 0);
}

#[tokio::test]
async fn an_account_with_a_password_is_deleted_with_it() {
    let app = app().await;
    Person::at(&app).register("first@example.org").await;
    let (ann, mut key) = with_a_passkey(&app, ANN).await;
    come_back(&ann, &app, &mut key).await;
    let proof = passkey_proof(&ann, &mut key).await;
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
