//! The roles that are assigned to people: the table `role_assignments`.

use crate::{Executor, Result, Tx, row};
use domain::shared::UserId;
use jiff::Timestamp;
use uuid::Uuid;

/// A role of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleAssignment {
    /// The group that it belongs to: the `roleGroup` of clients, or the id of a client.
    pub role_group: String,
    /// The role.
    pub role: String,
}

/// The roles that are assigned to a person in one group, sorted.
pub async fn list_in(executor: &impl Executor, user: UserId, role_group: &str) -> Result<Vec<String>> {
    let rows = executor
        .rows(
            "select role from role_assignments where user_id = $1 and role_group = $2 order by role",
            &[/* user_id */ &user.0, /* role_group */ &role_group],
        )
        .await?;
    rows.iter().map(|row| row::get(row, "role")).collect()
}

/// All roles of a person, sorted by group.
pub async fn list(executor: &impl Executor, user: UserId) -> Result<Vec<RoleAssignment>> {
    let rows = executor
        .rows(
            "select role_group, role from role_assignments where user_id = $1 order by role_group, role",
            &[/* user_id */ &user.0],
        )
        .await?;
    rows.iter().map(|row| Ok(RoleAssignment { role_group: row::get(row, "role_group")?, role: row::get(row, "role")? })).collect()
}

/// Replaces the roles that are assigned to a person in one group. A role that stays keeps its time.
pub async fn replace(tx: &Tx<'_>, user: UserId, role_group: &str, roles: &[String], at: Timestamp) -> Result<()> {
    tx.execute(
        "delete from role_assignments where user_id = $1 and role_group = $2 and role <> all ($3)",
        &[/* user_id */ &user.0, /* role_group */ &role_group, /* roles */ &roles],
    )
    .await?;
    tx.execute(
        "insert into role_assignments (user_id, role_group, role, created_at)
         select $1, $2, role, $4 from unnest($3::text[]) as role on conflict do nothing",
        &[/* user_id */ &user.0, /* role_group */ &role_group, /* roles */ &roles, /* created_at */ &at],
    )
    .await?;
    Ok(())
}

/// Assigns roles to people who have none yet: the person, the group and the role of each.
pub async fn insert_all(tx: &Tx<'_>, all: &[(UserId, &str, &str)], at: Timestamp) -> Result<()> {
    let users: Vec<Uuid> = all.iter().map(|(user, ..)| user.0).collect();
    let groups: Vec<&str> = all.iter().map(|(_, group, _)| *group).collect();
    let roles: Vec<&str> = all.iter().map(|(.., role)| *role).collect();
    tx.execute(
        "insert into role_assignments (user_id, role_group, role, created_at)
         select user_id, role_group, role, $4 from unnest($1::uuid[], $2::text[], $3::text[]) as new (user_id, role_group, role)
         on conflict do nothing",
        &[/* user_id */ &users, /* role_group */ &groups, /* role */ &roles, /* created_at */ &at],
    )
    .await?;
    Ok(())
}
