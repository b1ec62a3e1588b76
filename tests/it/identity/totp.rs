//! Authenticator apps and backup codes, as their owner handles them.

mod replacement;

use super::{LIMITED, app, meanwhile, signed_in};
use support::{Authenticator, prelude::*};

const ANN: &str = "ann@example.org";
const STEP: SignedDuration = SignedDuration::from_secs(30);

pub(super) async fn start(person: &Person) -> Authenticator {
    let response = person.post("/api/me/totp/start", &json!({})).await.expect(200);
    Authenticator::holding(response["secret"].as_str().unwrap())
}

fn codes(response: &Response) -> Vec<String> {
    response.body["backupCodes"].as_array().unwrap().iter().map(|b| b.as_str().unwrap().to_owned()).collect()
}

/// Enables an authenticator app for a person. Returns it and the backup codes.
pub(super) async fn enrol(app: &TestApp, person: &Person) -> (Authenticator, Vec<String>) {
    let authenticator = start(person).await;
    let response = person.post("/api/me/totp/confirm", &json!({ "code": authenticator.code(app.clock.now()) })).await;
    assert_eq!(response.status, 200, "{}", response.body);
    (authenticator, codes(&response))
}

async fn state(person: &Person) -> Value {
    person.get("/api/me/totp").await.body
}

#[tokio::test]
async fn the_first_code_enables_an_app() {
    let (app, ann) = signed_in().await;
    assert_eq!(state(&ann).await, json!({ "enabled": false, "backupCodesRemaining": 0 }));
    let response = ann.post("/api/me/totp/start", &json!({})).await;
    let secret = response.body["secret"].as_str().unwrap();
    let uri = format!("otpauth://totp/Lectern:ann%40example.org?secret={secret}&issuer=Lectern&algorithm=SHA1&digits=6&period=30");
    assert_eq!(response.body, json!({ "secret": secret, "otpauthUri": uri }));
    assert_eq!(secret.len(), 32);
    assert_eq!(state(&ann).await["enabled"], false, "not before its first code");

    let authenticator = Authenticator::holding(secret);
    let wrong = authenticator.code_off(app.clock.now(), 2);
    for code in [&*wrong, "", "12345", "abcde-fghjk"] {
        assert_eq!(ann.post("/api/me/totp/confirm", &json!({ "code": code })).await.refusal(), (400, "invalidCode"), "{code}");
    }
    let response = ann.post("/api/me/totp/confirm", &json!({ "code": authenticator.code(app.clock.now()) })).await;
    let codes = codes(&response);
    assert_eq!((response.status, codes.len(), response.body.as_object().unwrap().len()), (200, 10, 1));
    assert!(codes.iter().all(|code| code.len() == 11 && code.as_bytes()[5] == b'-'), "{codes:?}");
    assert_eq!(state(&ann).await, json!({ "enabled": true, "backupCodesRemaining": 10 }));
    assert_eq!(ann.get("/api/me").await.body["totpEnabled"], true, "and the session continues");
    assert_eq!(ann.post("/api/me/totp/confirm", &json!({ "code": "123456" })).await.refusal(), (400, "noPendingTotp"));
    let events = "select count(*) from account_audit where event = 'auth.totp.enabled' and status = 'success'";
    assert_eq!(app.count(events).await, 1);
}

#[tokio::test]
async fn a_secret_waits_an_hour_for_its_first_code() {
    let (app, ann) = signed_in().await;
    let authenticator = start(&ann).await;
    app.clock.advance(SignedDuration::from_hours(1));
    let code = authenticator.code(app.clock.now());
    assert_eq!(ann.post("/api/me/totp/confirm", &json!({ "code": code })).await.refusal(), (400, "noPendingTotp"));
}

#[tokio::test]
async fn only_the_newest_secret_can_be_confirmed_and_the_one_in_use_stays() {
    let (app, ann) = signed_in().await;
    let (first, second) = (start(&ann).await, start(&ann).await);
    let confirm =
        async |value: &Authenticator| ann.post("/api/me/totp/confirm", &json!({ "code": value.code(app.clock.now()) })).await;
    assert_eq!(confirm(&first).await.refusal(), (400, "invalidCode"));
    let old_codes = codes(&confirm(&second).await);

    let third = start(&ann).await;
    assert_eq!(state(&ann).await, json!({ "enabled": true, "backupCodesRemaining": 10 }));
    app.clock.advance(STEP);
    let login = ann.login(ANN, PASSWORD).await;
    let verify = async |code: &str| {
        ann.post("/api/auth/verify-totp", &json!({ "code": code, "loginToken": login.body["loginToken"] })).await
    };
    assert_eq!(verify(&third.code(app.clock.now())).await.status, 401, "it waits still");
    assert_eq!(verify(&second.code(app.clock.now())).await.status, 200, "the one in use is in use");
    app.clock.advance(STEP);
    let both = json!({ "code": third.code(app.clock.now()), "currentCode": second.code(app.clock.now()) });
    assert_eq!(codes(&ann.post("/api/me/totp/confirm", &both).await).len(), 10);
    app.clock.advance(STEP);
    let gone = [second.code(app.clock.now()), old_codes[0].clone()];
    for code in gone {
        assert_eq!(ann.delete("/api/me/totp", &json!({ "code": code })).await.refusal(), (400, "invalidCode"));
    }
    assert_eq!(ann.delete("/api/me/totp", &json!({ "code": third.code(app.clock.now()) })).await.status, 200);
}

#[tokio::test]
async fn of_fifty_concurrent_confirmations_one_gets_backup_codes() {
    let app = Arc::new(app().await);
    let ann = Arc::new(Person::signed_in(&app, ANN).await);
    let code = start(&ann).await.code(app.clock.now());
    let csrf = ann.csrf().await;
    let mut crowd = JoinSet::new();
    for _ in 0..50 {
        let (ann, csrf, body) = (ann.clone(), csrf.clone(), json!({ "code": code }));
        crowd.spawn(async move {
            let request = ann.browser.post(ann.url("/api/me/totp/confirm")).header("x-csrf-token", csrf).json(&body);
            request.send().await.unwrap().status().as_u16()
        });
    }
    let statuses = crowd.join_all().await;
    assert_eq!(statuses.iter().filter(|statuse| **statuse == 200).count(), 1, "{statuses:?}");
    assert_eq!(state(&ann).await, json!({ "enabled": true, "backupCodesRemaining": 10 }));
}

#[tokio::test]
async fn new_backup_codes_take_the_place_of_the_old() {
    let (app, ann) = signed_in().await;
    assert_eq!(ann.post("/api/me/totp/backup-codes", &json!({ "code": "123456" })).await.refusal(), (400, "totpNotEnabled"));
    let (authenticator, old) = enrol(&app, &ann).await;
    let renew = async |code: &str| ann.post("/api/me/totp/backup-codes", &json!({ "code": code })).await;
    assert_eq!(renew(&old[0]).await.refusal(), (400, "invalidCode"), "who has lost the app takes it away instead");
    let code = authenticator.code(app.clock.now());
    let new = codes(&renew(&code).await);
    assert!(new.len() == 10 && new.iter().all(|n| !old.contains(n)));
    assert_eq!(renew(&code).await.refusal(), (400, "invalidCode"), "the code was used");
    assert_eq!(ann.delete("/api/me/totp", &json!({ "code": old[1] })).await.refusal(), (400, "invalidCode"));
    assert_eq!(ann.delete("/api/me/totp", &json!({ "code": new[1].to_uppercase().replace('-', " ") })).await.status, 200);
    assert_eq!(state(&ann).await, json!({ "enabled": false, "backupCodesRemaining": 0 }));
    assert_eq!(app.count("select count(*) from one_time where kind = 'backupCode'").await, 0);
    let events = "select count(*) from account_audit where event in ('auth.backup_codes.regenerated', 'auth.totp.disabled')";
    assert_eq!(app.count(events).await, 2);
}

#[tokio::test]
async fn removing_an_app_needs_a_code_of_it_and_attempts_are_limited() {
    let app = TestApp::with_variables(LIMITED).await;
    let (ann, bob) = (Person::signed_in(&app, ANN).await, Person::signed_in(&app, "bob@example.org").await);
    let (own, own_codes) = enrol(&app, &ann).await;
    let (foreign, foreign_codes) = enrol(&app, &bob).await;
    let remove = async |code: &str| ann.delete("/api/me/totp", &json!({ "code": code })).await;
    let used = own.code(app.clock.now());
    assert_eq!(ann.post("/api/me/totp/backup-codes", &json!({ "code": used })).await.status, 200);

    let wrong = own.code_off(app.clock.now(), 5);
    let foreign_code = foreign.code(app.clock.now());
    for code in [&*wrong, &*used, &*foreign_code, &*foreign_codes[0], &*own_codes[0], "", "x"] {
        assert_eq!(remove(code).await.refusal(), (400, "invalidCode"), "{code}");
    }
    assert_eq!(ann.delete("/api/me/totp", &json!({})).await.refusal(), (400, "validation"));
    for _ in 0..3 {
        assert_eq!(remove(&wrong).await.refusal(), (400, "invalidCode"));
    }
    app.clock.advance(STEP);
    assert_eq!(remove(&own.code(app.clock.now())).await.refusal(), (429, "rateLimited"), "ten were wrong");
    assert_eq!(state(&ann).await["enabled"], true);
    app.clock.advance(STEP);
    assert_eq!(remove(&own.code(app.clock.now())).await.status, 200);
    assert_eq!(remove(&own.code(app.clock.now())).await.refusal(), (400, "totpNotEnabled"));
}

#[tokio::test]
async fn a_session_that_ends_at_this_moment_changes_nothing() {
    let (app, ann) = signed_in().await;
    let (authenticator, codes) = enrol(&app, &ann).await;
    app.clock.advance(STEP);
    let next = start(&ann).await;
    let code = |value: &Authenticator| json!({ "code": value.code(app.clock.now()) });
    let both = json!({ "code": next.code(app.clock.now()), "currentCode": authenticator.code(app.clock.now()) });
    let end = "update users set token_version = token_version + 1";
    for (method, path, body) in [
        ("POST", "/api/me/totp/confirm", both.clone()),
        ("POST", "/api/me/totp/backup-codes", code(&authenticator)),
        ("DELETE", "/api/me/totp", json!({ "code": codes[0] })),
    ] {
        let response = meanwhile(&app, end, ann.send(method.parse().unwrap(), path, &body)).await;
        assert_eq!(response.refusal(), (401, "unauthorized"), "{path}");
        app.sql("update users set token_version = 0").await;
    }
    assert_eq!(state(&ann).await, json!({ "enabled": true, "backupCodesRemaining": 10 }));
    assert_eq!(ann.post("/api/me/totp/confirm", &both).await.status, 200, "and what waited waits on");

    let response = meanwhile(&app, "delete from users", ann.post("/api/me/totp/start", &json!({}))).await;
    assert_eq!(response.refusal(), (401, "unauthorized"), "nor does one whose account goes");
}

#[tokio::test]
async fn without_a_session_or_a_csrf_token_nothing_changes() {
    let (app, ann) = signed_in().await;
    let (authenticator, _) = enrol(&app, &ann).await;
    let body = json!({ "code": authenticator.code(app.clock.now()) });
    for (method, path) in [
        ("GET", "/api/me/totp"),
        ("POST", "/api/me/totp/start"),
        ("POST", "/api/me/totp/confirm"),
        ("POST", "/api/me/totp/backup-codes"),
        ("DELETE", "/api/me/totp"),
    ] {
        let method: reqwest::Method = method.parse().unwrap();
        let request = support::browser().request(method.clone(), app.url(path)).json(&body);
        assert_eq!(request.answer().await.refusal(), (401, "unauthorized"), "{path}");
        if method != reqwest::Method::GET {
            let request = ann.browser.request(method, app.url(path)).json(&body);
            assert_eq!(request.answer().await.refusal(), (403, "csrfInvalid"), "{path}");
        }
    }
    assert_eq!(state(&ann).await, json!({ "enabled": true, "backupCodesRemaining": 10 }));
}
