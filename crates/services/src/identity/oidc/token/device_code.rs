//! `grant_type=urn:ietf:params:oauth:grant-type:device_code` (RFC 8628, section 3.4): a device asks for
//! tokens until a person has decided.

use super::{TokenRequest, TokenResponse, issue::TokenGrant, resource};
use crate::identity::oidc::OidcContext;
use crypto::opaque_token;
use domain::{
    identity::oidc::{
        device_code::{Poll, denied, invalid_device_code},
        error::invalid_grant,
    },
    shared::Fault,
};
use storage::{
    identity::oidc::{device_codes, grants},
    transact,
};

/// Exchanges a device code for tokens, once. Before the person has decided: `authorization_pending`, or
/// `slow_down` for a client that asks too often.
pub(super) async fn redeem(ctx: &OidcContext, token_request: TokenRequest<'_>) -> Result<TokenResponse, Fault> {
    let TokenRequest { context, client, parameters, dpop_jkt } = token_request;
    let device_hash = opaque_token::hash(token_request.required("device_code")?).ok_or_else(invalid_device_code)?;
    let at = context.at();
    let id = transact!(ctx.identity, "oidc.poll_device_code", async |tx| {
        let Some((request, state)) = device_codes::lock(tx, &device_hash).await? else { return Ok(Err(invalid_device_code())) };
        if request.client_id != client.id {
            return Ok(Err(invalid_device_code()));
        }
        if !token_request.has_key_of(request.dpop_jkt.as_deref()) {
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
    if !token_request.may_sign_in(&live) {
        return Err(denied());
    }
    let (scope, resource) = (&live.grant.scope, resource(parameters, &live.grant.resources)?);
    let refresh_scope = token_request.wants_refresh(scope).then_some(scope);
    let response = TokenGrant { client, live: Some(&live), scope, refresh_scope, resource, at, dpop_jkt }.issue(ctx).await?;
    let tokens = &response;
    let is_first = transact!(ctx.identity, "oidc.redeem_device_code", async |tx| {
        // Used up first: of two requests at once, the second stores no tokens.
        if !device_codes::consume(tx, id, at).await? {
            return Ok(false);
        }
        tokens.store(tx).await.map(|()| true)
    });
    // Unless another request redeemed it at this moment.
    if is_first.await? { Ok(response) } else { Err(invalid_device_code()) }
}
