//! `PATCH /api/me`.

use super::{FREE, app};
use support::prelude::*;

#[tokio::test]
async fn names_and_language_can_be_changed_and_the_rest_stays() {
    let app = TestApp::with_variables(&[FREE, &[("APP_SUPPORTED_LOCALES", "en,pt-BR")]].concat()).await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    let before = ann.get("/api/me").await.body;

    let response = ann.patch("/api/me", &json!({ "firstName": " Anna ", "lastName": null, "locale": "PT-br" })).await;
    let mut expected = before.clone();
    for (member, value) in [("firstName", json!("Anna")), ("lastName", Value::Null), ("displayName", json!("Anna"))] {
        expected[member] = value;
    }
    expected["locale"] = json!("pt-BR");
    assert_eq!((response.status, &response.body), (200, &expected));
    assert_eq!(ann.get("/api/me").await.body, expected);

    assert_eq!(ann.patch("/api/me", &json!({ "locale": "en-GB" })).await.body["locale"], "en", "it falls back to the language");
    assert_eq!(ann.patch("/api/me", &json!({ "locale": "pt-BR" })).await.status, 200);
    let response = ann.patch("/api/me", &json!({ "displayName": "Annie" })).await;
    assert_eq!((&response.body["displayName"], &response.body["firstName"]), (&json!("Annie"), &json!("Anna")));
    assert_eq!(ann.patch("/api/me", &json!({ "displayName": "" })).await.body["displayName"], "Anna", "the plain name again");
    assert_eq!(ann.patch("/api/me", &json!({})).await.status, 200);
    assert_eq!(app.count("select count(*) from account_audit where event = 'account.updated'").await, 5, "five changes, one none");
}

#[tokio::test]
async fn an_update_cannot_set_fields_that_the_owner_may_not_set() {
    let app = app().await;
    Person::at(&app).register("first@example.org").await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    let before = ann.get("/api/me").await.body;
    for (body, code) in [
        (json!({ "email": "eve@example.org" }), "notEditable"),
        (json!({ "email": null }), "notEditable"),
        (json!({ "isAdmin": true, "firstName": "Eve" }), "notEditable"),
        (json!({ "emailVerified": false }), "notEditable"),
        (json!({ "locale": "xx" }), "unsupportedLocale"),
        (json!({ "locale": null }), "unsupportedLocale"),
        (json!({ "locale": "../../etc" }), "unsupportedLocale"),
        (json!({ "firstName": null }), "validation"),
        (json!({ "firstName": " " }), "validation"),
        (json!({ "displayName": "x".repeat(10_240) }), "validation"),
        (json!({ "displayName": "Ann\u{202e}nnA" }), "validation"),
        (json!({ "lastName": "B\u{200b}ee" }), "validation"),
        (json!({ "lastName": ["Bee"] }), "validation"),
        (json!({ "firstName": 7 }), "validation"),
    ] {
        let response = ann.patch("/api/me", &body).await;
        assert_eq!(response.refusal(), (400, code), "{body} {}", response.body);
    }
    let response = ann.patch("/api/me", &json!({ "firstName": 7, "displayName": "Annie", "locale": [] })).await;
    let fields: Vec<_> = response.body["details"].as_array().unwrap().iter().map(|b| (&b["field"], &b["code"])).collect();
    assert_eq!(fields, [(&json!("firstName"), &json!("wrongType")), (&json!("locale"), &json!("wrongType"))], "{}", response.body);
    let twice = ann.request(Method::PATCH, "/api/me").await.body(r#"{"isAdmin":false,"isAdmin":true}"#);
    assert_eq!(twice.answer().await.refusal(), (400, "badJson"));
    assert_eq!(ann.get("/api/me").await.body, before);

    for (body, refusal) in [
        (json!({ "id": uuid::Uuid::nil() }), "notEditable"),
        (json!({ "createdAt": "x" }), "notEditable"),
        (json!({ "tokenVersion": 9, "passwordHash": "x" }), "validation"),
        (json!({ "suspendedAt": null }), "validation"),
    ] {
        assert_eq!(ann.patch("/api/me", &body).await.refusal(), (400, refusal), "{body}");
    }
    assert_eq!(ann.get("/api/me").await.body, before);
    assert_eq!(ann.patch("/api/me", &before).await.body, before, "what was read can be sent back");
}
