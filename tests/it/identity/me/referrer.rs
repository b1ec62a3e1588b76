//! `GET /api/me/referrer`.

use super::{FREE, signed_in};
use support::prelude::*;

#[tokio::test]
async fn a_page_of_a_client_is_a_way_back_with_the_name_of_the_client() {
    let clients = r#"[{"clientId":"web-app","name":"The Web App","redirectUris":["https://app.example.com/callback"]}]"#;
    let app = TestApp::with_variables(&[FREE, &[("APP_OIDC_CLIENTS_JSON", clients)]].concat()).await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    let back = ann.get("/api/me/referrer?referrer=web-app&referrer_uri=https%3A%2F%2Fapp.example.com%2Fhome%3Fa%3D1").await;
    assert_eq!((back.status, back.body), (200, json!({ "uri": "https://app.example.com/home?a=1", "label": "The Web App" })));
    for query in [
        "referrer=other&referrer_uri=https%3A%2F%2Fapp.example.com%2Fhome",
        "referrer=web-app&referrer_uri=https%3A%2F%2Fapp.example.com.evil.example%2F",
        "referrer=web-app&referrer_uri=http%3A%2F%2Fapp.example.com%2F",
        "referrer=web-app&referrer_uri=https%3A%2F%2Fapp.example.com%40evil.example%2F",
    ] {
        assert_eq!(ann.get(&format!("/api/me/referrer?{query}")).await.body, json!({}), "{query}");
    }
}

/// Without clients the response is always empty.
#[tokio::test]
async fn a_site_that_is_no_client_gets_no_way_back() {
    let (_app, ann) = signed_in().await;
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
