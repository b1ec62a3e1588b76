//! `grant_type=urn:ietf:params:oauth:grant-type:device_code` (RFC 8628, section 3.4): a device asks for tokens until a person has decided.

use super::{
    TokenResponse,
    issue::{Issue, store},
    resource,
};
use crate::identity::{RequestContext, oidc::OidcContext};
use crypto::opaque_token;
use domain::{
    identity::oidc::{
        Client, GrantType,
        device_code::{Poll, denied, refused},
        error::{invalid_grant, invalid_request},
        roles,
        scope::OFFLINE_ACCESS,
    },
    shared::{Fault, Parameters},
};
use storage::{
    identity::oidc::{device_codes, grants},
    transact,
};

/// Exchanges a device code for tokens, once. Before the person has decided: `authorization_pending`, or `slow_down` for a client that asks too often.
pub(super) async fn redeem(
    ctx: &OidcContext,
    request: &RequestContext,
    client: &Client,
    parameters: &Parameters,
    dpop_jkt: Option<&str>,
) -> Result<TokenResponse, Fault> {
    let code = parameters.text("device_code").ok_or_else(|| invalid_request("device_code is missing"))?;
    let device_hash = opaque_token::hash(code).ok_or_else(refused)?;
    let at = request.at();
    let id = transact!(ctx.identity, "oidc.poll_device_code", async |tx| {
        let Some((request, state)) = device_codes::lock(tx, &device_hash).await? else { return Ok(Err(refused())) };
        if request.client_id != client.id {
            return Ok(Err(refused()));
        }
        if request.dpop_jkt.is_some() && request.dpop_jkt.as_deref() != dpop_jkt {
            return Ok(Err(invalid_grant("The device code is bound to another DPoP key")));
        }
        match state.poll(at) {
            Poll::Allowed => Ok(Ok(request.id)),
            Poll::Refused(fault) => Ok(Err(fault)),
            Poll::Again { fault, interval } => {
                device_codes::note_poll(tx, request.id, interval, at).await?;
                Ok(Err(fault))
            }
        }
    })
    .await??;
    let connection = ctx.identity.store.connection("oidc.find_device_grant").await?;
    // The session in which it was allowed may have ended, and the person may have withdrawn it.
    let live = grants::find_in_session(&connection, id).await?.ok_or_else(denied)?;
    drop(connection);
    if !roles::may_sign_in(client, &roles::effective(client, &live.roles_in(client.role_group()))) {
        return Err(denied());
    }
    let resource = resource(parameters, &live.grant.resources)?;
    let scope = live.grant.scope.clone();
    let issue = Issue { client, live: &live, scope: &scope, resource, at, dpop_jkt };
    let issued = issue.tokens(ctx).await?;
    let wants_refresh = scope.has(OFFLINE_ACCESS) && client.allows_grant(GrantType::RefreshToken);
    let refresh = wants_refresh.then(|| issue.refresh_token(ctx, &scope));
    let made = (&issued, refresh.as_ref());
    let is_first = transact!(ctx.identity, "oidc.redeem_device_code", async |tx| {
        // Used up first: of two requests at once, the second stores no tokens.
        if !device_codes::consume(tx, id, at).await? {
            return Ok(false);
        }
        store(tx, made.0, made.1).await.map(|()| true)
    })
    .await?;
    if !is_first {
        // Another request redeemed it at this moment.
        return Err(refused());
    }
    Ok(issued.into_response(scope, refresh.map(|refresh| refresh.token)))
}
