//! Recent proofs: what a stranger at an open browser must not do is refused to a session that neither signed
//! in nor proved itself a short while ago.

use super::{FREE, LIMITED, signed_in, totp};
use support::prelude::*;

const ADMIN: &str = "admin@example.org";
const ANN: &str = "ann@example.org";
/// `APP_REAUTH_SECONDS`, and a second more.
const TOO_LONG: SignedDuration = SignedDuration::from_secs(901);

/// The acts of administrators: with the path of a person, if it is about one, and a body that is right.
const OF_ADMINISTRATORS: [(&str, &str, &str); 17] = [
    ("PATCH", "/api/admin/users/{id}", r#"{"isAdmin":true}"#),
    ("PATCH", "/api/admin/users/{id}", r#"{"emailVerified":false}"#),
    ("POST", "/api/admin/users", r#"{"email":"eve@example.org","firstName":"Eve","passwordMode":"invite","isAdmin":true}"#),
    ("GET", "/api/admin/users/{id}/export", ""),
    ("POST", "/api/admin/users/{id}/reset-two-factor", ""),
    ("POST", "/api/admin/users/{id}/suspend", ""),
    ("POST", "/api/admin/users/{id}/unsuspend", ""),
    ("POST", "/api/admin/users/{id}/force-logout", ""),
    ("POST", "/api/admin/roles/rekey", r#"{"from":"old","to":"web"}"#),
    ("POST", "/api/admin/keys/rotate", r#"{"compromised":true}"#),
    ("POST", "/api/admin/audit-logs/anonymize-orphans", ""),
    ("GET", "/api/admin/clients/web/secret", ""),
    ("POST", "/api/admin/users/{id}/invite-link", ""),
    ("POST", "/api/admin/users/{id}/reset-link", ""),
    ("DELETE", "/api/admin/tokens/management/1", ""),
    ("DELETE", "/api/admin/users/{id}", ""),
    ("POST", "/api/admin/force-logout-all", r#"{"scope":"non_admins"}"#),
];
/// The same of a person, about their own account.
const OF_EVERYBODY: [(&str, &str, &str); 6] = [
    ("POST", "/api/webauthn/register/start", "{}"),
    ("POST", "/api/webauthn/register/finish", "{}"),
    ("POST", "/api/me/totp/start", ""),
    ("POST", "/api/me/totp/confirm", "{}"),
    ("POST", "/api/me/totp/backup-codes", ""),
    ("DELETE", "/api/me/passkeys/00000000-0000-0000-0000-000000000000", ""),
];

const CLIENT: &str = r#"[{"clientId":"web","redirectUris":["https://a.example/cb"],"roles":["editor"]}]"#;

/// An administrator and Ann, both signed in.
async fn people(app: &TestApp) -> (Person, Person) {
    (Person::signed_in(app, ADMIN).await, Person::signed_in(app, ANN).await)
}

async fn server() -> TestApp {
    TestApp::with_variables(&[FREE, &[("APP_OIDC_CLIENTS_JSON", CLIENT)]].concat()).await
}

/// Sends a body as it is; none when it is empty.
async fn send_act(person: &Person, (method, path, body): (&str, &str, &str)) -> Response {
    let request = person.browser.request(method.parse().unwrap(), person.url(path)).header("x-csrf-token", person.csrf().await);
    let request = if body.is_empty() { request } else { request.header("content-type", "application/json").body(body.to_owned()) };
    request.answer().await
}

async fn prove(person: &Person, body: &Value) -> Response {
    person.post("/api/me/reauthenticate", body).await
}

/// The methods that a refusal names.
fn methods(refused: &Response) -> String {
    assert_eq!(refused.refusal(), (403, "proofRequired"), "{}", refused.body);
    let details = refused.body["details"].as_array().into_iter().flatten();
    details
        .map(|detail| format!("{}:{}", detail["field"].as_str().unwrap(), detail["code"].as_str().unwrap()))
        .collect::<Vec<_>>()
        .join(" ")
}

/// What none of the acts may have changed.
async fn state(app: &TestApp) -> i64 {
    let all = "select hashtext(string_agg(users::text, ',' order by id) || (select count(*) from account_audit)
                   || (select count(*) from signing_keys) || (select count(*) from one_time))::bigint from users";
    app.count(all).await
}

#[tokio::test]
async fn every_act_needs_a_proof_that_is_recent() {
    let app = server().await;
    let (admin, ann) = people(&app).await;
    let id = ann.get("/api/me").await.body["id"].as_str().unwrap().to_owned();
    let path = |template: &str| template.replace("{id}", &id);
    app.clock.advance(TOO_LONG);
    let before = state(&app).await;
    for (method, template, body) in OF_ADMINISTRATORS {
        assert_eq!(methods(&send_act(&admin, (method, &path(template), body)).await), "method:password", "{method} {template}");
    }
    for act in OF_EVERYBODY {
        assert_eq!(methods(&send_act(&ann, act).await), "method:password", "{act:?}");
    }
    assert_eq!(state(&app).await, before, "nothing was changed");

    assert_eq!(prove(&admin, &json!({ "password": PASSWORD })).await.status, 200);
    assert_eq!(prove(&ann, &json!({ "password": PASSWORD })).await.status, 200);
    for act in OF_EVERYBODY {
        assert_ne!(send_act(&ann, act).await.refusal(), (403, "proofRequired"), "{act:?}");
    }
    for (method, template, body) in OF_ADMINISTRATORS {
        let response = send_act(&admin, (method, &path(template), body)).await;
        assert!(response.refusal() != (403, "proofRequired") && response.status < 500, "{method} {template} {}", response.body);
    }
}

#[tokio::test]
async fn the_proof_is_asked_for_after_the_csrf_token_and_before_the_body_is_read() {
    let app = server().await;
    let (admin, ann) = people(&app).await;
    let id = ann.get("/api/me").await.body["id"].as_str().unwrap().to_owned();
    app.clock.advance(TOO_LONG);
    let suspend = format!("/api/admin/users/{id}/suspend");
    let without = admin.browser.post(app.url(&suspend)).body("{").send().await.unwrap();
    assert_eq!(Response::of(without).await.refusal(), (403, "csrfInvalid"));
    assert_eq!(send_act(&admin, ("POST", &suspend, "{")).await.refusal(), (403, "proofRequired"));
    assert_eq!(
        send_act(&ann, ("POST", &suspend, "{")).await.refusal(),
        (403, "forbidden"),
        "who may not do it at all is not asked to prove"
    );
    assert_eq!(Person::at(&app).get("/api/admin/clients/web/secret").await.refusal(), (401, "unauthorized"));
}

#[tokio::test]
async fn only_what_gives_or_takes_a_right_needs_one() {
    let app = server().await;
    let (admin, ann) = people(&app).await;
    let user = format!("/api/admin/users/{}", ann.get("/api/me").await.body["id"].as_str().unwrap());
    app.clock.advance(TOO_LONG);
    let read = admin.get(&user).await.body;
    assert_eq!(admin.patch(&user, &read).await.status, 200, "what was read is sent back");
    assert_eq!(admin.patch(&user, &json!({ "firstName": "Anna", "isAdmin": null })).await.status, 200);
    for change in [json!({ "isAdmin": true }), json!({ "isAdmin": "true" }), json!({ "emailVerified": false, "firstName": "Eve" })]
    {
        assert_eq!(admin.patch(&user, &change).await.refusal(), (403, "proofRequired"), "{change}");
    }
    assert_eq!(admin.get(&user).await.body["firstName"], "Anna");
    let new = json!({ "email": "bob@example.org", "firstName": "Bob", "passwordMode": "invite", "isAdmin": false });
    assert_eq!(admin.post("/api/admin/users", &new).await.status, 201);
    assert_eq!(ann.patch("/api/me", &json!({ "firstName": "Ann" })).await.status, 200);
    assert_eq!(ann.post("/api/me/sessions/revoke-others", &json!({})).await.status, 200);
}

#[tokio::test]
async fn a_session_proves_itself_and_stays_what_it_was() {
    let app = server().await;
    let (_, ann) = people(&app).await;
    let sessions = "select count(*) from sessions where auth_at = created_at and proved_at > auth_at";
    app.clock.advance(TOO_LONG);
    for (body, refusal) in [
        (json!({}), (400, "validation")),
        (json!({ "password": PASSWORD, "credential": {} }), (400, "validation")),
        (json!({ "pasword": PASSWORD }), (400, "validation")),
        (json!({ "password": "not the harbour" }), (403, "invalidPassword")),
        (json!({ "challenge": "x", "credential": {} }), (403, "invalidAssertion")),
    ] {
        assert_eq!(prove(&ann, &body).await.refusal(), refusal, "{body}");
    }
    assert_eq!(app.count(sessions).await, 0);
    assert_eq!(send_act(&ann, OF_EVERYBODY[2]).await.refusal(), (403, "proofRequired"));

    let proved = prove(&ann, &json!({ "password": PASSWORD })).await;
    let until = app.clock.now() + SignedDuration::from_mins(15);
    assert_eq!(
        (proved.status, &proved.body["provedUntil"]),
        (200, &json!(until.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string())),
        "{}",
        proved.body
    );
    assert_eq!(app.count(sessions).await, 1, "and when the person signed in stays");
    assert_eq!(send_act(&ann, OF_EVERYBODY[2]).await.status, 200);
    app.clock.advance(SignedDuration::from_secs(900));
    assert_eq!(send_act(&ann, OF_EVERYBODY[2]).await.status, 200, "to the end of the fifteen minutes");
    app.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(send_act(&ann, OF_EVERYBODY[2]).await.refusal(), (403, "proofRequired"));
    let recorded = "select count(*) from account_audit where event = 'auth.proof' and status = ";
    assert_eq!(app.count(&format!("{recorded} 'success'")).await, 1);
    assert_eq!(app.count(&format!("{recorded} 'failure'")).await, 2, "a wrong password, and a passkey that is none");
    let elsewhere = Person::elsewhere(&app, ANN).await;
    assert_eq!(send_act(&elsewhere, OF_EVERYBODY[2]).await.status, 200, "who has just signed in has proved it");
}

#[tokio::test]
async fn a_wrong_proof_counts_as_a_failed_sign_in() {
    let app = TestApp::with_variables(LIMITED).await;
    let ann = Person::signed_in(&app, ANN).await;
    app.clock.advance(TOO_LONG);
    for _ in 0..5 {
        assert_eq!(prove(&ann, &json!({ "password": "not the harbour" })).await.refusal(), (403, "invalidPassword"));
    }
    assert_eq!(prove(&ann, &json!({ "password": PASSWORD })).await.refusal(), (429, "rateLimited"));
}

#[tokio::test]
async fn a_passkey_proves_where_there_is_no_password_and_one_that_the_session_made_does_not() {
    let (app, ann) = signed_in().await;
    let mut key = SoftKey::at(&app.url(""));
    assert_eq!(ann.add_passkey(&mut key).await.status, 200);
    app.clock.advance(TOO_LONG);
    let options = ann.post("/api/me/password-reauth", &json!({})).await.body["options"].clone();
    let proof = json!({ "challenge": options["challenge"], "credential": key.get(&options) });
    assert_eq!(methods(&send_act(&ann, OF_EVERYBODY[2]).await), "method:password method:passkey");
    assert_eq!(prove(&ann, &proof).await.status, 200);
    assert_eq!(prove(&ann, &proof).await.refusal(), (403, "invalidAssertion"), "once");
    assert_eq!(send_act(&ann, OF_EVERYBODY[2]).await.status, 200);
    assert_eq!(ann.delete("/api/me/password", &json!({ "password": PASSWORD })).await.status, 200);
    app.clock.advance(TOO_LONG);
    assert_eq!(methods(&send_act(&ann, OF_EVERYBODY[2]).await), "method:passkey");
    assert_eq!(prove(&ann, &json!({ "password": PASSWORD })).await.refusal(), (403, "invalidPassword"));
    app.sql("update passkeys set created_at = created_at + interval '10 minutes'").await;
    let refused = send_act(&ann, OF_EVERYBODY[2]).await;
    assert_eq!(methods(&refused), "");
    assert!(refused.body["message"].as_str().unwrap().contains("sign in again"), "{}", refused.body);
}

#[tokio::test]
async fn a_body_that_proves_needs_no_other_proof() {
    let (app, ann) = signed_in().await;
    let mut key = SoftKey::at(&app.url(""));
    assert_eq!(ann.add_passkey(&mut key).await.status, 200);
    let passkey = format!("/api/me/passkeys/{}", ann.get("/api/me/passkeys").await.body["passkeys"][0]["id"].as_str().unwrap());
    let waiting = totp::start(&ann).await;
    app.clock.advance(TOO_LONG);
    // The code of an app that the person at the browser has made is none; nor is what is not checked, because
    // no app is in use.
    let code = waiting.code(app.clock.now());
    for body in
        [json!({ "code": code }), json!({ "code": code, "currentCode": "123456" }), json!({ "code": code, "password": "x" })]
    {
        assert_eq!(ann.post("/api/me/totp/confirm", &body).await.refusal(), (403, "proofRequired"), "{body}");
    }
    assert_eq!(prove(&ann, &json!({ "password": PASSWORD })).await.status, 200);
    let (app_in_use, _) = totp::enrol(&app, &ann).await;
    let next = totp::start(&ann).await;
    app.clock.advance(TOO_LONG);
    let at = app.clock.now();
    ann.post("/api/me/totp/confirm", &json!({ "code": next.code(at), "currentCode": app_in_use.code(at) })).await.expect(200);
    app.clock.advance(SignedDuration::from_secs(30));
    ann.post("/api/me/totp/backup-codes", &json!({ "code": next.code(app.clock.now()) })).await.expect(200);

    assert_eq!(ann.delete(&passkey, &json!({})).await.refusal(), (403, "proofRequired"));
    assert_eq!(ann.delete(&passkey, &json!({ "password": "not the harbour" })).await.refusal(), (403, "invalidPassword"));
    assert_eq!(ann.delete(&passkey, &json!({ "password": PASSWORD })).await.status, 200);
    app.clock.advance(TOO_LONG);
    assert_eq!(ann.post("/api/me/email", &json!({ "newEmail": "anna@example.org", "password": PASSWORD })).await.status, 200);
}

#[tokio::test]
async fn zero_seconds_turn_it_off() {
    let app = TestApp::with_variables(&[FREE, &[("APP_REAUTH_SECONDS", "0")]].concat()).await;
    let (admin, ann) = people(&app).await;
    let user = format!("/api/admin/users/{}", ann.get("/api/me").await.body["id"].as_str().unwrap());
    app.clock.advance(SignedDuration::from_hours(11));
    assert_eq!(send_act(&ann, OF_EVERYBODY[2]).await.status, 200);
    assert_eq!(admin.send(Method::POST, &format!("{user}/suspend"), &json!({})).await.status, 200);
    let proved = prove(&admin, &json!({ "password": PASSWORD })).await;
    assert_eq!((proved.status, &proved.body["provedUntil"]), (200, &Value::Null));
}
