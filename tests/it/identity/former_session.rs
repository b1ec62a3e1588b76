//! A browser holds one session: that from before a sign-in ends with it, whichever account it belongs to.

use super::{FREE, get_with_cookies, links, mailed_codes, totp};
use domain::identity::MailContent;
use support::prelude::*;

const ANN: &str = "ann@example.org";
const BOB: &str = "bob@example.org";

/// The status of a profile that is read with a session alone.
async fn status(app: &TestApp, session: &str) -> u16 {
    get_with_cookies(app, "/api/me", &format!("session={session}")).await.status
}

/// A browser at which Ann is signed in, and her session.
async fn with_ann(app: &TestApp) -> (Person, String) {
    let browser = Person::at(app);
    let session = browser.login(ANN, PASSWORD).await.cookie("session").unwrap();
    assert_eq!(status(app, &session).await, 200);
    (browser, session)
}

/// Checks that a response signs in, and that this has ended the session of before.
async fn replaces(app: &TestApp, former: &str, response: Response) {
    assert_eq!((response.status, &response.body["error"]), (200, &json!(null)), "{}", response.body);
    assert_eq!(status(app, &response.cookie("session").unwrap()).await, 200);
    assert_eq!(status(app, former).await, 401);
}

async fn with_ann_and_bob(variables: &[(&str, &str)]) -> TestApp {
    let app = TestApp::with_variables(variables).await;
    for email in [ANN, BOB] {
        assert_eq!(Person::at(&app).register(email).await.status, 201);
    }
    app.sql("update users set email_verified = true").await;
    app
}

#[tokio::test]
async fn a_password_ends_it_and_a_wrong_one_does_not() {
    let app = with_ann_and_bob(FREE).await;
    let (_, elsewhere) = with_ann(&app).await;
    let (browser, session) = with_ann(&app).await;
    assert_eq!(browser.login(BOB, "not the harbour").await.status, 401);
    assert_eq!(status(&app, &session).await, 200);
    replaces(&app, &session, browser.login(BOB, PASSWORD).await).await;
    let signed_out = "select count(*) from account_audit join users on users.id = user_id where event = 'auth.logout' and email = 'ann@example.org'";
    assert_eq!(app.count(signed_out).await, 1);

    let bob = browser.login(BOB, PASSWORD).await;
    let again = browser.login(BOB, PASSWORD).await;
    replaces(&app, &bob.cookie("session").unwrap(), again).await;
    assert_eq!(status(&app, &elsewhere).await, 200, "other browsers are not concerned");
}

#[tokio::test]
async fn a_second_factor_ends_it_and_not_the_password_before() {
    let app = with_ann_and_bob(FREE).await;
    let bob = Person::elsewhere(&app, BOB).await;
    let (authenticator, codes) = totp::enrol(&app, &bob).await;
    for code in [authenticator.code(app.clock.now()), codes[0].clone()] {
        let (browser, session) = with_ann(&app).await;
        assert_eq!(browser.login(BOB, PASSWORD).await.body["twoFactorRequired"], true);
        assert_eq!(browser.post("/api/auth/verify-totp", &json!({ "code": "000000" })).await.status, 401);
        assert_eq!(status(&app, &session).await, 200);
        replaces(&app, &session, browser.post("/api/auth/verify-totp", &json!({ "code": code })).await).await;
    }
}

#[tokio::test]
async fn a_mailed_code_ends_it() {
    let variables = [FREE, mailed_codes::MAIL, &[("APP_EMAIL_LOGIN_CODE", "suspicious")]].concat();
    let app = with_ann_and_bob(&variables).await;
    let (browser, session) = with_ann(&app).await;
    Person::elsewhere(&app, BOB).await;
    // Bob has signed in, but never from such a browser.
    app.sql("update known_devices set browser = 'another', network = 'another', hash = sha256(hash)").await;
    assert_eq!(browser.login(BOB, PASSWORD).await.body["method"], "email");
    assert_eq!(status(&app, &session).await, 200);
    let mails = links::letters(&app, BOB).await;
    let Some(MailContent::LoginCode { code }) = mails.last() else { panic!("{mails:?}") };
    replaces(&app, &session, browser.post("/api/auth/verify-login-code", &json!({ "code": code })).await).await;
}

#[tokio::test]
async fn a_passkey_ends_it() {
    let app = with_ann_and_bob(FREE).await;
    let mut key = SoftKey::at(&app.url(""));
    assert_eq!(Person::elsewhere(&app, BOB).await.add_passkey(&mut key).await.status, 200);
    let (browser, session) = with_ann(&app).await;
    replaces(&app, &session, browser.sign_in_with(&mut key).await).await;
}

#[tokio::test]
async fn an_accepted_invitation_ends_it() {
    let app = with_ann_and_bob(FREE).await;
    app.sql("delete from users where email = 'bob@example.org'").await;
    links::invite::invited(&app, BOB).await;
    let token = links::invitation(&app, BOB).await;
    let (browser, session) = with_ann(&app).await;
    let accept = json!({ "token": token, "newPassword": "an even quieter port" });
    replaces(&app, &session, browser.post("/api/auth/accept-invite", &accept).await).await;
}
