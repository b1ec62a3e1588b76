//! The spaces of a person, as far as their account knows of them: how many there are, and their names.

use crate::{Executor, Result, row};
use domain::shared::UserId;

/// How many spaces an account owns that have no other admin. They stay without an owner when it is deleted.
pub async fn count_orphaned(executor: &impl Executor, owner: UserId) -> Result<i64> {
    let counted = executor
        .row_opt(
            "select count(*) as owned from spaces
             where owner_id = $1 and deleted_at is null
               and not exists (
                   select from space_members other where other.space_id = spaces.id and other.role = 'admin' and other.user_id <> $1
               )",
            &[/* owner_id */ &owner],
        )
        .await?;
    counted.as_ref().map_or(Ok(0), |counted| row::get(counted, "owned"))
}

/// The names of the spaces that an account owns, by their numbers.
pub async fn list(executor: &impl Executor, owner: UserId) -> Result<Vec<String>> {
    let sql = "select name from spaces where owner_id = $1 and deleted_at is null order by id";
    executor.rows(sql, &[/* owner_id */ &owner]).await?.iter().map(|row| row::get(row, "name")).collect()
}
