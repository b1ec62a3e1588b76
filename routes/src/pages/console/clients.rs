//! `/admin/clients`: the applications that people sign in to, and their secrets.

use super::{Administrator, ApiRequest, ApiResponse, Form, Pages, confirm::confirm, refuse};
use domain::{
    identity::oidc::{Client, GrantType},
    shared::Fault,
};
use pages::{
    Problems,
    console::clients::{client_page, list_page, secret_page, secret_question_page},
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::ExposeSecret;
use services::identity::admin::client_secret::reveal_client_secret;
use std::sync::Arc;

/// What is encoded in a query: everything but the unreserved characters (RFC 3986, section 2.3).
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The list.
pub(super) async fn list(pages: Pages, administrator: Administrator, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let clients: Vec<Arc<Client>> = pages.identity.oidc.clients.iter().cloned().collect();
    Ok(administrator.ok(&pages, |console| list_page(console, &clients)))
}

fn find(pages: &Pages, id: &str) -> Result<Arc<Client>, Fault> {
    pages.identity.oidc.clients.find(id).cloned().ok_or_else(Fault::not_found)
}

/// A client; 404.
pub(super) async fn show(pages: Pages, administrator: Administrator, id: String, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let client = find(&pages, &id)?;
    let test = test_uri(&client);
    Ok(administrator.ok(&pages, |console| client_page(console, &client, &pages.identity.oidc.settings.issuer, test.as_deref())))
}

/// An authorization request as the client would send it. Its code challenge is that of RFC 7636, appendix B,
/// so that the code that comes of it can be redeemed with the verifier there. `None` for a client that has no
/// sign-in by a redirect, or whose requests have to be pushed.
fn test_uri(client: &Client) -> Option<String> {
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
    let can_begin = client.allows_grant(GrantType::AuthorizationCode) && !client.requires_pushed_requests;
    let redirect_uri = client.redirect_uris.first().filter(|_| can_begin)?;
    let scopes: Vec<&str> = ["openid", "profile", "email"].into_iter().filter(|scope| client.allows_scope(scope)).collect();
    let encode = |text: &str| utf8_percent_encode(text, ENCODED).to_string();
    Some(format!(
        "/oidc/authorize?response_type=code&client_id={}&redirect_uri={}&scope={}&state=console-test&code_challenge_method=S256&code_challenge={CHALLENGE}",
        encode(&client.id),
        encode(redirect_uri.as_str()),
        encode(&scopes.join(" ")),
    ))
}

/// The page that asks before the secret is shown; 404.
pub(super) async fn show_secret(
    pages: Pages,
    administrator: Administrator,
    id: String,
    _: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let client = find(&pages, &id)?;
    let proof = administrator.proof();
    Ok(administrator.ok(&pages, |console| secret_question_page(console, &Problems::default(), proof, &client)))
}

/// Shows the secret: 200, and no cache keeps it.
pub(super) async fn reveal_secret(
    pages: Pages,
    administrator: Administrator,
    id: String,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let form = Form::read(&pages, &administrator.visitor, &mut request).await?;
    let client = find(&pages, &id)?;
    let context = pages.identity.request_context(&request);
    let revealed = async {
        confirm(&pages, &context, &administrator, &form).await?;
        reveal_client_secret(&pages.identity.oidc, pages.identity.acting(&context, administrator.claims()), &id).await
    };
    match Box::pin(revealed).await {
        Ok(revealed) => {
            let webhook = revealed.webhook_secret.as_ref().map(ExposeSecret::expose_secret);
            Ok(administrator.ok(&pages, |console| secret_page(console, &client, revealed.secret.expose_secret(), webhook)))
        }
        Err(fault) => {
            let proof = administrator.proof();
            refuse(&pages, administrator, fault, &["password"], |console, problems| {
                secret_question_page(console, &problems, proof, &client)
            })
        }
    }
}
