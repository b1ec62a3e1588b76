//! The roles that people have at clients, by group.

use super::ActingAdministrator;
use crate::identity::IdentityContext;
use domain::{
    identity::oidc::{Clients, RoleGroup, RoleMode, roles},
    shared::{Code, Detail, Fault, FieldCode, UserId},
};
use serde_json::json;
use storage::{
    Executor, Result as StoreResult,
    identity::{
        accounts, audit,
        role_assignments::{self, RoleAssignment},
    },
    transact,
};

/// A group of roles, and which of them a person has.
#[derive(Debug, Clone)]
pub struct RolesInGroup {
    /// The name of the group.
    pub name: String,
    /// The roles and clients of the group.
    pub group: RoleGroup,
    /// The roles that are assigned, sorted; `None` when nothing was decided, so that the default roles of
    /// each client apply.
    pub assigned: Option<Vec<String>>,
}

/// The roles of a person in every group. 404.
pub async fn list_roles(ctx: &IdentityContext, user: UserId) -> Result<Vec<RolesInGroup>, Fault> {
    let connection = ctx.store.connection("role.list").await?;
    accounts::find(&connection, user).await?.ok_or_else(Fault::not_found)?;
    Ok(read_roles(&connection, &ctx.settings.clients, user).await?)
}

async fn read_roles(executor: &impl Executor, clients: &Clients, user: UserId) -> StoreResult<Vec<RolesInGroup>> {
    Ok(in_groups(clients, &role_assignments::list_decided(executor, user).await?))
}

/// The roles in every group, of those that are stored of a person.
pub(super) fn in_groups(clients: &Clients, stored: &[RoleAssignment]) -> Vec<RolesInGroup> {
    let of_group = |(name, group): (&str, &RoleGroup)| {
        let decided: Vec<&str> =
            stored.iter().filter(|stored| stored.role_group == name).map(|stored| stored.role.as_str()).collect();
        let named = || decided.iter().filter(|role| **role != roles::NONE).map(|role| (*role).to_owned()).collect();
        RolesInGroup { name: name.to_owned(), group: group.clone(), assigned: (!decided.is_empty()).then(named) }
    };
    clients.role_groups().map(of_group).collect()
}

/// Replaces the roles of a person in a group, and answers those in every group. An empty list means that they
/// have none, not even the default ones; `None` takes back what was decided, so that the default roles apply.
/// 400 `unknownRoleGroup`, and as [`roles::check_assignable`]; 404.
pub async fn set_roles(
    by: ActingAdministrator<'_>,
    user: UserId,
    (role_group, roles): (String, Option<Vec<String>>),
) -> Result<Vec<RolesInGroup>, Fault> {
    let clients = &by.ctx.settings.clients;
    let group = clients.role_group(&role_group).ok_or_else(|| unknown_group("roleGroup"))?;
    roles::check_assignable(group, roles.as_deref().unwrap_or_default())?;
    let (role_group, roles, at) = (&role_group, &roles, by.at());
    transact!(by.ctx, "role.set", async |tx| {
        by.lock_user(tx, user).await?;
        role_assignments::lock(tx).await?;
        let mut before = role_assignments::list_in(tx, user, role_group).await?;
        before.retain(|role| role != roles::NONE);
        match roles {
            Some(roles) => crate::identity::roles::replace(tx, user, role_group, roles, at).await?,
            None => crate::identity::roles::reset_to_defaults(tx, user, role_group).await?,
        }
        let details = json!({ "roleGroup": role_group, "roles": roles, "before": before });
        audit::record_with(tx, audit::Event::AdminUserRolesUpdated, &details, by.attempt(Some(user))).await?;
        read_roles(tx, clients, user).await
    })
    .await
}

/// How many people have a role under the name of a group, of clients or of none.
pub async fn count_assigned(ctx: &IdentityContext, role_group: &str) -> Result<i64, Fault> {
    let connection = ctx.store.connection("role.count").await?;
    Ok(role_assignments::count_people(&connection, role_group).await?)
}

/// Moves all assignments from one name of a group to another, such as after the `roleGroup` of clients was
/// renamed, and answers how many there were. 400 `sameRoleGroup`, and `unknownRoleGroup` when no client has
/// the new one.
pub async fn rekey_roles(by: ActingAdministrator<'_>, (from, to): (&str, &str)) -> Result<i64, Fault> {
    if from == to {
        return Err(Fault::of(Code::SameRoleGroup));
    }
    let group = by.ctx.settings.clients.role_group(to).ok_or_else(|| unknown_group("to"))?;
    let is_single = group.mode == RoleMode::Single;
    transact!(by.ctx, "role.rekey", async |tx| {
        by.check(tx).await?;
        let moved = role_assignments::rekey(tx, from, to, is_single).await?;
        let details = json!({ "from": from, "to": to, "moved": moved });
        audit::record_with(tx, audit::Event::AdminRolesRekeyed, &details, by.attempt(None)).await?;
        Ok(moved)
    })
    .await
}

/// 400 for a group that no client has.
fn unknown_group(field: &'static str) -> Fault {
    Fault::fields(Code::UnknownRoleGroup, vec![Detail::new(field, FieldCode::UnknownRoleGroup, "is a role group of no client")])
}
