//! Signing in with passkeys, without a user name.

use super::{ANN, Forgetful, LIMITED, SoftKey, ann_with_a_passkey, app, audit_entries, sign_in_lying, signed_in, with_a_passkey};
use crate::identity::{FREE, mailed_codes::MAIL, totp};
use support::prelude::*;

const START: &str = "/api/webauthn/login/start";
const FINISH: &str = "/api/webauthn/login/finish";

#[tokio::test]
async fn a_passkey_signs_in_and_nothing_else_is_asked_for() {
    let (app, ann, mut key) = ann_with_a_passkey().await;
    totp::enrol(&app, &ann).await;
    app.clock.advance(SignedDuration::from_mins(1));
    let elsewhere = Person::at(&app);
    let mut options = elsewhere.options(START).await;
    let answer = key.get(&options);
    options["challenge"].take();
    assert_eq!(
        options,
        json!({
            "challenge": null, "timeout": 300_000, "rpId": "localhost", "allowCredentials": [], "userVerification": "required",
            "hints": [],
        })
    );
    let response = elsewhere.finish_login(&answer).await;
    assert_eq!(response.status, 200, "{}", response.body);
    assert_eq!((&response.body["user"]["email"], response.body.as_object().unwrap().len()), (&json!(ANN), 2));
    assert_eq!(response.cookie("csrf_token").as_deref(), response.body["csrfToken"].as_str());
    assert_eq!(elsewhere.get("/api/me").await.body, response.body["user"]);
    let amr = "select count(*) from sessions where amr = '{hwk,user,mfa}' and expires_at = created_at + interval '14 d'";
    assert_eq!(app.count(amr).await, 1);
    assert_eq!(elsewhere.passkeys().await[0]["lastUsedAt"], "2026-03-01T12:01:00.000Z");
    assert_eq!(audit_entries(&app, "auth.login.success", "success").await, 2);
}

#[tokio::test]
async fn a_passkey_of_several_devices_says_so_and_need_not_be_remembered() {
    let (app, ann) = signed_in().await;
    let mut phone = SoftKey::synced(&app.url(""));
    phone.flags &= !support::soft_key::BACKED_UP;
    assert_eq!(ann.add_passkey(&mut phone).await.body["passkey"]["backedUp"], false);
    phone.flags |= support::soft_key::BACKED_UP;
    for _ in 0..2 {
        let credential = phone.get(&ann.options(START).await);
        let response = ann.post(FINISH, &json!({ "credential": credential, "rememberMe": false })).await;
        assert_eq!(response.status, 200, "who counts nothing says 0 each time: {}", response.body);
    }
    let amr = "select count(*) from sessions where amr = '{swk,user,mfa}' and expires_at = created_at + interval '1 d'";
    assert_eq!(app.count(amr).await, 2);
    assert_eq!(ann.passkeys().await[0]["backedUp"], true, "as it was heard last");
}

#[tokio::test]
async fn a_response_works_once_in_time_and_for_its_challenge() {
    let (app, ann, mut key) = ann_with_a_passkey().await;
    let expired = (401, "challengeExpired");
    let forgetful = Forgetful::at(&app).await;
    let options = forgetful.post(START, &json!({})).await.body["options"].clone();
    let answer = json!({ "credential": key.get(&options), "challenge": options["challenge"] });
    assert_eq!(forgetful.post(FINISH, &answer).await.status, 200);
    assert_eq!(forgetful.post(FINISH, &answer).await.refusal(), expired, "twice");

    let answer = key.get(&ann.options(START).await);
    app.clock.advance(SignedDuration::from_mins(5));
    assert_eq!(ann.finish_login(&answer).await.refusal(), expired, "five minutes later");

    let made_up = sign_in_lying(&ann, &mut key, |told| told.client_data["challenge"] = json!("A".repeat(43))).await;
    assert_eq!(made_up.refusal(), expired, "a challenge that the server did not make");
    assert_eq!(audit_entries(&app, "auth.login.failure", "failure").await, 3, "each is written down");
}

#[tokio::test]
async fn a_response_works_only_in_the_browser_of_its_challenge() {
    let (app, ann, mut key) = ann_with_a_passkey().await;
    let (asking, other) = (Person::at(&app), Person::at(&app));
    for elsewhere in [&other, &ann] {
        let options = asking.options(START).await;
        assert_eq!(elsewhere.finish_login(&key.get(&options)).await.refusal(), (401, "challengeExpired"));
        let own = asking.finish_login(&key.get(&options)).await;
        assert_eq!(own.refusal(), (401, "challengeExpired"), "and now in none");
    }
    let options = ann.options(START).await;
    assert_eq!(asking.finish_login(&key.get(&options)).await.refusal(), (401, "challengeExpired"), "nor what a session asked for");
    assert_eq!(asking.sign_in_with(&mut key).await.status, 200);
    let kept = "select count(*) from one_time where kind = 'passkeyLogin' and length(payload ->> 'browser') = 64";
    assert_eq!(app.count(kept).await, 4, "a hash of what is in the cookie");
}

/// Breaks a request in one place; the second value is the start of another ceremony.
type Break = fn(&mut Value, &Value);

#[tokio::test]
async fn any_response_consumes_the_challenge() {
    let app = app().await;
    let (_, mut key) = with_a_passkey(&app, ANN).await;
    let stranger = Person::at(&app);
    let other = stranger.options(START).await;
    let breaks: [(&str, &str, Break); 3] = [
        ("another challenge is named", "challengeExpired", |sent, other| sent["challenge"] = other["challenge"].clone()),
        ("it is no answer", "invalidCredential", |sent, _| sent["credential"] = json!("x")),
        ("half of it cannot be read", "invalidCredential", |sent, _| {
            sent["challenge"].take();
            sent["credential"]["response"]["signature"] = json!("a b");
        }),
    ];
    for (what, refusal, broken) in breaks {
        let options = stranger.options(START).await;
        let right = json!({ "challenge": options["challenge"], "credential": key.get(&options) });
        let mut sent = right.clone();
        broken(&mut sent, &other);
        assert_eq!(stranger.post(FINISH, &sent).await.refusal(), (401, refusal), "{what}");
        assert_eq!(stranger.post(FINISH, &right).await.refusal(), (401, "challengeExpired"), "{what}");
    }
    assert_eq!(
        stranger.finish_login(&key.get(&other)).await.refusal(),
        (401, "challengeExpired"),
        "the one that was named as well"
    );
    assert_eq!(audit_entries(&app, "auth.login.failure", "failure").await, 7);
    assert_eq!(stranger.sign_in_with(&mut key).await.status, 200);
}

#[tokio::test]
async fn every_failed_sign_in_is_counted() {
    let token = "0123456789abcdef";
    let app = TestApp::with_variables(&[FREE, &[("APP_METRICS_TOKEN", token)]].concat()).await;
    let (_, mut key) = with_a_passkey(&app, ANN).await;
    let stranger = Person::at(&app);
    let answer = key.get(&stranger.options(START).await);
    app.clock.advance(SignedDuration::from_mins(5));
    stranger.finish_login(&answer).await;
    stranger.finish_login(&json!("x")).await;
    sign_in_lying(&stranger, &mut key, |told| told.flags &= !0x04).await;
    let text = app.get("/metrics").bearer_auth(token).send().await.unwrap().text().await.unwrap();
    assert!(text.contains("svc_logins_total{method=\"passkey\",result=\"failure\"} 3"), "{text}");
    for reason in ["challengeExpired", "unreadable", "invalidCredential"] {
        let told =
            format!("select count(*) from account_audit where event = 'auth.login.failure' and details ->> 'reason' = '{reason}'");
        assert_eq!(app.count(&told).await, 1, "{reason}");
    }
}

#[tokio::test]
async fn of_fifty_concurrent_uses_of_one_response_one_signs_in() {
    let app = app().await;
    let (_, mut key) = with_a_passkey(&app, ANN).await;
    let forgetful = Forgetful::at(&app).await;
    let answer = key.get(&forgetful.post(START, &json!({})).await.body["options"]);
    let mut crowd = JoinSet::new();
    for _ in 0..50 {
        let (forgetful, answer) = (forgetful.clone(), json!({ "credential": answer }));
        crowd.spawn(async move { forgetful.post(FINISH, &answer).await.status });
    }
    let mut statuses = crowd.join_all().await;
    statuses.sort_unstable();
    assert_eq!((statuses[0], &statuses[1..]), (200, &[401; 49][..]));
    assert_eq!(app.count("select count(*) from sessions").await, 2);
}

#[tokio::test]
async fn it_does_not_tell_whether_an_address_has_an_account() {
    let app = app().await;
    with_a_passkey(&app, ANN).await;
    let stranger = Person::at(&app);
    let mut answers = Vec::new();
    for body in [json!({ "email": ANN }), json!({ "email": "nobody@example.org" }), json!({}), json!({ "email": 7 })] {
        let before = app.database.store.round_trips();
        let mut response = stranger.post(START, &body).await;
        let asked = app.database.store.round_trips() - before;
        assert_eq!(response.body["options"]["allowCredentials"], json!([]));
        response.body["challenge"].take();
        response.body["options"]["challenge"].take();
        answers.push((response.status, response.body, asked));
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}

#[tokio::test]
async fn an_account_that_may_not_sign_in_learns_why_after_it_authenticated() {
    let mailing = [FREE, MAIL].concat();
    let app = TestApp::with_variables(&mailing).await;
    let ann = Person::at(&app);
    ann.register(ANN).await;
    app.sql("update users set email_verified = true").await;
    ann.login(ANN, PASSWORD).await;
    let mut key = SoftKey::at(&app.url(""));
    assert_eq!(ann.add_passkey(&mut key).await.status, 200);
    for (statement, code) in [
        ("update users set email_verified = false", "emailNotVerified"),
        ("update users set suspended_at = now()", "accountSuspended"),
    ] {
        app.sql(statement).await;
        let stranger = Person::at(&app);
        assert_eq!(stranger.sign_in_with(&mut key).await.refusal(), (403, code));
        let wrong = sign_in_lying(&stranger, &mut key, |told| told.flags &= !0x04).await;
        assert_eq!(wrong.refusal(), (401, "invalidCredential"), "and not before");
    }
}

#[tokio::test]
async fn a_removed_passkey_does_not_sign_in() {
    let (app, ann, mut key) = ann_with_a_passkey().await;
    let stranger = Person::at(&app);
    let begun = key.get(&stranger.options(START).await);
    let id = ann.passkeys().await[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(ann.delete(&format!("/api/me/passkeys/{id}"), &Value::Null).await.status, 200);
    assert_eq!(stranger.finish_login(&begun).await.refusal(), (401, "invalidCredential"));
    assert_eq!(Person::at(&app).sign_in_with(&mut key).await.refusal(), (401, "invalidCredential"));
}

#[tokio::test]
async fn one_address_asks_thirty_times_a_minute() {
    let app = TestApp::with_variables(LIMITED).await;
    let stranger = Person::at(&app);
    for number in 0..30 {
        let path = if number % 2 == 0 { START } else { FINISH };
        assert_ne!(stranger.post(path, &json!({ "credential": {} })).await.status, 429, "{number}");
    }
    let response = stranger.post(FINISH, &json!({ "credential": {} })).await;
    assert_eq!((response.refusal(), response.headers.contains_key("retry-after")), ((429, "rateLimited"), true));
    app.clock.advance(SignedDuration::from_mins(1));
    assert_eq!(stranger.post(START, &json!({})).await.status, 200);
}

#[tokio::test]
async fn pages_of_other_hosts_of_the_domain_are_accepted_when_configured() {
    let more = [("APP_WEBAUTHN_ORIGINS", "http://app.localhost:3000"), ("APP_NAME", "Example")];
    let app = TestApp::with_variables(&[FREE, &more].concat()).await;
    let ann = Person::signed_in(&app, ANN).await;
    assert_eq!(ann.options("/api/webauthn/register/start").await["rp"], json!({ "name": "Example", "id": "localhost" }));
    let mut key = SoftKey::at("http://app.localhost:3000");
    assert_eq!(ann.add_passkey(&mut key).await.status, 200);
    key.origin = app.url("").replace("127.0.0.1", "localhost");
    assert_eq!(ann.sign_in_with(&mut key).await.status, 200, "and this machine by its name");
    key.origin = "http://other.localhost:3000".to_owned();
    assert_eq!(ann.sign_in_with(&mut key).await.status, 401);
}
