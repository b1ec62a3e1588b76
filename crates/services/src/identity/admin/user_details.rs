//! Finding people, and everything that administrators see of one.

use super::{
    ActingAdministrator,
    roles::{RolesInGroup, in_groups},
};
use crate::identity::{
    IdentityContext,
    account::{AccountExport, read_account},
};
use domain::{
    identity::{
        Account, Passkey,
        admin::{AuditQuery, SearchText, UserOrder, UserQuery, UserSort},
    },
    shared::{Fault, ListedToken, Page, PageRequest, UserId},
};
use futures_util::try_join;
use storage::{
    Connection,
    identity::{
        AuditOutcome,
        account_list::{self, First, FoundAccounts, Walked},
        accounts,
        audit::{self, FullEntry},
        oidc::grants::{self, ListedGrant},
        passkeys, role_assignments,
        sessions::{self, ListedSession},
    },
    shared::{listed_tokens, owned_spaces},
    transact,
};

/// How many accounts a search reads before it asks the index.
const SAMPLE: i64 = 5000;
/// How many of them must match, so that their share says how many match in all.
const FEWEST: i64 = 20;
/// How many accounts are read at most for a page.
const MAX_READ: i64 = 100_000;

/// A page of accounts.
#[derive(Debug)]
pub struct UserPage {
    pub accounts: Vec<Account>,
    /// How many accounts match, on all pages.
    pub total: i64,
    /// Whether that is exact. It is estimated for a text that many accounts match.
    pub is_total_exact: bool,
}

/// Lists accounts.
pub async fn list_users(ctx: &IdentityContext, query: &UserQuery) -> Result<UserPage, Fault> {
    let connection = ctx.store.connection("account.list").await?;
    if let Some(text) = &query.search {
        return search(&connection, text, query).await;
    }
    let count = account_list::count(&connection, query.filter);
    let (matches, ids) = if query.page.offset() == 0 {
        // In one round trip.
        let first = account_list::list(&connection, query.filter, query.sort, query.page.limit(), 0);
        try_join!(count, first)?
    } else {
        let matches = count.await?;
        (matches, list_page(&connection, query, matches).await?)
    };
    answer(&connection, FoundAccounts { matches, ids }, None).await
}

/// The page, read from the end of the list that is nearer: PostgreSQL reads all accounts before it.
async fn list_page(connection: &Connection, query: &UserQuery, total: i64) -> Result<Vec<UserId>, Fault> {
    let UserQuery { filter, sort, page, .. } = query;
    let (offset, limit) = (page.offset(), page.limit().min(total - page.offset()));
    if limit <= 0 {
        return Ok(Vec::new());
    }
    let behind = total - offset - limit;
    if offset <= behind {
        return Ok(account_list::list(connection, *filter, *sort, limit, offset).await?);
    }
    let mut ids = account_list::list(connection, *filter, sort.reversed(), limit, behind).await?;
    ids.reverse();
    Ok(ids)
}

/// Searches. A text that many accounts match is found soon in the order of the list, and one that few match
/// by the index; either way the number of rows that are read does not grow with the number of accounts.
///
/// How many match is estimated from the accounts that were made last or first. These lie side by side on the
/// disk, which those with similar addresses do not.
async fn search(connection: &Connection, text: &SearchText, query: &UserQuery) -> Result<UserPage, Fault> {
    let UserQuery { filter, sort, page, .. } = query;
    let is_by_creation = sort.by == UserOrder::Created;
    let sampled = if is_by_creation { *sort } else { UserSort { by: UserOrder::Created, is_descending: true } };
    let sample = First { sort: sampled, most: SAMPLE };
    let walk = |first| account_list::walk(connection, text, *filter, first, *sort, *page);
    let (Walked { read, found }, accounts) = try_join!(walk(sample), account_list::count(connection, *filter))?;
    if read < SAMPLE {
        return answer(connection, found, None).await;
    }
    if found.matches >= FEWEST {
        let needed = page.offset().saturating_add(page.limit());
        let total = times(found.matches, accounts, read);
        if is_by_creation && found.matches >= needed {
            return answer(connection, found, Some(total)).await;
        }
        // The matches before the end of the page, with those between them. To read all matches by the index
        // is better when they are fewer than twice as many.
        let reach = times(needed, read, found.matches);
        if reach <= MAX_READ && reach < total / 2 {
            let most = reach + reach / 4;
            let found = walk(First { sort: *sort, most }).await?.found;
            if found.matches >= needed {
                return answer(connection, found, Some(total)).await;
            }
        }
    }
    answer(connection, account_list::search(connection, text, *filter, *sort, *page).await?, None).await
}

/// `number * factor / divisor`, without an overflow on the way.
fn times(number: i64, factor: i64, divisor: i64) -> i64 {
    let product = i128::from(number) * i128::from(factor) / i128::from(divisor.max(1));
    i64::try_from(product).unwrap_or(i64::MAX)
}

async fn answer(connection: &Connection, found: FoundAccounts, estimate: Option<i64>) -> Result<UserPage, Fault> {
    let accounts = account_list::find_all(connection, &found.ids).await?;
    Ok(UserPage { accounts, total: estimate.unwrap_or(found.matches), is_total_exact: estimate.is_none() })
}

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

/// Exports an account, and records that in the audit trail. 404, and 429 when the administrator exported it
/// too often.
pub async fn export_user(by: ActingAdministrator<'_>, user: UserId) -> Result<AccountExport, Fault> {
    by.ctx.limits.export_of(&by.ctx.store, user, by.claims.user).await?;
    transact!(by.ctx, "account.record_export_of_other", async |tx| {
        by.lock_user(tx, user).await?;
        let attempt = by.attempt(Some(user));
        audit::record(tx, audit::Event::AdminUserExported, AuditOutcome::Success, attempt).await
    })
    .await?;
    read_account(by.ctx, by.request, user).await?.ok_or_else(Fault::not_found)
}
