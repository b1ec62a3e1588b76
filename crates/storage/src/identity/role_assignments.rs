//! The roles that are assigned to people: the table `role_assignments`. A person who was given no role of a
//! group has one row there, with the role [`NONE`].

use crate::{Executor, Result, Tx, row};
use domain::{identity::oidc::roles::NONE, shared::UserId};
use jiff::Timestamp;
use uuid::Uuid;

/// A role of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleAssignment {
    /// The group that it belongs to: the `roleGroup` of clients, or the id of a client.
    pub role_group: String,
    pub role: String,
}

/// The roles that are assigned to a person in one group, sorted: empty when nothing was decided, and [`NONE`]
/// alone when it was decided that they have none.
pub async fn list_in(executor: &impl Executor, user: UserId, role_group: &str) -> Result<Vec<String>> {
    let rows = executor
        .rows(
            "select role from role_assignments where user_id = $1 and role_group = $2 order by role",
            &[/* user_id */ &user, /* role_group */ &role_group],
        )
        .await?;
    rows.iter().map(|row| row::get(row, "role")).collect()
}

/// All roles of a person, sorted by group.
pub async fn list(executor: &impl Executor, user: UserId) -> Result<Vec<RoleAssignment>> {
    let rows = executor
        .rows(
            "select role_group, role from role_assignments where user_id = $1 and role <> $2 order by role_group, role",
            &[/* user_id */ &user, /* none */ &NONE],
        )
        .await?;
    rows.iter().map(|row| Ok(RoleAssignment { role_group: row::get(row, "role_group")?, role: row::get(row, "role")? })).collect()
}

/// The same with [`NONE`] for each group in which it was decided that they have no role.
pub async fn list_decided(executor: &impl Executor, user: UserId) -> Result<Vec<RoleAssignment>> {
    let rows = executor
        .rows("select role_group, role from role_assignments where user_id = $1 order by role_group, role", &[/* user_id */ &user])
        .await?;
    rows.iter().map(|row| Ok(RoleAssignment { role_group: row::get(row, "role_group")?, role: row::get(row, "role")? })).collect()
}

/// How many people have a role in a group.
pub async fn count_people(executor: &impl Executor, role_group: &str) -> Result<i64> {
    let counted = executor
        .row(
            "select count(distinct user_id) as people from role_assignments where role_group = $1 and role <> $2",
            &[/* role_group */ &role_group, /* none */ &NONE],
        )
        .await?;
    row::get(&counted, "people")
}

/// Replaces the roles that are assigned to a person in one group. A role that stays keeps its time. Without a
/// role, it is stored that they have none.
pub async fn replace(tx: &Tx<'_>, user: UserId, role_group: &str, roles: &[String], at: Timestamp) -> Result<()> {
    let named = roles.iter().map(String::as_str).filter(|role| *role != NONE);
    let mut roles: Vec<&str> = named.collect();
    if roles.is_empty() {
        roles.push(NONE);
    }
    tx.execute(
        "delete from role_assignments where user_id = $1 and role_group = $2 and role <> all ($3)",
        &[/* user_id */ &user, /* role_group */ &role_group, /* roles */ &roles],
    )
    .await?;
    tx.execute(
        "insert into role_assignments (user_id, role_group, role, created_at)
         select $1, $2, role, $4 from unnest($3::text[]) as role on conflict do nothing",
        &[/* user_id */ &user, /* role_group */ &role_group, /* roles */ &roles, /* created_at */ &at],
    )
    .await?;
    Ok(())
}

/// Takes back what was decided for a person in one group: then nothing is assigned there.
pub async fn remove(tx: &Tx<'_>, user: UserId, role_group: &str) -> Result<()> {
    tx.execute(
        "delete from role_assignments where user_id = $1 and role_group = $2",
        &[/* user_id */ &user, /* role_group */ &role_group],
    )
    .await?;
    Ok(())
}

/// The key of the advisory lock of [`lock`] and [`rekey`]: «roles» in ASCII.
const ROLES: i64 = 0x72_6f6c_6573;

/// Keeps groups from being renamed until the transaction ends. A caller that writes roles calls this before
/// it reads those that are there.
pub async fn lock(tx: &Tx<'_>) -> Result<()> {
    tx.execute("select pg_advisory_xact_lock_shared($1)", &[/* key */ &ROLES]).await?;
    Ok(())
}

/// Assigns roles to people who have none yet: the person, the group and the role of each.
pub async fn insert_all(tx: &Tx<'_>, all: &[(UserId, &str, &str)], at: Timestamp) -> Result<()> {
    let users: Vec<Uuid> = all.iter().map(|(user, ..)| user.0).collect();
    let groups: Vec<&str> = all.iter().map(|(_, group, _)| *group).collect();
    let roles: Vec<&str> = all.iter().map(|(.., role)| *role).collect();
    tx.execute(
        // The lock of `lock`, in the same round trip: nothing is read before.
        "with locked as materialized (select pg_advisory_xact_lock_shared($5))
         insert into role_assignments (user_id, role_group, role, created_at)
         select user_id, role_group, role, $4 from locked, unnest($1::uuid[], $2::text[], $3::text[]) as new (user_id, role_group, role)
         on conflict do nothing",
        &[/* user_id */ &users, /* role_group */ &groups, /* role */ &roles, /* created_at */ &at, /* key */ &ROLES],
    )
    .await?;
    Ok(())
}

/// Moves all assignments of a group to another one, and answers how many there were. Where the person has the
/// role there already, the two become one. Where a person can have one role only, the one that they have
/// there stays, or else the oldest of those that are moved becomes it.
///
/// Waits for transactions that write roles, and lets others wait: a role that is written meanwhile is either
/// moved, too, or written after the move.
pub async fn rekey(tx: &Tx<'_>, from: &str, to: &str, is_single: bool) -> Result<i64> {
    tx.execute("select pg_advisory_xact_lock($1)", &[/* key */ &ROLES]).await?;
    let moved = tx
        .row(
            "with moved as (
                 delete from role_assignments where role_group = $1 returning user_id, role, created_at
             ), ranked as (
                 select user_id, role, created_at, row_number() over (partition by user_id order by role = $4, created_at, role) as place
                 from moved
             ), added as (
                 insert into role_assignments (user_id, role_group, role, created_at)
                 select user_id, $2, role, created_at from ranked
                 where not $3 or place = 1 and not exists (
                     select from role_assignments taken
                     where taken.user_id = ranked.user_id and taken.role_group = $2 and taken.role <> $4
                 )
                 on conflict do nothing
             )
             select count(*) filter (where role <> $4) as moved from moved",
            &[/* from */ &from, /* to */ &to, /* is_single */ &is_single, /* none */ &NONE],
        )
        .await?;
    tx.execute(
        "delete from role_assignments none
         where role_group = $1 and role = $2 and exists (
             select from role_assignments other where other.user_id = none.user_id and other.role_group = $1 and other.role <> $2
         )",
        &[/* to */ &to, /* none */ &NONE],
    )
    .await?;
    row::get(&moved, "moved")
}
