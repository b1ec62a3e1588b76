//! `grant_type=refresh_token` (RFC 6749, section 6): each use replaces the token, see [`domain::identity::oidc::refresh`].

use super::{
    TokenResponse,
    issue::{Issue, store},
    resource,
};
use crate::identity::{RequestContext, oidc::OidcContext};
use crypto::opaque_token;
use domain::{
    identity::oidc::{
        Client, Scope,
        error::{invalid_grant, invalid_request, invalid_scope},
        refresh::{MAX_REPEATS, TokenState, Use, refused},
        roles,
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
pub(super) async fn refresh(
    ctx: &OidcContext,
    request: &RequestContext,
    client: &Client,
    parameters: &Parameters,
    dpop_jkt: Option<&str>,
) -> Result<TokenResponse, Fault> {
    let token = parameters.text("refresh_token").ok_or_else(|| invalid_request("refresh_token is missing"))?;
    let hash = opaque_token::hash(token).ok_or_else(refused)?;
    let stored = find(ctx, &hash).await?.filter(|stored| stored.grant.grant.client_id == client.id).ok_or_else(refused)?;
    if stored.dpop_jkt.is_some() && stored.dpop_jkt.as_deref() != dpop_jkt {
        return Err(invalid_grant("The refresh token is bound to another DPoP key"));
    }
    let mut kind = state_of(&stored).use_at(request.at(), ctx.settings.refresh_grace);
    let scope = scope(parameters, &stored.scope)?;
    let live = &stored.grant;
    if !roles::may_sign_in(client, &roles::effective(client, &live.roles_in(client.role_group()))) {
        return Err(refused());
    }
    let issue =
        Issue { client, live, scope: &scope, resource: resource(parameters, &live.grant.resources)?, at: request.at(), dpop_jkt };
    // Each further round means that another request has used the token meanwhile, which can happen as often as the grace allows.
    for _ in 0..=MAX_REPEATS {
        match kind {
            Use::First | Use::Repeated => {}
            Use::Refused => return Err(refused()),
            Use::Reused => {
                revoke_family(ctx, request, live.grant.id, client).await?;
                return Err(refused());
            }
        }
        let issued = issue.tokens(ctx).await?;
        let successor = issue.refresh_token(ctx, &stored.scope);
        let is_rotated = if kind == Use::Repeated {
            let used_since = request.at().checked_sub(ctx.settings.refresh_grace).unwrap_or(Timestamp::MIN);
            let (hash, made) = (&hash, (&issued, &successor));
            transact!(ctx.identity, "oidc.rotate_refresh_token_again", async |tx| {
                if !refresh_tokens::rotate_again(tx, hash, &made.1.row.hash, used_since, MAX_REPEATS, request.at()).await? {
                    return Ok(false);
                }
                store(tx, made.0, Some(made.1)).await.map(|()| true)
            })
            .await?
        } else {
            let connection = ctx.identity.store.connection("oidc.rotate_refresh_token").await?;
            refresh_tokens::rotate(&connection, &hash, &successor.row, issued.row.as_ref(), request.at()).await?
        };
        if is_rotated {
            return Ok(issued.into_response(scope, Some(successor.token)));
        }
        let now = find(ctx, &hash).await?.ok_or_else(refused)?;
        kind = state_of(&now).use_at(request.at(), ctx.settings.refresh_grace);
    }
    Err(refused())
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
