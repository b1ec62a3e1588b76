//! Errors in the language of the reader.

use super::{FREE, app};
use support::prelude::*;

/// The error of a failed login in a browser with this `Accept-Language`.
async fn wrong(app: &TestApp, language: &str) -> Response {
    let person = Person::at(app);
    let request = person.request(Method::POST, "/api/auth/login").await.header("accept-language", language);
    request.json(&json!({ "email": "ann@example.org", "password": "not the harbour" })).answer().await
}

#[tokio::test]
async fn an_error_is_told_in_the_language_that_the_browser_likes_best() {
    let app = app().await;
    let english = "The e-mail address or the password is wrong.";
    for (language, message) in [
        ("de-AT,de;q=0.9,en;q=0.8", "Die E-Mail-Adresse oder das Passwort ist falsch."),
        ("en-GB,de;q=0.5", english),
        ("fr", english),
        ("x".repeat(5000).as_str(), english),
    ] {
        let response = wrong(&app, language).await;
        assert_eq!(
            (response.refusal(), &response.body["message"]),
            ((401, "invalidCredentials"), &json!(message)),
            "{language:.40}"
        );
    }

    let person = Person::at(&app);
    let request = person.request(Method::POST, "/api/auth/register").await.header("accept-language", "de");
    let body = json!({ "email": "ann@example.org", "password": "short", "firstName": "Ann" });
    let response = request.json(&body).answer().await;
    assert_eq!(response.body["message"], "Dieses Passwort geht nicht. Nehmen Sie mindestens 8 Zeichen.");
    assert_eq!(
        response.body["details"],
        json!([{ "field": "password", "code": "tooShort", "message": "Nehmen Sie mindestens 8 Zeichen." }])
    );
    let link = person.request(Method::POST, "/api/auth/password/forgot").await;
    let response = link.header("accept-language", "de").json(&json!({ "email": "ann@example.org" })).answer().await;
    assert_eq!(
        response.body["message"],
        "Wenn es zu dieser Adresse ein Konto gibt, ist ein Link für ein neues Passwort unterwegs."
    );
    let none = person.browser.get(app.url("/api/auth/nothing")).header("accept-language", "de").send().await.unwrap();
    assert_eq!(Response::of(none).await.body["message"], "Das gibt es nicht, oder nicht mehr.");
    let content = person.browser.get(app.url("/api/v1/spaces")).header("accept-language", "de").send().await.unwrap();
    assert_eq!(Response::of(content).await.body["message"], "Unauthorized", "programs are spoken to in English");
}

/// The German words are those of every address, and some expect a form.
#[tokio::test]
async fn a_body_of_another_type_is_refused_in_words_that_hold_for_each_address() {
    let app = app().await;
    let person = Person::at(&app);
    let csrf = person.csrf().await;
    for (language, message) in [
        ("en", "Send the body as application/json"),
        ("de", "Schicken Sie die Angaben mit dem Content-Type, der hier erwartet wird."),
    ] {
        let request =
            person.browser.post(app.url("/api/auth/login")).header("x-csrf-token", &csrf).header("accept-language", language);
        let response = request.header("content-type", "text/plain").body("email=a").answer().await;
        assert_eq!((response.refusal(), &response.body["message"]), ((415, "unsupportedMediaType"), &json!(message)));
    }
}

#[tokio::test]
async fn a_country_falls_back_to_its_language_when_an_account_is_made() {
    let app = app().await;
    let person = Person::at(&app);
    let account = |email: &str, locale: &str| json!({ "email": email, "password": PASSWORD, "firstName": "Ann", "locale": locale });
    assert_eq!(person.post("/api/auth/register", &account("ann@example.org", "de-AT")).await.status, 201);
    assert_eq!(app.count("select count(*) from users where locale = 'de'").await, 1);
    let refused = person.post("/api/auth/register", &account("bob@example.org", "fr-CH")).await;
    assert_eq!(refused.refusal(), (400, "validation"), "{}", refused.body);
}

#[tokio::test]
async fn only_in_the_languages_that_the_operator_supports() {
    let with = |locales: &'static str| FREE.iter().copied().chain([("APP_SUPPORTED_LOCALES", locales)]).collect::<Vec<_>>();
    for (locales, accepted, word) in [("en,fr", "de", "The e-mail"), ("de", "en", "Die E-Mail"), ("de,en", "fr", "Die E-Mail")] {
        let variables = with(locales);
        let app = TestApp::with_variables(&variables).await;
        let message = wrong(&app, accepted).await.body["message"].clone();
        assert!(message.as_str().unwrap().starts_with(word), "{locales} {accepted} {message}");
    }
}
