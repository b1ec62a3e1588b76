//! The authorization code flow, from the request to the claims.

use super::provider::{CALLBACK, PKCE, Provider, Redirect, SECRET, claims};
use support::prelude::*;

#[tokio::test]
async fn a_signed_in_person_is_sent_back_with_a_code_that_is_worth_tokens() {
    let provider = Provider::start().await;
    let answer = provider.authorize("web", &[("scope", "openid profile email"), ("state", "s t&a=te"), ("nonce", "n-1")]).await;
    let parameters = answer.parameters();
    assert_eq!((parameters["state"].as_str(), &parameters["iss"]), ("s t&a=te", &provider.url("")));
    assert_eq!(parameters.len(), 3, "code, state and iss: {parameters:?}");

    let response = provider.redeem("web", &parameters["code"]).await;
    assert_eq!((response.status, response.header("cache-control")), (200, "no-store"), "{}", response.text);
    let tokens = response.body;
    assert_eq!((&tokens["token_type"], &tokens["expires_in"]), (&json!("Bearer"), &json!(3600)));
    assert_eq!(tokens["scope"], "openid profile email");
    assert_eq!(tokens.get("refresh_token"), None, "offline_access was not asked for");
    assert_eq!(tokens["access_token"].as_str().unwrap().len(), 43);

    let ann = provider.ann().await;
    let id_token = claims(&tokens["id_token"]);
    assert_eq!((&id_token["iss"], &id_token["aud"], &id_token["sub"]), (&json!(provider.url("")), &json!("web"), &json!(ann)));
    assert_eq!((&id_token["nonce"], &id_token["acr"]), (&json!("n-1"), &json!("urn:identity:acr:1fa")));
    assert_eq!((&id_token["amr"], id_token["exp"].as_i64().unwrap() - id_token["iat"].as_i64().unwrap()), (&json!(["pwd"]), 3600));
    assert_eq!(id_token["auth_time"], id_token["iat"], "the clock stands still");
    assert!(id_token["sid"].is_string() && id_token["at_hash"].is_string());
    for absent in ["email", "name", "azp", "roles"] {
        assert_eq!(id_token.get(absent), None, "{absent} is told at the userinfo endpoint");
    }

    let userinfo = provider.userinfo(&tokens["access_token"]).await;
    assert_eq!((userinfo.status, userinfo.header("cache-control")), (200, "no-store"));
    let expected = json!({"sub": ann, "name": "Ann Bee", "given_name": "Ann", "family_name": "Bee", "preferred_username": "ann@example.org",
        "locale": "en", "updated_at": id_token["iat"], "email": "ann@example.org", "email_verified": true});
    assert_eq!(userinfo.body, expected);
}

#[tokio::test]
async fn a_code_is_for_its_client_its_redirect_uri_and_its_verifier() {
    let provider = Provider::start().await;
    let challenge = [("code_challenge", PKCE.1), ("code_challenge_method", "S256")];
    let code = provider.code("strict", &challenge).await;
    let with = |more: &[(&'static str, &'static str)]| {
        let code: &'static str = String::leak(code.clone());
        [&[("grant_type", "authorization_code"), ("code", code)][..], more].concat()
    };
    let wrong_verifier = "a-verifier-that-is-long-enough-and-nevertheless-wrong";
    for (client, form) in [
        ("web", with(&[("redirect_uri", CALLBACK), ("code_verifier", PKCE.0)])),
        ("strict", with(&[("redirect_uri", CALLBACK)])),
        ("strict", with(&[("redirect_uri", CALLBACK), ("code_verifier", wrong_verifier)])),
        ("strict", with(&[("redirect_uri", CALLBACK), ("code_verifier", PKCE.1)])),
        ("strict", with(&[("redirect_uri", "https://app.example/other"), ("code_verifier", PKCE.0)])),
    ] {
        assert_eq!(provider.token(client, &form).await.refusal(), (400, "invalid_grant"), "{form:?}");
    }
    let right = provider.token("strict", &with(&[("code_verifier", PKCE.0)])).await;
    assert_eq!(right.status, 200, "a refused request has not used the code up: {}", right.text);

    let code = provider.code("web", &[]).await;
    let form =
        [("grant_type", "authorization_code"), ("code", code.as_str()), ("redirect_uri", CALLBACK), ("code_verifier", PKCE.0)];
    let stripped = provider.token("web", &form).await;
    assert_eq!(stripped.refusal(), (400, "invalid_grant"), "a verifier without a challenge");
}

#[tokio::test]
async fn a_public_client_redeems_its_code_with_its_verifier_alone() {
    let provider = Provider::start().await;
    let code = provider.code("spa", &[("code_challenge", PKCE.1), ("code_challenge_method", "S256")]).await;
    let form = [("grant_type", "authorization_code"), ("code", code.as_str()), ("client_id", "spa"), ("code_verifier", PKCE.0)];
    let request = browser().post(provider.url("/oidc/token")).header("origin", "https://app.example").form(&form);
    let response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["access-control-allow-origin"], "https://app.example");
    let without = provider.authorize("spa", &[]).await;
    assert_eq!(without.error(), "invalid_request", "PKCE is required");
}

#[tokio::test]
async fn a_second_use_of_a_code_revokes_what_the_first_one_got() {
    let provider = Provider::start().await;
    let code = provider.code("web", &[("scope", "openid offline_access")]).await;
    let tokens = provider.redeem("web", &code).await.body;
    assert_eq!(provider.userinfo(&tokens["access_token"]).await.status, 200);
    provider.advance(30);
    assert_eq!(provider.redeem("web", &code).await.refusal(), (400, "invalid_grant"));
    assert_eq!(provider.userinfo(&tokens["access_token"]).await.refusal(), (401, "invalid_token"));
    assert_eq!(provider.refresh("web", &tokens["refresh_token"]).await.refusal(), (400, "invalid_grant"));
    let audited = "select count(*) from account_audit where event = 'oidc.code_reuse_detected' and status = 'failure'";
    assert_eq!(provider.count(audited).await, 1);
}

#[tokio::test]
async fn a_used_code_that_another_client_presents_revokes_nothing() {
    let provider = Provider::start().await;
    let code = provider.code("web", &[("scope", "openid offline_access")]).await;
    let tokens = provider.redeem("web", &code).await.body;
    let spa = [("grant_type", "authorization_code"), ("code", code.as_str()), ("client_id", "spa"), ("redirect_uri", CALLBACK)];
    assert_eq!(provider.form("/oidc/token", &spa).await.refusal(), (400, "invalid_grant"));
    assert_eq!(provider.redeem("other", &code).await.refusal(), (400, "invalid_grant"));
    assert_eq!(provider.userinfo(&tokens["access_token"]).await.status, 200);
    assert_eq!(provider.refresh("web", &tokens["refresh_token"]).await.status, 200);
    assert_eq!(provider.count("select count(*) from account_audit where event = 'oidc.code_reuse_detected'").await, 0);
    assert_eq!(provider.redeem("web", &code).await.refusal(), (400, "invalid_grant"));
    assert_eq!(provider.userinfo(&tokens["access_token"]).await.status, 401, "its own client still does");
}

/// Attack 115.
#[tokio::test]
async fn of_fifty_uses_of_a_code_at_once_one_succeeds_and_its_tokens_are_revoked() {
    let provider = Provider::start().await;
    let code = provider.code("web", &[]).await;
    let answers = futures_util::future::join_all((0..50).map(|_| provider.redeem("web", &code))).await;
    let (won, lost): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!((won.len(), lost.len()), (1, 49));
    assert!(lost.iter().all(|answer| answer.refusal() == (400, "invalid_grant")));
    assert_eq!(provider.userinfo(&won[0].body["access_token"]).await.status, 401);
}

/// Attack 117.
#[tokio::test]
async fn a_code_dies_after_a_minute_and_with_the_session_or_the_account_that_gave_it() {
    let provider = Provider::start().await;
    let refused = (400, "invalid_grant");
    let code = provider.code("web", &[]).await;
    provider.advance(61);
    assert_eq!(provider.redeem("web", &code).await.refusal(), refused, "too late");

    let code = provider.code("web", &[("scope", "openid offline_access")]).await;
    assert_eq!(provider.post("/api/auth/logout", &json!({})).await.status, 200);
    assert_eq!(provider.redeem("web", &code).await.refusal(), refused, "signed out");

    for end in ["update users set suspended_at = now()", "update users set token_version = token_version + 1"] {
        provider.sign_in().await;
        let code = provider.code("web", &[]).await;
        provider.sql(end).await;
        assert_eq!(provider.redeem("web", &code).await.refusal(), refused, "{end}");
        provider.sql("update users set suspended_at = null").await;
    }
}

#[tokio::test]
async fn the_response_travels_in_the_query_the_fragment_or_a_form() {
    let provider = Provider::start().await;
    let fragment = provider.authorize("web", &[("response_mode", "fragment"), ("state", "x")]).await;
    let (uri, parameters) = fragment.location().split_once('#').unwrap();
    assert_eq!(uri, CALLBACK);
    assert!(parameters.starts_with("code=") && parameters.contains("&state=x&iss="), "{parameters}");

    let form = provider.authorize("web", &[("response_mode", "form_post"), ("state", "\"><script>")]).await;
    assert_eq!((form.status, form.header("content-type")), (200, "text/html; charset=utf-8"));
    assert!(form.header("content-security-policy").contains("form-action https://app.example;"), "{:?}", form.headers);
    assert!(form.text.contains("action=\"https://app.example/cb\"") && form.text.contains("name=\"code\""), "{}", form.text);
    assert!(!form.text.contains("<script>\""), "{}", form.text);
    let refused = provider.authorize("web", &[("response_mode", "form_post"), ("prompt", "none login")]).await;
    assert!(refused.text.contains("value=\"invalid_request\""), "errors travel alike: {}", refused.text);
}

#[tokio::test]
async fn a_request_by_form_is_sent_on_to_the_get_that_brings_the_session() {
    let provider = Provider::start().await;
    let form = [("client_id", "web"), ("redirect_uri", CALLBACK), ("response_type", "code"), ("scope", "openid"), ("state", "a b")];
    let posted = provider.form("/oidc/authorize", &form).await;
    let location = posted.location().to_owned();
    assert!(location.starts_with("/oidc/authorize?"), "{location}");
    assert_eq!(provider.get(&location).await.parameters()["state"], "a b");
}

#[tokio::test]
async fn a_token_of_another_server_or_of_nobody_is_worth_nothing() {
    let provider = Provider::start().await;
    let bare = browser().get(provider.url("/oidc/userinfo")).send().await.unwrap();
    let realm = format!("Bearer realm=\"{}\"", provider.url(""));
    assert_eq!((bare.status().as_u16(), bare.headers()["www-authenticate"].to_str().unwrap()), (401, realm.as_str()));
    let wrong = provider.userinfo(&json!("x".repeat(43))).await;
    assert_eq!(wrong.refusal(), (401, "invalid_token"));
    assert!(wrong.header("www-authenticate").starts_with(&format!("{realm}, error=\"invalid_token\"")), "{:?}", wrong.headers);

    let tokens = provider.tokens("web", "openid").await;
    provider.advance(3601);
    assert_eq!(provider.userinfo(&tokens["access_token"]).await.refusal(), (401, "invalid_token"), "expired");
}

#[tokio::test]
async fn userinfo_takes_the_token_from_a_form_but_not_from_two_places_and_never_from_the_query() {
    let provider = Provider::start().await;
    let tokens = provider.tokens("web", "openid").await;
    let token = tokens["access_token"].as_str().unwrap();
    let url = provider.url("/oidc/userinfo");
    let status = async |request: reqwest::RequestBuilder| request.send().await.unwrap().status().as_u16();
    assert_eq!(status(browser().post(&url).form(&[("access_token", token)])).await, 200);
    assert_eq!(status(browser().post(&url).bearer_auth(token)).await, 200);
    assert_eq!(status(browser().post(&url).bearer_auth(token).form(&[("access_token", token)])).await, 400);
    assert_eq!(status(browser().get(format!("{url}?access_token={token}"))).await, 401);
}

#[tokio::test]
async fn a_client_that_acts_for_itself_gets_a_token_without_a_person() {
    let provider = Provider::start().await;
    let response =
        provider.token("machine", &[("grant_type", "client_credentials"), ("scope", "reports openid")]).await.expect(200);
    let tokens = response;
    assert_eq!((&tokens["scope"], &tokens["expires_in"]), (&json!("reports"), &json!(600)));
    assert!(tokens.get("id_token").is_none() && tokens.get("refresh_token").is_none());
    assert_eq!(provider.userinfo(&tokens["access_token"]).await.refusal(), (403, "insufficient_scope"));

    let form = [("grant_type", "client_credentials"), ("resource", "https://api.example")];
    let jwt = claims(&provider.token("machine", &form).await.body["access_token"]);
    assert_eq!(
        (&jwt["sub"], &jwt["client_id"], &jwt["aud"]),
        (&json!("machine"), &json!("machine"), &json!("https://api.example"))
    );
    for (form, error) in [
        (&[("grant_type", "client_credentials"), ("scope", "profile")][..], "invalid_scope"),
        (&[("grant_type", "client_credentials"), ("resource", "https://unknown.example")], "invalid_target"),
        (&[("grant_type", "authorization_code"), ("code", "x")], "unauthorized_client"),
        (&[("grant_type", "password")], "unsupported_grant_type"),
        (&[("scope", "reports")], "invalid_request"),
    ] {
        assert_eq!(provider.token("machine", form).await.refusal(), (400, error), "{form:?}");
    }
}

#[tokio::test]
async fn two_processes_share_codes_and_tokens() {
    let one = Provider::start().await;
    let other = Provider::on(&[("APP_BASE_URL", &one.app.url(""))], Some(&one)).await;
    let code = one.code("web", &[("scope", "openid offline_access")]).await;
    let response = other.redeem("web", &code).await.expect(200);
    assert_eq!(one.userinfo(&response["access_token"]).await.status, 200);
}

/// What is not the provider's business is refused before anything else.
#[tokio::test]
async fn a_token_request_is_a_form_by_post() {
    let provider = Provider::start().await;
    let url = provider.url("/oidc/token");
    let status = async |request: reqwest::RequestBuilder| request.send().await.unwrap().status().as_u16();
    assert_eq!(status(browser().get(&url)).await, 405);
    assert_eq!(status(browser().post(&url).json(&json!({}))).await, 400);
    let repeated = "grant_type=client_credentials&grant_type=client_credentials";
    let request =
        browser().post(&url).basic_auth("machine", Some(SECRET)).header("content-type", "application/x-www-form-urlencoded");
    let response = request.body(repeated).answer().await;
    assert_eq!(response.refusal(), (400, "invalid_request"));
}
