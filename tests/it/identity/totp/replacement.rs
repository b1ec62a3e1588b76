//! A second app in the place of the first: only who has the first one, a passkey, or the password and a
//! backup code may do that.

use super::{ANN, STEP, codes, enrol, signed_in, start, state};
use crate::identity::{LIMITED, PASSWORD, Person, Response, app, meanwhile};
use support::{Authenticator, prelude::*};

const CONFIRM: &str = "/api/me/totp/confirm";

/// Ann with an app and its backup codes, and a second app that waits for its first code, a step later.
async fn with_a_second_app(app: &TestApp) -> (Person, Authenticator, Vec<String>, Authenticator) {
    let ann = Person::signed_in(app, ANN).await;
    let (first, backup_codes) = enrol(app, &ann).await;
    app.clock.advance(STEP);
    let second = start(&ann).await;
    (ann, first, backup_codes, second)
}

/// The first code of the second app, with a proof.
fn confirmation(app: &TestApp, second: &Authenticator, proof: Value) -> Value {
    let mut body = json!({ "code": second.code(app.clock.now()) });
    body.as_object_mut().unwrap().extend(proof.as_object().unwrap().clone());
    body
}

/// Checks that the second app is in use, and the first one and its backup codes are not.
async fn is_replaced(app: &TestApp, ann: &Person, response: Response, second: &Authenticator, gone: &str) {
    assert_eq!(response.status, 200, "{}", response.body);
    assert_eq!(codes(&response).len(), 10);
    assert_eq!(state(ann).await, json!({ "enabled": true, "backupCodesRemaining": 10 }));
    assert_eq!(ann.delete("/api/me/totp", &json!({ "code": gone })).await.refusal(), (400, "invalidCode"));
    app.clock.advance(STEP);
    assert_eq!(ann.delete("/api/me/totp", &json!({ "code": second.code(app.clock.now()) })).await.status, 200);
}

#[tokio::test]
async fn a_stranger_at_an_open_browser_cannot_replace_the_app() {
    let app = app().await;
    let (ann, first, backup_codes, second) = with_a_second_app(&app).await;
    let now = app.clock.now();
    for (proof, refusal) in [
        (json!({}), (400, "currentCodeRequired")),
        (json!({ "currentCode": null }), (400, "currentCodeRequired")),
        (json!({ "currentCode": second.code(now) }), (400, "invalidCode")),
        (json!({ "currentCode": first.code_off(now, 5) }), (400, "invalidCode")),
        (json!({ "currentCode": backup_codes[0] }), (400, "invalidCode")),
        (json!({ "currentCode": "" }), (400, "invalidCode")),
        (json!({ "password": PASSWORD }), (400, "validation")),
        (json!({ "backupCode": backup_codes[0] }), (400, "validation")),
        (json!({ "currentCode": first.code(now), "password": PASSWORD }), (400, "validation")),
        (json!({ "password": "not the harbour", "backupCode": backup_codes[0] }), (403, "invalidPassword")),
        (json!({ "password": PASSWORD, "backupCode": "aaaaa-aaaaa" }), (400, "invalidCode")),
        (json!({ "password": PASSWORD, "backupCode": second.code(now) }), (400, "invalidCode")),
        (json!({ "credential": {} }), (403, "invalidAssertion")),
        (json!({ "currentCode": 7 }), (400, "validation")),
    ] {
        assert_eq!(ann.post(CONFIRM, &confirmation(&app, &second, proof.clone())).await.refusal(), refusal, "{proof}");
    }
    let proved = json!({ "code": "000000", "currentCode": first.code(now) });
    assert_eq!(ann.post(CONFIRM, &proved).await.refusal(), (400, "invalidCode"), "the new app's code is needed as well");
    let proof = json!({ "currentCode": first.code(now) });
    let response = ann.post(CONFIRM, &confirmation(&app, &second, proof)).await;
    assert_eq!(response.status, 200, "nothing was used up by the refusals: {}", response.body);
}

#[tokio::test]
async fn a_code_of_the_first_app_replaces_it() {
    let app = app().await;
    let (ann, first, backup_codes, second) = with_a_second_app(&app).await;
    let proof = json!({ "currentCode": first.code(app.clock.now()) });
    let response = ann.post(CONFIRM, &confirmation(&app, &second, proof)).await;
    is_replaced(&app, &ann, response, &second, &backup_codes[0]).await;
}

#[tokio::test]
async fn the_password_and_a_backup_code_replace_an_app_that_was_lost() {
    let app = app().await;
    let (ann, first, backup_codes, second) = with_a_second_app(&app).await;
    let proof = json!({ "password": PASSWORD, "backupCode": backup_codes[3] });
    let response = ann.post(CONFIRM, &confirmation(&app, &second, proof)).await;
    is_replaced(&app, &ann, response, &second, &first.code(app.clock.now())).await;
    assert_eq!(app.count("select count(*) from account_audit where event = 'auth.backup_code.used'").await, 1);
}

#[tokio::test]
async fn a_passkey_replaces_an_app_that_was_lost() {
    let (app, ann) = signed_in().await;
    let mut key = SoftKey::at(&app.url(""));
    assert_eq!(ann.add_passkey(&mut key).await.status, 200);
    let (first, _) = enrol(&app, &ann).await;
    // A passkey that is newer than the session proves nothing.
    let proof = async |key: &mut SoftKey| {
        let options = ann.options("/api/me/password-reauth").await;
        json!({ "challenge": options["challenge"], "credential": key.get(&options) })
    };
    app.clock.advance(STEP);
    assert_eq!(ann.sign_in_with(&mut key).await.status, 200);
    let second = start(&ann).await;
    let spent = proof(&mut key).await;
    let response = ann.post(CONFIRM, &confirmation(&app, &second, spent.clone())).await;
    is_replaced(&app, &ann, response, &second, &first.code(app.clock.now())).await;

    let (_, third) = (enrol(&app, &ann).await, start(&ann).await);
    let again = ann.post(CONFIRM, &confirmation(&app, &third, spent)).await;
    assert_eq!(again.refusal(), (403, "invalidAssertion"), "a challenge is answered once");
}

/// Two first apps at once: the second one to be confirmed would replace the first without a proof.
#[tokio::test]
async fn an_app_that_comes_into_use_meanwhile_is_not_replaced() {
    let (app, ann) = signed_in().await;
    let pending = start(&ann).await;
    let body = json!({ "code": pending.code(app.clock.now()) });
    let change = "update totp set secret = 'x', enabled_at = now()";
    assert_eq!(meanwhile(&app, change, ann.post(CONFIRM, &body)).await.refusal(), (400, "invalidCode"));
    assert_eq!(app.count("select count(*) from totp where secret = 'x'").await, 1);
}

#[tokio::test]
async fn wrong_proofs_are_limited() {
    let app = TestApp::with_variables(LIMITED).await;
    let (ann, first, _, second) = with_a_second_app(&app).await;
    let wrong = json!({ "currentCode": first.code_off(app.clock.now(), 5) });
    for _ in 0..10 {
        assert_eq!(ann.post(CONFIRM, &confirmation(&app, &second, wrong.clone())).await.refusal(), (400, "invalidCode"));
    }
    let right = json!({ "currentCode": first.code(app.clock.now()) });
    assert_eq!(ann.post(CONFIRM, &confirmation(&app, &second, right)).await.refusal(), (429, "rateLimited"));
    app.clock.advance(SignedDuration::from_mins(1));
    let right = json!({ "currentCode": first.code(app.clock.now()) });
    assert_eq!(ann.post(CONFIRM, &confirmation(&app, &second, right)).await.status, 200);
}
