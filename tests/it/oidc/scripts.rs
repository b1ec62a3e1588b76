//! What scripts of web pages may read, and what every endpoint says to a body that is no form.

use super::provider::{Provider, SECRET};
use support::prelude::*;

/// The endpoints that clients send forms to.
const FORMS: [&str; 5] = ["/oidc/token", "/oidc/par", "/oidc/device_authorization", "/oidc/revoke", "/oidc/introspect"];

/// Sends a request of a page of this origin.
async fn from(origin: &str, request: reqwest::RequestBuilder) -> Response {
    request.header("origin", origin).answer().await
}

/// Which page may read a response: `*` for every page.
fn readers(response: &Response) -> &str {
    assert_eq!(response.header("access-control-allow-credentials"), "");
    response.header("access-control-allow-origin")
}

#[tokio::test]
async fn every_page_may_read_an_answer_that_names_no_client() {
    let provider = Provider::start().await;
    let url = |path: &str| provider.url(path);
    for path in FORMS {
        for request in [
            browser().post(url(path)).form(&[]),
            browser().post(url(path)).form(&[("client_id", "unknown")]),
            browser().post(url(path)).basic_auth("unknown", Some(SECRET)).form(&[]),
            browser().post(url(path)).json(&json!({ "client_id": "spa" })),
            browser().get(url(path)),
        ] {
            let response = from("https://evil.example", request).await;
            assert!((400..406).contains(&response.status), "{path} {}", response.status);
            assert_eq!(readers(&response), "*", "{path} {}", response.text);
        }
    }
    for request in [
        browser().get(url("/oidc/userinfo")),
        browser().post(url("/oidc/userinfo")),
        browser().get(url("/oidc/userinfo")).bearer_auth("x".repeat(43)),
        browser().delete(url("/oidc/userinfo")),
    ] {
        let response = from("https://evil.example", request).await;
        assert!(matches!(response.status, 401 | 405), "{}", response.text);
        assert_eq!(readers(&response), "*", "{}", response.text);
        assert!(response.header("access-control-expose-headers").contains("WWW-Authenticate"));
    }
}

#[tokio::test]
async fn an_answer_that_names_a_client_is_for_its_own_pages() {
    let provider = Provider::start().await;
    let tokens = provider.tokens("web", "openid").await;
    let token = tokens["access_token"].as_str().unwrap();
    for (origin, expected) in [("https://app.example", "https://app.example"), ("https://evil.example", "")] {
        let userinfo = from(origin, browser().get(provider.url("/oidc/userinfo")).bearer_auth(token)).await;
        assert_eq!((userinfo.status, readers(&userinfo), userinfo.header("vary")), (200, expected, "Origin"));
        for path in FORMS {
            let url = provider.url(path);
            let public = from(origin, browser().post(&url).form(&[("client_id", "spa")])).await;
            assert_eq!((readers(&public), public.header("vary")), (expected, "Origin"), "{path}");
            let named = [("client_id", "web")];
            let assertion = [("client_assertion_type", "x"), ("client_assertion", "x.y.z")];
            for request in [
                browser().post(&url).form(&named),
                browser().post(&url).basic_auth("web", Some(SECRET)).form(&[]),
                browser().post(&url).form(&assertion),
            ] {
                assert_eq!(readers(&from(origin, request).await), "", "{path}: a page holds no secret");
            }
        }
    }
    for path in ["/oidc/authorize", "/oidc/session/end"] {
        let response = from("https://evil.example", browser().get(provider.url(path))).await;
        assert_eq!(readers(&response), "", "{path} is for people");
    }
}

#[tokio::test]
async fn a_body_that_is_no_form_is_an_invalid_request() {
    let provider = Provider::start().await;
    for path in FORMS.iter().copied().chain(["/oidc/authorize", "/oidc/session/end", "/oidc/userinfo"]) {
        for kind in ["application/json", "text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencodedx"] {
            let request = browser().post(provider.url(path)).header("content-type", kind).body("client_id=spa");
            let response = request.answer().await;
            assert_eq!(response.refusal(), (400, "invalid_request"), "{path} {kind}");
        }
        if path == "/oidc/userinfo" {
            continue;
        }
        let response = browser().post(provider.url(path)).answer().await;
        assert_eq!(response.refusal(), (400, "invalid_request"), "{path} without a content type");
    }
    // A browser is shown the same as a page.
    let page = browser().post(provider.url("/oidc/session/end")).header("accept", "text/html").json(&json!({}));
    assert_eq!(page.send().await.unwrap().status(), 400);
}

#[tokio::test]
async fn with_a_token_in_the_header_a_body_of_any_type_means_nothing() {
    let provider = Provider::start().await;
    let tokens = provider.tokens("web", "openid").await;
    let token = tokens["access_token"].as_str().unwrap();
    let post = || browser().post(provider.url("/oidc/userinfo")).bearer_auth(token);
    for (kind, body) in [
        ("application/json", "{}"),
        ("application/json", ""),
        ("text/plain", "access_token=x"),
        ("multipart/form-data; boundary=x", "--x--"),
        ("application/x-www-form-urlencoded", ""),
        ("nonsense", "x"),
    ] {
        let response = post().header("content-type", kind).body(body).answer().await;
        assert_eq!(response.status, 200, "{kind} {}", response.text);
    }
    assert_eq!(post().answer().await.status, 200);
    let twice = post().form(&[("access_token", token)]).answer().await;
    assert_eq!(twice.refusal(), (400, "invalid_request"), "in two places");
    assert!(twice.header("www-authenticate").contains("error=\"invalid_request\""), "{:?}", twice.headers);
}
