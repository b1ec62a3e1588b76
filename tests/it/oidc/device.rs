//! The device authorization grant (RFC 8628).

use super::{
    client_auth::Key,
    dpop::{proof, send},
    provider::{Provider, SECRET, claims},
};
use futures_util::future;
use support::prelude::*;

/// The token of `/metrics`.
const METRICS: (&str, &str) = ("APP_METRICS_TOKEN", "0123456789abcdef");
/// The grant type.
const GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// Asks for codes as the public client `tv`.
async fn begin(provider: &Provider, more: &[(&str, &str)]) -> Response {
    let form = [&[("client_id", "tv")], more].concat();
    provider.form("/oidc/device_authorization", &form).await
}

/// The codes of a device that asks for a scope.
async fn codes(provider: &Provider, scope: &str) -> Codes {
    let begun = begin(provider, &[("scope", scope)]).await;
    assert_eq!(begun.status, 200, "{}", begun.text);
    Codes::of(&begun)
}

pub struct Codes {
    pub device: String,
    pub user: String,
}

impl Codes {
    pub fn of(begun: &Response) -> Self {
        let text = |name: &str| begun.body[name].as_str().unwrap().to_owned();
        Self { device: text("device_code"), user: text("user_code") }
    }
}

/// Asks for tokens as `tv`.
async fn poll(provider: &Provider, code: &str) -> Response {
    let form = [("grant_type", GRANT), ("client_id", "tv"), ("device_code", code)];
    provider.form("/oidc/token", &form).await
}

/// Sends the form of the page, with Ann's browser.
pub async fn decide(provider: &Provider, code: &str, action: &str) -> Response {
    let csrf = provider.get("/api/csrf-token").await.body["csrfToken"].as_str().unwrap().to_owned();
    let form = [("csrf_token", csrf.as_str()), ("user_code", code), ("action", action)];
    provider.person.browser.post(provider.url("/device")).form(&form).answer().await
}

async fn allow(provider: &Provider, codes: &Codes) {
    assert_eq!(decide(provider, &codes.user, "allow").await.location(), "/device?done=allowed");
}

fn error(code: &str) -> (u16, &str) {
    (400, code)
}

#[tokio::test]
async fn a_device_gets_tokens_once_a_person_has_allowed_it() {
    let provider = Provider::with(&[METRICS]).await;
    let begun = begin(&provider, &[("scope", "openid profile offline_access unknown")]).await;
    let body = begun.body.clone();
    let names: BTreeSet<&String> = body.as_object().unwrap().keys().collect();
    let expected = ["device_code", "expires_in", "interval", "user_code", "verification_uri", "verification_uri_complete"];
    assert_eq!(names, expected.map(str::to_owned).iter().collect());
    assert_eq!((&body["expires_in"], &body["interval"]), (&json!(600), &json!(5)));
    assert_eq!(begun.header("cache-control"), "no-store");
    let codes = Codes::of(&begun);
    assert_eq!(body["verification_uri"], provider.url("/device"));
    assert_eq!(body["verification_uri_complete"], provider.url(&format!("/device?user_code={}", codes.user)));
    let letters = codes.user.replace('-', "");
    assert!(letters.len() == 8 && letters.chars().all(|letter| "BCDFGHJKLMNPQRSTVWXZ".contains(letter)), "{}", codes.user);
    let plain = format!(
        "select count(*) from oidc_device_codes d where d::text like '%{}%' or d::text like '%{letters}%' or d::text like '%{}%'",
        codes.user, codes.device
    );
    assert_eq!(provider.count(&plain).await, 0, "both codes are stored as hashes");

    assert_eq!(poll(&provider, &codes.device).await.refusal(), error("authorization_pending"));
    allow(&provider, &codes).await;
    let tokens = poll(&provider, &codes.device).await.expect(200);
    let tokens = tokens;
    assert_eq!((&tokens["token_type"], &tokens["scope"]), (&json!("Bearer"), &json!("openid profile offline_access")));
    let id_token = claims(&tokens["id_token"]);
    assert_eq!((&id_token["sub"], &id_token["aud"]), (&json!(provider.ann().await), &json!("tv")));
    assert_eq!((&id_token["amr"], id_token.get("nonce")), (&json!(["pwd"]), None));
    assert_eq!(provider.userinfo(&tokens["access_token"]).await.body["given_name"], "Ann");
    let refresh =
        [("grant_type", "refresh_token"), ("client_id", "tv"), ("refresh_token", tokens["refresh_token"].as_str().unwrap())];
    let refreshed = provider.form("/oidc/token", &refresh).await.expect(200);
    assert_eq!(poll(&provider, &codes.device).await.refusal(), error("invalid_grant"), "a code is used once");
    assert_eq!(provider.userinfo(&refreshed["access_token"]).await.status, 200);

    let metrics = provider.person.browser.get(provider.url("/metrics")).bearer_auth(METRICS.1);
    let metrics = metrics.answer().await.text;
    assert!(metrics.contains(&format!("svc_tokens_issued_total{{grant=\"{GRANT}\"}} 1")), "{metrics}");
    let audit =
        "select count(*) from account_audit where event = 'oidc.consent.granted' and user_id is not null and client_id = 'tv'";
    assert_eq!(provider.count(audit).await, 1);
    let metadata = provider.get("/.well-known/openid-configuration").await.body;
    assert_eq!(metadata["device_authorization_endpoint"], provider.url("/oidc/device_authorization"));
    assert!(metadata["grant_types_supported"].as_array().unwrap().contains(&json!(GRANT)));
}

#[tokio::test]
async fn a_device_that_asks_too_often_has_to_wait_longer_each_time() {
    let provider = Provider::start().await;
    let codes = codes(&provider, "openid").await;
    // The seconds since the last request, and what is answered; the wait is 5 seconds, and 5 more after each
    // slow_down.
    for (seconds, answer) in [
        (0, "authorization_pending"),
        (5, "authorization_pending"),
        (4, "slow_down"),
        (9, "slow_down"),
        (14, "slow_down"),
        (20, "authorization_pending"),
        (19, "slow_down"),
        (25, "authorization_pending"),
    ] {
        provider.advance(seconds);
        assert_eq!(poll(&provider, &codes.device).await.refusal(), error(answer), "after {seconds}");
    }
    allow(&provider, &codes).await;
    assert_eq!(poll(&provider, &codes.device).await.status, 200);
}

#[tokio::test]
async fn a_device_is_told_that_it_was_denied_or_came_too_late() {
    let provider = Provider::start().await;
    let denied = codes(&provider, "openid").await;
    assert_eq!(decide(&provider, &denied.user, "deny").await.location(), "/device?done=denied");
    assert_eq!(poll(&provider, &denied.device).await.refusal(), error("access_denied"));
    let audit = "select count(*) from account_audit where event = 'oidc.consent.denied' and client_id = 'tv'";
    assert_eq!(provider.count(audit).await, 1);
    assert_eq!(decide(&provider, &denied.user, "allow").await.status, 400, "it was decided");
    assert_eq!(poll(&provider, &denied.device).await.refusal(), error("access_denied"));

    let (late, allowed) = (codes(&provider, "openid").await, codes(&provider, "openid").await);
    allow(&provider, &allowed).await;
    provider.advance(600);
    assert_eq!(poll(&provider, &late.device).await.refusal(), error("expired_token"));
    assert_eq!(poll(&provider, &allowed.device).await.refusal(), error("expired_token"));
    assert_eq!(decide(&provider, &late.user, "allow").await.status, 400);
    assert_eq!(provider.count("select count(*) from oidc_grants").await, 1);
}

#[tokio::test]
async fn a_device_code_is_for_its_client_and_its_client_alone() {
    let provider = Provider::start().await;
    let codes = codes(&provider, "openid").await;
    allow(&provider, &codes).await;
    let form = [("grant_type", GRANT), ("device_code", codes.device.as_str())];
    assert_eq!(provider.token("newsdesk", &form).await.refusal(), error("invalid_grant"));
    assert_eq!(provider.token("web", &form).await.refusal(), error("unauthorized_client"));
    for code in ["", "x", &codes.user, &"a".repeat(43)] {
        let wanted = if code.is_empty() { "invalid_request" } else { "invalid_grant" };
        assert_eq!(poll(&provider, code).await.refusal(), error(wanted), "{code}");
    }
    assert_eq!(poll(&provider, &codes.device).await.status, 200, "nothing of it has used the code up");
}

#[tokio::test]
async fn what_a_device_may_not_ask_for_is_refused() {
    let provider = Provider::start().await;
    for (form, wanted) in [
        (&[][..], "invalid_scope"),
        (&[("scope", "a\"b")], "invalid_scope"),
        (&[("scope", "openid"), ("scope", "openid")], "invalid_request"),
        (&[("scope", "openid"), ("resource", "https://none.example")], "invalid_target"),
    ] {
        assert_eq!(begin(&provider, form).await.refusal(), error(wanted), "{form:?}");
    }
    let path = provider.url("/oidc/device_authorization");
    let as_client =
        |id: &'static str, secret: &'static str| browser().post(&path).basic_auth(id, Some(secret)).form(&[("scope", "openid")]);
    for (request, status, wanted) in [
        (as_client("web", SECRET), 400, "unauthorized_client"),
        (as_client("newsdesk", "not the secret of this client"), 401, "invalid_client"),
        (browser().post(&path).form(&[("scope", "openid")]), 400, "invalid_request"),
        (browser().post(&path).form(&[("scope", "openid"), ("client_id", "none")]), 401, "invalid_client"),
    ] {
        assert_eq!(request.answer().await.refusal(), (status, wanted));
    }
    assert_eq!(provider.count("select count(*) from oidc_device_codes").await, 0);
}

#[tokio::test]
async fn a_device_gets_jwts_for_the_resources_that_it_asked_for() {
    let provider = Provider::start().await;
    let both = [("scope", "openid"), ("resource", "https://api.example"), ("resource", "https://other.example")];
    let codes = Codes::of(&begin(&provider, &both).await);
    allow(&provider, &codes).await;
    let form = [("grant_type", GRANT), ("client_id", "tv"), ("device_code", &*codes.device), ("resource", "https://other.example")];
    let tokens = provider.form("/oidc/token", &form).await;
    assert_eq!(claims(&tokens.body["access_token"])["aud"], "https://other.example");
}

/// Of any number of requests at once, at two processes, one gets tokens; and of two people who decide at
/// once, one does.
#[tokio::test]
async fn a_device_code_is_redeemed_once_whatever_comes_at_once() {
    let one = Provider::start().await;
    let two = Provider::on(&[], Some(&one)).await;
    let codes = Arc::new(codes(&one, "openid offline_access").await);
    let decisions = future::join_all(["allow", "deny", "allow", "deny"].map(|action| decide(&one, &codes.user, action))).await;
    assert_eq!(decisions.iter().filter(|answer| answer.status == 303).count(), 1, "{decisions:?}");

    let codes = super::device::codes(&one, "openid offline_access").await;
    allow(&one, &codes).await;
    let all = (0..8).map(|number| poll(if number % 2 == 0 { &one } else { &two }, &codes.device));
    let answers = future::join_all(all).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1, "{answers:?}");
    assert!(answers.iter().filter(|answer| answer.status != 200).all(|answer| answer.refusal() == error("invalid_grant")));
    assert_eq!(one.count("select count(*) from oidc_refresh_tokens").await, 1);
}

#[tokio::test]
async fn tokens_and_codes_are_bound_to_the_key_of_a_proof() {
    let provider = Provider::start().await;
    let (key, other) = (Key::new(), Key::new());
    let bare = proof(&provider, &key, ("POST", "/oidc/device_authorization"), &json!({}), &json!({}));
    let form = [("client_id", "tv"), ("scope", "openid")];
    let refused = send(&provider, "/oidc/device_authorization", "tv", &form, &[&bare]).await;
    assert_eq!(refused.refusal(), error("use_dpop_nonce"));
    let nonce = refused.header("dpop-nonce").to_owned();
    let proved = |key: &Key, path: &str, jti: &str| {
        proof(&provider, key, ("POST", path), &json!({ "nonce": nonce, "jti": jti }), &json!({}))
    };
    let path = "/oidc/device_authorization";
    let codes = Codes::of(&send(&provider, path, "tv", &form, &[&proved(&key, path, "1")]).await);
    allow(&provider, &codes).await;
    let form = [("grant_type", GRANT), ("client_id", "tv"), ("device_code", codes.device.as_str())];
    assert_eq!(poll(&provider, &codes.device).await.refusal(), error("invalid_grant"), "without a proof");
    let stolen = send(&provider, "/oidc/token", "tv", &form, &[&proved(&other, "/oidc/token", "2")]).await;
    assert_eq!(stolen.refusal(), error("invalid_grant"));
    let tokens = send(&provider, "/oidc/token", "tv", &form, &[&proved(&key, "/oidc/token", "3")]).await;
    assert_eq!((tokens.status, &tokens.body["token_type"]), (200, &json!("DPoP")), "{}", tokens.text);

    // A code of a request without a proof is bound to no key, and its tokens to the key of the proof that
    // they are asked for with.
    let codes = super::device::codes(&provider, "openid").await;
    allow(&provider, &codes).await;
    let form = [("grant_type", GRANT), ("client_id", "tv"), ("device_code", codes.device.as_str())];
    let tokens = send(&provider, "/oidc/token", "tv", &form, &[&proved(&other, "/oidc/token", "4")]).await;
    assert_eq!(tokens.body["token_type"], "DPoP");
}

/// What ends the session, or takes the person's right, between the decision and the request for tokens.
#[tokio::test]
async fn what_a_person_allowed_ends_with_the_session_and_the_account() {
    for ending in [
        "update sessions set revoked_at = now()",
        "update users set token_version = token_version + 1",
        "update users set suspended_at = now()",
        "update oidc_grants set revoked_at = now()",
        "delete from users",
    ] {
        let provider = Provider::start().await;
        let codes = codes(&provider, "openid offline_access").await;
        allow(&provider, &codes).await;
        assert!(provider.sql(ending).await > 0, "{ending}");
        assert_eq!(poll(&provider, &codes.device).await.refusal(), error("access_denied"), "{ending}");
        assert_eq!(provider.count("select count(*) from oidc_access_tokens").await, 0);
    }
    let provider = Provider::start().await;
    let codes = codes(&provider, "openid").await;
    allow(&provider, &codes).await;
    let tokens = poll(&provider, &codes.device).await.body;
    assert_eq!(provider.userinfo(&tokens["access_token"]).await.status, 200);
    assert_eq!(provider.post("/api/auth/logout", &json!({})).await.status, 200);
    assert_eq!(provider.userinfo(&tokens["access_token"]).await.status, 401, "tokens end with the session");
}

#[tokio::test]
async fn a_role_that_a_client_demands_is_needed_to_allow_and_to_get_tokens() {
    let provider = Provider::start().await;
    let path = provider.url("/oidc/device_authorization");
    let begin = || async {
        let request = browser().post(&path).basic_auth("newsdesk", Some(SECRET)).form(&[("scope", "openid roles")]);
        Codes::of(&request.answer().await)
    };
    let codes = begin().await;
    let form = |code: &str| [("grant_type", GRANT.to_owned()), ("device_code", code.to_owned())];
    let poll = |code: String| {
        let provider = &provider;
        async move {
            let form = form(&code);
            provider.token("newsdesk", &form.each_ref().map(|(name, value)| (*name, value.as_str()))).await
        }
    };
    let page = decide(&provider, &codes.user, "allow").await;
    assert!(page.status == 403 && page.text.contains("You have no access to Newsdesk"), "{}", page.text);
    assert_eq!(poll(codes.device.clone()).await.refusal(), error("authorization_pending"));
    provider.grant_role("editor").await;
    allow(&provider, &codes).await;
    let tokens = poll(codes.device).await.body;
    assert_eq!(provider.userinfo(&tokens["access_token"]).await.body["roles"], json!(["editor"]));

    let codes = begin().await;
    allow(&provider, &codes).await;
    provider.sql("delete from role_assignments").await;
    assert_eq!(poll(codes.device).await.refusal(), error("access_denied"));
}

#[tokio::test]
async fn pages_of_a_public_client_may_read_the_answer() {
    let provider = Provider::start().await;
    let request = |client: &'static str| {
        let form = [("client_id", client), ("scope", "openid")];
        browser().post(provider.url("/oidc/device_authorization")).header("origin", "https://app.example").form(&form)
    };
    let allowed: Vec<Value> = future::join_all(["spa", "tv"].map(|client| async move {
        let response = request(client).answer().await;
        json!([response.status, response.header("access-control-allow-origin")])
    }))
    .await;
    assert_eq!(allowed, [json!([400, "https://app.example"]), json!([200, ""])], "of its redirect URIs");
}
