//! The spaces that a person is a member of, as the studio lists them.

use crate::{Executor, Result, row};
use domain::shared::{MemberSpace, UserId};

/// The spaces of a person that are not deleted, the one that was changed last first. The newest entry of the
/// audit log says when something was changed in a space.
pub async fn list(executor: &impl Executor, user: UserId) -> Result<Vec<MemberSpace>> {
    let rows = executor
        .rows(
            "select space.id, space.name, member.role, greatest(space.updated_at, newest.created_at) as changed_at
             from space_members member
             join spaces space on space.id = member.space_id
             join space_counters counters on counters.space_id = space.id
             left join audit_log newest on newest.space_id = space.id and newest.seq = counters.audit_seq
             where member.user_id = $1 and space.deleted_at is null
             order by changed_at desc, space.id",
            &[/* user_id */ &user],
        )
        .await?;
    rows.iter().map(|row| Ok(row::read!(row => MemberSpace { id, name, changed_at; role: row::named(row, "role")? }))).collect()
}

/// Whether a person is a member of a space that is not deleted.
pub async fn has_any(executor: &impl Executor, user: UserId) -> Result<bool> {
    let found = executor
        .row_opt(
            "select member.space_id from space_members member join spaces space on space.id = member.space_id
             where member.user_id = $1 and space.deleted_at is null
             limit 1",
            &[/* user_id */ &user],
        )
        .await?;
    Ok(found.is_some())
}
