//! A client is told that a person signed out at its wish; after the module
//! `oidcc-backchannel-rp-initiated-logout` of the certification plan. What else ends sessions is in the tests
//! of accounts.

use super::{
    provider::{Provider, Redirect, claims, clients},
    verify,
};
use support::prelude::*;

#[tokio::test]
async fn signing_out_at_the_wish_of_a_client_sends_it_a_logout_token_of_the_session() {
    let receiver = Receiver::start().await;
    let mut clients = clients();
    clients[0]["backchannelLogoutUri"] = json!(receiver.url());
    let clients = clients.to_string();
    let provider = Provider::with(&[("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1"), ("APP_OIDC_CLIENTS_JSON", &clients)]).await;
    let metadata = provider.get("/.well-known/openid-configuration").await.body;
    assert_eq!(
        (&metadata["backchannel_logout_supported"], &metadata["backchannel_logout_session_supported"]),
        (&json!(true), &json!(true))
    );
    let tokens = provider.tokens("web", "openid").await;
    let (hint, id_token) = (tokens["id_token"].as_str().unwrap(), claims(&tokens["id_token"]));
    assert_eq!(provider.userinfo(&tokens["access_token"]).await.status, 200);

    let bye = "post_logout_redirect_uri=https%3A%2F%2Fapp.example%2Fbye&state=abc";
    let answer = provider.get(&format!("/oidc/session/end?id_token_hint={hint}&{bye}")).await;
    assert_eq!(answer.location(), "https://app.example/bye?state=abc");

    let got = receiver.got(1).await.remove(0);
    let jwks = provider.get("/.well-known/jwks.json").await.body;
    let told: Value = verify(got.text().strip_prefix("logout_token=").unwrap(), &jwks).unwrap();
    for claim in ["iss", "aud", "sub", "sid"] {
        assert_eq!(told[claim], id_token[claim], "{claim}");
    }
    assert_eq!(told["events"], json!({ "http://schemas.openid.net/event/backchannel-logout": {} }));
    assert_eq!(told.get("nonce"), None);
    assert_eq!(provider.authorize("web", &[("prompt", "none")]).await.error(), "login_required");
    assert_eq!(provider.userinfo(&tokens["access_token"]).await.status, 401, "the grant ended with the session");
}
