//! Attacks on the provider (RFC 9700 and its relatives), as far as no other file of this folder has them.

use super::provider::{CALLBACK, PKCE, Provider, Redirect, SECRET, claims, decoded};
use base64::{Engine, prelude::BASE64_STANDARD};
use support::prelude::*;

const CHALLENGE: [(&str, &str); 2] = [("code_challenge", PKCE.1), ("code_challenge_method", "S256")];

/// Attack 111.
#[tokio::test]
async fn only_the_port_of_a_registered_loopback_address_is_free() {
    let provider = Provider::start().await;
    let asked = async |uri: &str| provider.authorize("desktop", &[&CHALLENGE[..], &[("redirect_uri", uri)]].concat()).await;
    for uri in ["http://127.0.0.1/cb", "http://127.0.0.1:51004/cb"] {
        let answer = asked(uri).await;
        let uid = answer.location().strip_prefix("/interaction/").unwrap();
        provider.post(&format!("/api/oidc/interaction/{uid}/finish"), &json!({ "action": "consent" })).await.expect(200);
        let back = provider.get(&format!("/oidc/authorize/{uid}")).await;
        assert!(back.location().starts_with(&format!("{uri}?code=")), "{uri}: {}", back.location());
    }
    for uri in [
        "http://127.0.0.1:51004/other",
        "http://127.0.0.1.evil.example/cb",
        "http://127.0.0.1:51004.evil.example/cb",
        "http://127.0.0.1@evil.example/cb",
        "http://evil.example/127.0.0.1/cb",
        "http://127.0.0.2:51004/cb",
        "http://localhost:51004/cb",
        "http://[::1]:51004/cb",
        "https://127.0.0.1:51004/cb",
        "http://127.0.0.1:51004/cb#x",
        "http://127.0.0.1:51004/cb?x",
        "http://127.0.0.1:99999/cb",
        "http://127.1:51004/cb",
    ] {
        let answer = asked(uri).await;
        assert_eq!((answer.status, answer.header("location")), (400, ""), "{uri}");
    }
    let web = provider.authorize("web", &[("redirect_uri", "https://app.example:8443/cb")]).await;
    assert_eq!(web.status, 400, "the port of a web application is none of these");
}

/// Attack 113.
#[tokio::test]
async fn no_request_gets_a_token_from_the_authorization_endpoint() {
    let provider = Provider::start().await;
    for kind in ["token", "id_token", "code token", "code id_token", "id_token token", "none", "CODE"] {
        for mode in ["", "query", "fragment", "form_post"] {
            let answer = provider.authorize("web", &[("response_type", kind), ("response_mode", mode), ("nonce", "n")]).await;
            let sent = format!("{} {}", answer.header("location"), answer.text);
            assert!(sent.contains("unsupported_response_type"), "{kind} {mode}: {sent}");
            assert!(!sent.contains("access_token") && !sent.contains("code="), "{kind} {mode}: {sent}");
        }
    }
}

/// Attack 119.
#[tokio::test]
async fn every_authorization_response_names_the_issuer_of_the_metadata() {
    let provider = Provider::start().await;
    let metadata = provider.get("/.well-known/openid-configuration").await.body;
    assert_eq!(metadata["authorization_response_iss_parameter_supported"], true);
    for wish in [&[][..], &[("prompt", "none"), ("max_age", "0")], &[("scope", "")], &[("response_type", "token")]] {
        assert_eq!(json!(provider.authorize("web", wish).await.parameters()["iss"]), metadata["issuer"], "{wish:?}");
    }
}

/// Attack 125: what is encoded twice is another secret, and a wrong one is refused whatever it begins with.
#[tokio::test]
async fn id_and_secret_of_a_header_are_decoded_once() {
    let provider = Provider::start().await;
    let status = async |pair: &str| {
        let header = format!("Basic {}", BASE64_STANDARD.encode(pair));
        let request = browser().post(provider.url("/oidc/token")).header("authorization", header);
        let request = request.header("content-type", "application/x-www-form-urlencoded").body("grant_type=client_credentials");
        request.answer().await.status
    };
    let encoded = "odd:a%2Bb%252Bc%2Fd%3De%3Af%26g+h%25";
    assert_eq!(status(encoded).await, 200);
    for wrong in [
        "odd:a+b%2Bc/d=e:f&g h%",
        "odd:a%252Bb%25252Bc%252Fd%253De%253Af%2526g+h%2525",
        "odd:a%2Bb%252Bc%2Fd%3De%3Af%26g+h%2",
        "odd:",
        "odd:a",
        "odd%20:x",
        &format!("machine:{SECRET}x"),
    ] {
        assert!([400, 401].contains(&status(wrong).await), "{wrong}");
    }
}

/// Attack 135.
#[tokio::test]
async fn the_published_keys_are_public() {
    let provider = Provider::start().await;
    let response = provider.get("/oidc/jwks").await;
    assert!(response.header("cache-control").contains("max-age=300"), "{:?}", response.headers);
    let jwks = response.body;
    let keys = jwks["keys"].as_array().unwrap();
    assert!(keys.len() >= 3);
    for key in keys {
        assert!(["RSA", "EC", "OKP"].contains(&key["kty"].as_str().unwrap()), "no symmetric key: {key}");
        for private in ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] {
            assert!(key.get(private).is_none(), "{private}");
        }
    }
}

/// Attack 137.
#[tokio::test]
async fn an_id_token_is_signed_for_one_client_and_tells_the_truth() {
    let provider = Provider::start().await;
    let tokens = provider.tokens("web", "openid email").await;
    let header = decoded(tokens["id_token"].as_str().unwrap().split('.').next().unwrap());
    assert_eq!(header["alg"], "RS256");
    let id_token = claims(&tokens["id_token"]);
    assert_eq!((&id_token["aud"], id_token.get("azp"), id_token.get("nonce")), (&json!("web"), None, None));
    let ann = provider.ann().await;
    assert_eq!(id_token["sub"], json!(ann));
    assert_eq!(claims(&provider.tokens("other", "openid").await["id_token"])["sub"], json!(ann), "the same for every client");
    provider.sql("update users set email_verified = false").await;
    assert_eq!(provider.userinfo(&tokens["access_token"]).await.body["email_verified"], json!(false));
}

/// Attack 141.
#[tokio::test]
async fn nothing_that_a_person_or_client_chooses_becomes_a_reserved_claim() {
    let provider = Provider::start().await;
    let csrf = provider.get("/api/csrf-token").await.body["csrfToken"].as_str().unwrap().to_owned();
    let names = json!({ "displayName": "\",\"sub\":\"root\",\"x\":\"", "firstName": "sub", "lastName": "iss" });
    let request = provider.person.browser.patch(provider.url("/api/me")).header("x-csrf-token", csrf).json(&names);
    assert_eq!(request.send().await.unwrap().status(), 200);
    provider.grant_role("viewer").await;
    let asked = r#"{"id_token":{"iss":{"value":"evil"},"aud":{"value":"evil"},"exp":{"value":1},"token_version":null,"password_hash":null},"userinfo":{"sub":{"value":"root"}}}"#;
    let refused = provider.authorize("web", &[("claims", r#"{"id_token":{"sub":{"value":"root"}}}"#), ("prompt", "none")]).await;
    assert_eq!(refused.error(), "login_required");
    let code = provider.code("web", &[("claims", asked), ("scope", "openid profile roles")]).await;
    let tokens = provider.redeem("web", &code).await.body;
    let (ann, id_token) = (provider.ann().await, claims(&tokens["id_token"]));
    assert_eq!((&id_token["sub"], &id_token["iss"], &id_token["aud"]), (&json!(ann), &json!(provider.url("")), &json!("web")));
    assert_eq!((&id_token["roles"], id_token.get("token_version")), (&json!(["viewer"]), None));
    assert!(id_token["exp"].as_i64() > id_token["iat"].as_i64() && id_token.get("password_hash").is_none());
    let userinfo = provider.userinfo(&tokens["access_token"]).await.body;
    assert_eq!((&userinfo["sub"], &userinfo["name"]), (&json!(ann), &names["displayName"]));
}

/// Attack 143.
#[tokio::test]
async fn no_error_repeats_markup() {
    let provider = Provider::start().await;
    let markup = "<script>alert(1)</script>";
    let visit = async |query: &[(&str, &str)]| {
        let url = super::provider::authorize_path("web", query);
        provider.person.browser.get(provider.url(&url)).header("accept", "text/html").answer().await
    };
    for wish in [
        &[("client_id", markup)][..],
        &[("redirect_uri", markup)],
        &[("client_id", "nobody"), ("error", markup), ("error_description", markup), ("error_hint", markup)],
    ] {
        let answer = visit(wish).await;
        assert_eq!(answer.status, 400, "{wish:?}");
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8", "a browser shows a page");
        assert!(answer.header("content-security-policy").contains("script-src 'self'"), "{:?}", answer.headers);
        assert!(!answer.text.contains("<script>alert"), "{}", answer.text);
        assert_eq!(
            provider.authorize("web", wish).await.body["error_description"].as_str().map(|text| text.contains('<')),
            Some(false)
        );
    }
    let long: Value = json!("x".repeat(2000));
    let answer = visit(&[("scope", "openid \u{1}"), ("state", long.as_str().unwrap())]).await;
    assert!(answer.location().starts_with(CALLBACK), "{}", answer.text);
}
