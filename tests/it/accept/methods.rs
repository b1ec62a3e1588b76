//! HEAD, OPTIONS, and what is not allowed.

use super::{Limits, app};
use support::{Wire, prelude::*};

#[tokio::test]
async fn head_is_get_without_its_body() {
    let app = TestApp::start().await;
    let mut wire: Wire = app.connect().await;
    let request = |method: &str| format!("{method} /api/health HTTP/1.1\r\nhost: x\r\n\r\n");
    // The length is announced and nothing follows: the next head comes right after this one.
    wire.send(request("HEAD")).await.send(request("HEAD")).await;
    for _ in 0..2 {
        let head = wire.head().await.unwrap();
        assert!(head.starts_with("http/1.1 200 ok") && head.contains("content-length: 15"), "{head}");
    }
}

#[tokio::test]
async fn a_wrong_method_is_405_and_tells_the_right_ones() {
    let app = TestApp::start().await;
    for method in ["POST", "DELETE", "PROPFIND", "BREW"] {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let response = app.client.request(method.clone(), app.url("/api/health")).send().await.unwrap();
        assert_eq!(response.status(), 405, "{method}");
        assert_eq!(response.headers()["allow"], "GET, HEAD, OPTIONS");
        let body: serde_json::Value = response.json().await.unwrap();
        assert_eq!(body["error"], "methodNotAllowed");
    }
    for line in ["TRACE /api/health", "CONNECT example.com:443"] {
        let answer = app.connect().await.send(format!("{line} HTTP/1.1\r\nhost: x\r\n\r\n")).await.answer().await.unwrap();
        assert!([404, 405].contains(&answer.status), "{line} {answer:?}");
    }
}

#[tokio::test]
async fn a_method_in_a_header_is_nothing() {
    let app = TestApp::start().await;
    let response = app.get("/api/health").header("x-http-method-override", "DELETE").send().await.unwrap();
    assert_eq!(response.status(), 200);
}

#[tokio::test]
async fn options_tells_what_can_be_done() {
    let app = TestApp::start().await;
    let options = async |path: &str| app.client.request(Method::OPTIONS, app.url(path)).send().await.unwrap();
    let known = options("/api/v1/spaces").await;
    assert_eq!((known.status().as_u16(), known.headers()["allow"].to_str().unwrap()), (204, "GET, POST, HEAD, OPTIONS"));
    assert_eq!(options("/api/v1/spaces/1/nothing").await.status(), 404);
    assert_eq!(options("/nothing").await.status(), 404);
}

#[tokio::test]
async fn the_delivery_api_may_be_read_from_any_page_and_nothing_else_may() {
    let app = TestApp::start().await;
    let preflight = async |path: &str| {
        let request = app.client.request(Method::OPTIONS, app.url(path));
        let request = request.header("origin", "https://evil.example").header("access-control-request-method", "GET");
        request.send().await.unwrap()
    };
    let delivery = preflight("/api/v2/cdn/stories").await;
    assert_eq!(delivery.status(), 204);
    assert_eq!(delivery.headers()["access-control-allow-origin"], "*");
    assert!(!delivery.headers().contains_key("access-control-allow-credentials"));
    let refused = app.get("/api/v2/cdn/stories?token=none").send().await.unwrap();
    assert_eq!((refused.status().as_u16(), refused.headers()["access-control-allow-origin"].to_str().unwrap()), (401, "*"));
    for path in ["/api/v1/spaces", "/api/health"] {
        let response = preflight(path).await;
        assert!(!response.headers().keys().any(|header| header.as_str().starts_with("access-control")), "{path}");
    }
}

#[tokio::test]
async fn every_answer_has_its_security_headers_and_an_id() {
    let app = app(Limits::default()).await;
    for (path, status) in
        [("/api/health", 200), ("/none", 404), ("/panic", 500), ("/api/v2/cdn/stories", 401), ("/api/v1/spaces", 401)]
    {
        let response = app.get(path).send().await.unwrap();
        assert_eq!(response.status(), status, "{path}");
        let header = |name: &str| response.headers().get(name).map(|header| header.to_str().unwrap().to_owned());
        assert_eq!(header("x-content-type-options").as_deref(), Some("nosniff"), "{path}");
        assert_eq!(header("referrer-policy").as_deref(), Some("no-referrer"), "{path}");
        assert_eq!(header("content-security-policy").as_deref(), Some("default-src 'none'; frame-ancestors 'none'"), "{path}");
        assert_eq!(header("server"), None);
        assert_eq!(header("x-request-id").unwrap().len(), 36);
        assert_eq!(header("content-type").as_deref(), Some("application/json; charset=utf-8"), "{path}");
    }
}
