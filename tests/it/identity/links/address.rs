//! Changing the mail address of an account.

use super::{app, forgot_password, last_link, last_token, letters, limited_app, mailing_app, reset_password, verified};
use crate::identity::give_passwords_up;
use domain::identity::{MailContent, mail::NoticeKind};
use support::prelude::*;

const ANN: &str = "ann@example.org";
const NEW: &str = "new@example.org";

/// A verified and signed-in person on a server that sends mail.
async fn at_home(app: &TestApp, email: &str) -> Person {
    let person = verified(app, email).await;
    assert_eq!(person.login(email, PASSWORD).await.body["user"]["email"], email);
    person
}

/// A server that sends mail, and Ann as above.
async fn with_ann_at_home() -> (TestApp, Person) {
    let app = mailing_app().await;
    let ann = at_home(&app, ANN).await;
    (app, ann)
}

async fn ask(person: &Person, new: &str) -> Response {
    person.post("/api/me/email", &json!({ "newEmail": new, "password": PASSWORD })).await
}

async fn confirm(person: &Person, token: &str) -> Response {
    person.post("/api/auth/confirm-email", &json!({ "token": token })).await
}

/// From a browser that is not signed in to the account.
async fn confirm_elsewhere(person: &Person, token: &str) -> Response {
    person.post("/api/auth/confirm-email", &json!({ "token": token, "password": PASSWORD })).await
}

#[tokio::test]
async fn a_new_address_is_confirmed_by_its_reader_and_the_old_one_is_told() {
    let (app, ann) = with_ann_at_home().await;
    let phone = Person::at(&app);
    let response = ask(&ann, " New@Example.org ").await;
    assert_eq!((response.status, response.body["message"].is_string()), (202, true), "{}", response.body);
    assert_eq!(ann.get("/api/me").await.body["email"], ANN, "nothing is changed yet");

    let link = last_link(&app, NEW).await;
    let token = last_token(&app, NEW).await;
    assert_eq!(
        link,
        app.url(&format!("/confirm-email?token={token}")),
        "to a page: a mail program that follows it confirms nothing"
    );
    let [.., MailContent::NewLogin { notice, .. }] = &letters(&app, ANN).await[..] else { panic!("a notice to the old address") };
    assert_eq!(*notice, NoticeKind::AddressChange);
    let in_mail = format!("/api/auth/verify-email?token={token}");
    assert_eq!(ann.get(&in_mail).await.refusal(), (400, "invalidToken"), "it is of a kind of its own");

    let response = confirm_elsewhere(&phone, &token).await;
    assert_eq!((response.status, response.cookie("session")), (200, None), "{}", response.body);
    assert_eq!(ann.get("/api/me").await.status, 401, "every session ended");
    assert_eq!(app.count("select count(*) from known_devices").await, 0);
    assert_eq!(phone.login(ANN, PASSWORD).await.refusal(), (401, "invalidCredentials"));
    assert_eq!(phone.login(NEW, PASSWORD).await.status, 200);
    assert_eq!(confirm(&phone, &token).await.refusal(), (400, "invalidToken"), "once");
    for event in ["auth.email.change_requested", "auth.email.changed"] {
        assert_eq!(
            app.count(&format!("select count(*) from account_audit where event = '{event}' and status = 'success'")).await,
            1
        );
    }
}

#[tokio::test]
async fn the_session_that_confirms_lives_on_with_a_new_cookie_and_no_other() {
    let (app, ann) = with_ann_at_home().await;
    let other = Person::at(&app);
    other.login(ANN, PASSWORD).await;
    let bob = at_home(&app, "bob@example.org").await;
    assert_eq!(other.get("/api/me").await.status, 200);
    ask(&ann, NEW).await;
    let token = last_token(&app, NEW).await;
    let response = confirm(&ann, &token).await;
    assert_eq!((response.status, response.cookie("session").is_some()), (200, true), "{}", response.body);
    let profile = ann.get("/api/me").await.body;
    assert_eq!((&profile["email"], &profile["emailVerified"]), (&json!(NEW), &json!(true)));
    assert_eq!((other.get("/api/me").await.status, bob.get("/api/me").await.status), (401, 200));

    // A session of another account in the browser that follows the link stays as it is.
    assert_eq!(ask(&ann, "third@example.org").await.status, 202);
    let third = last_token(&app, "third@example.org").await;
    assert_eq!(confirm(&bob, &third).await.refusal(), (400, "passwordRequired"), "nor does it take the place of a password");
    let response = confirm_elsewhere(&bob, &third).await;
    assert_eq!((response.status, response.cookie("session")), (200, None));
    assert_eq!(bob.get("/api/me").await.body["email"], "bob@example.org");
    assert_eq!(ann.get("/api/me").await.status, 401);
}

/// Ann has mistyped her new address, and Eve reads the mail to it.
#[tokio::test]
async fn a_stranger_whom_the_mail_went_to_gets_nothing_without_the_password() {
    let (app, ann) = with_ann_at_home().await;
    assert_eq!(ask(&ann, NEW).await.status, 202);
    let token = last_token(&app, NEW).await;
    let eve = Person::at(&app);
    for (password, refusal) in [
        (json!(null), (400, "passwordRequired")),
        (json!("not the harbour"), (403, "invalidPassword")),
        (json!("x".repeat(5000)), (403, "invalidPassword")),
        (json!(7), (400, "validation")),
    ] {
        let body = json!({ "token": token, "password": password });
        assert_eq!(eve.post("/api/auth/confirm-email", &body).await.refusal(), refusal, "{password}");
    }
    assert_eq!(confirm(&eve, &token).await.refusal(), (400, "passwordRequired"));
    assert_eq!(ann.get("/api/me").await.body["email"], ANN, "and its sessions go on");
    let refused = "select count(*) from account_audit where event = 'auth.email.changed' and status = 'failure'";
    assert_eq!(app.count(refused).await, 2, "wrong passwords are recorded");
    assert_eq!(confirm(&ann, &token).await.status, 200, "the link was not used up");
}

#[tokio::test]
async fn guessing_the_password_at_a_link_counts_as_at_a_reauthentication() {
    let app = limited_app().await;
    let ann = at_home(&app, ANN).await;
    assert_eq!(ask(&ann, NEW).await.status, 202);
    let (token, eve) = (last_token(&app, NEW).await, Person::at(&app));
    let guess = json!({ "token": token, "password": "a guess at it" });
    for _ in 0..5 {
        assert_eq!(eve.post("/api/auth/confirm-email", &guess).await.refusal(), (403, "invalidPassword"));
    }
    assert_eq!(confirm_elsewhere(&eve, &token).await.refusal(), (429, "rateLimited"));
    // A browser that the account knows has attempts of its own.
    let again = json!({ "newEmail": "third@example.org", "password": PASSWORD });
    app.sql("delete from known_devices").await;
    assert_eq!(ann.post("/api/me/email", &again).await.refusal(), (429, "rateLimited"), "they are the same attempts");
    app.clock.advance(SignedDuration::from_mins(1));
    assert_eq!(confirm_elsewhere(&eve, &token).await.status, 200);
}

#[tokio::test]
async fn without_a_password_there_is_none_to_ask_for() {
    let (app, ann) = with_ann_at_home().await;
    assert_eq!(ask(&ann, NEW).await.status, 202);
    let token = last_token(&app, NEW).await;
    give_passwords_up(&app, "true").await;
    assert_eq!(confirm(&Person::at(&app), &token).await.status, 200);
    assert_eq!(app.count(&format!("select count(*) from users where email = '{NEW}'")).await, 1);
}

#[tokio::test]
async fn of_fifty_concurrent_confirmations_one_succeeds() {
    let app = Arc::new(mailing_app().await);
    ask(&at_home(&app, ANN).await, NEW).await;
    let token = last_token(&app, NEW).await;
    let mut response = join_all((0..50).map(async |_| confirm_elsewhere(&Person::at(&app), &token).await.status)).await;
    response.sort_unstable();
    assert_eq!((response[0], &response[1..]), (200, &[400; 49][..]));
    assert_eq!(app.count("select count(*) from account_audit where event = 'auth.email.changed'").await, 1);
    assert_eq!(app.count("select token_version::bigint from users").await, 1);
}

#[tokio::test]
async fn after_a_change_of_address_no_link_to_the_old_one_works() {
    let (app, ann) = with_ann_at_home().await;
    assert_eq!(forgot_password(&Person::at(&app), ANN).await.status, 200);
    let reset = last_token(&app, ANN).await;
    ask(&ann, NEW).await;
    assert_eq!(confirm(&ann, &last_token(&app, NEW).await).await.status, 200);
    assert_eq!(reset_password(&Person::at(&app), &reset, "an even quieter port").await.refusal(), (400, "invalidToken"));
    assert_eq!(ann.get("/api/me").await.status, 200);
    assert_eq!(forgot_password(&Person::at(&app), ANN).await.status, 200);
    assert_eq!(
        app.count("select count(*) from one_time where kind = 'passwordReset' and expires_at > '2026-03-01T12:00:00Z'").await,
        0
    );
}

#[tokio::test]
async fn only_the_newest_link_works_and_only_as_long_as_nothing_ended_the_sessions() {
    let (app, ann) = with_ann_at_home().await;
    ask(&ann, NEW).await;
    let first = last_token(&app, NEW).await;
    ask(&ann, "third@example.org").await;
    let refused = (400, "invalidToken");
    assert_eq!(confirm(&ann, &first).await.refusal(), refused, "another one was asked for");
    assert_eq!(ann.post("/api/me/sessions/revoke-others", &json!({})).await.status, 200);
    assert_eq!(
        confirm(&ann, &last_token(&app, "third@example.org").await).await.refusal(),
        refused,
        "all other sessions were revoked"
    );

    ask(&ann, NEW).await;
    let token = last_token(&app, NEW).await;
    forgot_password(&Person::at(&app), ANN).await;
    assert_eq!(reset_password(&Person::at(&app), &last_token(&app, ANN).await, "an even quieter port").await.status, 200);
    assert_eq!(confirm(&Person::at(&app), &token).await.refusal(), refused, "who reads the old address has taken the account back");

    app.sql("update users set token_version = 0").await;
    app.sql("update one_time set used_at = null, payload = payload || '{\"tokenVersion\": 0}' where kind = 'addressChange'").await;
    app.sql("update users set suspended_at = now()").await;
    let body = json!({ "token": token, "password": "an even quieter port" });
    assert_eq!(ann.post("/api/auth/confirm-email", &body).await.refusal(), (403, "accountSuspended"));
    app.sql("update users set suspended_at = null").await;
    app.clock.advance(SignedDuration::from_hours(24));
    assert_eq!(confirm(&Person::at(&app), &token).await.refusal(), refused, "its time is over");
    for odd in ["", "x", &"x".repeat(43)] {
        assert_eq!(confirm(&ann, odd).await.refusal(), refused, "{odd}");
    }
    assert_eq!(ann.post("/api/auth/confirm-email", &json!({})).await.refusal(), (400, "validation"));
    assert_eq!(app.count(&format!("select count(*) from users where email = '{ANN}'")).await, 1);
}

#[tokio::test]
async fn only_the_reader_of_its_mail_learns_that_an_address_is_taken() {
    let (app, ann) = with_ann_at_home().await;
    verified(&app, "bob@example.org").await;
    let (free, held) = (ask(&ann, NEW).await, ask(&ann, "bob@example.org").await);
    assert_eq!((free.status, &free.body), (held.status, &held.body));
    let token = last_token(&app, "bob@example.org").await;
    assert_eq!(confirm(&ann, &token).await.refusal(), (409, "emailTaken"));
    assert_eq!((ann.get("/api/me").await.body["email"].as_str(), app.count("select count(*) from users").await), (Some(ANN), 2));
    app.sql("delete from users where email like 'bob%'").await;
    assert_eq!(confirm(&ann, &token).await.status, 200, "it was not used up");
}

#[tokio::test]
async fn of_ten_accounts_that_want_one_address_at_once_one_gets_it() {
    let app = Arc::new(mailing_app().await);
    let mut tokens = Vec::new();
    for number in 0..10 {
        ask(&at_home(&app, &format!("person{number}@example.org")).await, NEW).await;
        tokens.push(last_token(&app, NEW).await);
    }
    let mut response =
        join_all(tokens.into_iter().map(async |token| confirm_elsewhere(&Person::at(&app), &token).await.status)).await;
    response.sort_unstable();
    assert_eq!((response[0], &response[1..]), (200, &[409; 9][..]));
}

#[tokio::test]
async fn a_change_needs_reauthentication_and_another_address() {
    let (app, ann) = with_ann_at_home().await;
    assert_eq!(ask(&Person::at(&app), NEW).await.refusal(), (401, "unauthorized"));
    let unsigned = ann.browser.post(app.url("/api/me/email")).json(&json!({ "newEmail": NEW, "password": PASSWORD }));
    assert_eq!(unsigned.answer().await.refusal(), (403, "csrfInvalid"));
    for (body, refusal) in [
        (json!({ "newEmail": NEW }), (400, "passwordRequired")),
        (json!({ "newEmail": NEW, "credential": {} }), (400, "passwordRequired")),
        (json!({ "newEmail": NEW, "password": "not the harbour" }), (403, "invalidPassword")),
        (json!({ "newEmail": NEW, "password": 7 }), (400, "validation")),
        (json!({ "newEmail": 7, "password": PASSWORD }), (400, "validation")),
        (json!({ "password": PASSWORD }), (400, "validation")),
        (json!({ "newEmail": "ANN@example.org", "password": PASSWORD }), (400, "validation")),
        (json!({ "newEmail": "new@example.org\r\nBcc: bob@example.org", "password": PASSWORD }), (400, "validation")),
        (json!({ "newEmail": "@", "password": PASSWORD }), (400, "validation")),
    ] {
        let response = ann.post("/api/me/email", &body).await;
        assert_eq!(response.refusal(), refusal, "{body} {}", response.body);
    }
    assert_eq!(app.count("select count(*) from one_time where kind = 'addressChange'").await, 0);
    assert_eq!(letters(&app, ANN).await.len(), 1, "the first one");
    let refused = "select count(*) from account_audit where event = 'auth.email.change_requested' and status = 'failure'";
    assert_eq!(app.count(refused).await, 1);
}

#[tokio::test]
async fn without_mail_it_takes_effect_at_once_and_a_taken_address_is_told() {
    let app = app().await;
    let (ann, other) = (Person::at(&app), Person::at(&app));
    ann.register(ANN).await;
    for person in [&ann, &other] {
        assert_eq!(person.login(ANN, PASSWORD).await.status, 200);
    }
    Person::at(&app).register("bob@example.org").await;
    assert_eq!(ask(&ann, "bob@example.org").await.refusal(), (409, "emailTaken"));
    assert_eq!((ann.get("/api/me").await.status, other.get("/api/me").await.status), (200, 200), "nothing of it was done");
    let response = ask(&ann, NEW).await;
    assert_eq!((response.status, response.cookie("session").is_some()), (200, true), "{}", response.body);
    assert_eq!((&ann.get("/api/me").await.body["email"], other.get("/api/me").await.status), (&json!(NEW), 401));
    assert_eq!(app.count("select count(*) from one_time").await, 0);
}

#[tokio::test]
async fn it_cannot_flood_the_mailboxes_of_others() {
    let app = limited_app().await;
    let ann = at_home(&app, ANN).await;
    for _ in 0..3 {
        assert_eq!(ask(&ann, NEW).await.status, 202);
    }
    assert_eq!(ask(&ann, NEW).await.refusal(), (429, "rateLimited"), "three mails an hour to an address");
    for number in 5..=20 {
        assert_eq!(ask(&ann, &format!("new{number}@example.org")).await.status, 202);
    }
    assert_eq!(ask(&ann, "more@example.org").await.refusal(), (429, "rateLimited"), "twenty an hour from one place");
    assert_eq!(letters(&app, NEW).await.len(), 3);
}
