//! Spaces, as far as administrators have to do with them: all of them are listed, one without an owner is
//! given one, a deleted one is brought back. And their tokens that act for people or read drafts: they are
//! listed, and taken away.

use super::ActingAdministrator;
use crate::{identity::IdentityContext, shared::SpaceAct};
use domain::{
    identity::{
        Account, Email,
        admin::{SpaceQuery, TokenQuery},
    },
    shared::{Code, Fault, ListedSpace, ListedToken, Page, SpaceId, TokenId, TokenKind},
};
use serde_json::json;
use storage::{
    Result as StoreResult, Tx,
    identity::{Attempt, accounts, audit},
    shared::{listed_spaces, listed_tokens},
    transact,
};

/// A person as an administrator names them: by the id or the address.
#[derive(Debug, Clone, Default)]
pub struct NewOwner {
    /// The id as it was sent.
    pub user_id: Option<String>,
    /// The address as it was sent.
    pub email: Option<String>,
}

/// A page of spaces, the newest first.
pub async fn list_spaces(ctx: &IdentityContext, query: &SpaceQuery) -> Result<Page<ListedSpace>, Fault> {
    let connection = ctx.store.connection("space.list_all").await?;
    Ok(listed_spaces::list(&connection, &query.filter, query.page).await?)
}

/// One space. 404.
pub async fn find_space(ctx: &IdentityContext, space: SpaceId) -> Result<ListedSpace, Fault> {
    let connection = ctx.store.connection("space.find_any").await?;
    listed_spaces::find(&connection, space).await?.ok_or_else(Fault::not_found)
}

/// Gives a space without an owner one, and answers the space as it is then. Nothing changes for one that the
/// person owns already. 400 unless the person is named in one way, 404 without such a space or person, 409
/// `spaceHasOwner`, `spaceDeleted`, and `ownerSuspended`.
pub async fn give_owner(by: ActingAdministrator<'_>, space: SpaceId, owner: NewOwner) -> Result<ListedSpace, Fault> {
    let owner = find_owner(by.ctx, owner).await?.id;
    let act = &SpaceAct { space, by: by.in_spaces() };
    transact!(by.ctx, "space.give_owner", async |tx| {
        let locked = accounts::lock(tx, owner).await?;
        by.check(tx).await?;
        if locked.ok_or_else(Fault::not_found)?.account.suspended_at.is_some() {
            return Err(Fault::of(Code::OwnerSuspended).into());
        }
        let is_changed = by.ctx.spaces.give_owner(tx, act, owner).await?;
        let space = listed_spaces::find(tx, act.space).await?.ok_or_else(Fault::not_found)?;
        if is_changed {
            record(tx, audit::Event::AdminSpaceOwnerGiven, &space, by.attempt(Some(owner))).await?;
        }
        Ok(space)
    })
    .await
}

/// Brings a deleted space back with everything in it, and answers it as it is then. Nothing changes for one
/// that is not deleted. 404, 409 `graceOver`.
pub async fn undelete(by: ActingAdministrator<'_>, space: SpaceId) -> Result<ListedSpace, Fault> {
    let act = &SpaceAct { space, by: by.in_spaces() };
    transact!(by.ctx, "space.undelete", async |tx| {
        by.check(tx).await?;
        let is_changed = by.ctx.spaces.undelete(tx, act).await?;
        let space = listed_spaces::find(tx, act.space).await?.ok_or_else(Fault::not_found)?;
        if is_changed {
            record(tx, audit::Event::AdminSpaceUndeleted, &space, by.attempt(None)).await?;
        }
        Ok(space)
    })
    .await
}

/// The account of the person. 400 when they are named by neither or by both, 404 without such an account.
async fn find_owner(ctx: &IdentityContext, owner: NewOwner) -> Result<Account, Fault> {
    let connection = ctx.store.connection("account.find").await?;
    let found = match (owner.user_id, owner.email) {
        (Some(id), None) => match id.parse() {
            Ok(id) => accounts::find(&connection, id).await?,
            Err(_) => None,
        },
        (None, Some(email)) => match Email::parse(&email) {
            Some(email) => accounts::find_by_email(&connection, &email).await?.map(|found| found.account),
            None => None,
        },
        _ => return Err(Fault::new(Code::Validation, "Send either userId or email")),
    };
    found.ok_or_else(Fault::not_found)
}

/// The entry in the audit trail of accounts; the space has one of its own.
async fn record(tx: &Tx<'_>, event: audit::Event, space: &ListedSpace, attempt: Attempt<'_>) -> StoreResult<()> {
    let target = space.id.to_string();
    let details = json!({ "spaceId": space.id, "name": space.name });
    audit::record_with(tx, event, &details, attempt.target(&target)).await
}

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

/// Takes a token away: it opens nothing from now on. The audit logs of the accounts and of the space say so.
/// Answers what it was; 404 when it is no valid one.
pub async fn revoke_token(by: ActingAdministrator<'_>, (kind, id): (TokenKind, TokenId)) -> Result<ListedToken, Fault> {
    transact!(by.ctx, "token.revoke_any", async |tx| {
        by.check(tx).await?;
        let token = listed_tokens::find(tx, kind, id).await?.ok_or_else(Fault::not_found)?;
        if !by.ctx.spaces.revoke_token(tx, &SpaceAct { space: token.space, by: by.in_spaces() }, kind, id).await? {
            return Err(Fault::not_found().into());
        }
        let details = json!({ "kind": kind.into_str(), "tokenId": token.id, "name": token.name, "spaceId": token.space });
        let user = token.user.as_ref().map(|(user, _)| *user);
        audit::record_with(tx, audit::Event::AdminTokenRevoked, &details, by.attempt(user)).await?;
        Ok(token)
    })
    .await
}
