//! `grant_type=client_credentials` (RFC 6749, section 4.4): a client that acts for itself.

use super::{TokenRequest, TokenResponse, issue::TokenGrant, resource};
use crate::identity::oidc::OidcContext;
use domain::{
    identity::oidc::{
        Scope,
        error::{invalid_scope, unauthorized_client},
        scope::{OFFLINE_ACCESS, OPENID},
    },
    shared::Fault,
};
use storage::identity::oidc::access_tokens;

/// Issues an access token. There is no person, hence neither ID token nor refresh token; scopes that are
/// about a person are dropped.
pub(super) async fn grant(ctx: &OidcContext, request: TokenRequest<'_>) -> Result<TokenResponse, Fault> {
    let TokenRequest { client, parameters, dpop_jkt, .. } = request;
    if client.is_public() {
        return Err(unauthorized_client("A public client cannot act for itself"));
    }
    let asked = Scope::parse(parameters.text("scope").unwrap_or_default())?;
    if let Some(unknown) = asked.names().iter().find(|name| !client.allows_scope(name)) {
        return Err(invalid_scope(format!("The client may not ask for the scope {unknown}")));
    }
    let scope = &asked.filtered(|name| name != OPENID && name != OFFLINE_ACCESS);
    let resource = resource(parameters, &ctx.settings.resource_audiences)?.filter(|_| parameters.text("resource").is_some());
    let grant = TokenGrant { client, live: None, scope, refresh_scope: None, resource, at: ctx.identity.clock.now(), dpop_jkt };
    let response = grant.issue(ctx).await?;
    if let Some(row) = response.access_row() {
        access_tokens::insert(&ctx.identity.store.connection("oidc.client_token").await?, row).await?;
    }
    Ok(response)
}
