//! Requests for which a person has to do something first.

use super::provider::{Provider, Redirect, claims};
use support::prelude::*;

async fn view(provider: &Provider, uid: &str) -> Value {
    provider.get(&format!("/api/oidc/interaction/{uid}")).await.expect(200)
}

async fn finish(provider: &Provider, uid: &str, body: Value) -> String {
    let response = provider.post(&format!("/api/oidc/interaction/{uid}/finish"), &body).await.expect(200);
    let redirect = response["redirectTo"].as_str().unwrap().to_owned();
    assert_eq!(redirect, provider.url(&format!("/oidc/authorize/{uid}")));
    format!("/oidc/authorize/{uid}")
}

#[tokio::test]
async fn who_is_not_signed_in_signs_in_and_goes_on() {
    let provider = Provider::start().await;
    provider.post("/api/auth/logout", &json!({})).await;
    let wish = [("login_hint", "<b>ann@example.org"), ("ui_locales", "de en"), ("acr_values", "phr"), ("scope", "openid email")];
    let uid = provider.interaction("web", &wish).await;
    let seen = view(&provider, &uid).await;
    assert_eq!((&seen["uid"], &seen["prompt"], &seen["reasons"]), (&json!(uid), &json!("login"), &json!(["no_session"])));
    assert_eq!((&seen["client"]["clientId"], &seen["client"]["name"]), (&json!("web"), &json!("Web")));
    assert_eq!((&seen["loginHint"], &seen["uiLocales"]), (&json!("<b>ann@example.org"), &json!(["de", "en"])));
    assert_eq!(
        (&seen["scopes"], &seen["session"], &seen["acrValues"]),
        (&json!(["openid", "email"]), &Value::Null, &json!(["phr"]))
    );
    let early = provider.post(&format!("/api/oidc/interaction/{uid}/finish"), &json!({})).await;
    assert_eq!(early.refusal(), (401, "unauthorized"));
    let again = provider.get(&format!("/oidc/authorize/{uid}")).await;
    assert_eq!(again.location(), format!("/interaction/{uid}"), "nothing was done yet");

    provider.sign_in().await;
    assert_eq!(view(&provider, &uid).await["prompt"], Value::Null);
    let resume = finish(&provider, &uid, json!({ "action": "login" })).await;
    let answer = provider.get(&resume).await.parameters();
    assert_eq!(provider.redeem("web", &answer["code"]).await.status, 200);
    let over = provider.get(&resume).await;
    assert_eq!(over.status, 404, "an interaction is finished once: {}", over.text);
}

#[tokio::test]
async fn an_interaction_belongs_to_the_browser_that_began_it_and_ends_after_an_hour() {
    let provider = Provider::start().await;
    let uid = provider.interaction("web", &[("prompt", "login")]).await;
    let stranger = browser();
    for path in [format!("/api/oidc/interaction/{uid}"), format!("/oidc/authorize/{uid}")] {
        assert_eq!(stranger.get(provider.url(&path)).send().await.unwrap().status(), 403, "{path}");
        assert_eq!(provider.get(&path.replace(&uid, &"x".repeat(43))).await.status, 404);
    }
    provider.advance(3600);
    assert_eq!(provider.get(&format!("/api/oidc/interaction/{uid}")).await.refusal(), (404, "interactionNotFound"));
}

#[tokio::test]
async fn who_refuses_is_sent_back_with_that() {
    let provider = Provider::start().await;
    provider.post("/api/auth/logout", &json!({})).await;
    let uid = provider.interaction("web", &[("state", "s")]).await;
    let resume = finish(&provider, &uid, json!({ "action": "abort" })).await;
    let answer = provider.get(&resume).await;
    assert_eq!((answer.error(), answer.parameters()["state"].as_str()), ("access_denied".to_owned(), "s"));
    assert_eq!(provider.get(&resume).await.status, 404);
}

/// Attack 121.
#[tokio::test]
async fn prompt_none_never_shows_a_page() {
    let provider = Provider::start().await;
    let first = provider.tokens("web", "openid").await;
    let code = provider.code("web", &[("prompt", "none"), ("id_token_hint", first["id_token"].as_str().unwrap())]).await;
    let second = provider.redeem("web", &code).await.body;
    let (before, after) = (claims(&first["id_token"]), claims(&second["id_token"]));
    assert_eq!((&before["sub"], &before["auth_time"]), (&after["sub"], &after["auth_time"]));

    provider.advance(5);
    for (wish, error) in [
        (("max_age", "0"), "login_required"),
        (("max_age", "4"), "login_required"),
        (("login_hint", "bob@example.org"), "account_selection_required"),
    ] {
        assert_eq!(provider.authorize("web", &[("prompt", "none"), wish]).await.error(), error, "{wish:?}");
    }
    assert!(provider.code("web", &[("prompt", "none"), ("max_age", "5")]).await.len() == 43);
    assert_eq!(provider.authorize("partner", &[("prompt", "none")]).await.error(), "consent_required");

    provider.sql("insert into users (id, email, first_name, locale, created_at) values (gen_random_uuid(), 'bob@example.org', 'Bob', 'en', now())").await;
    provider.sql("update oidc_grants set user_id = (select id from users where email = 'bob@example.org')").await;
    provider.post("/api/auth/logout", &json!({})).await;
    assert_eq!(provider.authorize("web", &[("prompt", "none")]).await.error(), "login_required");
}

#[tokio::test]
async fn a_new_sign_in_is_demanded_by_prompt_and_by_max_age() {
    let provider = Provider::start().await;
    let before = claims(&provider.tokens("web", "openid").await["id_token"]);
    for wish in [("prompt", "login"), ("max_age", "1"), ("max_age", "0")] {
        provider.advance(2);
        let uid = provider.interaction("web", &[wish]).await;
        assert_eq!(view(&provider, &uid).await["prompt"], "login");
        let resume = finish(&provider, &uid, json!({})).await;
        assert_eq!(provider.get(&resume).await.location(), format!("/interaction/{uid}"), "going on is no sign-in");
        provider.advance(1);
        provider.sign_in().await;
        let answer = provider.get(&resume).await.parameters();
        let after = claims(&provider.redeem("web", &answer["code"]).await.body["id_token"]);
        assert!(after["auth_time"].as_i64() > before["auth_time"].as_i64(), "{wish:?}");
    }
    assert!(provider.code("web", &[("max_age", "10000")]).await.len() == 43);
}

#[tokio::test]
async fn the_account_is_confirmed_when_the_client_asks_for_it_or_expects_another() {
    let provider = Provider::start().await;
    provider.advance(1);
    for wish in [("prompt", "select_account"), ("login_hint", "bob@example.org")] {
        let uid = provider.interaction("web", &[wish]).await;
        let seen = view(&provider, &uid).await;
        assert_eq!((&seen["prompt"], &seen["session"]["email"]), (&json!("select_account"), &json!("ann@example.org")));
        let resume = finish(&provider, &uid, json!({ "action": "select_account" })).await;
        assert!(provider.get(&resume).await.parameters().contains_key("code"));
    }
    let uid = provider.interaction("web", &[("prompt", "create")]).await;
    assert_eq!(view(&provider, &uid).await["prompt"], "create");
}

#[tokio::test]
async fn a_client_of_somebody_else_needs_consent_once() {
    let provider = Provider::start().await;
    let scope = [("scope", "openid email profile")];
    let uid = provider.interaction("partner", &scope).await;
    let seen = view(&provider, &uid).await;
    assert_eq!((&seen["prompt"], &seen["missingScopes"]), (&json!("consent"), &json!(["openid", "email", "profile"])));
    let more = json!({ "action": "consent", "grantedScopes": ["openid", "roles"] });
    let refused = provider.post(&format!("/api/oidc/interaction/{uid}/finish"), &more).await;
    assert_eq!(refused.refusal(), (400, "validation"), "nobody asked for roles");
    let resume = finish(&provider, &uid, json!({ "action": "consent", "grantedScopes": ["openid", "email"] })).await;
    let answer = provider.get(&resume).await.parameters();
    let tokens = provider.redeem("partner", &answer["code"]).await.body;
    assert_eq!(tokens["scope"], "openid email", "what was consented to");
    assert_eq!(provider.count("select count(*) from account_audit where event = 'oidc.consent.granted'").await, 1);

    assert!(provider.code("partner", &[("scope", "openid email")]).await.len() == 43, "asked once");
    let uid = provider.interaction("partner", &scope).await;
    assert_eq!(view(&provider, &uid).await["missingScopes"], json!(["profile"]), "only what is new");
    let uid = provider.interaction("partner", &[("prompt", "consent")]).await;
    assert_eq!(view(&provider, &uid).await["reasons"], json!(["prompt"]));
}

#[tokio::test]
async fn a_refresh_token_for_somebody_elses_client_needs_consent_in_this_request() {
    let provider = Provider::start().await;
    let asked = async |more: &[(&str, &str)]| {
        let uid = provider.interaction("partner", &[&[("scope", "openid offline_access")], more].concat()).await;
        let resume = finish(&provider, &uid, json!({ "action": "consent" })).await;
        let answer = provider.get(&resume).await.parameters();
        provider.redeem("partner", &answer["code"]).await.body
    };
    assert!(asked(&[("prompt", "consent")]).await["refresh_token"].is_string());
    provider.sql("delete from oidc_consents").await;
    assert!(asked(&[]).await.get("refresh_token").is_none());
}

#[tokio::test]
async fn what_one_account_consented_to_says_nothing_about_another() {
    let provider = Provider::start().await;
    let uid = provider.interaction("partner", &[]).await;
    let resume = finish(&provider, &uid, json!({ "action": "consent" })).await;
    let bob = json!({ "email": "bob@example.org", "password": PASSWORD, "firstName": "Bob" });
    assert_eq!(provider.post("/api/auth/register", &bob).await.status, 201);
    assert_eq!(provider.post("/api/auth/login", &json!({ "email": "bob@example.org", "password": PASSWORD })).await.status, 200);
    assert_eq!(provider.get(&resume).await.location(), format!("/interaction/{uid}"));
    assert_eq!(view(&provider, &uid).await["prompt"], "consent");
}
