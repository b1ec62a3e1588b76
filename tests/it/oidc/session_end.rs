//! Signing out at the wish of a client. The tests are named after the modules of the certification plan that
//! they follow.

use super::provider::{Provider, Redirect};
use support::prelude::*;

const BYE: &str = "https://app.example/bye";

async fn end(provider: &Provider, parameters: &[(&str, &str)]) -> Response {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(parameters);
    provider.get(&format!("/oidc/session/end?{}", query.finish())).await
}

async fn is_signed_in(provider: &Provider) -> bool {
    let answer = provider.authorize("web", &[("prompt", "none")]).await;
    let parameters = answer.parameters();
    assert!(parameters.contains_key("code") || parameters["error"] == "login_required");
    parameters.contains_key("code")
}

async fn hint(provider: &Provider) -> String {
    let tokens = provider.tokens("web", "openid").await;
    tokens["id_token"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn with_the_id_token_of_the_session_it_ends_and_the_client_has_its_state() {
    let provider = Provider::start().await;
    let hint = hint(&provider).await;
    let state = "s".repeat(128);
    provider.advance(2 * 3600);
    let wish = [("id_token_hint", hint.as_str()), ("post_logout_redirect_uri", BYE), ("state", &state)];
    let answer = end(&provider, &wish).await;
    assert_eq!(answer.location(), format!("{BYE}?state={state}"), "also with an ID token that has expired");
    assert!(!is_signed_in(&provider).await);
    assert_eq!(provider.get("/api/me").await.status, 401);
    assert_eq!(end(&provider, &wish).await.location(), format!("{BYE}?state={state}"), "again, without a session");
    let events = provider.count("select count(*) from account_audit where event = 'auth.logout'").await;
    assert_eq!(events, 1);
}

#[tokio::test]
async fn without_a_state_there_is_none_and_without_a_uri_there_is_a_page() {
    let provider = Provider::start().await;
    let token = hint(&provider).await;
    assert_eq!(end(&provider, &[("id_token_hint", &token), ("post_logout_redirect_uri", BYE)]).await.location(), BYE);
    assert!(!is_signed_in(&provider).await);
    provider.sign_in().await;
    let token = hint(&provider).await;
    assert_eq!(end(&provider, &[("id_token_hint", &token), ("state", "x")]).await.location(), "/logout?from=client");
    assert!(!is_signed_in(&provider).await);
}

#[tokio::test]
async fn nothing_unproved_is_redirected() {
    let provider = Provider::start().await;
    let hint = hint(&provider).await;
    let (header, rest) = hint.split_once('.').unwrap();
    let unsigned = format!("eyJhbGciOiJub25lIn0.{}.", rest.split('.').next().unwrap());
    let forged = format!("{header}.{}.{}", rest.split('.').next().unwrap(), "A".repeat(342));
    for (wish, error) in [
        (
            &[("id_token_hint", hint.as_str()), ("post_logout_redirect_uri", "https://app.example/other")][..],
            "invalid_redirect_uri",
        ),
        (&[("id_token_hint", &hint), ("post_logout_redirect_uri", "https://app.example/bye?foo=bar")], "invalid_redirect_uri"),
        (&[("id_token_hint", &hint), ("post_logout_redirect_uri", BYE), ("client_id", "strict")], "invalid_request"),
        (&[("id_token_hint", &unsigned), ("post_logout_redirect_uri", BYE)], "invalid_request"),
        (&[("id_token_hint", &forged), ("post_logout_redirect_uri", BYE)], "invalid_request"),
        (&[("client_id", "web"), ("post_logout_redirect_uri", "https://evil.example/")], "invalid_redirect_uri"),
    ] {
        let answer = end(&provider, wish).await;
        assert_eq!((answer.status, answer.header("location")), (400, ""), "{wish:?}");
        assert!(answer.text.contains(error), "{wish:?}: {}", answer.text);
    }
    assert!(is_signed_in(&provider).await, "nothing of it ended the session");
}

#[tokio::test]
async fn without_an_id_token_the_person_is_asked() {
    let provider = Provider::start().await;
    for wish in
        [&[][..], &[("state", "x")], &[("post_logout_redirect_uri", BYE)], &[("post_logout_redirect_uri", BYE), ("state", "x")]]
    {
        assert_eq!(end(&provider, wish).await.location(), "/logout?from=client", "{wish:?}");
    }
    let named = end(&provider, &[("client_id", "web"), ("post_logout_redirect_uri", BYE), ("state", "x")]).await;
    assert_eq!(named.location(), "/logout?client_id=web&post_logout_redirect_uri=https%3A%2F%2Fapp.example%2Fbye&state=x");
    assert!(is_signed_in(&provider).await, "a link on any page can do this");

    let other = hint(&provider).await;
    provider.post("/api/auth/logout", &serde_json::json!({})).await;
    provider.sign_in().await;
    assert!(end(&provider, &[("id_token_hint", &other)]).await.location().starts_with("/logout"));
    assert!(is_signed_in(&provider).await, "an ID token of another session");
}

#[tokio::test]
async fn a_form_of_another_site_ends_the_session_that_its_id_token_names() {
    let provider = Provider::start().await;
    let hint = hint(&provider).await;
    let form = [("id_token_hint", hint.as_str()), ("post_logout_redirect_uri", BYE)];
    let request = browser().post(provider.url("/oidc/session/end")).form(&form);
    let answer = request.answer().await;
    assert_eq!(answer.location(), BYE);
    assert_eq!(provider.get("/api/me").await.status, 401, "the session of Ann's browser has ended");
}
