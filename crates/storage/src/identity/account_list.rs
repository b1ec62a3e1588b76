//! The list of accounts for administrators: pages of it, a search in it, and how many accounts there are.
//!
//! A search may match a few of a million accounts, or nearly all of them. So there are two ways, and the
//! caller tries the first one first: [`walk`] reads a bounded number of accounts in the order of the list,
//! which finds the first page of a frequent text; [`search`] asks an index, which finds a rare one: the index
//! of trigrams, or that of pairs of characters for a text without any. The totals without a search are in
//! `account_counts`, which triggers keep.

use super::accounts::{account, read};
use crate::{Executor, Result, row};
use domain::{
    identity::{
        Account,
        admin::{SearchText, UserFilter, UserOrder, UserSort},
    },
    shared::{PageRequest, UserId},
};
use std::collections::HashMap;
use tokio_postgres::{Row, types::ToSql};

/// How many accounts of these kinds there are.
pub async fn count(executor: &impl Executor, filter: UserFilter) -> Result<i64> {
    let counted = executor
        .row(
            "select coalesce(sum(number), 0)::bigint as total from account_counts
             where ($1::boolean is null or email_verified = $1) and ($2::boolean is null or is_admin = $2)
               and ($3::boolean is null or is_suspended = $3)",
            &[
                /* email_verified */ &filter.email_verified,
                /* is_admin */ &filter.is_admin,
                /* is_suspended */ &filter.is_suspended,
            ],
        )
        .await?;
    row::get(&counted, "total")
}

/// Some accounts of these kinds: `limit` of them, after `offset` others in the order of the list.
pub async fn list(executor: &impl Executor, filter: UserFilter, sort: UserSort, limit: i64, offset: i64) -> Result<Vec<UserId>> {
    let statement = format!(
        "select id from users where {kinds} order by {order} limit $1 offset $2",
        kinds = kinds(filter),
        order = order(sort)
    );
    let rows = executor.rows(&statement, &[/* limit */ &limit, /* offset */ &offset]).await?;
    rows.iter().map(|row| row::get(row, "id")).collect()
}

/// What a search has found.
#[derive(Debug, Clone)]
pub struct FoundAccounts {
    /// How many accounts match, of those that were searched.
    pub matches: i64,
    /// The accounts of the page.
    pub ids: Vec<UserId>,
}

/// What a search among the first accounts of a list has found.
#[derive(Debug, Clone)]
pub struct Walked {
    /// How many accounts were searched.
    pub read: i64,
    /// What was found among them.
    pub found: FoundAccounts,
}

/// The accounts that a search reads: the first of a list.
#[derive(Debug, Clone, Copy)]
pub struct First {
    /// The order of that list.
    pub sort: UserSort,
    /// How many accounts are read at most.
    pub most: i64,
}

/// Searches the first accounts of a list, and answers with a page of the matches in the order of `sort`.
pub async fn walk(
    executor: &impl Executor,
    text: &SearchText,
    filter: UserFilter,
    first: First,
    sort: UserSort,
    page: PageRequest,
) -> Result<Walked> {
    let statement = format!(
        "with walked as materialized (
             select id, created_at, email, search_text from users where {kinds} order by {walked} limit $4
         ), matching as materialized (
             select id, created_at, email from walked where search_text like lower($1)
         )
         select (select count(*) from walked) as walked, (select count(*) from matching) as matches,
                array(select id from matching order by {order} limit $2 offset $3) as ids",
        kinds = kinds(filter),
        walked = order(first.sort),
        order = order(sort),
    );
    let found = executor
        .row(
            &statement,
            &[
                /* pattern */ &text.pattern(),
                /* limit */ &page.limit(),
                /* offset */ &page.offset(),
                /* most */ &first.most,
            ],
        )
        .await?;
    Ok(Walked { read: row::get(&found, "walked")?, found: read_found(&found)? })
}

/// Searches all accounts by an index: the one of trigrams, or for a text without any the one of pairs of
/// characters.
pub async fn search(
    executor: &impl Executor,
    text: &SearchText,
    filter: UserFilter,
    sort: UserSort,
    page: PageRequest,
) -> Result<FoundAccounts> {
    // The expression that is no column keeps PostgreSQL from the index of trigrams, which it would read as a
    // whole.
    let condition = if text.has_trigram() {
        "search_text like lower($1)"
    } else {
        "search_grams(search_text) @> (select array_agg(gram) from unnest(search_grams(lower($4))) as gram
                                       where length(gram) = least(2, length(lower($4))))
         and (search_text || '') like lower($1)"
    };
    let statement = format!(
        "with matching as materialized (
             select id, created_at, email from users where {condition} and {kinds}
         )
         select (select count(*) from matching) as matches,
                array(select id from matching order by {order} limit $2 offset $3) as ids",
        kinds = kinds(filter),
        order = order(sort),
    );
    let (pattern, limit, offset, plain) = (text.pattern(), page.limit(), page.offset(), text.as_str());
    let parameters: [&(dyn ToSql + Sync); 4] =
        [/* pattern */ &pattern, /* limit */ &limit, /* offset */ &offset, /* text */ &plain];
    let used = if text.has_trigram() { &parameters[..3] } else { &parameters[..] };
    let found = executor.row(&statement, used).await?;
    read_found(&found)
}

/// Accounts by their ids, in the order of these; those that were deleted are left out.
pub async fn find_all(executor: &impl Executor, ids: &[UserId]) -> Result<Vec<Account>> {
    let rows = executor.rows(concat!("select ", account!(), " from users where id = any ($1)"), &[/* ids */ &ids]).await?;
    let accounts = rows.iter().map(|row| read(row).map(|found| (found.account.id, found.account)));
    let mut by_id = accounts.collect::<Result<HashMap<UserId, Account>>>()?;
    Ok(ids.iter().filter_map(|id| by_id.remove(id)).collect())
}

/// Whether there is an index for searches. Without the extension `pg_trgm` there is none.
pub async fn has_search_index(executor: &impl Executor) -> Result<bool> {
    let found = executor.row("select to_regclass('users_search') is not null as has_index", &[]).await?;
    row::get(&found, "has_index")
}

fn read_found(found: &Row) -> Result<FoundAccounts> {
    Ok(FoundAccounts { matches: row::get(found, "matches")?, ids: row::get(found, "ids")? })
}

/// The condition of a filter, in the words of the partial indexes.
fn kinds(filter: UserFilter) -> String {
    let kinds = [
        (filter.email_verified, "email_verified", "not email_verified"),
        (filter.is_admin, "is_admin", "not is_admin"),
        (filter.is_suspended, "suspended_at is not null", "suspended_at is null"),
    ];
    let wanted = kinds.into_iter().filter_map(|(wanted, yes, no)| wanted.map(|wanted| if wanted { yes } else { no }));
    let wanted: Vec<&str> = wanted.collect();
    if wanted.is_empty() { "true".to_owned() } else { wanted.join(" and ") }
}

fn order(sort: UserSort) -> &'static str {
    match (sort.by, sort.is_descending) {
        (UserOrder::Created, true) => "created_at desc, id desc",
        (UserOrder::Created, false) => "created_at, id",
        (UserOrder::Email, true) => "email desc",
        (UserOrder::Email, false) => "email",
    }
}
