//! The valid tokens of all spaces with the people for whom they act, for administrators: management tokens,
//! and delivery tokens that read drafts.

use crate::{Executor, Result, row};
use domain::shared::{ListedToken, Page, PageRequest, TokenFilter, TokenId, TokenKind, UserId};
use tokio_postgres::Row;

/// Every such token, of spaces that are not deleted.
const ALL: &str =
    "select 'management' as kind, token.id, token.space_id, space.name as space_name, token.name, token.role as access,
            token.created_by as user_id, person.email, coalesce(person.suspended_at is not null, false) as is_suspended,
            token.created_at, token.last_used_at
     from management_tokens token
     join spaces space on space.id = token.space_id
     left join users person on person.id = token.created_by
     where token.revoked_at is null and space.deleted_at is null
     union all
     select 'delivery', token.id, token.space_id, space.name, token.name, token.kind, null, null, false, token.created_at, null
     from delivery_tokens token
     join spaces space on space.id = token.space_id
     where token.kind <> 'public' and token.revoked_at is null and space.deleted_at is null";

const WANTED: &str = "($1::uuid is null or user_id = $1) and ($2::boolean is null or (user_id is null) = $2)";

/// A page of tokens, the newest first.
pub async fn list(executor: &impl Executor, filter: TokenFilter, page: PageRequest) -> Result<Page<ListedToken>> {
    let counted = executor
        .row(
            &format!("select count(*) as total from ({ALL}) token where {WANTED}"),
            &[/* user_id */ &filter.user, /* is_without_person */ &filter.is_without_person],
        )
        .await?;
    let rows = executor
        .rows(
            &format!("select * from ({ALL}) token where {WANTED} order by created_at desc, kind, id desc limit $3 offset $4"),
            &[
                /* user_id */ &filter.user,
                /* is_without_person */ &filter.is_without_person,
                /* limit */ &page.limit(),
                /* offset */ &page.offset(),
            ],
        )
        .await?;
    Ok(Page { items: rows.iter().map(listed).collect::<Result<_>>()?, total: row::get(&counted, "total")? })
}

/// The newest tokens that act for a person, and how many there are, by one statement.
pub async fn newest_of(executor: &impl Executor, user: UserId, limit: i64) -> Result<Page<ListedToken>> {
    let sql = format!(
        "select *, count(*) over () as total from ({ALL}) token where user_id = $1 order by created_at desc, kind, id desc limit $2"
    );
    let rows = executor.rows(&sql, &[/* user_id */ &user, /* limit */ &limit]).await?;
    let total = rows.first().map_or(Ok(0), |row| row::get(row, "total"))?;
    Ok(Page { items: rows.iter().map(listed).collect::<Result<_>>()?, total })
}

/// One of them.
pub async fn find(executor: &impl Executor, kind: TokenKind, id: TokenId) -> Result<Option<ListedToken>> {
    let sql = format!("select * from ({ALL}) token where kind = $1 and id = $2");
    executor.row_opt(&sql, &[/* kind */ &kind.into_str(), /* id */ &id]).await?.as_ref().map(listed).transpose()
}

fn listed(row: &Row) -> Result<ListedToken> {
    let user: Option<UserId> = row::get(row, "user_id")?;
    let email: Option<String> = row::get(row, "email")?;
    Ok(row::read!(row => ListedToken {
        id, space_name, name, access, is_suspended, created_at, last_used_at;
        kind: row::parsed(row, "kind", |name| name.parse().ok())?,
        space: row::get(row, "space_id")?,
        user: user.zip(email),
    }))
}
