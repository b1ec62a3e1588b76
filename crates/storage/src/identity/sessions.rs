//! Starting, listing and ending sessions: the table `sessions`. Finding an active one is in
//! [`crate::shared::sessions`], because both services do it.

use super::{
    accounts::{self, WithPassword},
    audit, known_devices,
    one_time::Hash,
};
use crate::{
    Executor, Result, Tx, row,
    shared::sessions::{SessionClaims, idle_since},
};
use domain::shared::{Fault, Page, PageRequest, SessionId, UserId};
use jiff::Timestamp;
use std::net::IpAddr;
use uuid::Uuid;

/// The newest sessions, as many as a list shows that has one page.
pub const NEWEST: PageRequest = PageRequest { page: 1, per_page: 200 };
/// The audit event of a request that ended the other sessions of its account.
pub const REVOKED_OTHERS: audit::Event = audit::Event::SessionsRevokedOthers;

/// A session to insert.
#[derive(Debug, Clone, Copy)]
pub struct NewSession<'a> {
    /// Its id, never used before.
    pub id: SessionId,
    pub user: UserId,
    /// The account's `token_version`.
    pub token_version: i32,
    /// The address that it is started from.
    pub ip: Option<IpAddr>,
    /// The `User-Agent`.
    pub user_agent: Option<&'a str>,
    /// How the person authenticated, by the names of RFC 8176.
    pub amr: &'a [&'a str],
    /// Whether the browser keeps it when it is closed.
    pub is_remembered: bool,
    /// When it is started.
    pub at: Timestamp,
    /// When it ends at the latest.
    pub expires_at: Timestamp,
}

/// Inserts a session.
pub async fn insert(tx: &Tx<'_>, new: NewSession<'_>) -> Result<()> {
    tx.execute_one(
        "session.insert",
        "insert into sessions (id, user_id, token_version, ip, user_agent, amr, is_remembered, auth_at, created_at, last_seen_at, expires_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $8, $9)",
        &[
            /* id */ &new.id,
            /* user_id */ &new.user,
            /* token_version */ &new.token_version,
            /* ip */ &new.ip,
            /* user_agent */ &new.user_agent,
            /* amr */ &new.amr,
            /* is_remembered */ &new.is_remembered,
            /* at */ &new.at,
            /* expires_at */ &new.expires_at,
        ],
    )
    .await
}

/// Locks the account of a signed-in person, see [`accounts::lock`], and checks the session under that lock:
/// it may have ended since the request began, and cannot end before the commit. 401 when it has ended.
pub async fn lock_signed_in(tx: &Tx<'_>, claimed: SessionClaims, at: Timestamp) -> Result<WithPassword> {
    let locked = accounts::lock(tx, claimed.user).await?;
    let locked =
        locked.filter(|locked| locked.account.token_version == claimed.token_version && locked.account.suspended_at.is_none());
    let session = tx
        .row_opt(
            "select id from sessions
             where id = $1 and user_id = $2 and token_version = $3 and revoked_at is null and expires_at > $4 and last_seen_at > $5
             for share",
            &[
                /* id */ &claimed.session,
                /* user_id */ &claimed.user,
                /* token_version */ &claimed.token_version,
                /* now */ &at,
                /* idle_since */ &idle_since(at),
            ],
        )
        .await?;
    locked.filter(|_| session.is_some()).ok_or_else(|| Fault::unauthorized().into())
}

/// The session that stays when all others of an account end.
#[derive(Debug, Clone, Copy)]
pub struct KeepSession {
    pub session: SessionId,
    /// The browser that holds it, by the hash of its device cookie.
    pub browser: Option<Hash>,
}

/// What a session's cookie is made of, beside its id.
#[derive(Debug, Clone, Copy)]
pub struct SessionTimes {
    /// The account's `token_version`.
    pub token_version: i32,
    /// When the person authenticated.
    pub auth_at: Timestamp,
    /// When the session was started.
    pub created_at: Timestamp,
    /// When it ends at the latest.
    pub expires_at: Timestamp,
    /// Whether the browser keeps it when it is closed.
    pub is_remembered: bool,
}

/// Ends every session of an account but one, by raising its `token_version`, and forgets every other browser.
/// The session that is kept needs a new cookie. `None` when that session had ended: then all have.
pub async fn end_others(tx: &Tx<'_>, user: UserId, keep: KeepSession) -> Result<Option<SessionTimes>> {
    let Some(token_version) = accounts::raise_token_version(tx, user).await? else { return Ok(None) };
    let Some(times) = keep_one(tx, user, keep.session, token_version).await? else { return Ok(None) };
    known_devices::forget_others(tx, user, keep.browser.as_ref()).await?;
    Ok(Some(times))
}

/// Keeps a session of an account whose `token_version` was just raised to this one. `None` when it had ended
/// before.
async fn keep_one(tx: &Tx<'_>, user: UserId, session: SessionId, token_version: i32) -> Result<Option<SessionTimes>> {
    let found = tx
        .row_opt(
            "update sessions set token_version = $3
             where id = $1 and user_id = $2 and token_version = $3 - 1 and revoked_at is null
             returning auth_at, created_at, expires_at,
                 coalesce(is_remembered, expires_at - created_at > interval '24 hours') as is_remembered",
            &[/* id */ &session, /* user_id */ &user, /* token_version */ &token_version],
        )
        .await?;
    let Some(found) = found else { return Ok(None) };
    Ok(Some(row::read!(&found => SessionTimes {
        auth_at, created_at, expires_at, is_remembered;
        token_version,
    })))
}

/// Ends every session of every account, or of those that are no administrators, by raising their
/// `token_version`. Answers the number of accounts.
pub async fn end_everywhere(tx: &Tx<'_>, with_administrators: bool) -> Result<u64> {
    let all = "update users set token_version = token_version + 1";
    let others = "update users set token_version = token_version + 1 where not is_admin";
    tx.execute(if with_administrators { all } else { others }, &[]).await
}

/// Keeps the session of a request while [`end_everywhere`] ends all others. `None` when it had ended before.
pub async fn keep_signed_in(tx: &Tx<'_>, claimed: SessionClaims) -> Result<Option<SessionTimes>> {
    keep_one(tx, claimed.user, claimed.session, claimed.token_version.saturating_add(1)).await
}

/// When the person of a session authenticated; `None` when its row is gone.
pub async fn auth_at(executor: &impl Executor, id: SessionId) -> Result<Option<Timestamp>> {
    let found = executor.row_opt("select auth_at from sessions where id = $1", &[/* id */ &id]).await?;
    found.as_ref().map(|f| row::get(f, "auth_at")).transpose()
}

/// Writes that the person of a session has just proved who they are.
pub async fn set_proved(tx: &Tx<'_>, id: SessionId, at: Timestamp) -> Result<()> {
    let sql = "update sessions set proved_at = $2 where id = $1 and revoked_at is null";
    tx.execute_one("session.set_proved", sql, &[/* id */ &id, /* proved_at */ &at]).await
}

/// Ends a session, and answers its account; `None` when it was revoked before.
pub async fn revoke(tx: &Tx<'_>, id: SessionId, at: Timestamp) -> Result<Option<UserId>> {
    let revoked = tx
        .row_opt(
            "update sessions set revoked_at = $2 where id = $1 and revoked_at is null returning user_id",
            &[/* id */ &id, /* revoked_at */ &at],
        )
        .await?;
    revoked.as_ref().map(|row| row::get(row, "user_id")).transpose()
}

/// An active session, as its owner sees it.
#[derive(Debug, Clone)]
pub struct ListedSession {
    pub id: SessionId,
    /// The address that it was started from.
    pub ip: Option<IpAddr>,
    /// The `User-Agent` that it was started with.
    pub user_agent: Option<String>,
    /// When it was started.
    pub created_at: Timestamp,
    /// When it was last used, to some minutes.
    pub last_seen_at: Timestamp,
    /// The OIDC clients that it signed in to, by their ids.
    pub clients: Vec<String>,
}

/// The active sessions of an account.
const ACTIVE: &str = "from sessions join users on users.id = sessions.user_id and users.token_version = sessions.token_version
    where sessions.user_id = $1 and sessions.revoked_at is null and sessions.expires_at > $2 and sessions.last_seen_at > $3";

/// A page of the active sessions of an account, the newest first.
pub async fn list_active(executor: &impl Executor, user: UserId, now: Timestamp, page: PageRequest) -> Result<Page<ListedSession>> {
    let idle_since = idle_since(now);
    let sql = format!(
        "select sessions.id, sessions.ip, sessions.user_agent, sessions.created_at, sessions.last_seen_at, count(*) over () as total,
                array(select client_id from oidc_session_clients where session_id = sessions.id order by client_id) as clients
         {ACTIVE} order by sessions.created_at desc, sessions.id limit $4 offset $5"
    );
    let rows = executor
        .rows(
            &sql,
            &[
                /* user_id */ &user,
                /* now */ &now,
                /* idle_since */ &idle_since,
                /* limit */ &page.limit(),
                /* offset */ &page.offset(),
            ],
        )
        .await?;
    let total = match rows.first() {
        Some(row) => row::get(row, "total")?,
        None if page.page == 1 => 0,
        // The page is behind the end.
        None => {
            let sql = format!("select count(*) as total {ACTIVE}");
            let counted = executor.row(&sql, &[/* user_id */ &user, /* now */ &now, /* idle_since */ &idle_since]).await?;
            row::get(&counted, "total")?
        }
    };
    let listed = |value| {
        let id: Uuid = row::get(value, "id")?;
        Ok(row::read!(value => ListedSession {
            ip, user_agent, created_at, last_seen_at, clients;
            id: SessionId(id),
        }))
    };
    Ok(Page { items: rows.iter().map(listed).collect::<Result<_>>()?, total })
}

/// When an account last ended its other sessions.
pub async fn last_revoked_others(executor: &impl Executor, user: UserId) -> Result<Option<Timestamp>> {
    let found = executor
        .row_opt(
            "select created_at from account_audit where user_id = $1 and event = $2 order by id desc limit 1",
            &[/* user_id */ &user, /* event */ &REVOKED_OTHERS.name()],
        )
        .await?;
    found.as_ref().map(|row| row::get(row, "created_at")).transpose()
}

/// Ends an active session of an account; `false` when the account has no such session.
pub async fn revoke_of(tx: &Tx<'_>, user: UserId, id: SessionId, at: Timestamp) -> Result<bool> {
    let revoked = tx
        .execute(
            "update sessions set revoked_at = $3 from users
             where sessions.id = $1 and sessions.user_id = $2 and users.id = $2 and users.token_version = sessions.token_version
               and sessions.revoked_at is null and sessions.expires_at > $3",
            &[/* id */ &id, /* user_id */ &user, /* revoked_at */ &at],
        )
        .await?;
    Ok(revoked == 1)
}
