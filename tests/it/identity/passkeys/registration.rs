//! Registering passkeys.

use super::{ANN, SoftKey, ann_with_a_passkey, app, audit_entries, come_back, signed_in};
use crate::identity::get_with_cookies;
use support::{Forgery, prelude::*};

const START: &str = "/api/webauthn/register/start";
const FINISH: &str = "/api/webauthn/register/finish";

#[tokio::test]
async fn a_browser_is_asked_for_a_passkey_that_is_found_without_a_name() {
    let (app, ann) = signed_in().await;
    let mut options = ann.options(START).await;
    let challenge = options["challenge"].take();
    assert_eq!(challenge.as_str().unwrap().len(), 43);
    let handle = options["user"]["id"].take();
    assert_eq!(handle.as_str().unwrap().len(), 43);
    let algorithms: Vec<Value> = [-7, -35, -257].iter().map(|value| json!({ "type": "public-key", "alg": value })).collect();
    assert_eq!(
        options,
        json!({
            "rp": { "name": "Lectern", "id": "localhost" },
            "user": { "id": null, "name": ANN, "displayName": "Ann Bee" },
            "challenge": null,
            "pubKeyCredParams": algorithms,
            "timeout": 300_000,
            "excludeCredentials": [],
            "authenticatorSelection": { "residentKey": "required", "requireResidentKey": true, "userVerification": "required" },
            "hints": [],
            "attestation": "none",
            "extensions": { "credProps": true },
        })
    );
    assert_eq!(app.count("select count(*) from one_time where kind = 'passkeyRegistration'").await, 1);
    let stored = "select count(*) from one_time where payload::text || encode(hash, 'escape') like";
    assert_eq!(app.count(&format!("{stored} '%{}%'", challenge.as_str().unwrap())).await, 0, "of a challenge only a hash is kept");
}

/// The user handle of an account.
async fn handle(person: &Person) -> Vec<u8> {
    let options = person.options(START).await;
    base64::Engine::decode(&base64::prelude::BASE64_URL_SAFE_NO_PAD, options["user"]["id"].as_str().unwrap()).unwrap()
}

#[tokio::test]
async fn an_account_has_one_random_handle_for_ever() {
    let app = Arc::new(app().await);
    let ann = Arc::new(Person::signed_in(&app, ANN).await);
    let handles = join_all((0..10).map(async |_| handle(&ann).await)).await;
    let own = &handles[0];
    assert!(handles.iter().all(|handle| handle == own), "every concurrent request gets the same handle");
    assert_eq!(own.len(), 32);
    let id: uuid::Uuid = ann.get("/api/me").await.body["id"].as_str().unwrap().parse().unwrap();
    let derived = [id.as_bytes().to_vec(), id.to_string().into_bytes(), ANN.as_bytes().to_vec()];
    for text in derived {
        assert!(!own.windows(4).any(|own| text.windows(4).any(|part| part == own)), "it tells nothing of the account");
        assert_ne!(*own, aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, &text).as_ref());
    }

    let mut key = SoftKey::at(&app.url(""));
    assert_eq!(ann.add_passkey(&mut key).await.status, 200);
    assert_eq!((handle(&ann).await, &come_back(&ann, &app, &mut key).await), (own.clone(), &()), "of all of its passkeys");
    assert_ne!(handle(&Person::signed_in(&app, "bob@example.org").await).await, *own);
    let stored = format!("select count(*) from users where webauthn_handle = decode('{}', 'hex')", hex::encode(own));
    assert_eq!(app.count(&stored).await, 1);
}

#[tokio::test]
async fn a_passkey_is_added_and_told_of_without_its_key() {
    let (app, ann) = signed_in().await;
    let mut key = SoftKey::synced(&app.url(""));
    key.aaguid = uuid::uuid!("ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4").into_bytes();
    let response = ann.add_passkey(&mut key).await.expect(200);
    let id = response["passkey"]["id"].clone();
    let passkey = json!({
        "id": id, "name": "Google Password Manager", "deviceType": "multiDevice", "backedUp": true, "transports": ["nfc", "usb"],
        "aaguid": "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4", "createdAt": "2026-03-01T12:00:00.000Z", "lastUsedAt": null,
    });
    assert_eq!(response, json!({ "verified": true, "passkey": passkey }));
    assert_eq!(ann.passkeys().await, [passkey]);
    assert_eq!(ann.get("/api/me").await.body["passkeyCount"], 1);
    assert_eq!(audit_entries(&app, "auth.passkey.added", "success").await, 1);

    let mut card = SoftKey::at(&app.url(""));
    let response = ann.add_passkey(&mut card).await;
    let passkey = &response.body["passkey"];
    assert_eq!(
        (&passkey["name"], &passkey["deviceType"], &passkey["backedUp"], &passkey["aaguid"]),
        (&json!("Passkey 2"), &json!("singleDevice"), &json!(false), &Value::Null)
    );
    let known = ann.options(START).await["excludeCredentials"].as_array().unwrap().clone();
    assert_eq!((known.len(), &known[1]["transports"]), (2, &json!(["nfc", "usb"])), "neither is made once more");
}

#[tokio::test]
async fn a_name_can_be_given_before_or_after() {
    let (app, ann) = signed_in().await;
    let mut key = SoftKey::at(&app.url(""));
    for (before, after, name) in
        [("SpaceFixture", None, "SpaceFixture"), ("SpaceFixture", Some(" Bag "), "Bag"), ("", Some(" "), "Passkey 3")]
    {
        let started = ann.post(START, &json!({ "name": before })).await.body;
        let credential = key.create(&started["options"]);
        let response = ann.post(FINISH, &json!({ "credential": credential, "name": after })).await;
        assert_eq!(response.body["passkey"]["name"], name, "{}", response.body);
    }
    for path in [START, FINISH] {
        assert_eq!(ann.post(path, &json!({ "name": "a\u{202e}b" })).await.refusal(), (400, "validation"), "{path}");
    }
    let silent = ann.request(Method::POST, START).await.send().await.unwrap();
    assert_eq!(silent.status(), 200, "nothing need be said");
}

#[tokio::test]
async fn a_registration_is_finished_once_in_time_and_by_the_session_that_started_it() {
    let (app, ann, mut key) = ann_with_a_passkey().await;
    let finish = async |person: &Person, credential: &Value, challenge: Value| {
        person.post(FINISH, &json!({ "credential": credential, "challenge": challenge })).await
    };
    let expired = (400, "challengeExpired");

    let options = ann.options(START).await;
    let credential = key.create(&options);
    assert_eq!(finish(&ann, &credential, json!("another")).await.refusal(), expired);
    assert_eq!(finish(&ann, &credential, options["challenge"].clone()).await.refusal(), expired, "that was the only try");

    let options = ann.options(START).await;
    let credential = key.create(&options);
    assert_eq!(finish(&ann, &json!({ "id": 7 }), options["challenge"].clone()).await.refusal(), (400, "invalidAttestation"));
    assert_eq!(finish(&ann, &credential, Value::Null).await.refusal(), expired, "and so was that");

    let options = ann.options(START).await;
    let credential = key.create(&options);
    assert_eq!(finish(&ann, &credential, options["challenge"].clone()).await.status, 200);
    assert_eq!(finish(&ann, &credential, options["challenge"].clone()).await.refusal(), expired, "twice");

    let credential = key.create(&ann.options(START).await);
    app.clock.advance(SignedDuration::from_mins(5));
    assert_eq!(finish(&ann, &credential, Value::Null).await.refusal(), expired, "five minutes later");

    let elsewhere = Person::elsewhere(&app, ANN).await;
    let bob = Person::signed_in(&app, "bob@example.org").await;
    for other in [elsewhere, bob] {
        let credential = key.create(&ann.options(START).await);
        assert_eq!(finish(&other, &credential, Value::Null).await.refusal(), expired, "another session");
        assert_eq!(finish(&ann, &credential, Value::Null).await.refusal(), expired, "and the challenge is consumed");
    }
    assert_eq!(app.count("select count(*) from passkeys").await, 2);
}

#[tokio::test]
async fn of_fifty_concurrent_ends_of_one_registration_one_succeeds() {
    let app = Arc::new(app().await);
    let ann = Arc::new(Person::signed_in(&app, ANN).await);
    let credential = SoftKey::at(&app.url("")).create(&ann.options(START).await);
    let csrf = ann.csrf().await;
    let mut crowd = JoinSet::new();
    for _ in 0..50 {
        let (ann, csrf, body) = (ann.clone(), csrf.clone(), json!({ "credential": credential }));
        crowd.spawn(async move {
            let request = ann.browser.post(ann.url(FINISH)).header("x-csrf-token", csrf).json(&body);
            request.send().await.unwrap().status().as_u16()
        });
    }
    let mut statuses = crowd.join_all().await;
    statuses.sort_unstable();
    assert_eq!((statuses[0], &statuses[1..]), (200, &[400; 49][..]));
}

#[tokio::test]
async fn a_credential_that_exists_cannot_be_registered_again() {
    let (app, ann, mut key) = ann_with_a_passkey().await;
    let bob = Person::signed_in(&app, "bob@example.org").await;
    let taken = key.get(&ann.options("/api/webauthn/login/start").await)["id"].as_str().unwrap().to_owned();
    let taken = base64::Engine::decode(&base64::prelude::BASE64_URL_SAFE_NO_PAD, taken).unwrap();
    let mut thief = SoftKey::at(&app.url(""));
    let credential = thief.create_forged(&bob.options(START).await, |told| told.id.clone_from(&taken));
    let response = bob.post(FINISH, &json!({ "credential": credential })).await;
    assert_eq!(response.refusal(), (409, "credentialExists"));
    let once_more = thief.create_forged(&ann.options(START).await, |told| told.id.clone_from(&taken));
    let response = ann.post(FINISH, &json!({ "credential": once_more })).await;
    assert_eq!(response.refusal(), (409, "credentialExists"), "nor made anew by its owner");
    assert_eq!(ann.passkeys().await.len(), 1);
    assert_eq!(bob.passkeys().await, [] as [Value; 0]);
    assert_eq!(Person::at(&app).sign_in_with(&mut thief).await.status, 401, "neither as Bob nor as Ann");
    assert_eq!(Person::at(&app).sign_in_with(&mut key).await.status, 200, "and Ann's is still hers");
}

#[tokio::test]
async fn pages_of_other_origins_make_no_passkey() {
    let (app, ann) = signed_in().await;
    let mut key = SoftKey::at(&app.url(""));
    let own = app.url("").replace("127.0.0.1", "localhost");
    let port = own.rsplit_once(':').unwrap().1.to_owned();
    for origin in [
        "https://evil.example".to_owned(),
        format!("http://sub.localhost:{port}"),
        format!("https://localhost:{port}"),
        format!("HTTP+SSL://localhost:{port}"),
        "http://localhost:1".to_owned(),
        "http://localhost".to_owned(),
        format!("http://localhost.evil.example:{port}"),
        format!("{own}@evil.example"),
        "null".to_owned(),
        String::new(),
    ] {
        let options = ann.options(START).await;
        let credential = key.create_forged(&options, |told| told.client_data["origin"] = json!(origin));
        let response = ann.post(FINISH, &json!({ "credential": credential })).await;
        assert_eq!(response.refusal(), (400, "invalidAttestation"), "{origin}");
    }
    assert_eq!(ann.passkeys().await, [] as [Value; 0]);
    key.origin = own;
    assert_eq!(ann.add_passkey(&mut key).await.status, 200, "and the right one does");
}

/// Bytes that do not compress.
fn mixed(length: u32) -> Vec<u8> {
    (0..length).map(|value| value.wrapping_mul(2_654_435_761).to_le_bytes()[3]).collect()
}

#[tokio::test]
async fn what_is_not_right_is_not_added() {
    let (app, ann) = signed_in().await;
    let mut key = SoftKey::at(&app.url(""));
    let invalid = (400, "invalidAttestation");
    let lies: [(&str, Forgery); 11] = [
        ("no user presence", |told| told.flags &= !0x01),
        ("no user verification", |told| told.flags &= !0x04),
        ("backed up and cannot be", |told| told.flags |= 0x10),
        ("nothing attested", |told| told.flags &= !0x40),
        ("another domain", |told| told.rp_id = "evil.example".to_owned()),
        ("another page", |told| told.client_data["origin"] = json!("https://evil.example")),
        ("a frame", |told| told.client_data["crossOrigin"] = json!(true)),
        ("no id", |told| told.id.clear()),
        ("an id that is too long", |told| told.id = vec![7; 1024]),
        ("an id that no index holds", |told| told.id = mixed(3_000)),
        ("a frame by its other name", |told| told.client_data["topOrigin"] = json!("https://evil.example")),
    ];
    for (what, lie) in lies {
        let credential = key.create_forged(&ann.options(START).await, lie);
        assert_eq!(ann.post(FINISH, &json!({ "credential": credential })).await.refusal(), invalid, "{what}");
    }
    let longest = key.create_forged(&ann.options(START).await, |told| told.id = vec![7; 1023]);
    assert_eq!(ann.post(FINISH, &json!({ "credential": longest })).await.status, 200);
    let mut swapped = key.create(&ann.options(START).await);
    swapped["id"] = json!("AAAA");
    assert_eq!(ann.post(FINISH, &json!({ "credential": swapped })).await.refusal(), invalid);
    swapped["rawId"] = json!("AAAA");
    assert_eq!(ann.post(FINISH, &json!({ "credential": swapped })).await.status, 400);
    for (body, code) in [
        (json!({}), "validation"),
        (json!({ "credential": null }), "validation"),
        (json!({ "credential": "x" }), "invalidAttestation"),
        (json!({ "credential": { "id": "AAAA" } }), "invalidAttestation"),
    ] {
        assert_eq!(ann.post(FINISH, &body).await.refusal(), (400, code), "{body}");
    }
    assert_eq!(app.count("select count(*) from passkeys").await, 1, "the one whose id is as long as one may be");
}

#[tokio::test]
async fn twenty_are_enough() {
    let (app, ann, mut key) = ann_with_a_passkey().await;
    let begun = ann.options(START).await;
    more(&app, 19).await;
    assert_eq!(ann.post(START, &json!({})).await.refusal(), (409, "tooManyPasskeys"));
    let response = ann.post(FINISH, &json!({ "credential": key.create(&begun) })).await;
    assert_eq!(response.refusal(), (409, "tooManyPasskeys"), "whatever was begun before");
    assert_eq!(ann.passkeys().await.len(), 20);
}

/// Gives each account some passkeys that no authenticator has.
async fn more(app: &TestApp, number: i64) {
    app.sql(&format!(
            "insert into passkeys (id, user_id, credential_id, credential, sign_count, is_synced, is_backed_up, transports, name, created_at)
             select gen_random_uuid(), users.id, uuid_send(gen_random_uuid()), '{{}}', 0, false, false, '{{}}', 'Key', now()
             from users, generate_series(1, {number})"
        ),
    )
    .await;
}

#[tokio::test]
async fn registration_needs_a_session() {
    let (app, ann) = signed_in().await;
    for path in [START, FINISH] {
        assert_eq!(Person::at(&app).post(path, &json!({})).await.refusal(), (401, "unauthorized"), "{path}");
        let without = ann.browser.post(ann.url(path)).json(&json!({})).send().await.unwrap();
        assert_eq!(without.status(), 403, "{path}");
    }
    assert_eq!(get_with_cookies(&app, START, "").await.status, 405);
}
