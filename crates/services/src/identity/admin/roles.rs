//! The roles that people have at clients, by group.

use super::{attempt, check_administrator, lock_user};
use crate::identity::{IdentityContext, RequestContext};
use domain::{
    identity::oidc::{Clients, RoleGroup, RoleMode, roles},
    shared::{Code, Detail, Fault, FieldCode, UserId},
};
use serde_json::json;
use storage::{
    Executor, Result as StoreResult, Tx, TxOperation,
    identity::{
        Source, accounts, audit,
        role_assignments::{self, RoleAssignment},
    },
    shared::sessions::SessionClaims,
};

/// A group of roles, and which of them a person has.
#[derive(Debug, Clone)]
pub struct RolesInGroup {
    /// The name of the group.
    pub name: String,
    /// The roles and clients of the group.
    pub group: RoleGroup,
    /// The roles that are assigned, sorted; `None` when nothing was decided, so that the default roles of each client apply.
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

/// Replaces the roles of a person in a group, and answers those in every group. An empty list means that they have none, not even the default ones; `None` takes
/// back what was decided, so that the default roles apply. 400 `unknownRoleGroup`, and as [`roles::check_assignable`]; 404.
pub async fn set_roles(
    ctx: &IdentityContext,
    request: &RequestContext,
    administrator: SessionClaims,
    user: UserId,
    (role_group, roles): (String, Option<Vec<String>>),
) -> Result<Vec<RolesInGroup>, Fault> {
    let clients = &ctx.settings.clients;
    let group = clients.role_group(&role_group).ok_or_else(|| unknown_group("roleGroup"))?;
    roles::check_assignable(group, roles.as_deref().unwrap_or_default())?;
    Ok(ctx.store.transact(&SetRoles { clients, user, role_group, roles, administrator, source: &request.source }).await?)
}

struct SetRoles<'a> {
    clients: &'a Clients,
    user: UserId,
    role_group: String,
    /// `None` for the default roles.
    roles: Option<Vec<String>>,
    administrator: SessionClaims,
    source: &'a Source,
}

impl TxOperation for SetRoles<'_> {
    type Output = Vec<RolesInGroup>;

    const NAME: &'static str = "role.set";

    async fn run(&self, tx: &Tx<'_>) -> StoreResult<Vec<RolesInGroup>> {
        let Self { user, role_group, roles, source, .. } = self;
        lock_user(tx, self.administrator, *user, source.at).await?;
        role_assignments::lock(tx).await?;
        let mut before = role_assignments::list_in(tx, *user, role_group).await?;
        before.retain(|role| role != roles::NONE);
        match roles {
            Some(roles) => crate::identity::roles::replace(tx, *user, role_group, roles, source.at).await?,
            None => crate::identity::roles::give_back(tx, *user, role_group).await?,
        }
        let details = json!({ "roleGroup": role_group, "roles": roles, "before": before });
        audit::record_with(tx, audit::Event::AdminUserRolesUpdated, &details, attempt(source, self.administrator, Some(*user)))
            .await?;
        read_roles(tx, self.clients, *user).await
    }
}

/// How many people have a role under the name of a group, of clients or of none.
pub async fn count_assigned(ctx: &IdentityContext, role_group: &str) -> Result<i64, Fault> {
    let connection = ctx.store.connection("role.count").await?;
    Ok(role_assignments::count_people(&connection, role_group).await?)
}

/// Moves all assignments from one name of a group to another, such as after the `roleGroup` of clients was renamed, and answers how many there were. 400
/// `sameRoleGroup`, and `unknownRoleGroup` when no client has the new one.
pub async fn rekey_roles(
    ctx: &IdentityContext,
    request: &RequestContext,
    administrator: SessionClaims,
    (from, to): (&str, &str),
) -> Result<i64, Fault> {
    if from == to {
        return Err(Fault::of(Code::SameRoleGroup));
    }
    let group = ctx.settings.clients.role_group(to).ok_or_else(|| unknown_group("to"))?;
    let is_single = group.mode == RoleMode::Single;
    Ok(ctx.store.transact(&RekeyRoles { from, to, is_single, administrator, source: &request.source }).await?)
}

struct RekeyRoles<'a> {
    from: &'a str,
    to: &'a str,
    is_single: bool,
    administrator: SessionClaims,
    source: &'a Source,
}

impl TxOperation for RekeyRoles<'_> {
    type Output = i64;

    const NAME: &'static str = "role.rekey";

    async fn run(&self, tx: &Tx<'_>) -> StoreResult<i64> {
        check_administrator(tx, self.administrator, self.source.at).await?;
        let moved = role_assignments::rekey(tx, self.from, self.to, self.is_single).await?;
        let details = json!({ "from": self.from, "to": self.to, "moved": moved });
        audit::record_with(tx, audit::Event::AdminRolesRekeyed, &details, attempt(self.source, self.administrator, None)).await?;
        Ok(moved)
    }
}

/// 400 for a group that no client has.
fn unknown_group(field: &'static str) -> Fault {
    Fault::fields(Code::UnknownRoleGroup, vec![Detail::new(field, FieldCode::UnknownRoleGroup, "is a role group of no client")])
}
