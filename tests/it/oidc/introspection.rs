//! `POST /oidc/introspect` and `POST /oidc/revoke`.

use super::{
    provider::{Provider, SECRET, claims},
    verify,
};
use support::prelude::*;

/// Sends a token to an endpoint as a confidential client.
async fn send(provider: &Provider, path: &str, client: &str, token: &str, more: &[(&str, &str)]) -> Response {
    let form = [&[("token", token)], more].concat();
    let request = browser().post(provider.url(path)).basic_auth(client, Some(SECRET)).form(&form);
    request.answer().await
}

/// What `machine` is told of a token.
async fn introspect(provider: &Provider, token: &Value) -> Value {
    let response = send(provider, "/oidc/introspect", "machine", token.as_str().unwrap(), &[]).await;
    assert_eq!((response.status, response.header("cache-control")), (200, "no-store"), "{}", response.text);
    response.body
}

async fn revoke(provider: &Provider, client: &str, token: &Value) -> Response {
    send(provider, "/oidc/revoke", client, token.as_str().unwrap(), &[]).await
}

/// A JWT access token that Ann gives to `web`.
async fn jwt(provider: &Provider) -> Value {
    let code = provider.code("web", &[("scope", "openid email"), ("resource", "https://api.example")]).await;
    provider.redeem("web", &code).await.body["access_token"].clone()
}

/// A token with which `machine` acts for itself.
async fn own(provider: &Provider, more: &[(&str, &str)]) -> Value {
    let form = [&[("grant_type", "client_credentials"), ("scope", "reports")], more].concat();
    provider.token("machine", &form).await.body["access_token"].clone()
}

#[tokio::test]
async fn a_server_learns_what_a_token_is_good_for() {
    let provider = Provider::start().await;
    let (ann, issuer) = (provider.ann().await, provider.url(""));
    let tokens = provider.tokens("web", "openid email offline_access").await;
    let now = claims(&tokens["id_token"])["iat"].as_i64().unwrap();
    let id = claims(&tokens["id_token"]);
    let person = json!({ "sub": ann, "iss": issuer, "sid": id["sid"], "acr": id["acr"], "auth_time": id["auth_time"], "username": "ann@example.org",
        "client_id": "web", "scope": "openid email offline_access", "active": true, "iat": now, "nbf": now });
    let with = |more: Value| {
        let mut all = person.clone();
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    assert_eq!(introspect(&provider, &tokens["access_token"]).await, with(json!({ "token_type": "Bearer", "exp": now + 3600 })));
    assert_eq!(introspect(&provider, &tokens["refresh_token"]).await, with(json!({ "exp": now + 1_209_600 })));

    let token = jwt(&provider).await;
    let jwt = claims(&token);
    let expected = with(json!({ "token_type": "Bearer", "exp": now + 900, "aud": "https://api.example", "jti": jwt["jti"],
        "scope": "openid email", "auth_time": jwt["auth_time"] }));
    assert_eq!(introspect(&provider, &token).await, expected);

    let opaque = json!({ "active": true, "client_id": "machine", "sub": "machine", "scope": "reports", "token_type": "Bearer", "iss": issuer,
        "iat": now, "nbf": now, "exp": now + 600 });
    assert_eq!(introspect(&provider, &own(&provider, &[]).await).await, opaque);
    let token = own(&provider, &[("resource", "https://api.example")]).await;
    let answer = introspect(&provider, &token).await;
    assert_eq!(
        (&answer["active"], &answer["sub"], &answer["aud"]),
        (&json!(true), &json!("machine"), &json!("https://api.example"))
    );

    let without_email = provider.tokens("web", "openid").await;
    assert_eq!(introspect(&provider, &without_email["access_token"]).await.get("username"), None);
}

#[tokio::test]
async fn a_hint_changes_nothing_and_a_token_is_needed() {
    let provider = Provider::start().await;
    let tokens = provider.tokens("web", "openid offline_access").await;
    for kind in ["access_token", "refresh_token"] {
        for hint in ["access_token", "refresh_token", "other", ""] {
            let token = tokens[kind].as_str().unwrap();
            let response = send(&provider, "/oidc/introspect", "web", token, &[("token_type_hint", hint)]).await;
            assert_eq!(response.body["active"], true, "{kind} {hint}");
        }
    }
    for path in ["/oidc/introspect", "/oidc/revoke"] {
        assert_eq!(send(&provider, path, "web", "", &[]).await.refusal(), (400, "invalid_request"), "{path}");
        let repeated = send(&provider, path, "web", "x", &[("token", "y")]).await;
        assert_eq!(repeated.refusal(), (400, "invalid_request"), "{path}");
        let get = browser().get(provider.url(path)).answer().await;
        assert_eq!((get.status, get.header("allow")), (405, "POST, OPTIONS"), "{path}");
    }
}

/// Attack 133.
#[tokio::test]
async fn only_confidential_clients_may_ask() {
    let provider = Provider::start().await;
    let token = provider.tokens("web", "openid").await["access_token"].clone();
    let token = token.as_str().unwrap();
    let ask = |browser: &reqwest::Client| browser.post(provider.url("/oidc/introspect"));
    let nobody = ask(&provider.person.browser).form(&[("token", token)]).answer().await;
    assert_eq!(nobody.refusal(), (401, "invalid_client"), "the cookie of a session is no client");
    assert_eq!(nobody.header("www-authenticate"), format!("Basic realm=\"{}\", error=\"invalid_client\"", provider.url("")));
    for form in [vec![("token", token), ("client_id", "spa")], vec![("token", token), ("client_id", "web")]] {
        let response = ask(&browser()).form(&form).answer().await;
        assert_eq!(response.refusal(), (401, "invalid_client"));
    }
    let wrong = ask(&browser()).basic_auth("web", Some("x")).form(&[("token", token)]).answer().await;
    assert_eq!(wrong.refusal(), (401, "invalid_client"));
    let bearer = ask(&browser()).bearer_auth(token).form(&[("token", token)]).answer().await;
    assert_eq!(bearer.refusal(), (401, "invalid_client"), "a token authenticates no client");
    let without_token = ask(&browser()).form(&[]).answer().await;
    assert_eq!(without_token.refusal(), (401, "invalid_client"), "before anything is said about the token");
}

#[tokio::test]
async fn a_client_that_is_limited_learns_of_its_own_tokens_and_those_for_its_audiences() {
    let provider = Provider::start().await;
    let tokens = provider.tokens("web", "openid offline_access").await;
    let for_resource = async |client: &str, resource: &str| {
        let form = [("grant_type", "client_credentials"), ("resource", resource)];
        provider.token(client, &form).await.body["access_token"].clone()
    };
    let own = provider.token("reader", &[("grant_type", "client_credentials")]).await.body["access_token"].clone();
    for (token, may_know, what) in [
        (&own, true, "its own"),
        (&for_resource("reader", "https://api.example").await, true, "its own, for another audience"),
        (&for_resource("machine", "https://other.example").await, true, "of another client, for its audience"),
        (&for_resource("machine", "https://api.example").await, false, "of another client, for another audience"),
        (&tokens["access_token"], false, "of another client"),
        (&tokens["refresh_token"], false, "of another client"),
    ] {
        let answer = send(&provider, "/oidc/introspect", "reader", token.as_str().unwrap(), &[]).await.body;
        assert_eq!(answer["active"], may_know, "{what}");
        assert_eq!(answer.as_object().unwrap().len() > 1, may_know, "{what}: {answer}");
        assert_eq!(introspect(&provider, token).await["active"], true, "{what}: others may ask about all");
    }
}

#[tokio::test]
async fn of_a_token_that_is_not_valid_nothing_else_is_told() {
    let provider = Provider::start().await;
    let inactive = json!({ "active": false });
    let tokens = provider.tokens("web", "openid offline_access").await;
    let used = tokens["refresh_token"].clone();
    assert_eq!(provider.refresh("web", &used).await.status, 200);
    let jwt = jwt(&provider).await;
    let (message, _) = jwt.as_str().unwrap().rsplit_once('.').unwrap();
    for token in [
        json!("x"),
        json!("x".repeat(43)),
        json!("a.b.c"),
        json!(format!("{message}.AAAA")),
        used,
        tokens["id_token"].clone(),
        json!("x".repeat(20_000)),
    ] {
        assert_eq!(introspect(&provider, &token).await, inactive, "{token}");
    }
    let opaque = own(&provider, &[]).await;
    provider.advance(599);
    assert_eq!(introspect(&provider, &opaque).await["active"], true);
    provider.advance(1);
    assert_eq!(introspect(&provider, &opaque).await, inactive, "expired");
    provider.advance(299);
    assert_eq!(introspect(&provider, &jwt).await["active"], true);
    provider.advance(1);
    assert_eq!(introspect(&provider, &jwt).await, inactive, "expired");
}

#[tokio::test]
async fn tokens_of_a_suspended_person_are_not_valid() {
    let provider = Provider::start().await;
    let (tokens, jwt) = (provider.tokens("web", "openid offline_access").await, jwt(&provider).await);
    provider.sql("update users set suspended_at = now()").await;
    for token in [&tokens["access_token"], &tokens["refresh_token"], &jwt] {
        assert_eq!(introspect(&provider, token).await, json!({ "active": false }));
    }
}

#[tokio::test]
async fn an_answer_is_signed_for_a_client_that_asks_for_that() {
    let provider = Provider::start().await;
    let token = provider.tokens("web", "openid").await["access_token"].clone();
    let plain = introspect(&provider, &token).await;
    let jwks = provider.get("/oidc/jwks").await.body;
    for (token, answer) in [(token.as_str().unwrap(), plain), ("x", json!({ "active": false }))] {
        let request =
            browser().post(provider.url("/oidc/introspect")).basic_auth("machine", Some(SECRET)).form(&[("token", token)]);
        let response = request.header("accept", "application/token-introspection+jwt").answer().await;
        assert_eq!((response.status, response.header("content-type")), (200, "application/token-introspection+jwt"));
        let signed = verify(&response.text, &jwks).unwrap();
        let header = super::provider::decoded(response.text.split('.').next().unwrap());
        assert_eq!((&header["typ"], &header["alg"]), (&json!("token-introspection+jwt"), &json!("ES256")));
        assert_eq!((&signed["iss"], &signed["aud"]), (&json!(provider.url("")), &json!("machine")));
        assert_eq!(signed["token_introspection"], answer);
        assert_eq!((signed.get("sub"), signed.get("exp")), (None, None));
    }
}

#[tokio::test]
async fn a_revoked_access_token_is_gone_and_takes_nothing_with_it() {
    let provider = Provider::start().await;
    let tokens = provider.tokens("web", "openid offline_access").await;
    let response = revoke(&provider, "web", &tokens["access_token"]).await;
    assert_eq!((response.status, response.text.as_str()), (200, ""));
    assert_eq!(provider.userinfo(&tokens["access_token"]).await.refusal(), (401, "invalid_token"));
    assert_eq!(introspect(&provider, &tokens["access_token"]).await, json!({ "active": false }));
    assert_eq!(provider.refresh("web", &tokens["refresh_token"]).await.status, 200);

    let jwt = jwt(&provider).await;
    assert_eq!(revoke(&provider, "web", &jwt).await.status, 200);
    assert_eq!(introspect(&provider, &jwt).await, json!({ "active": false }));
    let again = [
        revoke(&provider, "web", &jwt).await,
        revoke(&provider, "web", &json!("x")).await,
        revoke(&provider, "web", &tokens["access_token"]).await,
    ];
    assert_eq!(again.map(|response| response.status), [200, 200, 200], "there is nothing left to revoke");
}

#[tokio::test]
async fn a_revoked_refresh_token_ends_its_grant() {
    let provider = Provider::start().await;
    let tokens = provider.tokens("web", "openid offline_access").await;
    let other = provider.tokens("web", "openid offline_access").await;
    assert_eq!(revoke(&provider, "web", &tokens["refresh_token"]).await.status, 200);
    assert_eq!(provider.refresh("web", &tokens["refresh_token"]).await.refusal(), (400, "invalid_grant"));
    assert_eq!(provider.userinfo(&tokens["access_token"]).await.status, 401);
    assert_eq!(provider.userinfo(&other["access_token"]).await.status, 200, "another grant");

    // A refresh token that was used already is a way to revoke, too: a client may not have got its successor.
    let next = provider.refresh("web", &other["refresh_token"]).await.body;
    assert_eq!(revoke(&provider, "web", &other["refresh_token"]).await.status, 200);
    assert_eq!(provider.refresh("web", &next["refresh_token"]).await.status, 400);
}

#[tokio::test]
async fn a_client_revokes_its_own_tokens_only() {
    let provider = Provider::start().await;
    let tokens = provider.tokens("web", "openid offline_access").await;
    let jwt = jwt(&provider).await;
    for token in [&tokens["access_token"], &tokens["refresh_token"], &jwt] {
        let confidential = revoke(&provider, "machine", token).await;
        assert_eq!(confidential.refusal(), (400, "invalid_request"));
        let form = [("token", token.as_str().unwrap()), ("client_id", "spa")];
        let public = provider.form("/oidc/revoke", &form).await;
        assert_eq!((public.status, public.text.as_str()), (200, ""), "a public client is not told");
        assert_eq!(introspect(&provider, token).await["active"], true);
    }
}

#[tokio::test]
async fn an_introspection_asks_the_database_once() {
    let provider = Provider::start().await;
    let (tokens, jwt) = (provider.tokens("web", "openid offline_access").await, jwt(&provider).await);
    for token in [&tokens["access_token"], &tokens["refresh_token"], &jwt, &json!("x".repeat(43))] {
        introspect(&provider, token).await;
        let before = provider.store.round_trips();
        introspect(&provider, token).await;
        assert_eq!(provider.store.round_trips() - before, 1, "{token}");
    }
}
