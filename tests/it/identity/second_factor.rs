//! The steps from a correct password to a session, when a second factor is needed.

use super::{FREE, LIMITED, app, get_with_cookies, meanwhile, registered, signed_in, totp::enrol};
use support::{Authenticator, prelude::*};

const ANN: &str = "ann@example.org";
const STEP: SignedDuration = SignedDuration::from_secs(30);

/// A server, and Ann with an app and backup codes.
async fn with_an_app() -> (Arc<TestApp>, Authenticator, Vec<String>) {
    let app = Arc::new(app().await);
    let ann = Person::signed_in(&app, ANN).await;
    let (authenticator, codes) = enrol(&app, &ann).await;
    (app, authenticator, codes)
}

/// A person with a pending login, and its token.
async fn pending_login(app: &TestApp) -> (Person, String) {
    let person = Person::at(app);
    let response = person.login(ANN, PASSWORD).await;
    assert_eq!((response.status, &response.body["twoFactorRequired"]), (200, &json!(true)), "{}", response.body);
    (person, response.body["loginToken"].as_str().unwrap().to_owned())
}

async fn verify(person: &Person, token: &str, code: &str) -> Response {
    person.post("/api/auth/verify-totp", &json!({ "code": code, "loginToken": token })).await
}

#[tokio::test]
async fn a_login_asks_for_the_app_and_a_code_finishes_it() {
    let (app, authenticator, _) = with_an_app().await;
    let ann = Person::at(&app);
    let body = json!({ "email": ANN, "password": PASSWORD, "rememberMe": true });
    let response = ann.post("/api/auth/login", &body).await;
    let token = response.body["loginToken"].clone();
    let expected = json!({
        "twoFactorRequired": true, "method": "totp", "methods": ["totp", "backupCode"], "loginToken": token,
        "expiresAt": "2026-03-01T12:10:00.000Z",
    });
    assert_eq!((response.status, &response.body), (200, &expected));
    assert_eq!((response.cookie("session"), response.cookie("device")), (None, None));
    assert_eq!(response.cookie("login_pending").as_deref(), token.as_str());
    assert_eq!(ann.get("/api/me").await.status, 401);

    // The code that confirmed the app works once more right after it, because there is no other code yet. The
    // cookie alone identifies the login.
    let response = ann.post("/api/auth/verify-totp", &json!({ "code": authenticator.code(app.clock.now()) })).await;
    assert_eq!((response.status, response.cookie("login_pending").as_deref()), (200, Some("")), "{}", response.body);
    assert_eq!((response.body.as_object().unwrap().len(), &response.body["user"]), (2, &ann.get("/api/me").await.body));
    let kept = response.headers.get_all("set-cookie").iter().any(|g| g.to_str().unwrap().ends_with("; Max-Age=1209600"));
    assert!(kept, "remembered as it was asked at the password");
    assert_eq!(app.count("select count(*) from sessions where amr = '{pwd,otp,mfa}'").await, 1);
    assert_eq!(ann.post("/api/auth/logout", &json!({})).await.status, 200);
}

#[tokio::test]
async fn a_pending_login_is_no_session() {
    let (app, _, _) = with_an_app().await;
    let (_, token) = pending_login(&app).await;
    for cookies in [format!("session={token}"), format!("login_pending={token}"), format!("session={token}; login_pending={token}")]
    {
        assert_eq!(get_with_cookies(&app, "/api/me", &cookies).await.refusal(), (401, "unauthorized"), "{cookies}");
        assert_eq!(get_with_cookies(&app, "/api/me/totp", &cookies).await.status, 401);
    }
    let request = browser().get(app.url("/api/me")).bearer_auth(&token);
    assert_eq!(request.answer().await.status, 401);
    assert_eq!(app.count("select count(*) from sessions").await, 1, "the one of enrolling");
}

#[tokio::test]
async fn a_step_is_good_once_and_only_near_its_time() {
    let (app, authenticator, _) = with_an_app().await;
    app.clock.advance(STEP * 10);
    let now = app.clock.now();
    let (ann, token) = pending_login(&app).await;
    let digits = authenticator.code(now);
    let arabic: String = digits.chars().map(|c| char::from_u32(0x660 + c.to_digit(10).unwrap()).unwrap()).collect();
    for code in [authenticator.code_off(now, -2), authenticator.code_off(now, 2), arabic, format!("{digits}0")] {
        assert_eq!(verify(&ann, &token, &code).await.refusal(), (401, "invalidCode"), "{code}");
    }
    let spaced = format!(" {} {} ", &digits[..3], &digits[3..]);
    assert_eq!(verify(&ann, &token, &spaced).await.status, 200, "spaces are for the eye");
    let (again, token) = pending_login(&app).await;
    assert_eq!(verify(&again, &token, &digits).await.refusal(), (401, "invalidCode"), "used");
    assert_eq!(
        verify(&again, &token, &authenticator.code_off(now, -1)).await.refusal(),
        (401, "invalidCode"),
        "older than the used one"
    );
    assert_eq!(verify(&again, &token, &authenticator.code_off(now, 1)).await.status, 200, "a clock may go wrong by a step");
}

#[tokio::test]
async fn twenty_concurrent_guesses_get_five_attempts() {
    let (app, authenticator, _) = with_an_app().await;
    app.clock.advance(STEP);
    let (ann, token) = pending_login(&app).await;
    let right = authenticator.code(app.clock.now());
    let response = join_all((0..20_u32).map(async |guesser| {
        let person = Person::at(&app);
        let mut response = Vec::new();
        for number in 0..5 {
            let code = format!("{:06}", guesser * 50_000 + number);
            assert_ne!(code, right, "the test would be lucky");
            response.push(verify(&person, &token, &code).await.refusal().1.to_owned());
        }
        response
    }))
    .await
    .concat();
    assert_eq!(response.iter().filter(|s| *s == "invalidCode").count(), 5);
    assert_eq!(response.iter().filter(|s| *s == "rateLimited").count(), 95);
    let late = verify(&ann, &token, &right).await;
    assert_eq!((late.refusal(), late.headers["retry-after"].to_str().unwrap()), ((429, "rateLimited"), "600"));
    let (ann, token) = pending_login(&app).await;
    assert_eq!(verify(&ann, &token, &right).await.status, 200, "a new login has guesses of its own");
}

#[tokio::test]
async fn a_right_code_is_no_failure_while_it_is_checked() {
    let variables = [LIMITED, &[("APP_RATE_LIMIT_LOGIN_IP", "1000/min")]].concat();
    let app = Arc::new(TestApp::with(Setup { variables: &variables, pool: Some(8), ..Setup::default() }).await);
    let (authenticator, _) = enrol(&app, &Person::signed_in(&app, ANN).await).await;
    let (_, token) = pending_login(&app).await;
    // The account is locked, so that the codes stay under way.
    let mut session = app.connection().await;
    let tx = session.begin();
    tx.rows("select id from users for update", &[]).await.unwrap();
    let mut crowd = JoinSet::new();
    for _ in 0..6 {
        let (app, token, code) = (app.clone(), token.clone(), authenticator.code(app.clock.now()));
        crowd.spawn(async move { verify(&Person::at(&app), &token, &code).await });
    }
    let first = crowd.join_next().await.unwrap().unwrap();
    assert_eq!((first.refusal(), first.headers["retry-after"].to_str().unwrap()), ((429, "rateLimited"), "1"));
    tx.commit().await.unwrap();
    let statuses: Vec<u16> = crowd.join_all().await.iter().map(|response| response.status).collect();
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
}

#[tokio::test]
async fn a_wrong_guess_tells_how_many_are_left() {
    let (app, _, _) = with_an_app().await;
    let (ann, token) = pending_login(&app).await;
    for left in ["4", "3", "2", "1", "0"] {
        let response = verify(&ann, &token, "aaaaa-aaaaa").await;
        assert_eq!(response.refusal(), (401, "invalidCode"));
        assert_eq!(response.body["details"], json!([{ "field": "code", "code": "attemptsLeft", "message": left }]));
    }
    assert_eq!(app.count("select count(*) from account_audit where details ->> 'reason' = 'invalidCode'").await, 5);
}

#[tokio::test]
async fn wrong_codes_are_limited_over_all_logins_of_an_account() {
    let app = TestApp::with_variables(&[LIMITED, &[("APP_RATE_LIMIT_LOGIN_IP", "1000/min")]].concat()).await;
    let ann = Person::signed_in(&app, ANN).await;
    let (authenticator, _) = enrol(&app, &ann).await;
    app.clock.advance(STEP);
    for _ in 0..2 {
        let (stranger, token) = pending_login(&app).await;
        for _ in 0..5 {
            assert_eq!(verify(&stranger, &token, "000000").await.refusal(), (401, "invalidCode"));
        }
    }
    let (stranger, token) = pending_login(&app).await;
    let response = verify(&stranger, &token, &authenticator.code(app.clock.now())).await;
    assert_eq!((response.refusal(), &response.body["retryAfter"]), ((429, "rateLimited"), &json!(60)));

    // Ann's own browser is recognised, so its attempts are counted apart and it is not locked out.
    let token = ann.login(ANN, PASSWORD).await.body["loginToken"].as_str().unwrap().to_owned();
    assert_eq!(verify(&ann, &token, &authenticator.code(app.clock.now())).await.status, 200);
    app.clock.advance(SignedDuration::from_secs(60));
    assert_eq!(verify(&stranger, &token, "000000").await.refusal(), (401, "challengeExpired"), "that login is over");
}

/// Fifty pending logins send the same code at once. Returns how many got a session.
async fn fifty_show(app: &Arc<TestApp>, code: &str) -> usize {
    let mut waiting = Vec::new();
    for _ in 0..50 {
        waiting.push(pending_login(app).await);
    }
    let mut crowd = JoinSet::new();
    for (person, token) in waiting {
        let code = code.to_owned();
        crowd.spawn(async move { verify(&person, &token, &code).await.status });
    }
    crowd.join_all().await.into_iter().filter(|j| *j == 200).count()
}

#[tokio::test]
async fn of_fifty_logins_that_show_one_code_one_gets_in() {
    let (app, authenticator, _) = with_an_app().await;
    assert_eq!(fifty_show(&app, &authenticator.code(app.clock.now())).await, 1);
}

#[tokio::test]
async fn of_fifty_logins_that_show_one_backup_code_one_gets_in() {
    let (app, _, codes) = with_an_app().await;
    assert_eq!(fifty_show(&app, &codes[4]).await, 1);
    assert_eq!(app.count("select count(*) from account_audit where event = 'auth.backup_code.used'").await, 1);
}

#[tokio::test]
async fn of_fifty_concurrent_ends_of_one_login_one_gets_a_session() {
    let (app, authenticator, codes) = with_an_app().await;
    app.clock.advance(STEP);
    let (_, token) = pending_login(&app).await;
    let now = app.clock.now();
    let mut right = codes.clone();
    right.extend([authenticator.code(now), authenticator.code_off(now, 1), authenticator.code_off(now, -1)]);
    let mut crowd = JoinSet::new();
    for number in 0..50 {
        let (app, token, code) = (app.clone(), token.clone(), right[number % right.len()].clone());
        crowd.spawn(async move { verify(&Person::at(&app), &token, &code).await.status });
    }
    let statuses = crowd.join_all().await;
    assert_eq!(statuses.iter().filter(|statuse| **statuse == 200).count(), 1, "{statuses:?}");
    assert_eq!(app.count("select count(*) from sessions").await, 2);
}

#[tokio::test]
async fn a_backup_code_is_good_once_however_it_is_typed() {
    let (app, _, codes) = with_an_app().await;
    let (ann, token) = pending_login(&app).await;
    let response = verify(&ann, &token, &codes[0].to_uppercase().replace('0', "o").replace('1', "L").replace('-', "")).await;
    assert_eq!((response.status, &response.body["backupCodesRemaining"]), (200, &json!(9)), "{}", response.body);
    assert_eq!(ann.get("/api/me/totp").await.body, json!({ "enabled": true, "backupCodesRemaining": 9 }));
    let (ann, token) = pending_login(&app).await;
    assert_eq!(verify(&ann, &token, &codes[0]).await.refusal(), (401, "invalidCode"));
    assert_eq!(verify(&ann, &token, &codes[1]).await.body["backupCodesRemaining"], 8);
    // A code of another account is wrong here.
    let bob = Person::signed_in(&app, "bob@example.org").await;
    let (_, foreign) = enrol(&app, &bob).await;
    let (ann, token) = pending_login(&app).await;
    assert_eq!(verify(&ann, &token, &foreign[0]).await.refusal(), (401, "invalidCode"));
    assert_eq!(bob.get("/api/me/totp").await.body["backupCodesRemaining"], 10);
}

#[tokio::test]
async fn a_login_that_waits_too_long_or_whose_account_changes_is_over() {
    let (app, authenticator, codes) = with_an_app().await;
    let (ann, token) = pending_login(&app).await;
    app.clock.advance(SignedDuration::from_mins(10));
    let code = authenticator.code(app.clock.now());
    assert_eq!(verify(&ann, &token, &code).await.refusal(), (401, "challengeExpired"));
    for (number, statement) in
        ["update users set token_version = token_version + 1", "update users set suspended_at = now()"].into_iter().enumerate()
    {
        let (ann, token) = pending_login(&app).await;
        app.sql(statement).await;
        assert_eq!(verify(&ann, &token, &codes[number]).await.refusal(), (401, "challengeExpired"), "{statement}");
        app.sql("update users set suspended_at = null").await;
    }
    let (ann, token) = pending_login(&app).await;
    app.sql("delete from users").await;
    assert_eq!(verify(&ann, &token, &code).await.refusal(), (401, "challengeExpired"));
    assert_eq!(app.count("select count(*) from sessions").await, 0);
}

/// Enables an authenticator app, as a concurrent request does it.
const ENROL: &str = "insert into totp (user_id, secret, enabled_at) select id, 'x', now() from users";

#[tokio::test]
async fn an_app_that_is_put_into_use_is_asked_for_by_logins_that_are_under_way() {
    let (app, ann) = registered().await;
    let response = meanwhile(&app, ENROL, ann.login(ANN, PASSWORD)).await;
    assert_eq!((response.refusal(), response.cookie("session")), ((401, "invalidCredentials"), None));
    assert_eq!(app.count("select count(*) from sessions").await, 0);
    assert_eq!(app.count("select count(*) from users where last_login_at is not null").await, 0);
    assert_eq!(ann.login(ANN, PASSWORD).await.body["method"], "totp");
}

#[tokio::test]
async fn a_code_is_not_used_up_by_a_login_that_is_over() {
    let (app, _, codes) = with_an_app().await;
    for round in 0..4 {
        let (_, token) = pending_login(&app).await;
        let show = async |code: &str| verify(&Person::at(&app), &token, code).await.status;
        let (first, second) = futures_util::future::join(show(&codes[round * 2]), show(&codes[round * 2 + 1])).await;
        assert_eq!(first.min(second), 200, "{first} {second}");
        assert_eq!(first.max(second), 401, "{first} {second}");
        let open = "select count(*) from one_time where kind = 'backupCode' and used_at is null";
        assert_eq!(app.count(open).await, 9 - i64::try_from(round).unwrap());
    }
    let (ann, token) = pending_login(&app).await;
    let changed = "update users set token_version = token_version + 1";
    let response = meanwhile(&app, changed, verify(&ann, &token, &codes[9])).await;
    assert_eq!(response.refusal(), (401, "challengeExpired"));
    let (ann, token) = pending_login(&app).await;
    assert_eq!(verify(&ann, &token, &codes[9]).await.status, 200, "it is as good as before");
}

#[tokio::test]
async fn an_account_that_goes_in_the_middle_of_a_login_is_gone() {
    let (app, _, _) = with_an_app().await;
    let ann = Person::at(&app);
    let response = meanwhile(&app, "delete from users", ann.login(ANN, PASSWORD)).await;
    assert_eq!(response.refusal(), (401, "invalidCredentials"));
}

#[tokio::test]
async fn what_finishes_a_login_is_checked_in_order() {
    let (app, _, _) = with_an_app().await;
    let (ann, token) = pending_login(&app).await;
    let path = "/api/auth/verify-totp";
    let without_csrf = ann.browser.post(ann.url(path)).body("{");
    assert_eq!(without_csrf.answer().await.refusal(), (403, "csrfInvalid"));
    for body in [
        json!({ "loginToken": token }),
        json!({ "code": null }),
        json!({ "code": 123_456 }),
        json!({ "code": "1", "loginToken": 5 }),
    ] {
        assert_eq!(ann.post(path, &body).await.status, 400, "{body}");
    }
    let stranger = Person::at(&app);
    let changed: String = token.chars().map(|c| if c == 'A' { 'B' } else { 'A' }).collect();
    for odd in ["", "x", &token[1..], &format!("{token}="), &changed, &"A".repeat(20_000)] {
        assert_eq!(verify(&stranger, odd, "123456").await.refusal(), (401, "challengeExpired"), "{odd:.50}");
    }
    assert_eq!(stranger.post(path, &json!({ "code": "123456" })).await.refusal(), (401, "challengeExpired"), "no token at all");
    // A login that needs a code of the app is not finished by a mailed code.
    for path in ["/api/auth/verify-login-code", "/api/auth/resend-login-code"] {
        let body = json!({ "code": "123456", "loginToken": token });
        assert_eq!(stranger.post(path, &body).await.refusal(), (401, "challengeExpired"), "{path}");
    }
    assert_eq!(
        app.count("select attempts_left::bigint from one_time where kind = 'pendingLogin'").await,
        5,
        "nothing of it was a guess"
    );
}

#[tokio::test]
async fn a_dump_of_the_database_holds_no_secret() {
    let (app, authenticator, codes) = with_an_app().await;
    app.clock.advance(STEP);
    let ann = Person::signed_in(&app, "bob@example.org").await;
    let started = ann.post("/api/me/totp/start", &json!({})).await;
    let (person, token) = pending_login(&app).await;
    let response = verify(&person, &token, &authenticator.code(app.clock.now())).await;
    let (_, waiting) = pending_login(&app).await;
    let secret = started.body["secret"].as_str().unwrap();

    let mut secrets = vec![secret.to_owned(), token, waiting, PASSWORD.to_owned()];
    secrets.extend(["session", "device"].map(|value| response.cookie(value).unwrap()));
    secrets.extend(codes.iter().flat_map(|code| [code.clone(), code.replace('-', "")]));
    let raw = [authenticator.secret(), Authenticator::holding(secret).secret()].map(hex::encode);
    secrets.extend(raw);
    let dump = dump(&app).await;
    assert!(dump.contains(ANN) && dump.len() > 2_000, "it is a dump: {dump}");
    for secret in secrets {
        assert!(!dump.to_lowercase().contains(&secret.to_lowercase()), "{secret}");
    }
}

/// Every row of every table, as text; bytes in hexadecimal.
pub(super) async fn dump(app: &TestApp) -> String {
    let tables =
        app.rows("select table_name::text as name from information_schema.tables where table_schema = 'public'", &[]).await;
    let mut dump = String::new();
    for table in tables {
        let name: String = table.get("name");
        for row in app.rows(&format!("select t::text as row from \"{name}\" t"), &[]).await {
            dump.push_str(row.get("row"));
            dump.push('\n');
        }
    }
    dump
}

#[tokio::test]
async fn over_https_the_cookies_of_a_login_have_the_names_that_browsers_protect() {
    let (app, ann) = signed_in().await;
    enrol(&app, &ann).await;
    let variables = [FREE, &[("APP_COOKIE_SECURE", "true")]].concat();
    let secure = app.beside(&variables).await;
    let csrf = browser().get(secure.url("/api/csrf-token")).answer().await;
    let (token, presession) = (csrf.body["csrfToken"].as_str().unwrap(), csrf.cookie("__Host-presession").unwrap());
    let send = async |path: &str, body: Value, more: &str| {
        let cookies = format!("csrf_token={token}; __Host-presession={presession}{more}");
        let request = browser().post(secure.url(path)).header("x-csrf-token", token).header("cookie", cookies);
        request.json(&body).answer().await
    };
    let response = send("/api/auth/login", json!({ "email": ANN, "password": PASSWORD }), "").await;
    let line = response.headers.get_all("set-cookie").iter().map(|g| g.to_str().unwrap().to_owned()).next().unwrap();
    assert!(
        line.starts_with("__Host-login=") && line.ends_with("; Path=/; SameSite=Strict; HttpOnly; Secure; Max-Age=600"),
        "{line}"
    );
    let pending = format!("; __Host-login={}", response.cookie("__Host-login").unwrap());
    assert_eq!(send("/api/auth/verify-totp", json!({ "code": "000000" }), &pending).await.refusal(), (401, "invalidCode"));
}
