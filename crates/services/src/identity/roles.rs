//! The roles that are assigned to a person: writing them, for administrators and clients, and what clients
//! read and set of their own (`/api/apps/roles`).

use super::{IdentityContext, RequestContext};
use domain::{
    identity::{
        Email,
        oidc::{Client, RoleGroup, roles as rules},
    },
    shared::{Code, Fault, UserId},
};
use jiff::Timestamp;
use serde_json::json;
use storage::{
    Result as StoreResult, Tx,
    identity::{
        Actor, AuditOutcome, AuditSource, accounts,
        audit::{self, Attempt},
        role_assignments,
    },
    transact,
};

/// Replaces the roles of a person in a group. The account is locked by the caller.
pub(super) async fn replace(tx: &Tx<'_>, user: UserId, role_group: &str, roles: &[String], at: Timestamp) -> StoreResult<()> {
    role_assignments::replace(tx, user, role_group, roles, at).await
}

/// Gives a person back to the default roles of a group. The account is locked by the caller.
pub(super) async fn reset_to_defaults(tx: &Tx<'_>, user: UserId, role_group: &str) -> StoreResult<()> {
    role_assignments::remove(tx, user, role_group).await
}

/// A person as a client names them: by the id, the address, or both.
#[derive(Debug, Default)]
pub struct NamedPerson<'a> {
    /// The id as it was sent.
    pub user_id: Option<&'a str>,
    /// The address as it was sent.
    pub email: Option<&'a str>,
}

/// The account of a person. 400 when it is named by neither, or id and address are those of two accounts; 404
/// without such an account, which is recorded: a client that looks for people it does not know shows in the
/// audit trail.
pub async fn find(
    ctx: &IdentityContext,
    request: &RequestContext,
    client: &Client,
    person: NamedPerson<'_>,
) -> Result<UserId, Fault> {
    let connection = ctx.store.connection("account.find").await?;
    let by_id = match person.user_id.map(str::parse::<UserId>) {
        None => None,
        Some(Err(_)) => Some(None),
        Some(Ok(id)) => Some(accounts::find(&connection, id).await?),
    };
    let by_email = match person.email.map(Email::parse) {
        None => None,
        Some(None) => Some(None),
        Some(Some(email)) => Some(accounts::find_by_email(&connection, &email).await?.map(|found| found.account)),
    };
    drop(connection);
    match (by_id, by_email) {
        (None, None) => Err(Fault::new(Code::Validation, "Send userId or email")),
        (Some(Some(one)), Some(Some(other))) if one.id != other.id => {
            Err(Fault::new(Code::Validation, "userId and email are of two people"))
        }
        (Some(Some(account)), Some(Some(_)) | None) | (None, Some(Some(account))) => Ok(account.id),
        _ => {
            transact!(ctx, "client_roles.record_unknown", async |tx| {
                let outcome = AuditOutcome::Failure("unknownUser");
                audit::record(tx, audit::Event::OidcClientRolesRefused, outcome, attempt(&request.source, client, None)).await
            })
            .await?;
            Err(Fault::not_found())
        }
    }
}

/// The roles that a person has at a client, sorted: those that the client's tokens name.
pub async fn read(ctx: &IdentityContext, client: &Client, user: UserId) -> Result<Vec<String>, Fault> {
    let connection = ctx.store.connection("client_roles.read").await?;
    let assigned = role_assignments::list_in(&connection, user, client.role_group()).await?;
    Ok(rules::effective(client, &assigned))
}

/// Sets the roles that a person has at a client, and answers them, sorted. 400 `unknownRole` or
/// `tooManyRoles`, 404 when the account is gone.
pub async fn set(
    ctx: &IdentityContext,
    request: &RequestContext,
    client: &Client,
    user: UserId,
    sent: Vec<String>,
) -> Result<Vec<String>, Fault> {
    let group = ctx.settings.clients.role_group(client.role_group());
    let mode = group.map_or(client.role_mode, |group| group.mode);
    let sent = rules::check_own(client, mode, sent)?;
    let roles = sent.as_slice();
    let defaults = &group.map(RoleGroup::default_roles).unwrap_or_default();
    transact!(ctx, "client_roles.set", async |tx| {
        if !accounts::lock_row(tx, user).await? {
            return Err(Fault::not_found().into());
        }
        role_assignments::lock(tx).await?;
        let group = client.role_group();
        let assigned = role_assignments::list_in(tx, user, group).await?;
        // The first decision in a group ends its default roles: those of other clients become a part of it,
        // so that the person does not lose them by it.
        let held = if assigned.is_empty() { defaults } else { &assigned };
        let all = rules::after_setting(client, mode, held, roles);
        replace(tx, user, group, &all, request.source.at).await?;
        let details = json!({ "roleGroup": group, "roles": roles });
        audit::record_with(tx, audit::Event::OidcClientRolesUpdated, &details, attempt(&request.source, client, Some(user))).await
    })
    .await?;
    Ok(sent)
}

/// An attempt of a client at something of an account.
fn attempt<'a>(source: &'a AuditSource, client: &'a Client, user: Option<UserId>) -> Attempt<'a> {
    source.attempt(user).by(Actor::Client(&client.id)).client(&client.id)
}
