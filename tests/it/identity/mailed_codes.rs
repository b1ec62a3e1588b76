//! Codes that are mailed at login, and the mail about a new browser. The mail server is down, so every mail
//! waits in the outbox, sealed, and the tests open it with the key.

use super::{FREE, LIMITED, totp::enrol};
use aws_lc_rs::{
    digest::{SHA1_FOR_LEGACY_USE_ONLY, SHA256, SHA512, digest},
    hmac,
};
use crypto::{keys::Keys, seal::Seal};
use domain::{
    identity::mail::{MailContent, NoticeKind, StoredMail},
    shared::MailId,
};
use support::prelude::*;

const ANN: &str = "ann@example.org";
/// Mail is on, and the server cannot be reached, so mails stay in the outbox.
pub(super) const MAIL: &[(&str, &str)] = &[
    ("APP_SMTP_HOST", "127.0.0.1"),
    // No server listens there.
    ("APP_SMTP_PORT", "1"),
    ("APP_SMTP_SECURITY", "none"),
    ("APP_SMTP_FROM", "Lectern <no-reply@example.org>"),
];

/// A server with this policy of mailed codes, and Ann's account.
async fn with_codes(how: &'static str) -> Arc<TestApp> {
    with_codes_at(FREE, how).await
}

/// As above, with or without rate limits.
async fn with_codes_at(limits: &[(&'static str, &'static str)], how: &'static str) -> Arc<TestApp> {
    let many_logins = ("APP_RATE_LIMIT_LOGIN_IP", "1000/min");
    let app = Arc::new(TestApp::with_variables(&[limits, MAIL, &[("APP_EMAIL_LOGIN_CODE", how), many_logins]].concat()).await);
    assert_eq!(Person::at(&app).register(ANN).await.status, 201);
    app.sql("update users set email_verified = true").await;
    app
}

/// Reads the mails in the outbox, each once.
#[derive(Default)]
struct MailReader(BTreeSet<Uuid>);

impl MailReader {
    /// The mails of these two kinds that came since the last call.
    async fn take(&mut self, app: &TestApp) -> Vec<MailContent> {
        let seal = Seal::new(Keys::new(vec![7; 32].into()).derive(StoredMail::KEY_LABEL));
        let rows = app.rows("select id, sealed from mails where template in ('loginCode', 'newLogin')", &[]).await;
        let mut mails = Vec::new();
        for row in rows {
            let id: Uuid = row.get("id");
            if self.0.insert(id) {
                let opened = seal.open(&StoredMail::seal_context(MailId(id)), row.get("sealed")).unwrap();
                let mail = StoredMail::from_bytes(opened.expose_secret()).unwrap();
                assert_eq!(mail.to.as_str(), ANN);
                mails.push(mail.content);
            }
        }
        mails
    }

    /// The code in the only mail that came.
    async fn code(&mut self, app: &TestApp) -> String {
        match self.take(app).await.as_slice() {
            [MailContent::LoginCode { code }] => code.clone(),
            other => panic!("{other:?}"),
        }
    }
}

/// The hashes of a text without a key, in hexadecimal: they must not be in the database.
fn unkeyed(text: &str) -> [String; 4] {
    let plain = [&SHA1_FOR_LEGACY_USE_ONLY, &SHA256, &SHA512].map(|value| hex::encode(digest(value, text.as_bytes())));
    let [sha1, sha256, sha512] = plain;
    // An HMAC with a public key counts as one without a key.
    let known = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &[0; 32]), text.as_bytes());
    [sha1, sha256, sha512, hex::encode(known)]
}

async fn verify(person: &Person, body: Value) -> Response {
    person.post("/api/auth/verify-login-code", &body).await
}

/// The code of an earlier login is void: by the next login that is mailed one, and by one that needs none.
#[tokio::test]
async fn only_the_newest_code_of_an_account_finishes_a_login() {
    let app = with_codes("suspicious").await;
    let called = |name: &str| Person::with_browser(&app, name);
    let (ann, mut mails) = (called("Firefox/143.0 (X11; Linux)"), MailReader::default());
    assert_eq!(ann.login(ANN, PASSWORD).await.body["user"]["email"], ANN, "the first browser is not strange");
    let (first, second) = (called("Chrome/141.0 (Windows NT 10.0)"), called("Firefox/143.0 (Windows NT 10.0)"));
    assert_eq!(first.login(ANN, PASSWORD).await.body["method"], "email");
    let old = mails.code(&app).await;
    assert_eq!(second.login(ANN, PASSWORD).await.body["method"], "email");
    let new = mails.code(&app).await;
    assert_eq!(verify(&first, json!({ "code": old })).await.refusal(), (401, "challengeExpired"));
    assert_eq!(verify(&first, json!({ "code": new })).await.refusal(), (401, "challengeExpired"));
    assert_eq!(verify(&second, json!({ "code": new })).await.status, 200);
    mails.take(&app).await;

    assert_eq!(first.login(ANN, PASSWORD).await.body["method"], "email");
    let waiting = mails.code(&app).await;
    assert_eq!(ann.login(ANN, PASSWORD).await.body["user"]["email"], ANN);
    assert_eq!(verify(&first, json!({ "code": waiting })).await.refusal(), (401, "challengeExpired"));
}

#[tokio::test]
async fn a_code_is_mailed_and_finishes_the_login() {
    let app = with_codes("always").await;
    let (ann, mut mails) = (Person::at(&app), MailReader::default());
    let response = ann.login(ANN, PASSWORD).await;
    let token = response.body["loginToken"].clone();
    let expected = json!({
        "twoFactorRequired": true, "method": "email", "methods": ["email"], "loginToken": token, "emailHint": "a***@example.org",
        "expiresAt": "2026-03-01T12:10:00.000Z", "resendAfter": 30,
    });
    assert_eq!((response.status, &response.body), (200, &expected));
    assert_eq!((response.cookie("session"), response.cookie("login_pending").as_deref()), (None, token.as_str()));
    let code = mails.code(&app).await;
    assert!(code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit()), "{code}");

    let wrong = if code == "000000" { "000001" } else { "000000" };
    let response = verify(&ann, json!({ "code": wrong })).await;
    assert_eq!((response.refusal(), &response.body["details"][0]["message"]), ((401, "invalidCode"), &json!("4")));
    assert_eq!(ann.post("/api/auth/verify-totp", &json!({ "code": code })).await.refusal(), (401, "challengeExpired"));
    let response = verify(&ann, json!({ "code": format!("{} {}", &code[..3], &code[3..]) })).await;
    assert_eq!((response.status, &response.body["user"]), (200, &ann.get("/api/me").await.body), "{}", response.body);
    assert_eq!(verify(&ann, json!({ "code": code, "loginToken": token })).await.refusal(), (401, "challengeExpired"), "once");
    assert_eq!(app.count("select count(*) from sessions where amr = '{pwd,otp,mfa}'").await, 1);
    assert!(mails.take(&app).await.is_empty(), "the first sign-in is not notified");
}

#[tokio::test]
async fn another_code_takes_the_place_of_the_first_and_gives_no_more_guesses() {
    let app = with_codes("always").await;
    let (ann, mut mails) = (Person::at(&app), MailReader::default());
    ann.login(ANN, PASSWORD).await;
    let first = mails.code(&app).await;
    let resend = async || ann.post("/api/auth/resend-login-code", &json!({})).await;
    let early = resend().await;
    assert_eq!((early.refusal(), &early.body["retryAfter"]), ((429, "rateLimited"), &json!(30)));
    let mut newest = first.clone();
    for _ in 0..3 {
        app.clock.advance(SignedDuration::from_secs(30));
        // The cookie identifies the login; the body needs no token.
        let request = ann.request(Method::POST, "/api/auth/resend-login-code").await;
        let response = request.answer().await;
        assert_eq!((response.status, &response.body["resendAfter"]), (200, &json!(30)), "{}", response.body);
        newest = mails.code(&app).await;
    }
    app.clock.advance(SignedDuration::from_secs(30));
    assert_eq!(resend().await.refusal(), (429, "rateLimited"), "three are enough");
    if first != newest {
        assert_eq!(verify(&ann, json!({ "code": first })).await.refusal(), (401, "invalidCode"), "it holds no more");
    }
    let left = app.count("select attempts_left::bigint from one_time where kind = 'pendingLogin'").await;
    assert_eq!(left, if first == newest { 5 } else { 4 });
    assert_eq!(verify(&ann, json!({ "code": newest })).await.status, 200);
}

#[tokio::test]
async fn each_code_lives_for_ten_minutes_of_its_own() {
    let app = with_codes("always").await;
    let (ann, mut mails) = (Person::at(&app), MailReader::default());
    ann.login(ANN, PASSWORD).await;
    mails.code(&app).await;
    app.clock.advance(SignedDuration::from_secs(9 * 60 + 59));
    let response = ann.post("/api/auth/resend-login-code", &json!({})).await;
    assert_eq!(response.status, 200, "{}", response.body);
    let line = response.headers.get_all("set-cookie").iter().find(|g| g.to_str().unwrap().starts_with("login_pending="));
    assert!(line.unwrap().to_str().unwrap().ends_with("; Max-Age=600"), "the browser keeps what names the login as long");
    let code = mails.code(&app).await;
    app.clock.advance(SignedDuration::from_secs(10 * 60 - 1));
    assert_eq!(verify(&ann, json!({ "code": code })).await.status, 200);
}

#[tokio::test]
async fn a_mailed_code_has_five_attempts_and_then_the_login_is_void() {
    let app = with_codes("always").await;
    let (ann, mut mails) = (Person::at(&app), MailReader::default());
    let token = ann.login(ANN, PASSWORD).await.body["loginToken"].clone();
    let code: u32 = mails.code(&app).await.parse().unwrap();
    let mut crowd = JoinSet::new();
    for guesser in 0..20 {
        let (app, token) = (app.clone(), token.clone());
        // Every number but the right one, each from an address of its own.
        let guesses = (1..=3).map(move |number| format!("{:06}", (code + guesser * 40_000 + number) % 1_000_000));
        crowd.spawn(async move {
            let (person, mut response) = (Person::at(&app), Vec::new());
            for guess in guesses {
                response.push(verify(&person, json!({ "code": guess, "loginToken": token })).await.refusal().1.to_owned());
            }
            response
        });
    }
    let response = crowd.join_all().await.concat();
    assert_eq!(response.iter().filter(|s| *s == "invalidCode").count(), 5, "{response:?}");
    assert_eq!(verify(&ann, json!({ "code": format!("{code:06}") })).await.refusal(), (429, "rateLimited"));
    assert_eq!(app.count("select count(*) from sessions").await, 0);
}

#[tokio::test]
async fn of_fifty_concurrent_uses_of_the_right_code_one_signs_in() {
    let app = with_codes("always").await;
    let (ann, mut mails) = (Person::at(&app), MailReader::default());
    let token = ann.login(ANN, PASSWORD).await.body["loginToken"].clone();
    let body = json!({ "code": mails.code(&app).await, "loginToken": token });
    let statuses = join_all((0..50).map(async |_| verify(&Person::at(&app), body.clone()).await.status)).await;
    assert_eq!(statuses.into_iter().filter(|status| *status == 200).count(), 1);
    assert_eq!(app.count("select count(*) from sessions").await, 1);
}

#[tokio::test]
async fn a_mailed_code_lives_for_ten_minutes_and_is_stored_as_a_keyed_hash() {
    let app = with_codes("always").await;
    let (ann, mut mails) = (Person::at(&app), MailReader::default());
    ann.login(ANN, PASSWORD).await;
    let code = mails.code(&app).await;
    let row = app.row("select id::text, payload::text from one_time where kind = 'pendingLogin'", &[]).await;
    let (id, payload): (&str, &str) = (row.get("id"), row.get("payload"));
    let user: String = app.value("select id::text from users").await;
    // Nor a hash over the code and another column of the row: a million tries would find the code.
    let owner = format!("login {id}");
    for beside in ["", id, &user, ANN, &owner, &format!("{}!{owner}", owner.len())] {
        for between in ["", "!", " ", ":", "\n", "\0"] {
            for text in [format!("{beside}{between}{code}"), format!("{code}{between}{beside}")] {
                for hash in unkeyed(&text) {
                    assert!(!payload.contains(&hash), "{text:?} in {payload}");
                }
            }
        }
    }
    assert!(payload.contains("\"hash\": \"") && !payload.contains(&code), "{payload}");
    app.clock.advance(SignedDuration::from_mins(10));
    assert_eq!(verify(&ann, json!({ "code": code })).await.refusal(), (401, "challengeExpired"));
    assert_eq!(ann.post("/api/auth/resend-login-code", &json!({})).await.refusal(), (401, "challengeExpired"));
}

#[tokio::test]
async fn a_suspicious_login_needs_a_code_and_the_owner_is_notified_of_the_new_browser() {
    let app = with_codes("suspicious").await;
    let called = |name: &str| Person::with_browser(&app, name);
    let (ann, mut mails) = (called("Firefox/143.0 (X11; Linux)"), MailReader::default());
    assert_eq!(ann.login(ANN, PASSWORD).await.body["user"]["email"], ANN, "the first one is not strange");
    assert_eq!(ann.login(ANN, PASSWORD).await.body["user"]["email"], ANN, "nor is the browser's second");

    let new = called("Chrome/141.0 (Windows NT 10.0)");
    assert_eq!(new.login(ANN, PASSWORD).await.body["method"], "email");
    let flags = "select count(*) from account_audit where event = 'auth.login.suspicious'";
    assert_eq!(app.count(flags).await, 1);
    let code = mails.code(&app).await;
    assert_eq!(verify(&new, json!({ "code": code })).await.status, 200);
    let told = mails.take(&app).await;
    let [MailContent::NewLogin { ip, device, sessions_link, reset_link, .. }] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!((ip.unwrap().to_string().as_str(), device.as_str()), ("127.0.0.1", "Chrome on Windows"));
    assert_eq!((sessions_link, reset_link), (&app.url("/account/sessions"), &app.url("/forgot-password")));
    assert_eq!(app.count("select count(*) from account_audit where event = 'auth.login.new_device'").await, 1);
    assert_eq!(app.count(flags).await, 1, "told once");
    assert_eq!(new.login(ANN, PASSWORD).await.body["user"]["email"], ANN, "it is known now");
    assert!(mails.take(&app).await.is_empty());
}

#[tokio::test]
async fn a_mailed_code_is_not_enough_once_there_is_an_app() {
    let app = with_codes("always").await;
    let (ann, mut mails) = (Person::at(&app), MailReader::default());
    ann.login(ANN, PASSWORD).await;
    let code = mails.code(&app).await;
    app.sql("insert into totp (user_id, secret, enabled_at) select id, 'x', now() from users").await;
    assert_eq!(verify(&ann, json!({ "code": code })).await.refusal(), (401, "challengeExpired"));
    assert_eq!(app.count("select count(*) from sessions").await, 0);
}

#[tokio::test]
async fn the_owner_is_notified_of_a_suspicious_sign_in_once() {
    let app = with_codes("off").await;
    let called = |name: &str| Person::with_browser(&app, name);
    let (ann, mut mails) = (called("Firefox/143.0 (X11; Linux)"), MailReader::default());
    ann.login(ANN, PASSWORD).await;
    let told = async |mails: &mut MailReader| -> Vec<String> {
        let device = |value| match value {
            MailContent::NewLogin { device, .. } => device,
            other => panic!("{other:?}"),
        };
        mails.take(&app).await.into_iter().map(device).collect()
    };
    for _ in 0..5 {
        ann.login(ANN, "not the harbour").await;
    }
    assert_eq!(ann.login(ANN, PASSWORD).await.status, 200);
    assert_eq!(told(&mut mails).await, ["Firefox on Linux"], "a known browser, after many failures");
    app.clock.advance(SignedDuration::from_hours(1));
    ann.login(ANN, PASSWORD).await;
    assert!(told(&mut mails).await.is_empty(), "nothing is strange");

    let (authenticator, codes) = enrol(&app, &ann).await;
    assert_eq!(told(&mut mails).await, ["Firefox on Linux"], "of the app");
    let new = called("Chrome/141.0 (Windows NT 10.0)");
    assert_eq!(new.login(ANN, PASSWORD).await.body["method"], "totp");
    assert_eq!(told(&mut mails).await, ["Chrome on Windows"], "the password is known to a stranger, who may never get the app");
    app.clock.advance(SignedDuration::from_secs(30));
    let show = async |person: &Person, code: &str| person.post("/api/auth/verify-totp", &json!({ "code": code })).await.status;
    assert_eq!(show(&new, &authenticator.code(app.clock.now())).await, 200);
    assert!(told(&mut mails).await.is_empty(), "told before");

    assert_eq!(ann.login(ANN, PASSWORD).await.body["method"], "totp");
    assert!(told(&mut mails).await.is_empty());
    assert_eq!(show(&ann, &codes[0]).await, 200);
    let told_of = mails.take(&app).await;
    let [MailContent::NewLogin { notice, .. }] = told_of.as_slice() else { panic!("{told_of:?}") };
    assert_eq!(*notice, NoticeKind::BackupCodeSignIn, "it is for a day that seldom comes");

    // The browser of the password is recognised, and the login is finished in another one.
    let token = ann.login(ANN, PASSWORD).await.body["loginToken"].clone();
    app.clock.advance(SignedDuration::from_secs(30));
    let body = json!({ "code": authenticator.code(app.clock.now()), "loginToken": token });
    assert_eq!(called("curl/8.5.0").post("/api/auth/verify-totp", &body).await.status, 200);
    assert_eq!(told(&mut mails).await, ["curl"]);
}

#[tokio::test]
async fn the_owner_is_notified_of_a_backup_code_that_removed_the_app() {
    let app = with_codes("off").await;
    let (ann, mut mails) = (Person::at(&app), MailReader::default());
    ann.login(ANN, PASSWORD).await;
    let used = "select count(*) from account_audit where event = 'auth.backup_code.used' and status = 'success'";
    let (authenticator, _) = enrol(&app, &ann).await;
    let code = authenticator.code(app.clock.now());
    assert_eq!(ann.delete("/api/me/totp", &json!({ "code": code })).await.status, 200);
    assert_eq!(app.count(used).await, 0);

    let (_, codes) = enrol(&app, &ann).await;
    mails.take(&app).await;
    assert_eq!(ann.delete("/api/me/totp", &json!({ "code": codes[0] })).await.status, 200);
    let told = mails.take(&app).await;
    let [MailContent::NewLogin { notice, .. }] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!((*notice, app.count(used).await), (NoticeKind::BackupCode, 1));
}

#[tokio::test]
async fn a_stranger_with_the_password_can_neither_flood_the_mailbox_nor_keep_codes_from_the_owner() {
    let app = with_codes_at(LIMITED, "always").await;
    let (ann, mut mails) = (Person::at(&app), MailReader::default());
    ann.login(ANN, PASSWORD).await;
    assert_eq!(verify(&ann, json!({ "code": mails.code(&app).await })).await.status, 200);
    for _ in 0..9 {
        assert_eq!(Person::at(&app).login(ANN, PASSWORD).await.status, 200);
    }
    assert_eq!(Person::at(&app).login(ANN, PASSWORD).await.refusal(), (429, "rateLimited"));
    assert_eq!(mails.take(&app).await.len(), 9);

    assert_eq!(ann.login(ANN, PASSWORD).await.body["method"], "email", "a browser that the account knows has a count of its own");
    mails.code(&app).await;
    app.clock.advance(SignedDuration::from_secs(30));
    assert_eq!(ann.post("/api/auth/resend-login-code", &json!({})).await.status, 200);
    mails.code(&app).await;
}

#[tokio::test]
async fn ten_wrong_codes_an_hour_are_checked_over_all_logins() {
    let app = with_codes_at(LIMITED, "always").await;
    let mut mails = MailReader::default();
    // A code that differs from the mailed one.
    let mut asked = async || {
        let stranger = Person::at(&app);
        assert_eq!(stranger.login(ANN, PASSWORD).await.status, 200);
        let code: u32 = mails.code(&app).await.parse().unwrap();
        (stranger, format!("{:06}", (code + 1) % 1_000_000), format!("{code:06}"))
    };
    for _ in 0..2 {
        let (stranger, wrong, _) = asked().await;
        for _ in 0..5 {
            assert_eq!(verify(&stranger, json!({ "code": wrong })).await.refusal(), (401, "invalidCode"));
        }
    }
    let (stranger, _, right) = asked().await;
    let response = verify(&stranger, json!({ "code": right })).await;
    assert_eq!((response.refusal(), &response.body["retryAfter"]), ((429, "rateLimited"), &json!(3600)));
    app.clock.advance(SignedDuration::from_mins(59));
    let (stranger, _, right) = asked().await;
    assert_eq!(verify(&stranger, json!({ "code": right })).await.refusal(), (429, "rateLimited"));
    app.clock.advance(SignedDuration::from_mins(1));
    assert_eq!(verify(&stranger, json!({ "code": right })).await.status, 200);
}
