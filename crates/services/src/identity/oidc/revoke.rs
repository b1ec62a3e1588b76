//! Token revocation (RFC 7009), by the client that the token was issued to.

use super::{OidcContext, jwt_access::JwtAccess};
use crypto::opaque_token;
use domain::{
    identity::oidc::{Client, error::invalid_request},
    shared::Fault,
};
use jiff::Timestamp;
use storage::{
    identity::oidc::{
        access_tokens, denied_tokens, grants,
        introspection::{self, TokenKind, TokenOwner},
    },
    transact,
};

/// Revokes a token. A refresh token takes its whole grant with it, with all tokens; an access token only
/// itself. A token that is unknown or no longer valid needs no revocation, so that is no error (RFC 7009,
/// section 2.2).
///
/// 400 `invalid_request` for a token of another client; a public client, which could be anybody, is not told.
pub async fn revoke(ctx: &OidcContext, client: &Client, token: &str, now: Timestamp) -> Result<(), Fault> {
    let is_own = match opaque_token::hash(token) {
        Some(hash) => {
            transact!(ctx.identity, "oidc.revoke_token", async |tx| {
                let Some(TokenOwner { kind, client_id, grant }) = introspection::find_owner(tx, &hash).await? else {
                    return Ok(true);
                };
                if client_id != client.id {
                    return Ok(false);
                }
                match (kind, grant) {
                    (TokenKind::Refresh, Some(grant)) => {
                        grants::revoke(tx, grant, now).await?;
                    }
                    _ => {
                        access_tokens::remove(tx, &hash, &client.id).await?;
                    }
                }
                Ok(true)
            })
            .await?
        }
        None => deny_jwt(ctx, client, token, now).await?,
    };
    if is_own || client.is_public() {
        return Ok(());
    }
    Err(invalid_request("The token was issued to another client"))
}

/// Denies a JWT access token until it expires. `false` if it is that of another client.
async fn deny_jwt(ctx: &OidcContext, client: &Client, token: &str, now: Timestamp) -> Result<bool, Fault> {
    let Some(claims) = JwtAccess::read(ctx, token, now).await? else { return Ok(true) };
    if claims.client_id != client.id {
        return Ok(false);
    }
    let expires_at = Timestamp::from_second(claims.exp).unwrap_or(Timestamp::MAX);
    let connection = ctx.identity.store.connection("oidc.deny_token").await?;
    denied_tokens::insert(&connection, &claims.jti, expires_at).await?;
    Ok(true)
}
