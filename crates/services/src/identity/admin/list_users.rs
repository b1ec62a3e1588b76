//! The list of accounts.

use crate::identity::IdentityContext;
use domain::{
    identity::{
        Account,
        admin::{SearchText, UserQuery},
    },
    shared::{Fault, UserId},
};
use futures_util::try_join;
use storage::{
    Connection,
    identity::account_list::{self, Found},
};

/// How many accounts a search reads in the order of the list before it asks the index.
const WALK: i64 = 5000;
/// How many accounts it reads at most for an account that it needs, and in all: a text that fewer accounts match is searched for by the index.
const WALK_FOR_EACH: i64 = 20;
const MAX_WALK: i64 = 100_000;
/// How many accounts must match among those that were read, so that their share says how many match in all.
const SAMPLE: i64 = 20;

/// A page of accounts.
#[derive(Debug)]
pub struct UserPage {
    /// The accounts.
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
    answer(&connection, Found { matches, ids }, None).await
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

/// Searches. A text that many accounts match is found soon in the order of the list, and one that few match by the index; either way the number of rows that are
/// read does not grow with the number of accounts.
async fn search(connection: &Connection, text: &SearchText, query: &UserQuery) -> Result<UserPage, Fault> {
    let UserQuery { filter, sort, page, .. } = query;
    let needed = page.offset().saturating_add(page.limit());
    let most = needed.saturating_mul(WALK_FOR_EACH).clamp(WALK, MAX_WALK);
    let (walked, kinds) =
        try_join!(account_list::walk(connection, text, *filter, *sort, *page, most), account_list::count(connection, *filter))?;
    if walked.read < most {
        return answer(connection, walked.found, None).await;
    }
    if walked.found.matches >= needed.max(SAMPLE) {
        let share = i128::from(walked.found.matches) * i128::from(kinds) / i128::from(walked.read.max(1));
        return answer(connection, walked.found, Some(i64::try_from(share).unwrap_or(i64::MAX))).await;
    }
    answer(connection, account_list::search(connection, text, *filter, *sort, *page).await?, None).await
}

async fn answer(connection: &Connection, found: Found, estimate: Option<i64>) -> Result<UserPage, Fault> {
    let accounts = account_list::find_all(connection, &found.ids).await?;
    Ok(UserPage { accounts, total: estimate.unwrap_or(found.matches), is_total_exact: estimate.is_none() })
}
