//! Management tokens: `management_tokens`, with the hashes of their secrets.

use crate::{Connection, Executor, Result, Tx, row};
use domain::{
    content::{
        Role,
        token::{ManagementKind, ManagementToken},
    },
    shared::{SpaceId, TokenId, UserId},
};
use jiff::Timestamp;
use tokio_postgres::Row;

/// A token that was presented and is valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bearer {
    pub space: SpaceId,
    pub id: TokenId,
    pub name: String,
    /// What it may do: its role, or the one that its person has in the space, where that is the lesser.
    pub role: Role,
    /// The person on whose behalf it acts; `None` for a token of the command line.
    pub created_by: Option<UserId>,
}

/// The token of a hash, unless it was revoked, its space is deleted, or the person for whom it acts is
/// suspended or no member of the space. Records the use, at most once a minute.
pub async fn find_bearer(connection: &Connection, hash: &[u8; 32]) -> Result<Option<Bearer>> {
    let found = connection
        .row_opt(
            "with found as (
                 select token.space_id, token.id, token.name, token.role, token.created_by, token.last_used_at,
                        member.role as member_role
                 from management_tokens token
                 join spaces on spaces.id = token.space_id
                 left join users person on person.id = token.created_by
                 left join space_members member on member.space_id = token.space_id and member.user_id = token.created_by
                 where token.token_hash = $1 and token.revoked_at is null and spaces.deleted_at is null and person.suspended_at is null
                   and (token.created_by is null or member.role is not null)
             ), used as (
                 update management_tokens token set last_used_at = now() from found
                 where token.space_id = found.space_id and token.id = found.id
                   and coalesce(found.last_used_at < now() - interval '1 minute', true)
             )
             select space_id, id, name, role, member_role, created_by from found",
            &[/* token_hash */ &hash.as_slice()],
        )
        .await?;
    let Some(found) = found else { return Ok(None) };
    let role: Role = row::named(&found, "role")?;
    let member: Option<Role> = row::named_opt(&found, "member_role")?;
    Ok(Some(Bearer {
        space: row::get(&found, "space_id")?,
        id: row::get(&found, "id")?,
        name: row::get(&found, "name")?,
        role: member.map_or(role, |member| role.lesser(member)),
        created_by: row::get(&found, "created_by")?,
    }))
}

/// Whether a token still opens its space, as [`find_bearer`] decides.
pub async fn is_valid(executor: &impl Executor, space: SpaceId, id: TokenId) -> Result<bool> {
    let found = executor
        .row_opt(
            "select token.id
             from management_tokens token
             join spaces on spaces.id = $1
             left join users person on person.id = token.created_by
             left join space_members member on member.space_id = token.space_id and member.user_id = token.created_by
             where token.space_id = $1 and token.id = $2 and token.revoked_at is null and spaces.deleted_at is null
               and person.suspended_at is null and (token.created_by is null or member.role is not null)",
            &[/* space_id */ &space, /* id */ &id],
        )
        .await?;
    Ok(found.is_some())
}

/// The spaces in which valid tokens act for a person, by their numbers; deleted ones too.
pub async fn spaces_of(tx: &Tx<'_>, person: UserId) -> Result<Vec<SpaceId>> {
    let rows = tx
        .rows(
            "select distinct space_id from management_tokens where created_by = $1 and revoked_at is null order by space_id",
            &[/* created_by */ &person],
        )
        .await?;
    rows.iter().map(|row| row::get(row, "space_id")).collect()
}

/// Revokes the tokens that act for a person in a space, and returns them.
pub async fn revoke_of(tx: &Tx<'_>, space: SpaceId, person: UserId, at: Timestamp) -> Result<Vec<ManagementToken>> {
    let rows = tx
        .rows(
            "update management_tokens set revoked_at = $3
             where space_id = $1 and created_by = $2 and revoked_at is null
             returning id, kind, role, name, created_at, last_used_at",
            &[/* space_id */ &space, /* created_by */ &person, /* revoked_at */ &at],
        )
        .await?;
    rows.iter().map(token).collect()
}

/// The valid tokens of a space by their numbers.
pub async fn list(connection: &Connection, space: SpaceId) -> Result<Vec<ManagementToken>> {
    let rows = connection
        .rows(
            "select id, kind, role, name, created_at, last_used_at
             from management_tokens where space_id = $1 and revoked_at is null order by id",
            &[/* space_id */ &space],
        )
        .await?;
    rows.iter().map(token).collect()
}

/// How many valid tokens a space has.
pub async fn count(tx: &Tx<'_>, space: SpaceId) -> Result<i64> {
    let row = tx
        .row("select count(*) as live from management_tokens where space_id = $1 and revoked_at is null", &[/* space_id */ &space])
        .await?;
    row::get(&row, "live")
}

/// A token to be added.
#[derive(Debug, Clone)]
pub struct NewToken<'a> {
    pub kind: ManagementKind,
    /// Its role, which decides what it may do.
    pub role: Role,
    /// The name people see.
    pub name: &'a str,
    /// The hash of the secret.
    pub hash: &'a [u8; 32],
    /// The person on whose behalf it acts.
    pub created_by: Option<UserId>,
}

/// Adds a token.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, new: NewToken<'_>, at: Timestamp) -> Result<ManagementToken> {
    let row = tx
        .row(
            "insert into management_tokens (space_id, kind, role, name, token_hash, created_by, created_at)
             values ($1, $2, $3, $4, $5, $6, $7)
             returning id, kind, role, name, created_at, last_used_at",
            &[
                /* space_id */ &space,
                /* kind */ &new.kind.into_str(),
                /* role */ &new.role.into_str(),
                /* name */ &new.name,
                /* token_hash */ &new.hash.as_slice(),
                /* created_by */ &new.created_by,
                /* created_at */ &at,
            ],
        )
        .await?;
    token(&row)
}

/// Revokes a token and returns it; `None` when there is no such valid token.
pub async fn revoke(tx: &Tx<'_>, space: SpaceId, id: TokenId, at: Timestamp) -> Result<Option<ManagementToken>> {
    tx.row_opt(
        "update management_tokens set revoked_at = $3
         where space_id = $1 and id = $2 and revoked_at is null
         returning id, kind, role, name, created_at, last_used_at",
        &[/* space_id */ &space, /* id */ &id, /* revoked_at */ &at],
    )
    .await?
    .as_ref()
    .map(token)
    .transpose()
}

fn token(row: &Row) -> Result<ManagementToken> {
    Ok(row::read!(row => ManagementToken {
        id, name, created_at, last_used_at;
        kind: row::named(row, "kind")?,
        role: row::named(row, "role")?,
    }))
}
