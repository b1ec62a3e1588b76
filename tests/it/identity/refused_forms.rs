//! A form whose CSRF token or whose fields are wrong uses up no limit of the address that it came from.

use super::LIMITED;
use support::prelude::*;

/// Two of each an hour.
const TWO: &[(&str, &str)] = &[
    ("APP_RATE_LIMIT_LOGIN_IP", "2/h"),
    ("APP_RATE_LIMIT_REGISTER_IP", "2/h"),
    ("APP_RATE_LIMIT_MAIL_IP", "2/h"),
    ("APP_RATE_LIMIT_PASSKEYS_IP", "2/h"),
];

async fn app() -> TestApp {
    TestApp::with_variables(&[LIMITED, TWO].concat()).await
}

/// Sends a form without a CSRF token.
async fn unproved(person: &Person, path: &str, body: &Value) -> Response {
    person.browser.post(person.url(path)).json(body).answer().await
}

/// Refused forms of a person first; then two forms that are looked at, and one that is one too many.
async fn are_not_counted(person: &Person, path: &str, wrong: &[Value], right: &Value) {
    for body in wrong {
        assert_eq!(unproved(person, path, right).await.refusal(), (403, "csrfInvalid"), "{path}");
        let response = person.post(path, body).await;
        assert_eq!(response.status, 400, "{path} {body} {}", response.body);
    }
    for _ in 0..2 {
        let response = person.post(path, right).await;
        assert_ne!(response.status, 429, "{path}");
        assert_ne!(response.refusal().1, "validation", "{path} {}", response.body);
    }
    assert_eq!(person.post(path, right).await.refusal(), (429, "rateLimited"), "{path}");
    // Over the limit, neither the token nor the form is looked at.
    assert_eq!(unproved(person, path, &json!({})).await.refusal(), (429, "rateLimited"), "{path}");
}

#[tokio::test]
async fn of_a_login() {
    let wrong = [json!({}), json!({ "email": "ann", "password": PASSWORD }), json!({ "email": 7 }), json!([])];
    let right = json!({ "email": "ann@example.org", "password": PASSWORD });
    are_not_counted(&Person::at(&app().await), "/api/auth/login", &wrong, &right).await;
}

#[tokio::test]
async fn of_a_second_factor() {
    for path in ["/api/auth/verify-totp", "/api/auth/verify-login-code"] {
        let wrong = [json!({}), json!({ "loginToken": "x" }), json!({ "code": 7 })];
        are_not_counted(&Person::at(&app().await), path, &wrong, &json!({ "code": "123456" })).await;
    }
    let path = "/api/auth/resend-login-code";
    are_not_counted(&Person::at(&app().await), path, &[json!({ "loginToken": 7 }), json!([]), json!("x")], &json!({})).await;
}

#[tokio::test]
async fn of_a_registration() {
    let wrong = [
        json!({}),
        json!({ "email": "ann@example.org", "password": "short", "firstName": "Ann" }),
        json!({ "email": "ann@example.org", "password": PASSWORD, "firstName": "Ann", "locale": "xx" }),
    ];
    let right = json!({ "email": "ann@example.org", "password": PASSWORD, "firstName": "Ann" });
    are_not_counted(&Person::at(&app().await), "/api/auth/register", &wrong, &right).await;
}

#[tokio::test]
async fn of_a_mail() {
    for path in ["/api/auth/password/forgot", "/api/auth/resend-verification"] {
        let wrong = [json!({}), json!({ "email": "ann" }), json!({ "email": null })];
        are_not_counted(&Person::at(&app().await), path, &wrong, &json!({ "email": "ann@example.org" })).await;
    }
    let app = app().await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    let wrong = [json!({}), json!({ "newEmail": "ann", "password": PASSWORD }), json!({ "newEmail": "eve@example.org" })];
    let right = json!({ "newEmail": "eve@example.org", "password": "not the harbour" });
    are_not_counted(&ann, "/api/me/email", &wrong, &right).await;
}

#[tokio::test]
async fn of_a_passkey() {
    let wrong = [json!({}), json!({ "credential": null }), json!({ "challenge": 7 })];
    are_not_counted(&Person::at(&app().await), "/api/webauthn/login/finish", &wrong, &json!({ "credential": {} })).await;
    let app = app().await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    are_not_counted(&ann, "/api/webauthn/register/finish", &wrong, &json!({ "credential": {} })).await;
    let names = [json!({ "name": "x".repeat(1000) }), json!({ "name": 7 })];
    let app = self::app().await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    are_not_counted(&ann, "/api/webauthn/register/start", &names, &json!({})).await;

    // These have no form.
    let app = self::app().await;
    let (ann, stranger, mut key) = (Person::signed_in(&app, "ann@example.org").await, Person::at(&app), SoftKey::at(&app.url("")));
    for path in ["/api/me/password-reauth", "/api/webauthn/login/start"] {
        let person = if path.starts_with("/api/me") { &ann } else { &stranger };
        for _ in 0..3 {
            assert_eq!(unproved(person, path, &json!({})).await.refusal(), (403, "csrfInvalid"), "{path}");
        }
    }
    assert_eq!(ann.add_passkey(&mut key).await.status, 200, "two are left");
}
