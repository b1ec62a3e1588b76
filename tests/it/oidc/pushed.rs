//! `POST /oidc/par`, and authorization requests that refer to what was pushed.

use super::provider::{CALLBACK, PKCE, Provider, Redirect, SECRET};
use support::prelude::*;

const PREFIX: &str = "urn:ietf:params:oauth:request_uri:";

/// Pushes a request of a confidential client: `openid` at its redirect URI, unless the parameters say
/// otherwise.
async fn push(provider: &Provider, client: &str, parameters: &[(&str, &str)]) -> Response {
    let usual = [("client_id", client), ("redirect_uri", CALLBACK), ("response_type", "code"), ("scope", "openid")];
    let given = |name: &str| parameters.iter().any(|(given, _)| *given == name);
    let form: Vec<(&str, &str)> =
        usual.iter().filter(|(name, _)| !given(name)).chain(parameters).filter(|(_, value)| !value.is_empty()).copied().collect();
    let request = browser().post(provider.url("/oidc/par")).basic_auth(client, Some(SECRET)).form(&form);
    request.answer().await
}

/// The reference to a request that was pushed.
async fn pushed(provider: &Provider, client: &str, parameters: &[(&str, &str)]) -> String {
    let response = push(provider, client, parameters).await;
    assert_eq!((response.status, response.header("cache-control")), (201, "no-store"), "{}", response.text);
    assert_eq!(response.body["expires_in"], 60);
    let uri = response.body["request_uri"].as_str().unwrap().to_owned();
    assert_eq!(uri.strip_prefix(PREFIX).map(str::len), Some(43));
    uri
}

/// Asks for an authorization by a reference.
async fn authorize(provider: &Provider, client: &str, uri: &str) -> Response {
    provider.get(&format!("/oidc/authorize?client_id={client}&request_uri={}", uri.replace(':', "%3A"))).await
}

#[tokio::test]
async fn what_was_pushed_is_authorized_once() {
    let provider = Provider::start().await;
    let (verifier, challenge) = PKCE;
    let with = [("state", "s 1"), ("code_challenge", challenge), ("code_challenge_method", "S256"), ("scope", "openid email")];
    let uri = pushed(&provider, "strict", &with).await;
    // What stands beside the reference is not part of the request (RFC 9126, section 4).
    let aside = format!("{uri}&state=other&redirect_uri=https%3A%2F%2Fapp.example%2Fother&scope=openid%20profile");
    let mut answer = provider.get(&format!("/oidc/authorize?client_id=strict&request_uri={aside}")).await.parameters();
    assert_eq!((answer.remove("state").as_deref(), answer.get("iss")), (Some("s 1"), Some(&provider.url(""))));
    let code = answer.remove("code").unwrap();
    let form = [("grant_type", "authorization_code"), ("code", &*code), ("redirect_uri", CALLBACK), ("code_verifier", verifier)];
    let tokens = provider.token("strict", &form).await;
    assert_eq!((tokens.status, &tokens.body["scope"]), (200, &json!("openid email")));
    assert_eq!(authorize(&provider, "strict", &uri).await.refusal(), (400, "invalid_request_uri"));
}

#[tokio::test]
async fn a_reference_is_for_its_client_and_for_a_minute() {
    let provider = Provider::start().await;
    for (client, seconds) in [("guarded", 0), ("", 0), ("web", 61)] {
        let uri = pushed(&provider, "web", &[]).await;
        provider.advance(seconds);
        assert_eq!(authorize(&provider, client, &uri).await.refusal(), (400, "invalid_request_uri"), "{client} {seconds}");
        let own = authorize(&provider, "web", &uri).await;
        assert_eq!(own.status, if seconds == 0 { 303 } else { 400 }, "another client has not used it up");
    }
    let uri = pushed(&provider, "web", &[]).await;
    provider.advance(59);
    assert!(authorize(&provider, "web", &uri).await.parameters().contains_key("code"));
    for uri in [format!("{PREFIX}x"), format!("{PREFIX}{}", "x".repeat(43))] {
        assert_eq!(authorize(&provider, "web", &uri).await.refusal(), (400, "invalid_request_uri"));
    }
    let elsewhere = provider.authorize("web", &[("request_uri", "https://app.example/request.jwt")]).await;
    assert_eq!(elsewhere.error(), "request_uri_not_supported");
}

#[tokio::test]
async fn a_person_who_has_to_sign_in_goes_on_with_what_was_pushed() {
    let provider = Provider::start().await;
    let uri = pushed(&provider, "web", &[("prompt", "login"), ("state", "kept")]).await;
    let page = authorize(&provider, "web", &uri).await;
    let uid = page.location().strip_prefix("/interaction/").unwrap().to_owned();
    provider.advance(120);
    provider.sign_in().await;
    assert_eq!(provider.post(&format!("/api/oidc/interaction/{uid}/finish"), &json!({})).await.status, 200);
    let answer = provider.get(&format!("/oidc/authorize/{uid}")).await.parameters();
    assert_eq!((answer.contains_key("code"), answer.get("state").map(String::as_str)), (true, Some("kept")));
}

#[tokio::test]
async fn what_is_wrong_is_told_before_a_person_is_sent_anywhere() {
    let provider = Provider::start().await;
    let other = pushed(&provider, "web", &[]).await;
    for (parameters, error) in [
        (&[("redirect_uri", "https://evil.example/cb")][..], "invalid_request"),
        (&[("redirect_uri", "")], "invalid_request"),
        (&[("response_type", "token")], "unsupported_response_type"),
        (&[("response_type", "code"), ("response_type", "code")], "invalid_request"),
        (&[("scope", "a\"b")], "invalid_scope"),
        (&[("resource", "https://unknown.example")], "invalid_target"),
        (&[("request", "x.y.z")], "request_not_supported"),
        (&[("id_token_hint", "x.y.z")], "invalid_request"),
        (&[("request_uri", other.as_str())], "invalid_request"),
        (&[("client_id", "strict")], "invalid_request"),
    ] {
        assert_eq!(push(&provider, "web", parameters).await.refusal(), (400, error), "{parameters:?}");
    }
    let strict = push(&provider, "strict", &[]).await;
    assert_eq!(strict.refusal(), (400, "invalid_request"), "without a code challenge");
    let anonymous = browser().post(provider.url("/oidc/par")).form(&[("client_id", "web"), ("redirect_uri", CALLBACK)]);
    assert_eq!(anonymous.answer().await.refusal(), (401, "invalid_client"));
    assert_eq!(provider.count("select count(*) from one_time where kind = 'pushedRequest'").await, 1, "nothing else was stored");
}

#[tokio::test]
async fn a_client_that_has_to_push_cannot_ask_otherwise() {
    let provider = Provider::start().await;
    assert_eq!(provider.authorize("pushing", &[]).await.error(), "invalid_request");
    let uri = pushed(&provider, "pushing", &[("client_id", "")]).await;
    assert!(authorize(&provider, "pushing", &uri).await.parameters().contains_key("code"));
}
