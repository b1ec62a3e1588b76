//! Who made a record. Stored is the actor: the id of an account, a token or a part of the system, and a
//! label. Of a person only the id counts: their name is the one of today, and it is gone with the account.

use crate::{Result, row};
use domain::shared::{Author, UserId, person::friendly_name};
use tokio_postgres::Row;

/// What [`author`] reads, where `users` is joined by [`join`].
pub(super) const COLUMNS: &str = "author_person.id as author_person, author_person.first_name as author_first_name,
    author_person.last_name as author_last_name, author_person.display_name as author_display_name";

/// The join for a column with the id of an actor. Only ids of accounts have the length of a UUID.
pub(super) fn join(id: &str) -> String {
    format!("left join users author_person on author_person.id = case when length({id}) = 36 then {id}::uuid end")
}

/// The author of a row, whose columns hold the id and the label of the actor.
pub(super) fn author(row: &Row, id: &str, label: &str) -> Result<Author> {
    if let Some(person) = row::get::<Option<uuid::Uuid>>(row, "author_person")? {
        let name = friendly_name(
            row::get(row, "author_display_name")?,
            row::get(row, "author_first_name")?,
            row::get(row, "author_last_name")?,
        );
        return Ok(Author::Person { id: UserId(person), name });
    }
    let is_person = row::get::<&str>(row, id)?.len() == 36;
    Ok(if is_person { Author::Gone } else { Author::Other(row::get(row, label)?) })
}
