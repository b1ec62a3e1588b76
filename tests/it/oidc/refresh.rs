//! Refresh tokens: rotation, reuse, the grace, and what ends them.

use super::provider::{Provider, SECRET, claims};
use crate::identity::links::link_of_kind;
use domain::identity::one_time::Kind;
use support::prelude::*;

const OFFLINE: &str = "openid email offline_access";

const REFUSED: (u16, &str) = (400, "invalid_grant");

#[tokio::test]
async fn each_use_gives_a_new_pair_of_the_same_person_and_session() {
    let provider = Provider::start().await;
    let code = provider.code("web", &[("scope", OFFLINE), ("nonce", "n")]).await;
    let first = provider.redeem("web", &code).await.body;
    provider.advance(60);
    let response = provider.refresh("web", &first["refresh_token"]).await;
    assert_eq!((response.status, response.header("cache-control")), (200, "no-store"), "{}", response.text);
    let second = response.body;
    assert_ne!(first["refresh_token"], second["refresh_token"]);
    assert_eq!(second["scope"], OFFLINE);
    let (before, after) = (claims(&first["id_token"]), claims(&second["id_token"]));
    for same in ["iss", "sub", "aud", "auth_time", "sid", "nonce", "acr"] {
        assert_eq!(before[same], after[same], "{same}");
    }
    assert_eq!(after["iat"].as_i64().unwrap() - before["iat"].as_i64().unwrap(), 60);
    assert_eq!(provider.userinfo(&second["access_token"]).await.body["email"], "ann@example.org");
    assert_eq!(provider.refresh("web", &second["refresh_token"]).await.status, 200);
}

#[tokio::test]
async fn a_token_is_for_its_client_alone_and_a_try_of_another_ends_nothing() {
    let provider = Provider::start().await;
    let tokens = provider.tokens("web", OFFLINE).await;
    assert_eq!(provider.refresh("strict", &tokens["refresh_token"]).await.refusal(), REFUSED);
    assert_eq!(provider.refresh("web", &tokens["refresh_token"]).await.status, 200);
    assert_eq!(provider.refresh("web", &json!("x".repeat(43))).await.refusal(), REFUSED);
}

#[tokio::test]
async fn a_reused_token_ends_the_family() {
    let provider = Provider::with(&[("APP_OIDC_REFRESH_GRACE", "0")]).await;
    let first = provider.tokens("web", OFFLINE).await;
    let second = provider.refresh("web", &first["refresh_token"]).await.body;
    assert_eq!(provider.refresh("web", &first["refresh_token"]).await.refusal(), REFUSED);
    assert_eq!(provider.refresh("web", &second["refresh_token"]).await.refusal(), REFUSED, "the successor is void too");
    assert_eq!(provider.userinfo(&second["access_token"]).await.status, 401);
    assert_eq!(provider.count("select count(*) from account_audit where event = 'oidc.refresh_reuse_detected'").await, 1);
}

#[tokio::test]
async fn within_the_grace_a_client_that_lost_the_response_gets_another_pair() {
    let provider = Provider::start().await;
    let first = provider.tokens("web", OFFLINE).await;
    let lost = provider.refresh("web", &first["refresh_token"]).await.body;
    provider.advance(9);
    let second = provider.refresh("web", &first["refresh_token"]).await.expect(200);
    assert_eq!(provider.refresh("web", &lost["refresh_token"]).await.refusal(), REFUSED, "its place was taken");
    let third = provider.refresh("web", &second["refresh_token"]).await;
    assert_eq!(third.status, 200, "and that ends no family");
    assert_eq!(provider.refresh("web", &first["refresh_token"]).await.refusal(), REFUSED, "the successor was used");
    assert_eq!(provider.refresh("web", &third.body["refresh_token"]).await.refusal(), REFUSED, "so the family is over");
}

#[tokio::test]
async fn after_the_grace_a_repeated_token_is_a_stolen_one() {
    let provider = Provider::start().await;
    let first = provider.tokens("web", OFFLINE).await;
    let second = provider.refresh("web", &first["refresh_token"]).await.body;
    provider.advance(10);
    assert_eq!(provider.refresh("web", &first["refresh_token"]).await.refusal(), REFUSED);
    assert_eq!(provider.refresh("web", &second["refresh_token"]).await.refusal(), REFUSED);
}

/// Attack 127: of all the pairs that are given within the grace, one can be used, and no family forks.
#[tokio::test]
async fn fifty_refreshes_at_once_leave_one_usable_token() {
    let provider = Provider::start().await;
    let first = provider.tokens("web", OFFLINE).await;
    let answers = futures_util::future::join_all((0..50).map(|_| provider.refresh("web", &first["refresh_token"]))).await;
    let pairs: Vec<Value> = answers.iter().filter(|answer| answer.status == 200).map(|answer| answer.body.clone()).collect();
    assert!((1..=4).contains(&pairs.len()), "the first one and at most three repeated ones: {}", pairs.len());
    let usable = provider.count("select count(*) from oidc_refresh_tokens where used_at is null and superseded_at is null").await;
    assert_eq!(usable, 1);
    let uses = futures_util::future::join_all(pairs.iter().map(|pair| provider.refresh("web", &pair["refresh_token"]))).await;
    assert_eq!(uses.iter().filter(|answer| answer.status == 200).count(), 1);
}

#[tokio::test]
async fn two_processes_rotate_one_token_once() {
    let one = Provider::with(&[("APP_OIDC_REFRESH_GRACE", "0")]).await;
    let other = Provider::on(&[("APP_BASE_URL", &one.app.url("")), ("APP_OIDC_REFRESH_GRACE", "0")], Some(&one)).await;
    let tokens = one.tokens("web", OFFLINE).await;
    let (a, b) =
        futures_util::future::join(one.refresh("web", &tokens["refresh_token"]), other.refresh("web", &tokens["refresh_token"]))
            .await;
    let mut statuses = [a.status, b.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 400]);
}

#[tokio::test]
async fn a_token_ends_with_its_time_its_family_its_grant_and_its_person() {
    let provider = Provider::start().await;
    let day = 24 * 3600;
    let idle = provider.tokens("web", OFFLINE).await;
    provider.advance(14 * day);
    assert_eq!(provider.refresh("web", &idle["refresh_token"]).await.refusal(), REFUSED, "14 days without a use");

    provider.sign_in().await;
    let mut tokens = provider.tokens("web", OFFLINE).await;
    for _ in 0..8 {
        provider.advance(11 * day);
        let response = provider.refresh("web", &tokens["refresh_token"]).await.expect(200);
        tokens = response;
    }
    provider.advance(2 * day);
    assert_eq!(provider.refresh("web", &tokens["refresh_token"]).await.refusal(), REFUSED, "90 days in all");

    provider.sign_in().await;
    for end in ["update users set suspended_at = now()", "update oidc_grants set revoked_at = now()", "delete from users"] {
        let tokens = provider.tokens("web", OFFLINE).await;
        provider.sql(end).await;
        assert_eq!(provider.refresh("web", &tokens["refresh_token"]).await.refusal(), REFUSED, "{end}");
        provider.sql("update users set suspended_at = null").await;
    }
}

#[tokio::test]
async fn a_reset_of_the_password_ends_every_grant() {
    let provider = Provider::start().await;
    let tokens = provider.tokens("web", OFFLINE).await;
    let link = link_of_kind(&provider.app, "ann@example.org", Kind::PasswordReset).await;
    let reset = json!({ "token": link, "newPassword": "another quiet harbour" });
    assert_eq!(provider.post("/api/auth/password/reset", &reset).await.status, 200);
    assert_eq!(provider.refresh("web", &tokens["refresh_token"]).await.refusal(), REFUSED);
    assert_eq!(provider.userinfo(&tokens["access_token"]).await.status, 401);
}

/// A changed or a removed password may be one that somebody else knew. The first one was nobody's.
#[tokio::test]
async fn a_changed_or_removed_password_ends_every_grant_and_the_first_one_ends_none() {
    let provider = Provider::start().await;
    let mut key = SoftKey::at(&provider.url(""));
    let options = provider.post("/api/webauthn/register/start", &json!({})).await.body["options"].clone();
    let passkey = json!({ "challenge": options["challenge"], "credential": key.create(&options) });
    assert_eq!(provider.post("/api/webauthn/register/finish", &passkey).await.status, 200);
    let removal = json!({ "password": "another quiet harbour" });
    for (method, path, body, revokes) in [
        (Method::POST, "/api/me/password", json!({ "currentPassword": PASSWORD, "newPassword": "another quiet harbour" }), true),
        (Method::DELETE, "/api/me/password", removal, true),
        (Method::POST, "/api/me/password", json!({ "newPassword": "an even quieter port" }), false),
    ] {
        let (tokens, unused) = (provider.tokens("web", OFFLINE).await, provider.code("web", &[("scope", OFFLINE)]).await);
        let jwt = provider.code("web", &[("scope", OFFLINE), ("resource", "https://api.example")]).await;
        let jwt = provider.redeem("web", &jwt).await.body;
        provider.person.send(method.clone(), path, &body).await.expect(200);
        let refused = if revokes { 400 } else { 200 };
        assert_eq!(provider.refresh("web", &tokens["refresh_token"]).await.status, refused, "{method} {body}");
        assert_eq!(provider.refresh("web", &jwt["refresh_token"]).await.status, refused, "{method} {body}");
        assert_eq!(provider.redeem("web", &unused).await.status, refused, "{method} {body}");
        assert_eq!(provider.userinfo(&tokens["access_token"]).await.status, if revokes { 401 } else { 200 }, "{method} {body}");
        let form = [("token", jwt["access_token"].as_str().unwrap())];
        let asked = browser().post(provider.url("/oidc/introspect")).basic_auth("machine", Some(SECRET)).form(&form);
        let answer = asked.answer().await;
        assert_eq!(answer.body["active"], !revokes, "{method} {body}");
        assert_eq!(provider.get("/api/me").await.status, 200, "the session goes on");
    }
}

#[tokio::test]
async fn the_token_of_a_public_client_lives_no_longer_for_being_used() {
    let provider = Provider::start().await;
    let challenge = super::provider::PKCE;
    let scope = [("scope", OFFLINE), ("code_challenge", challenge.1), ("code_challenge_method", "S256")];
    let code = provider.code("spa", &scope).await;
    let post = async |form: &[(&str, &str)]| {
        let request = browser().post(provider.url("/oidc/token")).form(form);
        request.answer().await
    };
    let form =
        [("grant_type", "authorization_code"), ("code", code.as_str()), ("client_id", "spa"), ("code_verifier", challenge.0)];
    let tokens = post(&form).await.body;
    provider.advance(13 * 24 * 3600);
    let refresh = |token: &Value| token["refresh_token"].as_str().unwrap().to_owned();
    let second =
        post(&[("grant_type", "refresh_token"), ("refresh_token", &refresh(&tokens)), ("client_id", "spa")]).await.expect(200);
    provider.advance(24 * 3600);
    let third = post(&[("grant_type", "refresh_token"), ("refresh_token", &refresh(&second)), ("client_id", "spa")]).await;
    assert_eq!(third.refusal(), REFUSED);
}

#[tokio::test]
async fn a_refresh_may_ask_for_less_and_never_for_more() {
    let provider = Provider::start().await;
    let tokens = provider.tokens("web", OFFLINE).await;
    let refresh = async |token: &Value, scope: &str| {
        let form = [("grant_type", "refresh_token"), ("refresh_token", token.as_str().unwrap()), ("scope", scope)];
        provider.token("web", &form).await
    };
    assert_eq!(refresh(&tokens["refresh_token"], "openid profile").await.refusal(), (400, "invalid_scope"));
    let less = refresh(&tokens["refresh_token"], "openid").await.body;
    assert_eq!(less["scope"], "openid");
    assert!(provider.userinfo(&less["access_token"]).await.body.get("email").is_none());
    assert_eq!(provider.refresh("web", &less["refresh_token"]).await.body["scope"], OFFLINE, "the refresh token keeps its scope");
}

/// Attack 129: tokens are rows, so a restart changes nothing.
#[tokio::test]
async fn a_used_token_stays_used_after_a_restart() {
    let provider = Provider::with(&[("APP_OIDC_REFRESH_GRACE", "0")]).await;
    let tokens = provider.tokens("web", OFFLINE).await;
    assert_eq!(provider.refresh("web", &tokens["refresh_token"]).await.status, 200);
    let restarted = Provider::on(&[("APP_BASE_URL", &provider.url("")), ("APP_OIDC_REFRESH_GRACE", "0")], Some(&provider)).await;
    assert_eq!(restarted.refresh("web", &tokens["refresh_token"]).await.refusal(), REFUSED);
}
