//! The tokens of all spaces that act for people or read drafts, and taking one away.

use super::{attempt, check_administrator};
use crate::{
    identity::{IdentityContext, RequestContext, acting_tokens},
    shared::SpaceAct,
};
use domain::{
    identity::admin::TokenQuery,
    shared::{Fault, ListedToken, Page, TokenId, TokenKind},
};
use serde_json::json;
use storage::{
    identity::audit,
    shared::{listed_tokens, sessions::SessionClaims},
    transact,
};

/// A page of tokens, the newest first.
pub async fn list_tokens(ctx: &IdentityContext, query: &TokenQuery) -> Result<Page<ListedToken>, Fault> {
    let connection = ctx.store.connection("token.list_all").await?;
    Ok(listed_tokens::list(&connection, query.filter, query.page).await?)
}

/// One of them. 404.
pub async fn find_token(ctx: &IdentityContext, (kind, id): (TokenKind, TokenId)) -> Result<ListedToken, Fault> {
    let connection = ctx.store.connection("token.find_any").await?;
    listed_tokens::find(&connection, kind, id).await?.ok_or_else(Fault::not_found)
}

/// Takes a token away: it opens nothing from now on. The audit logs of the accounts and of the space say so. Answers what it was; 404 when it is no valid one.
pub async fn revoke_token(
    ctx: &IdentityContext,
    request: &RequestContext,
    administrator: SessionClaims,
    (kind, id): (TokenKind, TokenId),
) -> Result<ListedToken, Fault> {
    transact!(ctx, "token.revoke_any", async |tx| {
        check_administrator(tx, administrator, request.source.at).await?;
        let token = listed_tokens::find(tx, kind, id).await?.ok_or_else(Fault::not_found)?;
        let by = acting_tokens::by(administrator.user, "administrator", &request.source);
        if !ctx.spaces.revoke_token(tx, &SpaceAct { space: token.space, by }, kind, id).await? {
            return Err(Fault::not_found().into());
        }
        let details = json!({ "kind": kind.name(), "tokenId": token.id, "name": token.name, "spaceId": token.space });
        let user = token.user.as_ref().map(|(user, _)| *user);
        audit::record_with(tx, audit::Event::AdminTokenRevoked, &details, attempt(&request.source, administrator, user)).await?;
        Ok(token)
    })
    .await
}
