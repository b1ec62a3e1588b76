//! Bodies that are malformed, too large or hostile.

use super::{app, registered};
use support::prelude::*;

/// Posts a body as it is.
async fn post(person: &Person, path: &str, content_type: &str, body: String) -> Response {
    let request = person.request(Method::POST, path).await.header("content-type", content_type);
    request.body(body).answer().await
}

#[tokio::test]
async fn a_malformed_body_is_400_and_changes_nothing() {
    let app = app().await;
    let ann = Person::at(&app);
    for path in ["/api/auth/register", "/api/auth/login"] {
        for body in [
            String::new(),
            "{".to_owned(),
            "[]".to_owned(),
            "null".to_owned(),
            "\"x\"".to_owned(),
            format!(r#"{{"email":"a@example.org","email":"b@example.org","password":"{PASSWORD}","firstName":"Ann"}}"#),
            format!(r#"{{"email":"a@example.org","password":"{PASSWORD}","password":"x","firstName":"Ann"}}"#),
            format!(r#"{{"email":["a@example.org"],"password":"{PASSWORD}","firstName":"Ann"}}"#),
            format!(r#"{{"email":"a@example.org\u0000","password":"{PASSWORD}","firstName":"Ann"}}"#),
            r#"{"email":"a@example.org","password":987654321012,"firstName":"Ann"}"#.to_owned(),
            "[".repeat(100_000 / 2),
        ] {
            let response = post(&ann, path, "application/json", body.clone()).await;
            assert_eq!(response.status, 400, "{path} {body:.80} {}", response.body);
            assert!(!response.body.to_string().contains("987654321012"), "a password is never repeated: {}", response.body);
        }
        let response = post(&ann, path, "application/x-www-form-urlencoded", "email=a".to_owned()).await;
        assert_eq!(response.refusal(), (415, "unsupportedMediaType"));
        post(&ann, path, "application/json", format!("{{\"email\":\"{}\"}}", "a".repeat(70_000))).await.expect(413);
    }
    assert_eq!(app.count("select count(*) from users").await, 0);
}

#[tokio::test]
async fn fields_that_break_a_rule_are_named() {
    let app = app().await;
    let ann = Person::at(&app);
    let good = json!({ "email": "ann@example.org", "password": PASSWORD, "firstName": "Ann" });
    for (field, value) in [
        ("email", json!("ann@example.org\r\nBcc: bob@example.org")),
        ("email", json!("\"ann\"@example.org")),
        ("email", json!("ann@[127.0.0.1]")),
        ("email", json!(format!("{}@example.org", "a".repeat(300)))),
        ("email", Value::Null),
        ("firstName", json!("x".repeat(10_240))),
        ("firstName", json!("Ann\u{202e}")),
        ("lastName", json!("Be\u{200b}e")),
        ("displayName", json!("a\nb")),
        ("locale", json!("xx")),
        ("password", json!("password1")),
        ("password", json!("short")),
        ("password", json!("x".repeat(257))),
        ("password", Value::Null),
    ] {
        let mut body = good.clone();
        body[field] = value;
        let response = ann.post("/api/auth/register", &body).await;
        assert_eq!(
            (response.status, response.body["details"][0]["field"].as_str()),
            (400, Some(field)),
            "{body} {}",
            response.body
        );
    }
    let response =
        ann.post("/api/auth/register", &json!({ "email": "ann@example.org", "password": "password1", "firstName": "Ann" })).await;
    assert_eq!(response.refusal(), (400, "weakPassword"));
    assert!(!response.body.to_string().contains("password1"));

    let response = ann
        .post(
            "/api/auth/register",
            &json!({ "email": "ann@example.org", "password": PASSWORD, "firstName": "Ann", "isAdmin": true, "x": 1 }),
        )
        .await;
    assert_eq!(response.status, 201, "unknown members are ignored: {}", response.body);
}

#[tokio::test]
async fn nothing_of_a_password_is_stored_but_its_hash() {
    let (app, ann) = registered().await;
    ann.login("ann@example.org", PASSWORD).await;
    ann.login("ann@example.org", "not the harbour").await;
    let found = "select (select count(*) from users where users::text like '%harbour%')
                      + (select count(*) from account_audit where account_audit::text like '%harbour%')
                      + (select count(*) from sessions where sessions::text like '%harbour%')";
    assert_eq!(app.count(found).await, 0);
    assert_eq!(app.count("select count(*) from users where password_hash like '$argon2id$v=19$%'").await, 1);
}

#[tokio::test]
async fn errors_of_other_methods_and_paths_are_json() {
    let app = app().await;
    let response = Person::at(&app).get("/api/auth/login").await;
    assert_eq!(response.refusal(), (405, "methodNotAllowed"));
    assert_eq!(Person::at(&app).get("/api/auth/nothing").await.refusal(), (404, "notFound"));
}
