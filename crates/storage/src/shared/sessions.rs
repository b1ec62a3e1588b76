//! Active sessions: rows of `sessions` joined with their accounts. The identity service makes and ends them.

use crate::{Connection, Executor, Result, row};
use domain::shared::{ProofMethods, SessionId, UserId, proof::may_prove};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

/// How long a session stays active without a request.
pub const IDLE: SignedDuration = SignedDuration::from_hours(7 * 24);
/// How old `last_seen_at` becomes before a request updates it. A session may end too early by as much.
pub const SEEN_EVERY: SignedDuration = SignedDuration::from_mins(5);

/// What a session cookie claims.
#[derive(Debug, Clone, Copy)]
pub struct SessionClaims {
    pub session: SessionId,
    pub user: UserId,
    /// The account's `token_version` when the cookie was signed.
    pub token_version: i32,
}

/// The current state of the session and its account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActiveSession {
    /// Whether the address is verified.
    pub email_verified: bool,
    /// Whether the account is an administrator.
    pub is_admin: bool,
    /// When the person authenticated.
    pub auth_at: Timestamp,
    /// When the person last proved who they are: by signing in, or since.
    pub proved_at: Timestamp,
    /// The time of the last request, as exact as [`SEEN_EVERY`] says.
    pub last_seen_at: Timestamp,
}

/// The state of a claimed session, if it is still active: not revoked, not expired, used within [`IDLE`], its
/// account neither suspended nor at another `token_version`.
pub async fn find_active(executor: &impl Executor, claimed: SessionClaims, now: Timestamp) -> Result<Option<ActiveSession>> {
    let found = executor
        .row_opt(
            "select users.email_verified, users.is_admin, sessions.auth_at, coalesce(sessions.proved_at, sessions.auth_at) as proved_at,
                    sessions.last_seen_at
             from sessions join users on users.id = sessions.user_id
             where sessions.id = $1 and sessions.user_id = $2 and sessions.token_version = $3
               and users.token_version = sessions.token_version and users.suspended_at is null
               and sessions.revoked_at is null and sessions.expires_at > $4 and sessions.last_seen_at > $5",
            &[
                /* id */ &claimed.session,
                /* user_id */ &claimed.user,
                /* token_version */ &claimed.token_version,
                /* now */ &now,
                /* idle_since */ &idle_since(now),
            ],
        )
        .await?;
    let Some(found) = found else { return Ok(None) };
    Ok(Some(row::read!(&found => ActiveSession { email_verified, is_admin, auth_at, proved_at, last_seen_at })))
}

/// What the person of a session can prove themselves with; `None` when the session is gone.
pub async fn proof_methods(executor: &impl Executor, session: SessionId) -> Result<Option<ProofMethods>> {
    let found = executor
        .row_opt(
            "select sessions.auth_at, users.password_hash is not null as has_password,
                    (select min(passkeys.created_at) from passkeys where passkeys.user_id = users.id) as oldest_passkey
             from sessions join users on users.id = sessions.user_id where sessions.id = $1",
            &[/* id */ &session],
        )
        .await?;
    let Some(found) = found else { return Ok(None) };
    let (auth_at, oldest): (Timestamp, Option<Timestamp>) = (row::get(&found, "auth_at")?, row::get(&found, "oldest_passkey")?);
    let passkey = oldest.is_some_and(|oldest| may_prove(oldest, auth_at));
    Ok(Some(ProofMethods { password: row::get(&found, "has_password")?, passkey }))
}

/// How many sessions are active.
pub async fn count_active(executor: &impl Executor, now: Timestamp) -> Result<i64> {
    let counted = executor
        .row_opt(
            "select count(*) as active
             from sessions join users on users.id = sessions.user_id and users.token_version = sessions.token_version
             where users.suspended_at is null and sessions.revoked_at is null and sessions.expires_at > $1 and sessions.last_seen_at > $2",
            &[/* now */ &now, /* idle_since */ &idle_since(now)],
        )
        .await?;
    counted.as_ref().map_or(Ok(0), |counted| row::get(counted, "active"))
}

/// A session without a request after this time is no longer active.
pub fn idle_since(now: Timestamp) -> Timestamp {
    now.checked_sub(IDLE).unwrap_or(Timestamp::MIN)
}

/// Writes when sessions were last seen. Returns how many rows changed. It never waits: a row that another
/// transaction has locked is skipped, and the next request of its session updates it.
pub async fn touch(connection: &Connection, seen: &[(SessionId, Timestamp)]) -> Result<u64> {
    let (ids, times): (Vec<Uuid>, Vec<Timestamp>) = seen.iter().map(|(id, at)| (id.0, *at)).unzip();
    connection
        .execute(
            "update sessions set last_seen_at = seen.at
             from (
                 select sessions.id, given.at
                 from unnest($1::uuid[], $2::timestamptz[]) as given (id, at) join sessions on sessions.id = given.id
                 where sessions.last_seen_at < given.at
                 for no key update of sessions skip locked
             ) as seen
             where sessions.id = seen.id",
            &[/* ids */ &ids, /* times */ &times],
        )
        .await
}
