//! The password of an account and its former ones: the columns `users.password_*` and the table
//! `former_passwords`.

use super::{accounts::WithPassword, one_time};
use crate::{Connection, Executor, Result, Tx, row};
use domain::{identity::one_time::Kind, shared::UserId};
use jiff::Timestamp;

/// How many former passwords are remembered; none of them can be set again.
pub const REMEMBERED: i64 = 5;

/// The hashes of the passwords that an account had before, the newest first.
pub async fn former(executor: &impl Executor, user: UserId) -> Result<Vec<String>> {
    let rows = executor
        .rows("select password_hash from former_passwords where user_id = $1 order by id desc", &[/* user_id */ &user])
        .await?;
    rows.iter().map(|row| row::get(row, "password_hash")).collect()
}

/// The stored data of a password.
#[derive(Debug, Clone)]
pub struct Credential {
    /// A PHC string.
    pub hash: String,
    /// Since when the account has a password.
    pub created_at: Timestamp,
    /// Since when it has this one.
    pub changed_at: Timestamp,
}

/// The password of an account, if it has one.
pub async fn credential(connection: &Connection, user: UserId) -> Result<Option<Credential>> {
    let found = connection
        .row_opt(
            "select password_hash, coalesce(password_created_at, created_at) as made_at,
                    coalesce(password_changed_at, created_at) as changed_at
             from users where id = $1 and password_hash is not null",
            &[/* id */ &user],
        )
        .await?;
    let Some(found) = found else { return Ok(None) };
    Ok(Some(Credential {
        hash: row::get(&found, "password_hash")?,
        created_at: row::get(&found, "made_at")?,
        changed_at: row::get(&found, "changed_at")?,
    }))
}

/// Sets the password of a locked account. The mailed links that set a password expire.
pub async fn replace(tx: &Tx<'_>, locked: &WithPassword, new_hash: &str, at: Timestamp) -> Result<()> {
    let user = locked.account.id;
    tx.execute_one(
        "users.replace_password",
        "update users set password_hash = $2, password_changed_at = $3,
                password_created_at = case when password_hash is null then $3 else password_created_at end
         where id = $1",
        &[/* id */ &user, /* password_hash */ &new_hash, /* at */ &at],
    )
    .await?;
    if let Some(old_hash) = &locked.password_hash {
        remember(tx, user, old_hash, at).await?;
    }
    expire_links(tx, user, at).await
}

/// Removes the password of a locked account, and remembers its hash as a former one.
/// [`super::passkeys::KEEPS_A_FACTOR`] refuses an account without a passkey.
pub async fn remove(tx: &Tx<'_>, user: UserId, old_hash: &str, at: Timestamp) -> Result<()> {
    tx.execute(
        "update users set password_hash = null, password_created_at = null, password_changed_at = null where id = $1",
        &[/* id */ &user],
    )
    .await?;
    remember(tx, user, old_hash, at).await?;
    expire_links(tx, user, at).await
}

/// Expires the mailed links that set a password.
async fn expire_links(tx: &Tx<'_>, user: UserId, at: Timestamp) -> Result<()> {
    one_time::expire_all(tx, Kind::PasswordReset, user, at).await?;
    one_time::expire_all(tx, Kind::Invite, user, at).await?;
    Ok(())
}

/// Remembers a password that is replaced or removed, and forgets the oldest beyond [`REMEMBERED`].
async fn remember(tx: &Tx<'_>, user: UserId, old_hash: &str, at: Timestamp) -> Result<()> {
    tx.execute_one(
        "former_passwords.insert",
        "insert into former_passwords (user_id, password_hash, replaced_at) values ($1, $2, $3)",
        &[/* user_id */ &user, /* password_hash */ &old_hash, /* replaced_at */ &at],
    )
    .await?;
    tx.execute(
        "delete from former_passwords where user_id = $1
           and id not in (select id from former_passwords where user_id = $1 order by id desc limit $2)",
        &[/* user_id */ &user, /* limit */ &REMEMBERED],
    )
    .await?;
    Ok(())
}
