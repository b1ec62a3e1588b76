//! Writing many accounts at once. Each function is one statement, however many rows there are: a request of
//! 500 accounts waits for as few answers as a request of one.

use crate::{Executor, Result, Tx, row};
use domain::{
    identity::provisioning::{Candidate, KnownAccount, LegacySub},
    shared::UserId,
};
use jiff::Timestamp;
use secrecy::ExposeSecret;
use std::collections::HashSet;
use tokio_postgres::Row;

/// An account to insert.
#[derive(Debug, Clone, Copy)]
pub struct NewAccount<'a> {
    pub id: UserId,
    /// The rest of it.
    pub candidate: &'a Candidate,
}

/// The accounts that have the address, the subject or the id of any of these.
pub async fn find_existing(executor: &impl Executor, rows: &[&Candidate]) -> Result<Vec<KnownAccount>> {
    let emails: Vec<&str> = rows.iter().map(|row| row.email.as_str()).collect();
    let subs: Vec<&str> = rows.iter().filter_map(|row| row.legacy_sub.as_ref()).map(LegacySub::as_str).collect();
    let ids: Vec<_> = rows.iter().filter_map(|row| row.legacy_sub.as_ref()?.as_id()).collect();
    // Each part reads one index. With `or` PostgreSQL may read the table instead.
    let found = executor
        .rows(
            "select id, email, legacy_sub from users where email = any ($1)
             union select id, email, legacy_sub from users where legacy_sub = any ($2)
             union select id, email, legacy_sub from users where id = any ($3)",
            &[/* emails */ &emails, /* legacy_subs */ &subs, /* ids */ &ids],
        )
        .await?;
    let read = |row: &Row| {
        Ok(KnownAccount { id: row::get(row, "id")?, email: row::get(row, "email")?, legacy_sub: row::get(row, "legacy_sub")? })
    };
    found.iter().map(read).collect()
}

/// Inserts the accounts whose address, subject and id no other account has, and answers which these are. A
/// row that another transaction is inserting at this moment is waited for. The rows are inserted in the order
/// of their addresses, so that two such statements do not wait for each other in a circle.
pub async fn insert(tx: &Tx<'_>, rows: &[NewAccount<'_>], at: Timestamp) -> Result<HashSet<UserId>> {
    let of = |column: fn(&Candidate) -> Option<&str>| rows.iter().map(|row| column(row.candidate)).collect::<Vec<_>>();
    let flag = |column: fn(&Candidate) -> bool| rows.iter().map(|row| column(row.candidate)).collect::<Vec<_>>();
    let ids: Vec<_> = rows.iter().map(|row| row.id).collect();
    let created_at: Vec<Timestamp> = rows.iter().map(|row| row.candidate.created_at.unwrap_or(at)).collect();
    let inserted = tx
        .rows(
            "insert into users (id, email, first_name, last_name, locale, password_hash, legacy_sub, email_verified, suspended_at, created_at, updated_at,
                                password_created_at, password_changed_at)
             select id, email, first_name, last_name, locale, password_hash, legacy_sub, email_verified, case when is_suspended then $11::timestamptz end, created_at, $11,
                    case when password_hash is not null then $11 end, case when password_hash is not null then $11 end
             from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[], $9::boolean[],
                         $10::timestamptz[])
                  as new (id, email, first_name, last_name, locale, password_hash, legacy_sub, email_verified, is_suspended, created_at)
             order by email
             on conflict do nothing
             returning id",
            &[
                /* id */ &ids,
                /* email */ &of(|row| Some(row.email.as_str())),
                /* first_name */ &of(|row| Some(&row.first_name)),
                /* last_name */ &of(|row| row.last_name.as_deref()),
                /* locale */ &of(|row| Some(&row.locale)),
                /* password_hash */ &of(|row| row.password_hash.as_ref().map(ExposeSecret::expose_secret)),
                /* legacy_sub */ &of(|row| row.legacy_sub.as_ref().map(LegacySub::as_str)),
                /* email_verified */ &flag(|row| row.email_verified),
                /* is_suspended */ &flag(|row| row.is_suspended),
                /* created_at */ &created_at,
                /* at */ &at,
            ],
        )
        .await?;
    inserted.iter().map(|row| row::get(row, "id")).collect()
}
