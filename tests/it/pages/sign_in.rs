//! Registering, signing in and out.

use super::{ANN, FREE, app, app_with, signed_in};
use support::{Authenticator, prelude::*};

#[tokio::test]
async fn a_person_registers_signs_in_and_out() {
    let app = app().await;
    let ann = Person::at(&app);
    assert_eq!(ann.sign_up(ANN).await.redirect(), (303, "/login?notice=registered"));
    assert_eq!(ann.page("/login?notice=registered").await.message(), "Your account is ready. Sign in.");
    let wrong = ann.sign_in(ANN, "not the harbour").await;
    assert_eq!((wrong.status, wrong.message().as_str()), (401, "The e-mail address or the password is wrong."));
    assert_eq!((wrong.field("email").as_deref(), wrong.field("password")), (Some(ANN), None));
    assert_eq!(
        ann.sign_in("nobody@example.org", PASSWORD).await.message(),
        wrong.message(),
        "the same for an address without an account"
    );

    let signed_in = ann.sign_in(ANN, PASSWORD).await;
    assert_eq!(signed_in.redirect(), (303, "/account"));
    assert!(signed_in.cookie("session").is_some());
    assert_eq!(signed_in.cookie("presession").as_deref(), Some(""));
    assert!(ann.page("/account").await.text.contains("ann@example.org"));

    assert!(ann.page("/logout").await.text.contains("Sign out?"), "a GET ends nothing");
    assert!(ann.is_signed_in().await);
    assert_eq!(ann.fill_in("/logout", &[]).await.redirect(), (303, "/logout"));
    assert!(ann.page("/logout").await.text.contains("You are signed out"));
    assert!(!ann.is_signed_in().await);
    assert_eq!(ann.page("/account").await.status, 303);
}

#[tokio::test]
async fn the_browser_keeps_a_session_only_when_it_is_asked_to() {
    let app = app().await;
    let ann = Person::at(&app);
    ann.sign_up(ANN).await;
    let line = |page: &Response| {
        let lines = page.headers.get_all("set-cookie").into_iter().map(|line| line.to_str().unwrap().to_owned());
        lines.into_iter().find(|line| line.starts_with("session=")).unwrap()
    };
    let page = ann.fill_in("/login", &[("email", ANN), ("password", PASSWORD)]).await;
    assert!(!line(&page).contains("Max-Age"), "{}", line(&page));
    let other = Person::at(&app);
    assert!(line(&other.sign_in(ANN, PASSWORD).await).contains("Max-Age=1209600"));
}

#[tokio::test]
async fn a_sign_in_leads_to_where_the_person_wanted_to_go_and_never_to_another_site() {
    let app = app().await;
    let ann = Person::at(&app);
    ann.sign_up(ANN).await;
    for (wanted, led) in [
        ("/account/security", "/account/security"),
        ("/interaction/V1StGXR8_Z5jdHi6B-myT", "/interaction/V1StGXR8_Z5jdHi6B-myT"),
        ("//evil.example", "/account"),
        ("/\\evil.example", "/account"),
        ("https://evil.example/", "/account"),
        ("/api/me/export", "/account"),
        ("/account/%2e%2e/api", "/account"),
    ] {
        let person = Person::at(&app);
        let encoded: String = percent_encoding::utf8_percent_encode(wanted, percent_encoding::NON_ALPHANUMERIC).collect();
        let page = person.page(&format!("/login?return_to={encoded}")).await;
        assert_eq!(page.field("return_to").as_deref(), (wanted == led).then_some(wanted), "{wanted}");
        let fields = [("email", ANN), ("password", PASSWORD), ("return_to", wanted)];
        assert_eq!(person.fill_in("/login", &fields).await.redirect(), (303, led), "{wanted}");
    }
    // It goes along to the registration and back.
    let page = ann.page("/login?return_to=/account/data").await;
    let token = page.field("csrf_token").unwrap();
    let fields = [("csrf_token", token.as_str()), ("return_to", "/account/data"), ("go", "register")];
    assert_eq!(ann.send_form("/login", &fields).await.redirect(), (303, "/register?return_to=/account/data"));
    let fields = [("firstName", "Ben"), ("email", "ben@example.org"), ("password", PASSWORD), ("return_to", "/account/data")];
    let page = ann.fill_in("/register", &fields).await;
    assert_eq!(page.redirect(), (303, "/login?return_to=/account/data&notice=registered"));
    assert_eq!(ann.page(page.location()).await.field("return_to").as_deref(), Some("/account/data"));
}

#[tokio::test]
async fn an_address_that_was_typed_is_not_asked_for_again_and_is_in_no_url() {
    let mails = MailBox::start().await;
    let app = app_with(&mails.variables()).await;
    let ann = Person::at(&app);
    let typed = async |path: &str| ann.page(path).await.field("email").unwrap();
    assert_eq!(typed("/register").await, "");
    // From signing in to a new account, and to a new password, before anything was sent.
    for (go, led) in [("register", "/register"), ("forgot-password", "/forgot-password")] {
        let person = Person::at(&app);
        let page = person.fill_in("/login", &[("email", ANN), ("password", "half a pass"), ("go", go)]).await;
        assert_eq!(page.redirect(), (303, led));
        assert!(!page.cookie("typed_address").unwrap().contains("ann"), "the cookie is sealed");
        assert_eq!(person.page(led).await.field("email").as_deref(), Some(ANN), "{go}");
        assert_eq!(person.fill_in("/register", &[("email", "b@example.org"), ("go", "login")]).await.redirect(), (303, "/login"));
        assert_eq!(person.page("/login").await.field("email").as_deref(), Some("b@example.org"), "and back");
        assert_eq!(person.fill_in("/login", &[("email", ANN), ("go", "https://evil.example")]).await.status, 400);
    }
    // From registering to another link, and to the sign-in.
    assert_eq!(ann.sign_up(ANN).await.redirect(), (303, "/verify-email?sent=1"));
    for path in ["/verify-email?sent=1", "/verify-email", "/login", "/forgot-password"] {
        assert_eq!(typed(path).await, ANN, "{path}");
    }
    // From a sign-in that was refused to the link that is missing, in one press.
    let page = ann.sign_in(ANN, PASSWORD).await;
    let form = page.text.split("<form").find(|form| form.contains("action=\"/verify-email\"")).unwrap();
    assert!(form.contains(&format!("name=\"email\" value=\"{ANN}\"")) && form.contains("Send me a new link"), "{form}");
    assert_eq!(ann.fill_in("/verify-email", &[("email", ANN)]).await.redirect(), (303, "/verify-email?sent=1"));
    // From a link in a mail to the sign-in, in another browser.
    mails.next_to(ANN).await;
    let link = mails.next_to(ANN).await.link();
    let other = Person::at(&app);
    other.page(link.strip_prefix(&app.url("")).unwrap()).await;
    assert_eq!(other.fill_in("/verify-email/confirm", &[("password", PASSWORD)]).await.redirect(), (303, "/login?verified=1"));
    assert_eq!(other.page("/login?verified=1").await.field("email").as_deref(), Some(ANN));
    assert_eq!(other.sign_in(ANN, PASSWORD).await.redirect(), (303, "/account"));
    other.fill_in("/logout", &[]).await;
    assert_eq!(other.page("/login").await.field("email").as_deref(), Some(""), "it is gone once the person has signed in");
    // Nothing is kept for long, and nothing that is no address.
    app.clock.advance(SignedDuration::from_secs(601));
    assert_eq!(typed("/login").await, "");
    let page = ann.fill_in("/login", &[("email", "no address"), ("password", "x"), ("go", "register")]).await;
    assert_eq!((page.redirect(), page.cookie("typed_address")), ((303, "/register"), None));
}

/// Enables an authenticator app by the JSON endpoints. Returns it and a backup code.
async fn enrol(app: &TestApp, person: &Person) -> (Authenticator, String) {
    let post = async |path: &str, body: Value| {
        let csrf: Value = person.browser.get(person.url("/api/csrf-token")).send().await.unwrap().json().await.unwrap();
        let request = person.browser.post(person.url(path)).header("x-csrf-token", csrf["csrfToken"].as_str().unwrap());
        request.json(&body).send().await.unwrap().json::<Value>().await.unwrap()
    };
    let started = post("/api/me/totp/start", json!({})).await;
    let authenticator = Authenticator::holding(started["secret"].as_str().unwrap());
    let confirmed = post("/api/me/totp/confirm", json!({ "code": authenticator.code(app.clock.now()) })).await;
    (authenticator, confirmed["backupCodes"][0].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn the_second_factor_is_a_code_of_the_app_or_a_backup_code() {
    let app = app().await;
    let owner = Person::signed_in(&app, ANN).await;
    let (authenticator, backup_code) = enrol(&app, &owner).await;
    app.clock.advance(SignedDuration::from_secs(60));

    let ann = Person::at(&app);
    assert_eq!(ann.page("/login/2fa").await.redirect(), (303, "/login?notice=expired"), "without a password first");
    let fields = [("email", ANN), ("password", PASSWORD), ("return_to", "/account/data")];
    let page = ann.fill_in("/login", &fields).await;
    assert_eq!((page.redirect(), page.cookie("session")), ((303, "/login/2fa?return_to=/account/data"), None));
    let page = ann.page(page.location()).await;
    assert!(page.text.contains("authenticator app") && page.text.contains("autocomplete=\"one-time-code\""), "{}", page.text);
    let wrong = ann.fill_in("/login/2fa?return_to=/account/data", &[("code", "000000"), ("return_to", "/account/data")]).await;
    assert_eq!(wrong.status, 401);
    assert!(wrong.message().contains("Attempts left: 4"), "{}", wrong.message());
    assert_eq!(wrong.field("return_to").as_deref(), Some("/account/data"));
    let code = authenticator.code(app.clock.now());
    let page = ann.fill_in("/login/2fa", &[("code", &code), ("return_to", "/account/data")]).await;
    assert_eq!((page.redirect(), ann.is_signed_in().await), ((303, "/account/data"), true));
    assert_eq!(ann.page("/login/2fa").await.location(), "/login?notice=expired", "it is finished");

    let ben = Person::at(&app);
    assert_eq!(ben.sign_in(ANN, PASSWORD).await.location(), "/login/2fa");
    let page = ben.page("/login/2fa?with=backup").await;
    assert!(page.text.contains("Enter one of your backup codes"), "{}", page.text);
    assert_eq!(
        ben.fill_in("/login/2fa?with=backup", &[("code", &backup_code), ("with", "backup")]).await.redirect(),
        (303, "/account")
    );
}

#[tokio::test]
async fn five_wrong_codes_are_enough() {
    let app = app().await;
    let owner = Person::signed_in(&app, ANN).await;
    enrol(&app, &owner).await;
    let ann = Person::at(&app);
    ann.sign_in(ANN, PASSWORD).await;
    for _ in 0..5 {
        assert_eq!(ann.fill_in("/login/2fa", &[("code", "000000")]).await.status, 401);
    }
    let page = ann.fill_in("/login/2fa", &[("code", "000000")]).await;
    assert!(page.status == 429 && page.message().contains("Too many attempts"), "{} {}", page.status, page.message());
    app.clock.advance(SignedDuration::from_mins(11));
    let token = ann.page("/login").await.field("csrf_token").unwrap();
    let page = ann.send_form("/login/2fa", &[("csrf_token", &token), ("code", "000000")]).await;
    assert_eq!(page.redirect(), (303, "/login?notice=expired"));
}

#[tokio::test]
async fn a_mailed_code_signs_in_and_can_be_asked_for_again() {
    let mails = MailBox::start().await;
    let app = TestApp::with_variables(&[FREE, &mails.variables(), &[("APP_EMAIL_LOGIN_CODE", "always")]].concat()).await;
    let ann = Person::at(&app);
    assert_eq!(ann.sign_up(ANN).await.redirect(), (303, "/verify-email?sent=1"));
    mails.next_to(ANN).await;
    app.sql("update users set email_verified = true").await;
    assert_eq!(ann.sign_in(ANN, PASSWORD).await.location(), "/login/2fa");
    let first = mails.next_to(ANN).await.code();
    let page = ann.page("/login/2fa").await;
    assert!(page.text.contains("a***@example.org") && page.text.contains("data-wait=\"30\""), "{}", page.text);
    let early = ann.fill_in("/login/2fa", &[("action", "resend")]).await;
    assert!(early.status == 429 && early.header("retry-after") == "30", "{} {}", early.status, early.message());
    app.clock.advance(SignedDuration::from_secs(31));
    assert_eq!(ann.fill_in("/login/2fa", &[("action", "resend")]).await.redirect(), (303, "/login/2fa?sent=1"));
    assert_eq!(ann.page("/login/2fa?sent=1").await.message(), "Another code is on its way.");
    let second = mails.next_to(ANN).await.code();
    assert_ne!(first, second);
    assert_eq!(ann.fill_in("/login/2fa", &[("code", &second)]).await.redirect(), (303, "/account"));
}

#[tokio::test]
async fn limits_are_told_on_the_page_with_the_time_to_wait() {
    let limits = [("APP_RATE_LIMITS", "on"), ("APP_RATE_LIMIT_LOGIN_IP", "2/min")];
    let app = app_with(&limits[1..]).await;
    assert_eq!(Person::at(&app).sign_up(ANN).await.status, 303);
    let app = TestApp::with_variables(&[&FREE[1..], &limits].concat()).await;
    let ann = Person::at(&app);
    for _ in 0..2 {
        assert_eq!(ann.sign_in(ANN, PASSWORD).await.status, 401);
    }
    let page = ann.sign_in(ANN, PASSWORD).await;
    assert!(
        page.status == 429 && page.message().starts_with("Too many attempts. Try again in "),
        "{} {}",
        page.status,
        page.message()
    );
    assert_ne!(page.header("retry-after"), "");
}

#[tokio::test]
async fn a_passkey_that_is_none_is_refused_on_the_page() {
    let app = app().await;
    let ann = Person::at(&app);
    for credential in ["", "{", "{}", "[]"] {
        let page = ann.fill_in("/login/passkey", &[("credential", credential), ("challenge", ""), ("remember", "on")]).await;
        assert_eq!(page.status, 401, "{credential}: {}", page.message());
        assert!(page.message().contains("This passkey was not accepted"), "{}", page.message());
    }
}

/// The challenge that a page to sign in with has brought, for an authenticator, and what goes back with the
/// answer.
fn offer(page: &Response) -> (Value, String) {
    let attribute = |name: &str| {
        let value = page.text.split(&format!("{name}=\"")).nth(1).unwrap_or_else(|| panic!("{name}: {}", page.text));
        value.split('"').next().unwrap().replace("&quot;", "\"").replace("&amp;", "&")
    };
    (serde_json::from_str(&attribute("data-options")).unwrap(), attribute("data-offer"))
}

#[tokio::test]
async fn the_page_brings_a_challenge_that_costs_nothing_and_signs_in_once() {
    let limited = [("APP_RATE_LIMITS", "on"), ("APP_RATE_LIMIT_PASSKEYS_IP", "4/h")];
    let app = app_with(&limited).await;
    let ann = Person::signed_in(&app, ANN).await;
    let mut key = SoftKey::at(&app.url(""));
    let csrf = ann.page("/account").await.field("csrf_token").unwrap();
    let post = async |path: &str, body: &Value| {
        let request = ann.browser.post(ann.url(path)).header("x-csrf-token", &csrf).json(body);
        request.send().await.unwrap().json::<Value>().await.unwrap()
    };
    let options = post("/api/webauthn/register/start", &json!({})).await["options"].clone();
    let passkey = json!({ "challenge": options["challenge"], "credential": key.create(&options) });
    assert_eq!(post("/api/webauthn/register/finish", &passkey).await["verified"], true);

    let rows = async || app.value::<i64>("select count(*) from one_time").await;
    let before = rows().await;
    let (stranger, elsewhere) = (Person::at(&app), Person::at(&app));
    for _ in 0..20 {
        stranger.page("/login").await;
    }
    assert_eq!(rows().await, before, "nothing is stored");
    let page = stranger.page("/login").await;
    let (options, sealed) = offer(&page);
    let credential = key.get(&options).to_string();
    let challenge = options["challenge"].as_str().unwrap();
    let token = page.field("csrf_token").unwrap();
    let fields = [("csrf_token", token.as_str()), ("credential", &credential), ("challenge", challenge), ("offer", &sealed)];
    let own = elsewhere.page("/login").await.field("csrf_token").unwrap();
    let stolen = elsewhere.send_form("/login/passkey", &[&[("csrf_token", own.as_str())], &fields[1..]].concat()).await;
    assert_eq!(stolen.status, 401, "another browser");
    let signed_in = stranger.send_form("/login/passkey", &fields).await;
    assert_eq!(signed_in.redirect(), (303, "/account"), "{}", signed_in.text);
    assert!(stranger.is_signed_in().await);
    let own = elsewhere.page("/login").await.field("csrf_token").unwrap();
    let refused = elsewhere.send_form("/login/passkey", &[&[("csrf_token", own.as_str())], &fields[1..]].concat()).await;
    assert_eq!(refused.status, 429, "two to register, and two answers: {}", refused.text);
}

#[tokio::test]
async fn a_challenge_of_a_page_is_answered_by_the_same_browser_in_time_and_once() {
    let (app, ann) = signed_in().await;
    let mut key = SoftKey::at(&app.url(""));
    let csrf = ann.page("/account").await.field("csrf_token").unwrap();
    let post = async |path: &str, body: &Value| {
        let request = ann.browser.post(ann.url(path)).header("x-csrf-token", &csrf).json(body);
        request.send().await.unwrap().json::<Value>().await.unwrap()
    };
    let options = post("/api/webauthn/register/start", &json!({})).await["options"].clone();
    let passkey = json!({ "challenge": options["challenge"], "credential": key.create(&options) });
    assert_eq!(post("/api/webauthn/register/finish", &passkey).await["verified"], true);

    // A browser that is signed in can be asked again, and keeps its cookies when it is refused.
    let path = "/login?prompt=login";
    let answer = async |page: &Response, key: &mut SoftKey| {
        let (options, sealed) = offer(page);
        let (credential, token) = (key.get(&options).to_string(), page.field("csrf_token").unwrap());
        let fields = [("csrf_token", token.as_str()), ("credential", &credential), ("offer", &sealed)];
        ann.send_form("/login/passkey", &fields).await
    };
    let late = ann.page(path).await;
    app.clock.advance(SignedDuration::from_mins(5));
    assert_eq!(answer(&late, &mut key).await.status, 401, "after five minutes");
    let (one, other) = (ann.page(path).await, ann.page(path).await);
    let (token, sealed) = (one.field("csrf_token").unwrap(), offer(&one).1);
    let credential = key.get(&offer(&other).0).to_string();
    let crossed = [("csrf_token", token.as_str()), ("credential", &credential), ("offer", &sealed)];
    assert_eq!(ann.send_form("/login/passkey", &crossed).await.status, 401, "the answer to another challenge");

    let page = ann.page(path).await;
    let (options, sealed) = offer(&page);
    let credential = key.get(&options).to_string();
    let fields = [("csrf_token", token.as_str()), ("credential", credential.as_str()), ("offer", &sealed)];
    let crowd = futures_util::future::join_all((0..8).map(|_| ann.send_form("/login/passkey", &fields))).await;
    let mut statuses: Vec<u16> = crowd.iter().map(|page| page.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses.iter().filter(|status| **status == 303).count(), 1, "{statuses:?}");
}
