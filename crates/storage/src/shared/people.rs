//! People, as the content service shows them: rows of `users`, which the identity service writes.

use crate::{Executor, Result, row};
use domain::shared::{Person, SpaceId, UserId};
use tokio_postgres::Row;

pub(crate) const COLUMNS: &str = "person.id, person.email, person.first_name, person.last_name, person.display_name, person.locale,
    person.email_verified, person.created_at";

/// A person.
pub async fn find(executor: &impl Executor, id: UserId) -> Result<Option<Person>> {
    let sql = format!("select {COLUMNS} from users person where person.id = $1");
    executor.row_opt(&sql, &[/* id */ &id]).await?.as_ref().map(person).transpose()
}

/// The people with these ids; accounts that are gone are left out.
pub async fn list(executor: &impl Executor, ids: &[UserId]) -> Result<Vec<Person>> {
    let sql = format!("select {COLUMNS} from users person where person.id = any ($1)");
    executor.rows(&sql, &[/* id */ &ids]).await?.iter().map(person).collect()
}

/// The owner of a space.
pub async fn find_owner(executor: &impl Executor, space: SpaceId) -> Result<Option<Person>> {
    let sql = format!("select {COLUMNS} from users person join spaces on spaces.owner_id = person.id where spaces.id = $1");
    executor.row_opt(&sql, &[/* space_id */ &space]).await?.as_ref().map(person).transpose()
}

pub(crate) fn person(row: &Row) -> Result<Person> {
    Ok(row::read!(row => Person { id, email, first_name, last_name, display_name, locale, email_verified, created_at }))
}
