//! The list of accounts.

use crate::identity::IdentityContext;
use domain::{
    identity::{
        Account,
        admin::{Order, SearchText, UserQuery, UserSort},
    },
    shared::{Fault, UserId},
};
use futures_util::try_join;
use storage::{
    Connection,
    identity::account_list::{self, First, Found, Walked},
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
///
/// How many match is estimated from the accounts that were made last or first. These lie side by side on the disk, which those with similar addresses do not.
async fn search(connection: &Connection, text: &SearchText, query: &UserQuery) -> Result<UserPage, Fault> {
    let UserQuery { filter, sort, page, .. } = query;
    let is_by_creation = sort.by == Order::Created;
    let sampled = if is_by_creation { *sort } else { UserSort { by: Order::Created, is_descending: true } };
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
        // The matches before the end of the page, with those between them. To read all matches by the index is better when they are fewer than twice as many.
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

async fn answer(connection: &Connection, found: Found, estimate: Option<i64>) -> Result<UserPage, Fault> {
    let accounts = account_list::find_all(connection, &found.ids).await?;
    Ok(UserPage { accounts, total: estimate.unwrap_or(found.matches), is_total_exact: estimate.is_none() })
}
