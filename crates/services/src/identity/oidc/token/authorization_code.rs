//! `grant_type=authorization_code` (RFC 6749, section 4.1.3, with RFC 7636).

use super::{TokenRequest, TokenResponse, issue::TokenGrant, resource};
use crate::identity::{RequestContext, oidc::OidcContext};
use crypto::{opaque_token, pkce};
use domain::{
    identity::{
        oidc::{
            Client,
            authorization_request::is_verifier,
            error::{invalid_grant, invalid_request},
        },
        one_time::{Kind, State},
    },
    shared::{Fault, Parameters},
};
use futures_util::try_join;
use serde::Deserialize;
use storage::{
    identity::{
        Actor, AuditOutcome, audit,
        oidc::grants,
        one_time::{self, Hash},
    },
    transact,
};

/// What is stored with a code.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CodePayload {
    redirect_uri: String,
    code_challenge: Option<String>,
    dpop_jkt: Option<String>,
}

/// Redeems a code. A code that its client presents again revokes what it was redeemed for (RFC 6749, section
/// 4.1.2); another client is refused, and changes nothing.
pub(super) async fn redeem(ctx: &OidcContext, request: TokenRequest<'_>) -> Result<TokenResponse, Fault> {
    let TokenRequest { context, client, parameters, dpop_jkt } = request;
    let hash = opaque_token::hash(request.required("code")?).ok_or_else(invalid_device_code)?;
    let connection = ctx.identity.store.shared("oidc.find_code").await?;
    let (stored, live) =
        try_join!(one_time::find(&connection, Kind::AuthorizationCode, &hash), grants::find_by_code(&connection, &hash))?;
    drop(connection);
    let stored = stored.ok_or_else(invalid_device_code)?;
    let state = stored.state(context.at());
    if state == State::Used {
        revoke_reused(ctx, context, &hash, &client.id).await?;
        return Err(invalid_device_code());
    }
    let live = live.filter(|live| state == State::Usable && live.grant.client_id == client.id).ok_or_else(invalid_device_code)?;
    let payload: CodePayload = serde_json::from_value(stored.token.payload)
        .map_err(|error| Fault::internal(format!("a stored code cannot be read: {error}")))?;
    check_proof(&payload, client, parameters)?;
    if !request.has_key_of(payload.dpop_jkt.as_deref()) {
        return Err(invalid_grant("The code is bound to another DPoP key"));
    }
    if !request.may_sign_in(&live) {
        return Err(invalid_device_code());
    }
    let (scope, resource) = (&live.grant.scope, resource(parameters, &live.grant.resources)?);
    let refresh_scope = request.wants_refresh(scope).then_some(scope);
    let grant = TokenGrant { client, live: Some(&live), scope, refresh_scope, resource, at: context.at(), dpop_jkt };
    let response = grant.issue(ctx).await?;
    let tokens = &response;
    let is_first = transact!(ctx.identity, "oidc.redeem_code", async |tx| {
        // Consumed in a statement of its own: of two requests at once, the second stores no tokens.
        if one_time::consume(tx, Kind::AuthorizationCode, &hash, context.at()).await?.is_none() {
            return Ok(false);
        }
        tokens.store(tx).await.map(|()| true)
    });
    if is_first.await? {
        return Ok(response);
    }
    // Another request redeemed it at this moment.
    revoke_reused(ctx, context, &hash, &client.id).await?;
    Err(invalid_device_code())
}

/// Checks that the one who redeems the code is the one who asked for it: the redirect URI (RFC 6749, section
/// 4.1.3), and the code verifier (RFC 7636, section 4.6). A verifier without a challenge is refused as well,
/// because an attacker may have removed the challenge (RFC 9700, section 2.1.1).
fn check_proof(payload: &CodePayload, client: &Client, parameters: &Parameters) -> Result<(), Fault> {
    match (parameters.text("code_verifier"), &payload.code_challenge) {
        (None, None) => {}
        (Some(verifier), Some(challenge)) if is_verifier(verifier) && pkce::matches(verifier, challenge) => {}
        (Some(_), Some(_)) => return Err(invalid_grant("code_verifier does not belong to the code_challenge of the request")),
        (None, Some(_)) => return Err(invalid_grant("code_verifier is missing")),
        (Some(_), None) => return Err(invalid_grant("code_verifier was sent for a request without code_challenge")),
    }
    match parameters.text("redirect_uri") {
        Some(sent) if sent == payload.redirect_uri => Ok(()),
        Some(_) => Err(invalid_grant("redirect_uri is not that of the authorization request")),
        None if payload.code_challenge.is_some() || client.redirect_uris.len() == 1 => Ok(()),
        None => Err(invalid_request("redirect_uri is missing")),
    }
}

fn invalid_device_code() -> Fault {
    invalid_grant("The code is unknown, expired, was used before, or is not for this client")
}

/// Revokes what a code was redeemed for, if it is this client's: it was presented again, so it was stolen.
async fn revoke_reused(ctx: &OidcContext, request: &RequestContext, hash: &Hash, client_id: &str) -> Result<(), Fault> {
    transact!(ctx.identity, "oidc.revoke_reused_code", async |tx| {
        let Some(stored) = one_time::find(tx, Kind::AuthorizationCode, hash).await? else { return Ok(()) };
        let revoked = grants::revoke_given_to(tx, stored.token.id, client_id, request.source.at).await?;
        let Some(user) = revoked else { return Ok(()) };
        let attempt = request.source.attempt(Some(user)).by(Actor::Client(client_id)).client(client_id);
        audit::record(tx, audit::Event::OidcCodeReuseDetected, AuditOutcome::Failure("codeReused"), attempt).await
    })
    .await
}
