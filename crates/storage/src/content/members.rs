//! The people of a space: `space_members`. A trigger makes the owner of a space one of its admins.

use crate::{Executor, Result, Tx, row, shared::people};
use domain::{
    content::{Member, Role, member::NamedMember},
    shared::{Email, MemberId, SpaceId, UserId},
};
use jiff::Timestamp;
use tokio_postgres::Row;

const COLUMNS: &str = "member.id as member_id, member.user_id, member.role, member.role_since";

/// The role of a person in a space that is not deleted; `None` for one who is no member.
pub async fn find_role(executor: &impl Executor, space: SpaceId, user: UserId) -> Result<Option<Role>> {
    let found = executor
        .row_opt(
            "select member.role
             from space_members member join spaces on spaces.id = $1
             where member.space_id = $1 and member.user_id = $2 and spaces.deleted_at is null",
            &[/* space_id */ &space, /* user_id */ &user],
        )
        .await?;
    found.as_ref().map(|found| row::named(found, "role")).transpose()
}

/// The members of a space with their accounts, those first who have been one longest.
pub async fn list(executor: &impl Executor, space: SpaceId) -> Result<Vec<NamedMember>> {
    let person = people::COLUMNS;
    let sql = format!(
        "select {COLUMNS}, {person}
         from space_members member join users person on person.id = member.user_id
         where member.space_id = $1 order by member.id"
    );
    let rows = executor.rows(&sql, &[/* space_id */ &space]).await?;
    rows.iter().map(|row| Ok(NamedMember { member: member(row)?, person: people::person(row)? })).collect()
}

/// The members of a space by their ids. The caller has locked the space.
pub async fn list_locked(tx: &Tx<'_>, space: SpaceId) -> Result<Vec<Member>> {
    let sql = format!("select {COLUMNS} from space_members member where member.space_id = $1 order by member.id");
    tx.rows(&sql, &[/* space_id */ &space]).await?.iter().map(member).collect()
}

/// Whether the account with an address is a member of a space.
pub async fn has_address(tx: &Tx<'_>, space: SpaceId, email: &Email) -> Result<bool> {
    let found = tx
        .row_opt(
            "select member.id from space_members member join users person on person.id = member.user_id
             where member.space_id = $1 and person.email = $2",
            &[/* space_id */ &space, /* email */ &email.as_str()],
        )
        .await?;
    Ok(found.is_some())
}

/// The spaces that a person is a member of, by their numbers; deleted ones too.
pub async fn spaces_of(tx: &Tx<'_>, user: UserId) -> Result<Vec<SpaceId>> {
    let rows = tx.rows("select space_id from space_members where user_id = $1 order by space_id", &[/* user_id */ &user]).await?;
    rows.iter().map(|row| row::get(row, "space_id")).collect()
}

/// Adds a member, under the id of the invitation.
pub async fn insert(tx: &Tx<'_>, space: SpaceId, member: &Member) -> Result<()> {
    tx.execute_one(
        "member.insert",
        "insert into space_members (id, space_id, user_id, role, role_since, created_at) values ($1, $2, $3, $4, $5, $5)",
        &[
            /* id */ &member.id,
            /* space_id */ &space,
            /* user_id */ &member.user,
            /* role */ &member.role.into_str(),
            /* role_since, created_at */ &member.role_since,
        ],
    )
    .await
}

/// Gives a member another role.
pub async fn set_role(tx: &Tx<'_>, space: SpaceId, id: MemberId, role: Role, at: Timestamp) -> Result<()> {
    tx.execute_one(
        "member.set_role",
        "update space_members set role = $3, role_since = $4 where space_id = $1 and id = $2",
        &[/* space_id */ &space, /* id */ &id, /* role */ &role.into_str(), /* role_since */ &at],
    )
    .await
}

/// Removes a member.
pub async fn delete(tx: &Tx<'_>, space: SpaceId, id: MemberId) -> Result<()> {
    tx.execute_one(
        "member.delete",
        "delete from space_members where space_id = $1 and id = $2",
        &[/* space_id */ &space, /* id */ &id],
    )
    .await
}

fn member(row: &Row) -> Result<Member> {
    Ok(row::read!(row => Member {
        role_since;
        id: row::get(row, "member_id")?,
        user: row::get(row, "user_id")?,
        role: row::named(row, "role")?,
    }))
}
