//! Every error below `/oidc` and `/.well-known` is one of OAuth: `error` and `error_description`, and nothing
//! else.

use super::forms;
use reqwest::Response;
use support::prelude::*;

async fn app() -> TestApp {
    TestApp::with(Setup { more: Some(forms::endpoints), ..Setup::default() }).await
}

/// The status and the code of an error, whose form is checked.
async fn error(response: Response) -> (u16, String) {
    let status = response.status().as_u16();
    assert_eq!(response.headers()["cache-control"], "no-store");
    assert_eq!(response.headers()["content-type"], "application/json; charset=utf-8");
    let body: Value = response.json().await.unwrap();
    assert_eq!(body.as_object().unwrap().keys().collect::<Vec<_>>(), ["error", "error_description"], "{body}");
    let description = body["error_description"].as_str().unwrap();
    assert!(
        !description.is_empty() && description.chars().all(|c| matches!(c, ' '..='~') && c != '"' && c != '\\'),
        "{description}"
    );
    (status, body["error"].as_str().unwrap().to_owned())
}

fn of(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

#[tokio::test]
async fn what_is_not_there_or_not_allowed_is_told_in_the_words_of_oauth() {
    let app = app().await;
    for path in ["/oidc", "/oidc/", "/oidc/nothing", "/oidc/jwks/", "/.well-known/nothing", "/.well-known/jwks.json/"] {
        assert_eq!(error(app.get(path).send().await.unwrap()).await, of(404, "invalid_request"), "{path}");
    }
    for (method, path, allowed) in [
        (Method::POST, "/.well-known/jwks.json", "GET, HEAD, OPTIONS"),
        (Method::DELETE, "/.well-known/openid-configuration", "GET, HEAD, OPTIONS"),
        (Method::GET, "/oidc/test/form", "POST, OPTIONS"),
    ] {
        let response = app.client.request(method, app.url(path)).send().await.unwrap();
        assert_eq!(response.headers()["allow"], allowed, "{path}");
        assert_eq!(error(response).await, of(405, "invalid_request"), "{path}");
    }
}

#[tokio::test]
async fn trouble_of_the_server_is_told_in_the_words_of_oauth() {
    let app = app().await;
    assert_eq!(error(app.get("/oidc/test/panic").send().await.unwrap()).await, of(500, "server_error"));
    let busy = app.get("/oidc/test/busy").send().await.unwrap();
    assert_eq!(busy.headers()["retry-after"], "1");
    assert_eq!(error(busy).await, of(503, "temporarily_unavailable"));
    let two_hosts = "GET /oidc/jwks HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n";
    let answer = app.connect().await.send(two_hosts).await.answer().await.unwrap();
    assert_eq!(answer.status, 400);
    // The language of the person is not that of the client's developer.
    let response = app.get("/oidc/nothing").header("accept-language", "de").send().await.unwrap();
    let body: Value = response.json().await.unwrap();
    assert_eq!(body["error_description"], "This record could not be found");
}

#[tokio::test]
async fn a_caller_without_the_right_token_is_told_how_to_authenticate() {
    let app = app().await;
    let none = app.get("/oidc/test/token").send().await.unwrap();
    assert_eq!(none.headers()["www-authenticate"], "Bearer");
    assert_eq!(error(none).await.0, 401);
    let wrong = app.get("/oidc/test/token").bearer_auth("x").send().await.unwrap();
    let challenge = wrong.headers()["www-authenticate"].to_str().unwrap().to_owned();
    assert_eq!(challenge, "Bearer error=\"invalid_token\", error_description=\"The token 'x' is not known\"");
    assert_eq!(error(wrong).await, of(401, "invalid_token"));
}

#[tokio::test]
async fn a_form_is_read_strictly() {
    let app = app().await;
    let post = |body: &str| app.client.post(app.url("/oidc/test/form")).body(body.to_owned());
    let form = |body: &str| post(body).header("content-type", "application/x-www-form-urlencoded");
    for (body, grant_type) in [
        ("grant_type=a%20b", Value::from("a b")),
        ("scope=x&grant_type=a+b", Value::from("a b")),
        ("grant_type=", Value::Null),
        ("", Value::Null),
    ] {
        let response = form(body).send().await.unwrap();
        assert_eq!(response.status(), 200, "{body}");
        assert_eq!(response.json::<Value>().await.unwrap(), grant_type, "{body}");
    }
    let utf8 = post("grant_type=%C3%BC").header("content-type", "Application/X-WWW-Form-Urlencoded; charset=UTF-8");
    assert_eq!(utf8.send().await.unwrap().json::<Value>().await.unwrap(), "ü");

    for body in ["grant_type=a&grant_type=a", "grant_type=&grant_type=a", "grant_type=%ff", "grant_type=a%00"] {
        assert_eq!(error(form(body).send().await.unwrap()).await, of(400, "invalid_request"), "{body}");
    }
    assert_eq!(error(post("grant_type=a").send().await.unwrap()).await, of(400, "invalid_request"));
    let json = post("{}").header("content-type", "application/json");
    assert_eq!(error(json.send().await.unwrap()).await, of(400, "invalid_request"));
    let limit = 64 << 10;
    let large = |length: usize| format!("scope={}", "x".repeat(length - "scope=".len()));
    assert_eq!(form(&large(limit)).send().await.unwrap().status(), 200);
    assert_eq!(error(form(&large(limit + 1)).send().await.unwrap()).await, of(413, "invalid_request"));
}
