//! `GET /api/me/referrer`.

use super::{Person, app};
use serde_json::json;

/// There are no clients yet, so the response is always empty. The rule for clients has tests of its own in `domain`.
#[tokio::test]
async fn a_site_that_is_no_client_gets_no_way_back() {
    let app = app().await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    for query in [
        "",
        "?referrer=web-app",
        "?referrer=web-app&referrer_uri=https%3A%2F%2Fapp.example.com",
        "?referrer=web-app&referrer_uri=javascript%3Aalert(1)",
        "?referrer=&referrer_uri=%2F%2Fevil.com",
        "?referrer_uri=https://app.example.com@evil.com",
    ] {
        let response = ann.get(&format!("/api/me/referrer{query}")).await;
        assert_eq!((response.status, response.body), (200, json!({})), "{query}");
    }
    assert_eq!(ann.get("/api/me/referrer?referrer=%00").await.status, 400);
}
