//! Reading the person of a grant or session: what clients are told of the owner of an account.

use crate::{Result, row};
use domain::{identity::oidc::user_claims::Person, shared::UserId};
use tokio_postgres::Row;
use uuid::Uuid;

/// The columns of a person in a query over `users`, as [`read`] and [`read_roles`] read them.
macro_rules! columns {
    () => {
        "users.id as person_id, users.email, users.email_verified, users.first_name, users.last_name, users.display_name, users.locale,
         users.updated_at,
         (select jsonb_agg(jsonb_build_array(role_group, role)) from role_assignments where role_assignments.user_id = users.id)
             as assigned_roles"
    };
}
pub(super) use columns;

/// Reads a person. Its roles depend on the client, and are left to the caller.
pub(super) fn read(row: &Row) -> Result<Person> {
    Ok(row::read!(row => Person {
        email, email_verified, first_name, last_name, display_name, locale, updated_at;
        id: UserId(row::get::<Uuid>(row, "person_id")?),
        roles: Vec::new(),
    }))
}

/// Reads the roles that are assigned to a person, each with its group.
pub(super) fn read_roles(row: &Row) -> Result<Vec<(String, String)>> {
    row::list(row, "assigned_roles")
}

/// Those of one group.
pub(super) fn roles_in(assigned: &[(String, String)], group: &str) -> Vec<String> {
    assigned.iter().filter(|(of, _)| of == group).map(|(_, role)| role.clone()).collect()
}
