//! Making and ending sessions: `sessions`. Finding a living one is in [`crate::shared::sessions`], because both wings do it.

use super::{
    accounts::{self, WithPassword},
    known_devices,
    one_time::Hash,
};
use crate::{
    Executor, Result, Tx, row,
    shared::sessions::{Claimed, idle_since},
};
use domain::shared::{Fault, SessionId, UserId};
use jiff::Timestamp;
use std::net::IpAddr;

/// A session to insert.
#[derive(Debug, Clone, Copy)]
pub struct NewSession<'a> {
    /// Its id, never used before.
    pub id: SessionId,
    /// Whose.
    pub user: UserId,
    /// The account's `token_version`.
    pub token_version: i32,
    /// Where it was made.
    pub ip: Option<IpAddr>,
    /// What the browser calls itself.
    pub user_agent: Option<&'a str>,
    /// How the person was proved (RFC 8176).
    pub amr: &'a [&'a str],
    /// When.
    pub at: Timestamp,
    /// When it ends, whatever happens.
    pub expires_at: Timestamp,
}

/// Inserts a session.
pub async fn insert(tx: &Tx<'_>, new: NewSession<'_>) -> Result<()> {
    tx.execute_one(
        "session.insert",
        "insert into sessions (id, user_id, token_version, ip, user_agent, amr, auth_at, created_at, last_seen_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $7, $7, $8)",
        &[
            /* id */ &new.id.0,
            /* user_id */ &new.user.0,
            /* token_version */ &new.token_version,
            /* ip */ &new.ip,
            /* user_agent */ &new.user_agent,
            /* amr */ &new.amr,
            /* at */ &new.at,
            /* expires_at */ &new.expires_at,
        ],
    )
    .await
}

/// Locks the account of somebody who is signed in, see [`accounts::lock`], and the session with it: what ends it may have been committed since
/// the request began, and waits from now on. 401 when it has ended.
pub async fn lock_signed_in(tx: &Tx<'_>, claimed: Claimed, at: Timestamp) -> Result<WithPassword> {
    let locked = accounts::lock(tx, claimed.user).await?;
    let locked =
        locked.filter(|locked| locked.account.token_version == claimed.token_version && locked.account.suspended_at.is_none());
    let session = tx
        .row_opt(
            "select id from sessions
             where id = $1 and user_id = $2 and token_version = $3 and revoked_at is null and expires_at > $4 and last_seen_at > $5
             for share",
            &[
                /* id */ &claimed.session.0,
                /* user_id */ &claimed.user.0,
                /* token_version */ &claimed.token_version,
                /* now */ &at,
                /* idle_since */ &idle_since(at),
            ],
        )
        .await?;
    locked.filter(|_| session.is_some()).ok_or_else(|| Fault::unauthorized().into())
}

/// What is spared when everything else of an account ends.
#[derive(Debug, Clone, Copy)]
pub struct Spared {
    /// The session.
    pub session: SessionId,
    /// The browser that it is in, by its cookie.
    pub browser: Option<Hash>,
}

/// A session that outlived the others, for its new cookie.
#[derive(Debug, Clone, Copy)]
pub struct Kept {
    /// The account's new `token_version`.
    pub token_version: i32,
    /// When the person was proved.
    pub auth_at: Timestamp,
    /// When the session was made.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
}

/// Ends every session of an account but one, by raising its `token_version`, and forgets every other browser. That session lives on with a new
/// cookie. `None` when it had ended, and then all have.
pub async fn end_others(tx: &Tx<'_>, user: UserId, spared: Spared) -> Result<Option<Kept>> {
    let Some(token_version) = accounts::raise_token_version(tx, user).await? else { return Ok(None) };
    let found = tx
        .row_opt(
            "update sessions set token_version = $3
             where id = $1 and user_id = $2 and token_version = $3 - 1 and revoked_at is null
             returning auth_at, created_at, expires_at",
            &[/* id */ &spared.session.0, /* user_id */ &user.0, /* token_version */ &token_version],
        )
        .await?;
    let Some(found) = found else { return Ok(None) };
    known_devices::forget_others(tx, user, spared.browser.as_ref()).await?;
    Ok(Some(Kept {
        token_version,
        auth_at: row::get(&found, "auth_at")?,
        created_at: row::get(&found, "created_at")?,
        expires_at: row::get(&found, "expires_at")?,
    }))
}

/// When the person of a session was proved; `None` when its row is gone.
pub async fn auth_at(query: &impl Executor, id: SessionId) -> Result<Option<Timestamp>> {
    let found = query.row_opt("select auth_at from sessions where id = $1", &[/* id */ &id.0]).await?;
    found.as_ref().map(|f| row::get(f, "auth_at")).transpose()
}

/// Ends a session; `false` when it had ended before.
pub async fn revoke(tx: &Tx<'_>, id: SessionId, at: Timestamp) -> Result<bool> {
    let revoked = tx
        .execute(
            "update sessions set revoked_at = $2 where id = $1 and revoked_at is null",
            &[/* id */ &id.0, /* revoked_at */ &at],
        )
        .await?;
    Ok(revoked == 1)
}
