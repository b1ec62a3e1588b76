//! Everything that administrators see of a person.

use super::roles::{RolesInGroup, in_groups};
use crate::identity::IdentityContext;
use domain::{
    identity::{Account, Passkey, admin::AuditQuery},
    shared::{Fault, ListedToken, Page, PageRequest, UserId},
};
use futures_util::try_join;
use storage::{
    identity::{
        accounts,
        audit::{self, FullEntry},
        oidc::grants::{self, ListedGrant},
        passkeys, role_assignments,
        sessions::{self, ListedSession},
    },
    shared::{listed_tokens, owned_spaces},
};

/// How many entries of the audit trail are shown with a person.
const ENTRIES: u32 = 20;
/// How many tokens are.
const TOKENS: i64 = 20;
/// How many sessions and grants are; lists of their own have the rest.
const FIRST: PageRequest = PageRequest { page: 1, per_page: 10 };

/// A person.
#[derive(Debug, Clone)]
pub struct UserDetails {
    pub account: Account,
    /// The passkeys, the oldest first.
    pub passkeys: Vec<Passkey>,
    /// The active sessions: the newest, and how many they are.
    pub sessions: Page<ListedSession>,
    /// What is granted to clients: the newest, and how many grants they are.
    pub grants: Page<ListedGrant>,
    /// The clients that something is granted to.
    pub clients: Vec<String>,
    /// The roles, by group.
    pub roles: Vec<RolesInGroup>,
    /// The names of the spaces that the person owns.
    pub spaces: Vec<String>,
    /// The tokens that act for the person: the newest, and how many they are.
    pub tokens: Page<ListedToken>,
    /// The newest entries about the account, and of what its owner did.
    pub entries: Vec<FullEntry>,
}

/// Reads a person, all statements at once. 404.
pub async fn read_user(ctx: &IdentityContext, user: UserId) -> Result<UserDetails, Fault> {
    let now = ctx.clock.now();
    let query = AuditQuery::of_user(user, PageRequest { page: 1, per_page: ENTRIES });
    let connection = ctx.store.connection("account.details").await?;
    let (account, passkeys, sessions, grants, clients, roles, spaces, tokens, entries) = try_join!(
        accounts::find(&connection, user),
        passkeys::list(&connection, user),
        sessions::list_active(&connection, user, now, FIRST),
        grants::list_active(&connection, user, now, FIRST),
        grants::list_clients(&connection, user, now),
        role_assignments::list_decided(&connection, user),
        owned_spaces::list(&connection, user),
        listed_tokens::newest_of(&connection, user, TOKENS),
        audit::search(&connection, &query),
    )?;
    let account = account.ok_or_else(Fault::not_found)?;
    let roles = in_groups(&ctx.settings.clients, &roles);
    Ok(UserDetails { account, passkeys, sessions, grants, clients, roles, spaces, tokens, entries: entries.items })
}

/// The account of a person, and a page of its active sessions. 404.
pub async fn list_sessions(
    ctx: &IdentityContext,
    user: UserId,
    page: PageRequest,
) -> Result<(Account, Page<ListedSession>), Fault> {
    let connection = ctx.store.connection("account.sessions").await?;
    let (account, sessions) =
        try_join!(accounts::find(&connection, user), sessions::list_active(&connection, user, ctx.clock.now(), page))?;
    Ok((account.ok_or_else(Fault::not_found)?, sessions))
}

/// The account of a person, and a page of what it grants to clients. 404.
pub async fn list_grants(ctx: &IdentityContext, user: UserId, page: PageRequest) -> Result<(Account, Page<ListedGrant>), Fault> {
    let connection = ctx.store.connection("account.grants").await?;
    let (account, grants) =
        try_join!(accounts::find(&connection, user), grants::list_active(&connection, user, ctx.clock.now(), page))?;
    Ok((account.ok_or_else(Fault::not_found)?, grants))
}
