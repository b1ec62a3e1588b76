//! `grant_type=client_credentials` (RFC 6749, section 4.4): a client that acts for itself.

use super::{
    TokenResponse,
    issue::{Access, NewToken},
    resource, token_type,
};
use crate::identity::oidc::OidcContext;
use domain::{
    identity::oidc::{
        Client, Scope,
        error::{invalid_scope, unauthorized_client},
        scope::{OFFLINE_ACCESS, OPENID},
    },
    shared::{Fault, Parameters},
};
use storage::identity::oidc::access_tokens;

/// Issues an access token. There is no person, hence neither ID token nor refresh token; scopes that are about a person are dropped.
pub(super) async fn grant(
    ctx: &OidcContext,
    client: &Client,
    parameters: &Parameters,
    dpop_jkt: Option<&str>,
) -> Result<TokenResponse, Fault> {
    if client.is_public() {
        return Err(unauthorized_client("A public client cannot act for itself"));
    }
    let asked = Scope::parse(parameters.text("scope").unwrap_or_default())?;
    if let Some(unknown) = asked.names().iter().find(|name| !client.allows_scope(name)) {
        return Err(invalid_scope(format!("The client may not ask for the scope {unknown}")));
    }
    let scope = asked.filtered(|name| name != OPENID && name != OFFLINE_ACCESS);
    let access = NewToken {
        client,
        subject: &client.id,
        grant: None,
        scope: &scope,
        roles: &[],
        resource: resource(parameters, &ctx.settings.resource_audiences)
            .map(|resource| resource.filter(|_| parameters.text("resource").is_some()))?,
        at: ctx.identity.clock.now(),
        dpop_jkt,
    };
    let Access { token, row, expires_in } = access.make(ctx).await?;
    if let Some(row) = &row {
        let connection = ctx.identity.store.connection("oidc.client_token").await?;
        access_tokens::insert(&connection, row).await?;
    }
    Ok(TokenResponse {
        access_token: token,
        token_type: token_type(dpop_jkt),
        expires_in,
        scope,
        id_token: None,
        refresh_token: None,
    })
}
