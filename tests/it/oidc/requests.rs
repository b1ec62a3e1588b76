//! Authorization requests that are wrong, or that ask for something special.

use super::provider::{CALLBACK, PKCE, Provider, Redirect, claims};
use support::prelude::*;

/// A request with a wrong client or redirect URI is never redirected (RFC 9700, section 4.11).
#[tokio::test]
async fn a_wrong_client_or_redirect_uri_is_told_to_the_person_and_not_redirected() {
    let provider = Provider::start().await;
    for (parameters, error) in [
        (&[("client_id", "nobody")][..], "invalid_client"),
        (&[("client_id", "")], "invalid_request"),
        (&[("redirect_uri", "")], "invalid_request"),
        (&[("redirect_uri", "https://evil.example/cb")], "invalid_redirect_uri"),
        (&[("redirect_uri", "https://app.example/cb?more=1")], "invalid_redirect_uri"),
        (&[("redirect_uri", "https://app.example/cb/")], "invalid_redirect_uri"),
        (&[("redirect_uri", "https://app.example/cb#x")], "invalid_redirect_uri"),
        (&[("redirect_uri", CALLBACK), ("redirect_uri", CALLBACK)], "invalid_request"),
        (&[("client_id", "web"), ("client_id", "web")], "invalid_request"),
        (&[("redirect_uri", "https://evil.example/cb"), ("response_type", "token"), ("prompt", "none")], "invalid_redirect_uri"),
    ] {
        let answer = provider.authorize("web", parameters).await;
        assert_eq!((answer.status, answer.header("location")), (400, ""), "{parameters:?}");
        assert!(answer.text.contains(error), "{parameters:?}: {}", answer.text);
    }
}

#[tokio::test]
async fn what_else_is_wrong_is_told_to_the_client_with_its_state() {
    let provider = Provider::start().await;
    let long = "s".repeat(128);
    for (parameters, error) in [
        (&[("response_type", "")][..], "invalid_request"),
        (&[("response_type", "token")], "unsupported_response_type"),
        (&[("response_type", "id_token")], "unsupported_response_type"),
        (&[("response_type", "code token")], "unsupported_response_type"),
        (&[("response_mode", "pigeon")], "unsupported_response_mode"),
        (&[("request", "e30.e30.")], "request_not_supported"),
        (&[("request_uri", "https://app.example/r")], "request_uri_not_supported"),
        (&[("registration", "{}")], "registration_not_supported"),
        (&[("prompt", "none login")], "invalid_request"),
        (&[("prompt", "often")], "invalid_request"),
        (&[("max_age", "-1")], "invalid_request"),
        (&[("max_age", "soon")], "invalid_request"),
        (&[("scope", "")], "invalid_scope"),
        (&[("scope", "open\"id")], "invalid_scope"),
        (&[("code_challenge", PKCE.1)], "invalid_request"),
        (&[("code_challenge", PKCE.1), ("code_challenge_method", "plain")], "invalid_request"),
        (&[("code_challenge", "short"), ("code_challenge_method", "S256")], "invalid_request"),
        (&[("code_challenge_method", "S256")], "invalid_request"),
        (&[("claims", "[]")], "invalid_request"),
        (&[("resource", "https://unknown.example")], "invalid_target"),
        (&[("id_token_hint", "e30.e30.x")], "invalid_request"),
        (&[("nonce", "a"), ("nonce", "b")], "invalid_request"),
    ] {
        let parameters = [parameters, &[("state", long.as_str())]].concat();
        let answer = provider.authorize("web", &parameters).await;
        let sent = answer.parameters();
        assert_eq!((answer.error(), &sent["state"], &sent["iss"]), (error.to_owned(), &long, &provider.url("")), "{parameters:?}");
        let description = &sent["error_description"];
        assert!(description.chars().all(|c| (' '..='~').contains(&c) && c != '"' && c != '\\'), "{description}");
    }
    let pkce = provider.authorize("strict", &[]).await;
    assert_eq!(pkce.error(), "invalid_request", "the client has to use PKCE");
    let grant = provider.authorize("machine", &[]).await;
    assert_eq!(grant.status, 400, "it has no redirect URI");
}

#[tokio::test]
async fn what_a_server_need_not_know_is_ignored() {
    let provider = Provider::start().await;
    for parameters in [
        &[("extra", "foobar")][..],
        &[("display", "page")],
        &[("display", "popup")],
        &[("ui_locales", "se")],
        &[("claims_locales", "se")],
        &[("scope", "openid phone address never-heard-of")],
        &[("acr_values", "1 2")],
        &[("login_hint", "ann@example.org")],
        &[("state", ""), ("nonce", "")],
    ] {
        assert!(provider.authorize("web", parameters).await.parameters().contains_key("code"), "{parameters:?}");
    }
    let tokens = provider.tokens("web", "email never-heard-of openid").await;
    assert_eq!(tokens["scope"], "email openid");
}

#[tokio::test]
async fn without_openid_it_is_oauth_alone() {
    let provider = Provider::start().await;
    let code = provider.code("web", &[("scope", "email"), ("nonce", "n"), ("max_age", "x"), ("id_token_hint", "x")]).await;
    let tokens = provider.redeem("web", &code).await.body;
    assert!(tokens.get("id_token").is_none());
    assert_eq!(provider.userinfo(&tokens["access_token"]).await.refusal(), (403, "insufficient_scope"));
}

#[tokio::test]
async fn claims_that_are_asked_for_by_name_are_told_where_they_are_asked_for() {
    let provider = Provider::start().await;
    let asked = r#"{"userinfo":{"name":{"essential":true}},"id_token":{"email":null,"exp":null,"sub":null}}"#;
    let code = provider.code("web", &[("claims", asked)]).await;
    let tokens = provider.redeem("web", &code).await.body;
    let id_token = claims(&tokens["id_token"]);
    assert_eq!((&id_token["email"], id_token.get("name")), (&json!("ann@example.org"), None));
    assert!(id_token["exp"].is_i64(), "a reserved name stays what it is");
    let userinfo = provider.userinfo(&tokens["access_token"]).await.body;
    assert_eq!((&userinfo["name"], userinfo.get("email")), (&json!("Ann Bee"), None));
    let other = provider.authorize("web", &[("claims", r#"{"id_token":{"sub":{"value":"somebody"}}}"#), ("prompt", "none")]).await;
    assert_eq!(other.error(), "login_required");
}

/// Attack 131.
#[tokio::test]
async fn a_token_for_a_resource_is_a_jwt_that_this_server_does_not_take() {
    let provider = Provider::start().await;
    let both =
        [("resource", "https://api.example"), ("resource", "https://other.example"), ("scope", "openid roles offline_access")];
    provider.grant_role("editor").await;
    let code = provider.code("web", &both).await;
    let form = [
        ("grant_type", "authorization_code"),
        ("code", code.as_str()),
        ("redirect_uri", CALLBACK),
        ("resource", "https://api.example"),
    ];
    let tokens = provider.token("web", &form).await.body;
    let header = tokens["access_token"].as_str().unwrap().split('.').next().unwrap();
    let header = super::provider::decoded(header);
    assert_eq!((&header["typ"], &header["alg"]), (&json!("at+jwt"), &json!("RS256")));
    let jwt = claims(&tokens["access_token"]);
    assert_eq!((&jwt["aud"], &jwt["client_id"], &jwt["roles"]), (&json!("https://api.example"), &json!("web"), &json!(["editor"])));
    assert_eq!((&jwt["sub"], jwt["exp"].as_i64().unwrap() - jwt["iat"].as_i64().unwrap()), (&json!(provider.ann().await), 900));
    assert!(jwt["jti"].is_string() && jwt["auth_time"].is_i64() && jwt["sid"].is_string());
    assert_eq!(provider.userinfo(&tokens["access_token"]).await.refusal(), (401, "invalid_token"));

    let refresh = async |resource: &str| {
        let form =
            [("grant_type", "refresh_token"), ("refresh_token", tokens["refresh_token"].as_str().unwrap()), ("resource", resource)];
        provider.token("web", &form).await
    };
    assert_eq!(refresh("https://unknown.example").await.refusal(), (400, "invalid_target"));
    assert_eq!(claims(&refresh("https://other.example").await.body["access_token"])["aud"], "https://other.example");

    let one = provider.code("web", &[("resource", "https://api.example")]).await;
    let implied = provider.redeem("web", &one).await.body;
    assert_eq!(claims(&implied["access_token"])["aud"], "https://api.example", "the one that was granted");
}

/// Attack 123.
#[tokio::test]
async fn roles_are_told_and_decide_who_may_sign_in() {
    let provider = Provider::start().await;
    let uid = provider.interaction("guarded", &[]).await;
    let view = provider.get(&format!("/api/oidc/interaction/{uid}")).await.body;
    assert_eq!((&view["prompt"], &view["reasons"]), (&json!("login_role"), &json!(["role_missing"])));
    let finish = provider.post(&format!("/api/oidc/interaction/{uid}/finish"), &json!({})).await;
    assert_eq!(finish.refusal(), (403, "loginRoleRequired"));
    assert_eq!(provider.get("/api/me").await.status, 200, "still signed in");
    assert_eq!(provider.authorize("guarded", &[("prompt", "none")]).await.error(), "access_denied");
    assert_eq!(provider.count("select count(*) from oidc_grants").await, 0);

    provider.grant_role("editor").await;
    let tokens = provider.tokens("guarded", "openid roles offline_access").await;
    assert_eq!(claims(&tokens["id_token"])["roles"], json!(["editor"]));
    assert_eq!(provider.userinfo(&tokens["access_token"]).await.body["roles"], json!(["editor"]));
    let code = provider.code("guarded", &[]).await;
    provider.sql("delete from role_assignments").await;
    assert_eq!(provider.redeem("guarded", &code).await.refusal(), (400, "invalid_grant"));
    assert_eq!(provider.refresh("guarded", &tokens["refresh_token"]).await.refusal(), (400, "invalid_grant"));
    assert!(provider.code("web", &[]).await.len() == 43, "other clients are not gated");
}
