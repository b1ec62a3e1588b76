//! `grant_type=refresh_token` (RFC 6749, section 6): each use replaces the token, see
//! [`domain::identity::oidc::refresh`].

use super::{TokenRequest, TokenResponse, issue::TokenGrant, resource};
use crate::identity::{RequestContext, oidc::OidcContext};
use crypto::opaque_token;
use domain::{
    identity::oidc::{
        Client, Scope,
        error::{invalid_grant, invalid_scope},
        refresh::{MAX_REPEATS, TokenState, Use, invalid_refresh_token},
    },
    shared::{Fault, Parameters},
};
use jiff::Timestamp;
use serde_json::json;
use storage::{
    identity::{
        Actor, audit,
        oidc::{
            grants,
            refresh_tokens::{self, RefreshToken},
        },
    },
    transact,
};
use uuid::Uuid;

/// Exchanges a refresh token. One of another client is refused and stays valid.
pub(super) async fn refresh(ctx: &OidcContext, request: TokenRequest<'_>) -> Result<TokenResponse, Fault> {
    let TokenRequest { context, client, parameters, dpop_jkt } = request;
    let hash = opaque_token::hash(request.required("refresh_token")?).ok_or_else(invalid_refresh_token)?;
    let stored =
        find(ctx, &hash).await?.filter(|stored| stored.grant.grant.client_id == client.id).ok_or_else(invalid_refresh_token)?;
    if !request.has_key_of(stored.dpop_jkt.as_deref()) {
        return Err(invalid_grant("The refresh token is bound to another DPoP key"));
    }
    let mut kind = state_of(&stored).use_at(context.at(), ctx.settings.refresh_grace);
    let scope = scope(parameters, &stored.scope)?;
    let live = &stored.grant;
    if !request.may_sign_in(live) {
        return Err(invalid_refresh_token());
    }
    let (resource, refresh_scope, at) = (resource(parameters, &live.grant.resources)?, Some(&stored.scope), context.at());
    let grant = TokenGrant { client, live: Some(live), scope: &scope, refresh_scope, resource, at, dpop_jkt };
    // Each further round means that another request has used the token meanwhile, which can happen as often
    // as the grace allows.
    for _ in 0..=MAX_REPEATS {
        match kind {
            Use::First | Use::Repeated => {}
            Use::Refused => return Err(invalid_refresh_token()),
            Use::Reused => {
                revoke_family(ctx, context, live.grant.id, client).await?;
                return Err(invalid_refresh_token());
            }
        }
        let response = grant.issue(ctx).await?;
        let successor = response.refresh_row().ok_or_else(|| Fault::internal("a refresh without a refresh token"))?;
        let is_rotated = if kind == Use::Repeated {
            let used_since = at.checked_sub(ctx.settings.refresh_grace).unwrap_or(Timestamp::MIN);
            let (hash, tokens) = (&hash, &response);
            transact!(ctx.identity, "oidc.rotate_refresh_token_again", async |tx| {
                if !refresh_tokens::rotate_again(tx, hash, &successor.hash, used_since, MAX_REPEATS, at).await? {
                    return Ok(false);
                }
                tokens.store(tx).await.map(|()| true)
            })
            .await?
        } else {
            let connection = ctx.identity.store.connection("oidc.rotate_refresh_token").await?;
            refresh_tokens::rotate(&connection, &hash, successor, response.access_row(), at).await?
        };
        if is_rotated {
            return Ok(response);
        }
        let now = find(ctx, &hash).await?.ok_or_else(invalid_refresh_token)?;
        kind = state_of(&now).use_at(context.at(), ctx.settings.refresh_grace);
    }
    Err(invalid_refresh_token())
}

async fn find(ctx: &OidcContext, hash: &[u8; 32]) -> Result<Option<RefreshToken>, Fault> {
    let connection = ctx.identity.store.shared("oidc.find_refresh_token").await?;
    Ok(refresh_tokens::find(&connection, hash).await?)
}

fn state_of(stored: &RefreshToken) -> TokenState {
    TokenState {
        expires_at: stored.expires_at,
        used_at: stored.used_at,
        repeats: stored.repeats,
        is_successor_used: stored.is_successor_used,
        is_superseded: stored.is_superseded,
        is_live: stored.is_live,
    }
}

/// The scope of the new access token: a part of what the refresh token is for (RFC 6749, section 6).
fn scope(parameters: &Parameters, granted: &Scope) -> Result<Scope, Fault> {
    let Some(asked) = parameters.text("scope") else { return Ok(granted.clone()) };
    let asked = Scope::parse(asked)?;
    if asked.is_within(granted) { Ok(asked) } else { Err(invalid_scope("The scope goes beyond what was granted")) }
}

/// Ends the family of a token that was used twice.
async fn revoke_family(ctx: &OidcContext, request: &RequestContext, grant: Uuid, client: &Client) -> Result<(), Fault> {
    transact!(ctx.identity, "oidc.revoke_reused_family", async |tx| {
        if let Some(user) = grants::revoke(tx, grant, request.source.at).await? {
            let details = json!({ "clientId": client.id });
            let attempt = request.source.attempt(Some(user)).by(Actor::Client(&client.id)).client(&client.id);
            audit::record_failure(tx, audit::Event::OidcRefreshReuseDetected, details, attempt).await?;
        }
        Ok(())
    })
    .await
}
