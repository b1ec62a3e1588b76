//! DPoP: tokens that are bound to a key (RFC 9449).

use super::{
    client_auth::Key,
    provider::{CALLBACK, PKCE, Provider, Redirect, SECRET, claims},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
use futures_util::future;
use support::prelude::*;

/// A proof for a request, with claims and members of the header added or replaced.
pub fn proof(provider: &Provider, key: &Key, request: (&str, &str), claims: &Value, header: &Value) -> String {
    let (method, path) = request;
    let now = provider.clock.now().as_second();
    let mut jwk = key.jwk("x");
    jwk.as_object_mut().unwrap().remove("kid");
    let mut all = json!({ "jti": format!("{method} {path}"), "htm": method, "htu": provider.url(path), "iat": now });
    all.as_object_mut().unwrap().extend(claims.as_object().unwrap().clone());
    let mut head = json!({ "typ": "dpop+jwt", "alg": "ES256", "jwk": jwk });
    head.as_object_mut().unwrap().extend(header.as_object().unwrap().clone());
    key.sign(&head, &all)
}

/// The thumbprint of a key (RFC 7638).
fn jkt(key: &Key) -> String {
    let jwk = key.jwk("x");
    let members = format!(r#"{{"crv":"P-256","kty":"EC","x":{},"y":{}}}"#, jwk["x"], jwk["y"]);
    BASE64.encode(aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, members.as_bytes()))
}

/// Sends a form with proofs, as a confidential client, or as a public one where the form names it.
pub async fn send(provider: &Provider, path: &str, client: &str, form: &[(&str, &str)], proofs: &[&str]) -> Response {
    let mut request = browser().post(provider.url(path));
    if !form.iter().any(|(name, _)| *name == "client_id") {
        request = request.basic_auth(client, Some(SECRET));
    }
    for proof in proofs {
        request = request.header("dpop", *proof);
    }
    request.form(form).answer().await
}

/// A nonce of the server, from a request that has none.
async fn nonce(provider: &Provider) -> String {
    let without = proof(provider, &Key::new(), ("POST", "/oidc/token"), &json!({}), &json!({}));
    let response = send(provider, "/oidc/token", "machine", &[("grant_type", "client_credentials")], &[&without]).await;
    assert_eq!(response.refusal(), (400, "use_dpop_nonce"));
    response.header("dpop-nonce").to_owned()
}

/// Asks for a token with a proof of this key; `jti` names the proof.
async fn token(provider: &Provider, key: &Key, client: &str, form: &[(&str, &str)], jti: &str) -> Response {
    let claims = json!({ "nonce": nonce(provider).await, "jti": jti });
    send(provider, "/oidc/token", client, form, &[&proof(provider, key, ("POST", "/oidc/token"), &claims, &json!({}))]).await
}

/// Calls userinfo with a token, a scheme, and a proof of a key.
async fn userinfo(provider: &Provider, token: &Value, scheme: &str, key: Option<(&Key, &Value)>) -> Response {
    let mut request =
        browser().get(provider.url("/oidc/userinfo")).header("authorization", format!("{scheme} {}", token.as_str().unwrap()));
    if let Some((key, claims)) = key {
        request = request.header("dpop", proof(provider, key, ("GET", "/oidc/userinfo"), claims, &json!({})));
    }
    request.answer().await
}

fn ath(token: &Value) -> String {
    BASE64.encode(aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, token.as_str().unwrap().as_bytes()))
}

#[tokio::test]
async fn a_token_is_bound_to_the_key_of_the_proof() {
    let provider = Provider::start().await;
    let (key, other) = (Key::new(), Key::new());
    let code = provider.code("web", &[("scope", "openid offline_access")]).await;
    let form = [("grant_type", "authorization_code"), ("code", &*code), ("redirect_uri", CALLBACK)];
    // A proof without a nonce is refused before the code is looked at.
    let bare =
        send(&provider, "/oidc/token", "web", &form, &[&proof(&provider, &key, ("POST", "/oidc/token"), &json!({}), &json!({}))])
            .await;
    assert_eq!(bare.refusal(), (400, "use_dpop_nonce"));
    let tokens = token(&provider, &key, "web", &form, "1").await;
    assert_eq!((tokens.status, &tokens.body["token_type"]), (200, &json!("DPoP")), "{}", tokens.text);
    assert_eq!(tokens.header("dpop-nonce").len(), 32);
    let access = &tokens.body["access_token"];

    let nonce = nonce(&provider).await;
    let right = json!({ "nonce": nonce, "ath": ath(access), "jti": "shown" });
    let answer = userinfo(&provider, access, "DPoP", Some((&key, &right))).await;
    assert_eq!((answer.status, &answer.body["sub"]), (200, &json!(provider.ann().await)));
    let with = |changes: Value| {
        let mut claims = right.clone();
        claims.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        claims
    };
    for (scheme, key, claims, error) in [
        ("Bearer", None, json!({}), "invalid_token"),
        ("Bearer", Some(&key), with(json!({ "jti": "2" })), "invalid_token"),
        ("DPoP", None, json!({}), "invalid_dpop_proof"),
        ("DPoP", Some(&other), with(json!({ "jti": "3" })), "invalid_token"),
        ("DPoP", Some(&key), right.clone(), "invalid_dpop_proof"),
        ("DPoP", Some(&key), with(json!({ "jti": "4", "ath": null })), "invalid_dpop_proof"),
        ("DPoP", Some(&key), with(json!({ "jti": "5", "ath": ath(&json!("x")) })), "invalid_dpop_proof"),
        ("DPoP", Some(&key), with(json!({ "jti": "6", "nonce": null })), "use_dpop_nonce"),
    ] {
        let answer = userinfo(&provider, access, scheme, key.map(|key| (key, &claims))).await;
        assert_eq!(answer.refusal(), (401, error), "{scheme} {claims}");
        let challenge = answer.header("www-authenticate");
        assert!(
            challenge.starts_with(&format!("{scheme} realm=")) && challenge.contains(&format!("error=\"{error}\"")),
            "{challenge}"
        );
        assert_eq!(answer.headers.contains_key("dpop-nonce"), scheme == "DPoP");
    }
    let unbound = provider.tokens("web", "openid").await;
    let claims = json!({ "nonce": nonce, "ath": ath(&unbound["access_token"]), "jti": "7" });
    assert_eq!(
        userinfo(&provider, &unbound["access_token"], "DPoP", Some((&key, &claims))).await.refusal(),
        (401, "invalid_token")
    );
}

#[tokio::test]
async fn whoever_checks_a_token_learns_of_its_key() {
    let provider = Provider::start().await;
    let key = Key::new();
    for (resource, jti) in [("", "1"), ("https://api.example", "2")] {
        let form = [("grant_type", "client_credentials"), ("scope", "reports"), ("resource", resource)];
        let tokens = token(&provider, &key, "machine", &form, jti).await.body;
        let access = &tokens["access_token"];
        let form = [("token", access.as_str().unwrap())];
        let answer = send(&provider, "/oidc/introspect", "machine", &form, &[]).await.body;
        assert_eq!((&answer["token_type"], &answer["cnf"]), (&json!("DPoP"), &json!({ "jkt": jkt(&key) })), "{tokens}");
        if !resource.is_empty() {
            assert_eq!(claims(access)["cnf"], json!({ "jkt": jkt(&key) }));
        }
    }
    let bearer = provider.token("machine", &[("grant_type", "client_credentials"), ("scope", "reports")]).await.body;
    let answer =
        send(&provider, "/oidc/introspect", "machine", &[("token", bearer["access_token"].as_str().unwrap())], &[]).await.body;
    assert_eq!((&bearer["token_type"], &answer["token_type"], answer.get("cnf")), (&json!("Bearer"), &json!("Bearer"), None));
}

/// What a page of a public client needs of a browser to do all that by scripts.
#[tokio::test]
async fn scripts_of_a_public_client_may_send_proofs_and_read_the_nonce() {
    let provider = Provider::start().await;
    for path in ["/oidc/token", "/oidc/par", "/oidc/revoke", "/oidc/userinfo"] {
        let preflight = browser().request(reqwest::Method::OPTIONS, provider.url(path)).header("origin", "https://app.example");
        let preflight = preflight.answer().await;
        assert!(preflight.header("access-control-allow-headers").contains("DPoP"), "{path}");
    }
    let shown = proof(&provider, &Key::new(), ("POST", "/oidc/token"), &json!({}), &json!({}));
    for (path, client, origin, allowed) in [
        ("/oidc/token", "spa", "https://app.example", "https://app.example"),
        ("/oidc/par", "spa", "https://app.example", "https://app.example"),
        ("/oidc/revoke", "spa", "https://app.example", "https://app.example"),
        ("/oidc/revoke", "spa", "https://evil.example", ""),
        ("/oidc/revoke", "web", "https://app.example", ""),
    ] {
        let form = [("client_id", client), ("token", "x"), ("grant_type", "refresh_token"), ("refresh_token", "x")];
        let request = browser().post(provider.url(path)).header("origin", origin).header("dpop", &shown).form(&form);
        let response = request.answer().await;
        assert_eq!(response.header("access-control-allow-origin"), allowed, "{path} {client} {origin}");
        assert_eq!(response.header("access-control-expose-headers").contains("DPoP-Nonce"), !allowed.is_empty(), "{path} {client}");
    }
}

#[tokio::test]
async fn a_proof_that_is_wrong_in_any_way_is_refused() {
    let provider = Provider::start().await;
    let (key, nonce) = (Key::new(), nonce(&provider).await);
    let now = provider.clock.now().as_second();
    let request = ("POST", "/oidc/token");
    let form = [("grant_type", "client_credentials")];
    let make = |claims: Value, header: Value| {
        let mut all = json!({ "nonce": nonce });
        all.as_object_mut().unwrap().extend(claims.as_object().unwrap().clone());
        proof(&provider, &key, request, &all, &header)
    };
    let right = make(json!({}), json!({}));
    let (input, _) = right.rsplit_once('.').unwrap();
    let mut private = key.jwk("x");
    private["d"] = json!("x".repeat(43));
    for (what, proofs) in [
        ("no token", vec!["x".to_owned()]),
        ("two proofs", vec![make(json!({ "jti": "a" }), json!({})), make(json!({ "jti": "b" }), json!({}))]),
        ("no signature", vec![format!("{input}.")]),
        ("another key", vec![make(json!({}), json!({ "jwk": Key::new().jwk("x") }))]),
        ("a private key", vec![make(json!({}), json!({ "jwk": private }))]),
        ("no key", vec![make(json!({}), json!({ "jwk": null }))]),
        ("no algorithm", vec![make(json!({}), json!({ "alg": "none" }))]),
        ("a symmetric algorithm", vec![make(json!({}), json!({ "alg": "HS256" }))]),
        ("another type", vec![make(json!({}), json!({ "typ": "JWT" }))]),
        ("another method", vec![make(json!({ "htm": "GET" }), json!({}))]),
        ("another path", vec![make(json!({ "htu": provider.url("/oidc/par") }), json!({}))]),
        ("another server", vec![make(json!({ "htu": "https://evil.example/oidc/token" }), json!({}))]),
        ("too old", vec![make(json!({ "iat": now - 301 }), json!({}))]),
        ("from the future", vec![make(json!({ "iat": now + 301 }), json!({}))]),
        ("without jti", vec![make(json!({ "jti": null }), json!({}))]),
    ] {
        let proofs: Vec<&str> = proofs.iter().map(String::as_str).collect();
        let response = send(&provider, "/oidc/token", "machine", &form, &proofs).await;
        assert_eq!(response.refusal(), (400, "invalid_dpop_proof"), "{what}");
    }
    for invented in ["", "x", &"A".repeat(32)] {
        let response = send(&provider, "/oidc/token", "machine", &form, &[&make(json!({ "nonce": invented }), json!({}))]).await;
        assert_eq!(response.refusal(), (400, "use_dpop_nonce"), "{invented}");
    }
    assert_eq!(send(&provider, "/oidc/token", "machine", &form, &[&right]).await.status, 200);
    provider.advance(300);
    let late = send(&provider, "/oidc/token", "machine", &form, &[&make(json!({ "iat": now + 300 }), json!({}))]).await;
    assert_eq!(late.refusal(), (400, "use_dpop_nonce"), "the nonce is too old");
}

#[tokio::test]
async fn a_proof_is_good_for_one_request_of_any_process() {
    let provider = Provider::start().await;
    let other = Provider::on(&[], Some(&provider)).await;
    let (key, nonce) = (Key::new(), nonce(&provider).await);
    let form = [("grant_type", "client_credentials")];
    let claims = json!({ "nonce": nonce });
    let shown = proof(&provider, &key, ("POST", "/oidc/token"), &claims, &json!({}));
    let proofs = [shown.as_str()];
    let all = (0..4).map(|_| send(&provider, "/oidc/token", "machine", &form, &proofs));
    let mut statuses: Vec<u16> = future::join_all(all).await.iter().map(|response| response.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 400, 400, 400]);
    let elsewhere = proof(&other, &key, ("POST", "/oidc/token"), &claims, &json!({}));
    assert_eq!(
        send(&other, "/oidc/token", "machine", &form, &[&elsewhere]).await.refusal().1,
        "invalid_dpop_proof",
        "the same jti"
    );
    assert_eq!(provider.count("select count(*) from dpop_proofs").await, 1);
}

#[tokio::test]
async fn a_refresh_token_of_a_public_client_is_bound_as_well() {
    let provider = Provider::start().await;
    let (key, other) = (Key::new(), Key::new());
    let (verifier, challenge) = PKCE;
    let with = [("scope", "openid offline_access"), ("code_challenge", challenge), ("code_challenge_method", "S256")];
    let code = provider.code("spa", &with).await;
    let form = [
        ("client_id", "spa"),
        ("grant_type", "authorization_code"),
        ("code", &*code),
        ("redirect_uri", CALLBACK),
        ("code_verifier", verifier),
    ];
    let tokens = token(&provider, &key, "spa", &form, "1").await.body;
    let refresh =
        [("client_id", "spa"), ("grant_type", "refresh_token"), ("refresh_token", tokens["refresh_token"].as_str().unwrap())];
    assert_eq!(token(&provider, &other, "spa", &refresh, "2").await.refusal(), (400, "invalid_grant"));
    assert_eq!(send(&provider, "/oidc/token", "spa", &refresh, &[]).await.refusal(), (400, "invalid_grant"));
    let next = token(&provider, &key, "spa", &refresh, "3").await;
    assert_eq!((next.status, &next.body["token_type"]), (200, &json!("DPoP")));

    // A confidential client authenticates itself, so it may change its key.
    let code = provider.code("web", &[("scope", "openid offline_access")]).await;
    let form = [("grant_type", "authorization_code"), ("code", &*code), ("redirect_uri", CALLBACK)];
    let tokens = token(&provider, &key, "web", &form, "4").await.body;
    let refresh = [("grant_type", "refresh_token"), ("refresh_token", tokens["refresh_token"].as_str().unwrap())];
    assert_eq!(token(&provider, &other, "web", &refresh, "5").await.status, 200);
}

#[tokio::test]
async fn a_code_can_be_bound_and_a_client_can_be_made_to_bind() {
    let provider = Provider::start().await;
    let (key, other) = (Key::new(), Key::new());
    let (thumbprint, foreign) = (jkt(&key), jkt(&other));
    let redeem =
        |code: String| [("grant_type", "authorization_code".to_owned()), ("code", code), ("redirect_uri", CALLBACK.to_owned())];
    let code = redeem(provider.code("web", &[("dpop_jkt", &thumbprint)]).await);
    let form: Vec<(&str, &str)> = code.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(token(&provider, &other, "web", &form, "1").await.refusal(), (400, "invalid_grant"));
    assert_eq!(send(&provider, "/oidc/token", "web", &form, &[]).await.refusal(), (400, "invalid_grant"));
    assert_eq!(token(&provider, &key, "web", &form, "2").await.status, 200);

    // A pushed request is bound to the key of its own proof.
    let claims = json!({ "nonce": nonce(&provider).await });
    let pushed = proof(&provider, &key, ("POST", "/oidc/par"), &claims, &json!({}));
    let parameters = [("redirect_uri", CALLBACK), ("response_type", "code"), ("scope", "openid")];
    let contradiction = [&parameters[..], &[("dpop_jkt", &foreign)]].concat();
    let refused = send(
        &provider,
        "/oidc/par",
        "web",
        &contradiction,
        &[&proof(&provider, &key, ("POST", "/oidc/par"), &json!({ "nonce": claims["nonce"], "jti": "x" }), &json!({}))],
    )
    .await;
    assert_eq!(refused.refusal(), (400, "invalid_dpop_proof"));
    let uri = send(&provider, "/oidc/par", "web", &parameters, &[&pushed]).await.body["request_uri"]
        .as_str()
        .unwrap()
        .replace(':', "%3A");
    let mut answer = provider.get(&format!("/oidc/authorize?client_id=web&request_uri={uri}")).await.parameters();
    let code = redeem(answer.remove("code").unwrap());
    let form: Vec<(&str, &str)> = code.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(token(&provider, &other, "web", &form, "3").await.refusal(), (400, "invalid_grant"));
    assert_eq!(token(&provider, &key, "web", &form, "4").await.status, 200);

    let code = redeem(provider.code("bound", &[]).await);
    let form: Vec<(&str, &str)> = code.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(send(&provider, "/oidc/token", "bound", &form, &[]).await.refusal(), (400, "invalid_dpop_proof"));
    assert_eq!(token(&provider, &key, "bound", &form, "5").await.body["token_type"], "DPoP");
}
