//! Request ids, formats of errors, services that are turned off.

use support::prelude::*;

#[tokio::test]
async fn a_requests_own_id_is_taken_when_it_is_a_uuid() {
    let app = TestApp::start().await;
    let sent = "0198c0de-0000-7000-8000-000000000001";
    let response = app.get("/none").header("x-request-id", sent).send().await.unwrap();
    assert_eq!(response.headers()["x-request-id"], sent);
    assert_eq!(response.json::<Value>().await.unwrap()["requestId"], sent);
    let response = app.get("/none").header("x-request-id", "<script>").send().await.unwrap();
    let id = response.headers()["x-request-id"].to_str().unwrap().to_owned();
    assert_eq!(id.len(), 36);
    assert_eq!(response.json::<Value>().await.unwrap()["requestId"], id);
}

#[tokio::test]
async fn what_is_not_there_is_404_in_the_words_of_its_part() {
    let app = TestApp::start().await;
    let body = async |path: &str| {
        let response = app.get(path).send().await.unwrap();
        assert_eq!(response.status(), 404, "{path}");
        response.json::<Value>().await.unwrap()
    };
    assert_eq!(body("/api/v2/cdn/none").await, serde_json::json!({ "error": "This record could not be found" }));
    for path in ["/none", "/api", "/api/none", "/api/v1/none", "/api/v1/spaces/1/none", "//api/health", "/api/health/more"] {
        assert_eq!(body(path).await["error"], "notFound", "{path}");
    }
}

#[tokio::test]
async fn a_service_that_is_off_is_not_there() {
    let app = TestApp::with_variables(&[("APP_SERVICES", "identity")]).await;
    for path in ["/api/v2/cdn/stories", "/api/v1/spaces"] {
        assert_eq!(app.get(path).send().await.unwrap().status(), 404, "{path}");
    }
    assert_eq!(app.get("/api/health").send().await.unwrap().status(), 200);
}
