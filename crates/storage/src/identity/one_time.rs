//! What can be used once: `one_time`, the one helper for links, codes and challenges (decisions 29).
//!
//! ```text
//! one_time::add(tx, NewOneTime::of(kind, hash, at, id))     kept as a hash only
//! one_time::find(query, kind, hash)   -> Option<Seen>        looks and takes nothing; tells a used one from one that never was
//! one_time::attempt(tx, kind, hash, at) -> Option<Taken>     uses up one of a few guesses
//! one_time::take(tx, kind, hash, at)  -> Option<Taken>       uses it up: of any number that try at once, one gets it
//! one_time::burn_all(tx, kind, user, at)                     ends every unused one of an account
//! ```

use crate::{Connection, Executor, Result, Tx, row};
use domain::{
    identity::one_time::{Kind, State},
    shared::{SessionId, UserId},
};
use jiff::Timestamp;
use serde_json::Value;
use tokio_postgres::Row;
use uuid::Uuid;

/// What is looked up: SHA-256 of a long secret, or a keyed hash of a short one.
pub type Hash = [u8; 32];

/// One to be added.
#[derive(Debug, Clone)]
pub struct NewOneTime {
    /// Never used before.
    pub id: Uuid,
    /// What it is for.
    pub kind: Kind,
    /// Of the secret.
    pub hash: Hash,
    /// Whose, if that is known yet. It ends with the account.
    pub user: Option<UserId>,
    /// The session that it is for, if it is for one. It ends with the session's row.
    pub session: Option<SessionId>,
    /// What else has to be known when it is used; nothing secret.
    pub payload: Value,
    /// How many guesses [`attempt`] allows; `None` for a secret that nobody can guess.
    pub attempts: Option<i32>,
    /// When.
    pub at: Timestamp,
}

impl NewOneTime {
    /// One of an account, with nothing to remember and no guesses to count.
    pub fn of(kind: Kind, user: UserId, hash: Hash, id: Uuid, at: Timestamp) -> Self {
        Self { id, kind, hash, user: Some(user), session: None, payload: Value::Object(serde_json::Map::new()), attempts: None, at }
    }

    /// Until when it can be used.
    pub fn expires_at(&self) -> Timestamp {
        self.kind.expires_at(self.at)
    }
}

/// One that was used up now, or one of whose guesses was.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    /// Its row.
    pub id: Uuid,
    /// Whose.
    pub user: Option<UserId>,
    /// For which session.
    pub session: Option<SessionId>,
    /// What was remembered.
    pub payload: Value,
    /// How many guesses are left, where they are counted.
    pub attempts_left: Option<i32>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// One that is there, whatever became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Seen {
    /// What it holds.
    pub it: Taken,
    /// When it was used.
    pub used_at: Option<Timestamp>,
}

impl Seen {
    /// What has become of it by this time.
    pub fn state(&self, at: Timestamp) -> State {
        match self.used_at {
            Some(_) => State::Used,
            None if self.it.expires_at > at && self.it.attempts_left != Some(0) => State::Open,
            None => State::Over,
        }
    }
}

/// Adds one.
pub async fn add(tx: &Tx<'_>, new: &NewOneTime) -> Result<()> {
    tx.execute_one(
        "one_time.insert",
        "insert into one_time (id, kind, user_id, session_id, hash, payload, attempts_left, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        &[
            /* id */ &new.id,
            /* kind */ &new.kind.name(),
            /* user_id */ &new.user.map(|user| user.0),
            /* session_id */ &new.session.map(|session| session.0),
            /* hash */ &new.hash.as_slice(),
            /* payload */ &new.payload,
            /* attempts_left */ &new.attempts,
            /* created_at */ &new.at,
            /* expires_at */ &new.expires_at(),
        ],
    )
    .await
}

/// Uses one up. `None` when there is none, or it was used before, has expired, or has no guesses left.
///
/// One conditional statement: whoever comes at the same time waits for the row and then finds it used.
pub async fn take(tx: &Tx<'_>, kind: Kind, hash: &Hash, at: Timestamp) -> Result<Option<Taken>> {
    let taken = tx
        .row_opt(
            "update one_time set used_at = $3
             where kind = $1 and hash = $2 and used_at is null and expires_at > $3 and attempts_left is distinct from 0
             returning id, user_id, session_id, payload, attempts_left, created_at, expires_at",
            &[/* kind */ &kind.name(), /* hash */ &hash.as_slice(), /* used_at */ &at],
        )
        .await?;
    taken.as_ref().map(read).transpose()
}

/// Uses up one of the guesses of one whose guesses are counted, before anybody looks whether it is right; who is right takes it with
/// [`take_guessed`]. `None` as for [`take`]. It has to be committed, whatever the guess.
pub async fn attempt(tx: &Tx<'_>, kind: Kind, hash: &Hash, at: Timestamp) -> Result<Option<Taken>> {
    let attempted = tx
        .row_opt(
            "update one_time set attempts_left = attempts_left - 1
             where kind = $1 and hash = $2 and used_at is null and expires_at > $3 and attempts_left > 0
             returning id, user_id, session_id, payload, attempts_left, created_at, expires_at",
            &[/* kind */ &kind.name(), /* hash */ &hash.as_slice(), /* at */ &at],
        )
        .await?;
    attempted.as_ref().map(read).transpose()
}

/// Uses up one whose last [`attempt`] was right, which may have been its last guess. `false` when another was right before.
pub async fn take_guessed(tx: &Tx<'_>, id: Uuid, at: Timestamp) -> Result<bool> {
    let taken = tx
        .execute("update one_time set used_at = $2 where id = $1 and used_at is null", &[/* id */ &id, /* used_at */ &at])
        .await?;
    Ok(taken == 1)
}

/// One that is there, without using it.
pub async fn find(query: &impl Executor, kind: Kind, hash: &Hash) -> Result<Option<Seen>> {
    let found = query
        .row_opt(
            "select id, user_id, session_id, payload, attempts_left, created_at, expires_at, used_at
             from one_time where kind = $1 and hash = $2",
            &[/* kind */ &kind.name(), /* hash */ &hash.as_slice()],
        )
        .await?;
    found.map(|f| Ok(Seen { it: read(&f)?, used_at: row::get(&f, "used_at")? })).transpose()
}

/// Ends every one of a kind that an account has not used, as if its time were over. Answers how many.
pub async fn burn_all(tx: &Tx<'_>, kind: Kind, user: UserId, at: Timestamp) -> Result<u64> {
    tx.execute(
        "update one_time set expires_at = $3 where user_id = $2 and kind = $1 and used_at is null and expires_at > $3",
        &[/* kind */ &kind.name(), /* user_id */ &user.0, /* expires_at */ &at],
    )
    .await
}

/// Removes one.
pub(super) async fn remove(tx: &Tx<'_>, id: Uuid) -> Result<()> {
    tx.execute_one("one_time.delete", "delete from one_time where id = $1", &[/* id */ &id]).await
}

/// Puts another payload in the place of one that was read, while it can be used; its time begins anew, and its guesses stay as few. `false` when
/// somebody else did, or it cannot be used any more.
pub async fn renew(tx: &Tx<'_>, kind: Kind, old: &Taken, new: &Value, at: Timestamp) -> Result<bool> {
    let renewed = tx
        .execute(
            "update one_time set payload = $4, expires_at = $6
             where id = $1 and kind = $2 and payload = $3 and used_at is null and expires_at > $5 and attempts_left is distinct from 0",
            &[
                /* id */ &old.id,
                /* kind */ &kind.name(),
                /* old_payload */ &old.payload,
                /* payload */ &new,
                /* at */ &at,
                /* expires_at */ &kind.expires_at(at),
            ],
        )
        .await?;
    Ok(renewed == 1)
}

/// How many of a kind an account has not used.
pub async fn count_open(query: &impl Executor, kind: Kind, user: UserId, at: Timestamp) -> Result<i64> {
    let counted = query
        .row_opt(
            "select count(*) as open from one_time where user_id = $2 and kind = $1 and used_at is null and expires_at > $3",
            &[/* kind */ &kind.name(), /* user_id */ &user.0, /* at */ &at],
        )
        .await?;
    counted.as_ref().map_or(Ok(0), |counted| row::get(counted, "open"))
}

/// Removes all of a kind that an account has, used or not.
pub async fn remove_all(tx: &Tx<'_>, kind: Kind, user: UserId) -> Result<u64> {
    tx.execute("delete from one_time where user_id = $2 and kind = $1", &[/* kind */ &kind.name(), /* user_id */ &user.0]).await
}

/// Removes those that had expired by a time, used or not, at most so many.
pub async fn remove_expired(session: &Connection, until: Timestamp, limit: i64) -> Result<u64> {
    session
        .execute(
            "delete from one_time where id in (
                 select id from one_time where expires_at <= $1 order by expires_at limit $2 for update skip locked
             )",
            &[/* until */ &until, /* limit */ &limit],
        )
        .await
}

fn read(row: &Row) -> Result<Taken> {
    let user: Option<Uuid> = row::get(row, "user_id")?;
    let session: Option<Uuid> = row::get(row, "session_id")?;
    Ok(Taken {
        id: row::get(row, "id")?,
        user: user.map(UserId),
        session: session.map(SessionId),
        payload: row::get(row, "payload")?,
        attempts_left: row::get(row, "attempts_left")?,
        created_at: row::get(row, "created_at")?,
        expires_at: row::get(row, "expires_at")?,
    })
}
