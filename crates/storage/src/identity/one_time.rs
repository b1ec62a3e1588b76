//! One-time tokens: the table `one_time`, which holds every link, code and challenge that can be used once,
//! as a hash.
//!
//! ```text
//! one_time::add(tx, NewOneTime::of(kind, user, hash, id, at))   stores a token
//! one_time::find(query, kind, hash)   -> Option<StoredToken>     reads it, used or not
//! one_time::attempt(tx, kind, hash, at) -> Option<OneTimeToken>  uses up one of its attempts
//! one_time::consume(tx, kind, hash, at) -> Option<OneTimeToken>  uses it up: of any number of concurrent calls, one succeeds
//! one_time::add_used(tx, new, at)     -> bool                    uses up one that was given out without a row
//! one_time::expire_all(tx, kind, user, at)                       revokes the unused ones of an account
//! one_time::replace_all(tx, kind, user, at) -> Option<Value>     does the same, for a token in their place
//! ```

use crate::{Connection, Executor, Result, Tx, expiry::Expiring, row};
use domain::{
    identity::one_time::{Kind, State},
    shared::{SessionId, UserId},
};
use jiff::Timestamp;
use serde_json::Value;
use tokio_postgres::Row;
use uuid::Uuid;

/// The hash that a token is found by: SHA-256 of a long secret, or a keyed hash of a short one.
pub type Hash = [u8; 32];

/// A token to be stored.
#[derive(Debug, Clone)]
pub struct NewOneTime {
    pub id: Uuid,
    pub kind: Kind,
    /// The hash of the secret.
    pub hash: Hash,
    /// The account, if it is known already. Deleting the account deletes the token.
    pub user: Option<UserId>,
    /// The session that it is bound to, if any. Deleting the session deletes the token.
    pub session: Option<SessionId>,
    /// Data for the time of its use; nothing secret.
    pub payload: Value,
    /// The number of attempts that [`attempt`] allows; `None` for a secret that cannot be guessed.
    pub attempts: Option<i32>,
    /// When it was issued.
    pub at: Timestamp,
}

impl NewOneTime {
    /// A token of an account, without payload and without counted attempts.
    pub fn of(kind: Kind, user: UserId, hash: Hash, id: Uuid, at: Timestamp) -> Self {
        Self { id, kind, hash, user: Some(user), session: None, payload: Value::Object(serde_json::Map::new()), attempts: None, at }
    }

    /// A token of no account.
    pub fn without_account(kind: Kind, hash: Hash, id: Uuid, payload: Value, at: Timestamp) -> Self {
        Self { id, kind, hash, user: None, session: None, payload, attempts: None, at }
    }

    /// When it expires.
    pub fn expires_at(&self) -> Timestamp {
        self.kind.expires_at(self.at)
    }
}

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub struct OneTimeToken {
    pub id: Uuid,
    pub user: Option<UserId>,
    /// The session that it is bound to.
    pub session: Option<SessionId>,
    pub payload: Value,
    /// The attempts that are left, where they are counted.
    pub attempts_left: Option<i32>,
    /// When it was issued.
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
}

/// A token with its use.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredToken {
    pub token: OneTimeToken,
    /// When it was used, if it was.
    pub used_at: Option<Timestamp>,
}

impl StoredToken {
    /// The state at this time.
    pub fn state(&self, at: Timestamp) -> State {
        match self.used_at {
            Some(_) => State::Used,
            None if self.token.expires_at > at && self.token.attempts_left != Some(0) => State::Usable,
            None => State::Expired,
        }
    }
}

/// Stores a token.
pub async fn add(tx: &Tx<'_>, new: &NewOneTime) -> Result<()> {
    tx.execute_one(
        "one_time.insert",
        "insert into one_time (id, kind, user_id, session_id, hash, payload, attempts_left, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        &[
            /* id */ &new.id,
            /* kind */ &new.kind.into_str(),
            /* user_id */ &new.user,
            /* session_id */ &new.session,
            /* hash */ &new.hash.as_slice(),
            /* payload */ &new.payload,
            /* attempts_left */ &new.attempts,
            /* created_at */ &new.at,
            /* expires_at */ &new.expires_at(),
        ],
    )
    .await
}

/// Stores a token that was given out without a row, as used. `false` when it was used before.
pub async fn add_used(tx: &Tx<'_>, new: &NewOneTime, used_at: Timestamp) -> Result<bool> {
    let added = tx
        .execute(
            "insert into one_time (id, kind, user_id, session_id, hash, payload, created_at, expires_at, used_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (kind, hash) do nothing",
            &[
                /* id */ &new.id,
                /* kind */ &new.kind.into_str(),
                /* user_id */ &new.user,
                /* session_id */ &new.session,
                /* hash */ &new.hash.as_slice(),
                /* payload */ &new.payload,
                /* created_at */ &new.at,
                /* expires_at */ &new.expires_at(),
                /* used_at */ &used_at,
            ],
        )
        .await?;
    Ok(added == 1)
}

/// Stores tokens of accounts, each without payload and without counted attempts (see [`NewOneTime::of`]), in
/// one statement.
pub async fn add_all(tx: &Tx<'_>, all: &[&NewOneTime]) -> Result<()> {
    let ids: Vec<Uuid> = all.iter().map(|new| new.id).collect();
    let kinds: Vec<&str> = all.iter().map(|new| new.kind.into_str()).collect();
    let users: Vec<_> = all.iter().map(|new| new.user).collect();
    let hashes: Vec<&[u8]> = all.iter().map(|new| new.hash.as_slice()).collect();
    let created_at: Vec<Timestamp> = all.iter().map(|new| new.at).collect();
    let expires_at: Vec<Timestamp> = all.iter().map(|new| new.expires_at()).collect();
    tx.execute(
        "insert into one_time (id, kind, user_id, hash, created_at, expires_at)
         select * from unnest($1::uuid[], $2::text[], $3::uuid[], $4::bytea[], $5::timestamptz[], $6::timestamptz[])",
        &[
            /* id */ &ids,
            /* kind */ &kinds,
            /* user_id */ &users,
            /* hash */ &hashes,
            /* created_at */ &created_at,
            /* expires_at */ &expires_at,
        ],
    )
    .await?;
    Ok(())
}

/// Uses a token up. `None` when it does not exist, was used before, has expired, or has no attempts left.
///
/// It is one conditional statement: a concurrent call waits for the row lock and then finds the token used.
pub async fn consume(tx: &Tx<'_>, kind: Kind, hash: &Hash, at: Timestamp) -> Result<Option<OneTimeToken>> {
    let consumed = tx
        .row_opt(
            "update one_time set used_at = $3
             where kind = $1 and hash = $2 and used_at is null and expires_at > $3 and attempts_left is distinct from 0
             returning id, user_id, session_id, payload, attempts_left, created_at, expires_at",
            &[/* kind */ &kind.into_str(), /* hash */ &hash.as_slice(), /* used_at */ &at],
        )
        .await?;
    consumed.as_ref().map(read).transpose()
}

/// Uses up one attempt of a token whose attempts are counted, before the code is checked; a right code then
/// calls [`consume_by_id`]. `None` as for [`consume`]. It must be committed even if the code is wrong.
pub async fn attempt(executor: &impl Executor, kind: Kind, hash: &Hash, at: Timestamp) -> Result<Option<OneTimeToken>> {
    let attempted = executor
        .row_opt(
            "update one_time set attempts_left = attempts_left - 1
             where kind = $1 and hash = $2 and used_at is null and expires_at > $3 and attempts_left > 0
             returning id, user_id, session_id, payload, attempts_left, created_at, expires_at",
            &[/* kind */ &kind.into_str(), /* hash */ &hash.as_slice(), /* at */ &at],
        )
        .await?;
    attempted.as_ref().map(read).transpose()
}

/// Uses up a token after an [`attempt`] with the right code, which may have been the last attempt. `false`
/// when it was used before.
pub async fn consume_by_id(tx: &Tx<'_>, id: Uuid, at: Timestamp) -> Result<bool> {
    let consumed = tx
        .execute("update one_time set used_at = $2 where id = $1 and used_at is null", &[/* id */ &id, /* used_at */ &at])
        .await?;
    Ok(consumed == 1)
}

/// Reads a token without using it.
pub async fn find(executor: &impl Executor, kind: Kind, hash: &Hash) -> Result<Option<StoredToken>> {
    let found = executor
        .row_opt(
            "select id, user_id, session_id, payload, attempts_left, created_at, expires_at, used_at
             from one_time where kind = $1 and hash = $2",
            &[/* kind */ &kind.into_str(), /* hash */ &hash.as_slice()],
        )
        .await?;
    found.as_ref().map(read_stored).transpose()
}

/// Those of these hashes that are of mailed links which can be used at a time.
pub async fn usable_links(executor: &impl Executor, hashes: &[Hash], at: Timestamp) -> Result<Vec<Hash>> {
    let plain: Vec<&[u8]> = hashes.iter().map(Hash::as_slice).collect();
    let kinds = [Kind::Verification, Kind::AddressChange, Kind::PasswordReset, Kind::Invite].map(<&str>::from);
    let rows = executor
        .rows(
            "select hash from one_time where kind = any ($1) and hash = any ($2) and used_at is null and expires_at > $3
             union all
             select token_hash from space_invitations where token_hash = any ($2) and expires_at > $3",
            &[/* kinds */ &kinds.as_slice(), /* hashes */ &plain, /* at */ &at],
        )
        .await?;
    rows.iter().filter_map(|row| row::get::<&[u8]>(row, "hash").map(|hash| hash.try_into().ok()).transpose()).collect()
}

/// Expires every unused token of a kind that an account has. Answers their number.
pub async fn expire_all(tx: &Tx<'_>, kind: Kind, user: UserId, at: Timestamp) -> Result<u64> {
    tx.execute(
        "update one_time set expires_at = $3 where user_id = $2 and kind = $1 and used_at is null and expires_at > $3",
        &[/* kind */ &kind.into_str(), /* user_id */ &user, /* expires_at */ &at],
    )
    .await
}

/// Does the same, and answers the payload of the newest of them, which the token that takes their place may
/// carry on.
pub async fn replace_all(tx: &Tx<'_>, kind: Kind, user: UserId, at: Timestamp) -> Result<Option<Value>> {
    let replaced = tx
        .rows(
            "update one_time set expires_at = $3 where user_id = $2 and kind = $1 and used_at is null and expires_at > $3
             returning payload, created_at",
            &[/* kind */ &kind.into_str(), /* user_id */ &user, /* expires_at */ &at],
        )
        .await?;
    let newest = replaced.iter().map(|row| Ok((row::get::<Timestamp>(row, "created_at")?, row))).collect::<Result<Vec<_>>>()?;
    let newest = newest.into_iter().max_by_key(|(created_at, _)| *created_at);
    newest.map(|(_, row)| row::get(row, "payload")).transpose()
}

/// Deletes a token.
pub async fn remove(tx: &Tx<'_>, id: Uuid) -> Result<()> {
    tx.execute_one("one_time.delete", "delete from one_time where id = $1", &[/* id */ &id]).await
}

/// Replaces the payload of a usable token and restarts its lifetime; its remaining attempts stay. `false`
/// when the payload is not the one that was read any more, or the token is not usable.
pub async fn renew(tx: &Tx<'_>, kind: Kind, old: &OneTimeToken, new: &Value, at: Timestamp) -> Result<bool> {
    let renewed = tx
        .execute(
            "update one_time set payload = $4, expires_at = $6
             where id = $1 and kind = $2 and payload = $3 and used_at is null and expires_at > $5 and attempts_left is distinct from 0",
            &[
                /* id */ &old.id,
                /* kind */ &kind.into_str(),
                /* old_payload */ &old.payload,
                /* payload */ &new,
                /* at */ &at,
                /* expires_at */ &kind.expires_at(at),
            ],
        )
        .await?;
    Ok(renewed == 1)
}

/// Counts the usable tokens of a kind that an account has.
pub async fn count_open(executor: &impl Executor, kind: Kind, user: UserId, at: Timestamp) -> Result<i64> {
    let counted = executor
        .row_opt(
            "select count(*) as open from one_time where user_id = $2 and kind = $1 and used_at is null and expires_at > $3",
            &[/* kind */ &kind.into_str(), /* user_id */ &user, /* at */ &at],
        )
        .await?;
    counted.as_ref().map_or(Ok(0), |counted| row::get(counted, "open"))
}

/// Deletes all tokens of a kind that an account has.
pub async fn remove_all(tx: &Tx<'_>, kind: Kind, user: UserId) -> Result<u64> {
    tx.execute("delete from one_time where user_id = $2 and kind = $1", &[/* kind */ &kind.into_str(), /* user_id */ &user]).await
}

/// Deletes tokens that expired before a time, used or not, at most `limit`.
pub async fn remove_expired(connection: &Connection, until: Timestamp, limit: i64) -> Result<u64> {
    Expiring { table: "one_time", key: "id", at: "expires_at" }.delete_batch(connection, until, limit).await
}

pub(super) fn read_stored(row: &Row) -> Result<StoredToken> {
    Ok(StoredToken { token: read(row)?, used_at: row::get(row, "used_at")? })
}

fn read(row: &Row) -> Result<OneTimeToken> {
    Ok(row::read!(row => OneTimeToken {
        id, payload, attempts_left, created_at, expires_at;
        user: row::get(row, "user_id")?,
        session: row::get(row, "session_id")?,
    }))
}
