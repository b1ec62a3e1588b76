//! The tokens of all spaces that act for people or read drafts, and taking one away.

use super::ActingAdministrator;
use crate::{identity::IdentityContext, shared::SpaceAct};
use domain::{
    identity::admin::TokenQuery,
    shared::{Fault, ListedToken, Page, TokenId, TokenKind},
};
use serde_json::json;
use storage::{identity::audit, shared::listed_tokens, transact};

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
pub async fn revoke_token(by: ActingAdministrator<'_>, (kind, id): (TokenKind, TokenId)) -> Result<ListedToken, Fault> {
    transact!(by.ctx, "token.revoke_any", async |tx| {
        by.check(tx).await?;
        let token = listed_tokens::find(tx, kind, id).await?.ok_or_else(Fault::not_found)?;
        if !by.ctx.spaces.revoke_token(tx, &SpaceAct { space: token.space, by: by.in_spaces() }, kind, id).await? {
            return Err(Fault::not_found().into());
        }
        let details = json!({ "kind": kind.name(), "tokenId": token.id, "name": token.name, "spaceId": token.space });
        let user = token.user.as_ref().map(|(user, _)| *user);
        audit::record_with(tx, audit::Event::AdminTokenRevoked, &details, by.attempt(user)).await?;
        Ok(token)
    })
    .await
}
