//! Accounts: `users`, and the one row of `first_admin`.

use crate::{Connection, Error, Executor, Result, Tx, row};
use domain::{
    identity::{Account, Email, ProfileChange},
    shared::UserId,
};
use jiff::Timestamp;
use tokio_postgres::Row;

/// The index that refuses a second account with the same address.
pub const UNIQUE_EMAIL: &str = "users_email";

/// The columns of an account, as [`read`] reads them.
macro_rules! account {
    () => {
        "id, email, first_name, last_name, display_name, locale, is_admin, email_verified, suspended_at, token_version, password_hash,
         legacy_sub, created_at, updated_at, last_login_at,
         exists (select 1 from totp where totp.user_id = users.id and totp.secret is not null) as has_totp,
         (select count(*) from passkeys where passkeys.user_id = users.id)::int as passkeys"
    };
}
pub(super) use account;

/// An account with the hash of its password, if it has one.
#[derive(Debug, Clone)]
pub struct WithPassword {
    pub account: Account,
    /// The hash as a PHC string.
    pub password_hash: Option<String>,
}

/// A row to insert.
#[derive(Debug, Clone, Copy)]
pub struct NewRow<'a> {
    pub id: UserId,
    /// The address, in its canonical form.
    pub email: &'a Email,
    /// The first name.
    pub first_name: &'a str,
    /// The last name.
    pub last_name: Option<&'a str>,
    /// The name that the person wants to be called by.
    pub display_name: Option<&'a str>,
    /// One of the supported locales.
    pub locale: &'a str,
    /// A PHC string; `None` for an account whose owner was invited.
    pub password_hash: Option<&'a str>,
    /// Whether the address counts as verified.
    pub email_verified: bool,
    /// Whether it is an administrator.
    pub is_admin: bool,
    /// When the account is created.
    pub at: Timestamp,
}

/// The account of an id.
pub async fn find(executor: &impl Executor, id: UserId) -> Result<Option<Account>> {
    let found = executor.row_opt(concat!("select ", account!(), " from users where id = $1"), &[/* id */ &id]).await?;
    Ok(found.as_ref().map(read).transpose()?.map(|found| found.account))
}

/// Whether there is any account.
pub async fn exists_any(connection: &Connection) -> Result<bool> {
    Ok(connection.row_opt("select id from users limit 1", &[]).await?.is_some())
}

/// The account of an address, with the hash of its password.
pub async fn find_by_email(connection: &Connection, email: &Email) -> Result<Option<WithPassword>> {
    let found =
        connection.row_opt(concat!("select ", account!(), " from users where email = $1"), &[/* email */ &email.as_str()]).await?;
    found.as_ref().map(read).transpose()
}

/// The account that had a subject in the system that it was imported from.
pub async fn find_by_legacy_sub(connection: &Connection, legacy_sub: &str) -> Result<Option<Account>> {
    let found = connection
        .row_opt(concat!("select ", account!(), " from users where legacy_sub = $1"), &[/* legacy_sub */ &legacy_sub])
        .await?;
    Ok(found.as_ref().map(read).transpose()?.map(|found| found.account))
}

/// The subject that an account had in the system that it was imported from, if it was imported and had one.
pub async fn legacy_sub(executor: &impl Executor, id: UserId) -> Result<Option<String>> {
    let found = executor.row_opt("select legacy_sub from users where id = $1", &[/* id */ &id]).await?;
    Ok(found.as_ref().map(|found| row::get(found, "legacy_sub")).transpose()?.flatten())
}

/// The account of an id, with the hash of its password.
pub async fn find_with_password(connection: &Connection, id: UserId) -> Result<Option<WithPassword>> {
    let found = connection.row_opt(concat!("select ", account!(), " from users where id = $1"), &[/* id */ &id]).await?;
    found.as_ref().map(read).transpose()
}

/// Locks an account's row until the commit; `false` when it was deleted. A transaction that consumes
/// something of an account, or changes its credentials, locks this row before any other: so two such
/// transactions never wait for each other in a circle.
pub async fn lock_row(tx: &Tx<'_>, id: UserId) -> Result<bool> {
    Ok(tx.row_opt("select id from users where id = $1 for no key update", &[/* id */ &id]).await?.is_some())
}

/// Locks an account and reads it. The account is read by a statement of its own: a statement that waits for
/// the lock would see the other tables (passkeys, authenticator apps) as they were before the wait.
pub async fn lock(tx: &Tx<'_>, id: UserId) -> Result<Option<WithPassword>> {
    if !lock_row(tx, id).await? {
        return Ok(None);
    }
    let found = tx.row_opt(concat!("select ", account!(), " from users where id = $1"), &[/* id */ &id]).await?;
    found.as_ref().map(read).transpose()
}

/// Changes the names and the locale, and answers the account; `None` when it was deleted.
pub async fn set_profile(tx: &Tx<'_>, id: UserId, change: &ProfileChange, at: Timestamp) -> Result<Option<Account>> {
    let changed = tx
        .row_opt(
            concat!(
                "update users set first_name = coalesce($2, first_name), last_name = case when $3 then $4 else last_name end,
                        display_name = case when $5 then $6 else display_name end, locale = coalesce($7, locale), updated_at = $8
                 where id = $1
                 returning ",
                account!()
            ),
            &[
                /* id */ &id,
                /* first_name */ &change.first_name,
                /* is last_name changed */ &change.last_name.is_some(),
                /* last_name */ &change.last_name.clone().flatten(),
                /* is display_name changed */ &change.display_name.is_some(),
                /* display_name */ &change.display_name.clone().flatten(),
                /* locale */ &change.locale,
                /* updated_at */ &at,
            ],
        )
        .await?;
    Ok(changed.as_ref().map(read).transpose()?.map(|found| found.account))
}

/// Replaces the address of an account by one that is verified. [`UNIQUE_EMAIL`] refuses an address that
/// another account has.
pub async fn set_email(tx: &Tx<'_>, id: UserId, email: &Email, at: Timestamp) -> Result<()> {
    tx.execute_one(
        "users.set_email",
        "update users set email = $2, email_verified = true, updated_at = $3 where id = $1",
        &[/* id */ &id, /* email */ &email.as_str(), /* updated_at */ &at],
    )
    .await
}

/// Marks the address of an account as verified; `false` when it was before.
pub async fn set_verified(tx: &Tx<'_>, id: UserId, at: Timestamp) -> Result<bool> {
    let verified = tx
        .execute(
            "update users set email_verified = true, updated_at = $2 where id = $1 and not email_verified",
            &[/* id */ &id, /* updated_at */ &at],
        )
        .await?;
    Ok(verified == 1)
}

/// Inserts an account; `false` when its address is taken.
pub async fn insert(tx: &Tx<'_>, new: NewRow<'_>) -> Result<bool> {
    let inserted = tx
        .execute(
            "insert into users (id, email, first_name, last_name, display_name, locale, password_hash, email_verified, is_admin, created_at,
                                updated_at, password_created_at, password_changed_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10,
                     case when $7::text is not null then $10::timestamptz end, case when $7::text is not null then $10::timestamptz end)
             on conflict (email) do nothing",
            &[
                /* id */ &new.id,
                /* email */ &new.email.as_str(),
                /* first_name */ &new.first_name,
                /* last_name */ &new.last_name,
                /* display_name */ &new.display_name,
                /* locale */ &new.locale,
                /* password_hash */ &new.password_hash,
                /* email_verified */ &new.email_verified,
                /* is_admin */ &new.is_admin,
                /* created_at */ &new.at,
            ],
        )
        .await?;
    Ok(inserted == 1)
}

/// Inserts the one row of `first_admin` for the first account that is ever registered, and makes that account
/// an administrator if `is_promoted`. The row is inserted in either case, so that a later change of the
/// setting promotes no later account. Concurrent registrations wait here for the first one, so exactly one
/// inserts the row.
pub async fn register_first(tx: &Tx<'_>, user: UserId, is_promoted: bool) -> Result<()> {
    tx.execute(
        "with first as (
             insert into first_admin (user_id) values ($1) on conflict do nothing returning user_id
         )
         update users set is_admin = true from first where users.id = first.user_id and $2",
        &[/* user_id */ &user, /* is_promoted */ &is_promoted],
    )
    .await?;
    Ok(())
}

/// Makes the account with an address an administrator, or an account like others. Answers the account and
/// whether it was changed; `None` without such an account.
pub async fn set_admin(tx: &Tx<'_>, email: &Email, is_admin: bool) -> Result<Option<(UserId, bool)>> {
    let found = tx
        .row_opt(
            "with found as (select id, is_admin from users where email = $1 for update),
                  changed as (update users set is_admin = $2 from found where users.id = found.id and found.is_admin <> $2)
             select id, is_admin <> $2 as is_changed from found",
            &[/* email */ &email.as_str(), /* is_admin */ &is_admin],
        )
        .await?;
    found.as_ref().map(|row| Ok((row::get(row, "id")?, row::get(row, "is_changed")?))).transpose()
}

/// Replaces the hash of a password by one of the same password with the current costs. That ends no session.
pub async fn replace_hash(tx: &Tx<'_>, user: UserId, old: &str, new: &str) -> Result<()> {
    tx.execute(
        "update users set password_hash = $3 where id = $1 and password_hash = $2",
        &[/* id */ &user, /* old_hash */ &old, /* new_hash */ &new],
    )
    .await?;
    Ok(())
}

/// Raises an account's `token_version`, which ends every session of it, and answers the new one. `None`
/// without such an account.
pub async fn raise_token_version(tx: &Tx<'_>, user: UserId) -> Result<Option<i32>> {
    let raised = tx
        .row_opt("update users set token_version = token_version + 1 where id = $1 returning token_version", &[/* id */ &user])
        .await?;
    raised.as_ref().map(|raised| row::get(raised, "token_version")).transpose()
}

/// A sign-in to be recorded, with what must still be true of its account.
#[derive(Debug, Clone, Copy)]
pub struct SignInRecord<'a> {
    pub user: UserId,
    /// Its `token_version` when its owner authenticated: every change of a password raises it.
    pub token_version: i32,
    /// The hash that the password was compared with, and one with today's costs to replace it.
    pub rehashed: Option<(&'a str, &'a str)>,
    /// Whether the authentication is enough for an account with an authenticator app.
    pub passes_totp: bool,
    /// The time of the sign-in.
    pub at: Timestamp,
}

/// Records a sign-in of a locked account, and answers the account as it is now. `None` when, since its owner
/// authenticated, its password was changed, it was suspended, or an authenticator app was enabled that was
/// not asked for. `token_version` stays: a hash that is merely newer ends no session.
pub async fn record_sign_in(tx: &Tx<'_>, sign_in: SignInRecord<'_>) -> Result<Option<Account>> {
    let (old_hash, new_hash) = sign_in.rehashed.unzip();
    let updated = tx
        .row_opt(
            concat!(
                "update users set last_login_at = $3, password_hash = case when password_hash = $4 then $5 else password_hash end
                 where id = $1 and token_version = $2 and suspended_at is null
                   and ($6 or not exists (select 1 from totp where totp.user_id = users.id and totp.secret is not null))
                 returning ",
                account!()
            ),
            &[
                /* id */ &sign_in.user,
                /* token_version */ &sign_in.token_version,
                /* last_login_at */ &sign_in.at,
                /* old_hash */ &old_hash,
                /* new_hash */ &new_hash,
                /* passes_totp */ &sign_in.passes_totp,
            ],
        )
        .await?;
    Ok(updated.as_ref().map(read).transpose()?.map(|found| found.account))
}

/// The key of the advisory lock of [`lock_administrators`]: «admins» in ASCII.
const ADMINISTRATORS: i64 = 0x6164_6d69_6e73;

/// Answers every administrator who can sign in. A transaction that makes one fewer calls this first, before
/// it locks any account: of two such transactions the second waits until the first has ended, and then sees
/// the administrators that the first has left.
///
/// While mail is on, an address that is not verified cannot be signed in with.
pub async fn lock_administrators(tx: &Tx<'_>, is_mail_on: bool) -> Result<Vec<UserId>> {
    tx.execute("select pg_advisory_xact_lock($1)", &[/* key */ &ADMINISTRATORS]).await?;
    let rows = tx
        .rows(
            "select id from users
             where is_admin and suspended_at is null and (email_verified or not $1)
               and (password_hash is not null or exists (select 1 from passkeys where passkeys.user_id = users.id))",
            &[/* is_mail_on */ &is_mail_on],
        )
        .await?;
    rows.iter().map(|row| row::get(row, "id")).collect()
}

/// Deletes an account, and with it every row that references it. The entries of the audit trail reference
/// nothing and stay.
pub async fn delete(tx: &Tx<'_>, id: UserId) -> Result<()> {
    tx.execute("delete from users where id = $1", &[/* id */ &id]).await?;
    Ok(())
}

pub(super) fn read(row: &Row) -> Result<WithPassword> {
    let email: &str = row::get(row, "email")?;
    let password_hash: Option<String> = row::get(row, "password_hash")?;
    let account = row::read!(row => Account {
        id, first_name, last_name, display_name, locale, is_admin, email_verified, suspended_at, token_version, has_totp,
        legacy_sub, created_at, updated_at, last_login_at;
        email: Email::parse(email).ok_or_else(|| Error::Internal("column email: no address".to_owned()))?,
        has_password: password_hash.is_some(),
        passkeys: row::get::<i32>(row, "passkeys")?.unsigned_abs(),
    });
    Ok(WithPassword { account, password_hash })
}
