//! The sessions of an account as its owner sees them, and ending them.

use super::{
    Outcome, Source, audit,
    sessions::{self, Kept, Spared},
};
use crate::{Connection, Executor, Result, Tx, TxOperation, row, shared::sessions::idle_since};
use domain::shared::{Fault, SessionId, UserId};
use jiff::Timestamp;
use std::net::IpAddr;
use uuid::Uuid;

/// How many a list shows at most: the newest.
pub const LISTED: i64 = 200;
/// The event that ends the others.
const REVOKED_OTHERS: &str = "sessions.revoked_others";

/// A living session.
#[derive(Debug, Clone)]
pub struct Device {
    /// Its id.
    pub id: SessionId,
    /// Where it was made.
    pub ip: Option<IpAddr>,
    /// What the browser called itself.
    pub user_agent: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last used, to some minutes.
    pub last_seen_at: Timestamp,
}

/// The living sessions of an account, the newest first.
pub async fn list(session: &Connection, user: UserId, now: Timestamp) -> Result<Vec<Device>> {
    let rows = session
        .rows(
            "select sessions.id, sessions.ip, sessions.user_agent, sessions.created_at, sessions.last_seen_at
             from sessions join users on users.id = sessions.user_id and users.token_version = sessions.token_version
             where sessions.user_id = $1 and sessions.revoked_at is null and sessions.expires_at > $2
               and sessions.last_seen_at > $3
             order by sessions.created_at desc, sessions.id limit $4",
            &[/* user_id */ &user.0, /* now */ &now, /* idle_since */ &idle_since(now), /* limit */ &LISTED],
        )
        .await?;
    let device = |value| {
        let id: Uuid = row::get(value, "id")?;
        Ok(Device {
            id: SessionId(id),
            ip: row::get(value, "ip")?,
            user_agent: row::get(value, "user_agent")?,
            created_at: row::get(value, "created_at")?,
            last_seen_at: row::get(value, "last_seen_at")?,
        })
    };
    rows.iter().map(device).collect()
}

/// When an account last ended its other sessions.
pub async fn last_revoked_others(session: &Connection, user: UserId) -> Result<Option<Timestamp>> {
    let found = session
        .row_opt(
            "select created_at from account_audit where user_id = $1 and event = $2 order by id desc limit 1",
            &[/* user_id */ &user.0, /* event */ &REVOKED_OTHERS],
        )
        .await?;
    found.as_ref().map(|f| row::get(f, "created_at")).transpose()
}

/// Ends one session of an account.
pub struct RevokeOne {
    /// Whose.
    pub user: UserId,
    /// Which.
    pub session: SessionId,
    /// Where it came from.
    pub source: Source,
}

impl TxOperation for RevokeOne {
    /// Whether there was such a living one.
    type Output = bool;

    const NAME: &'static str = "session.revoke_one";

    async fn run(&self, tx: &Tx<'_>) -> Result<bool> {
        let revoked = tx
            .execute(
                "update sessions set revoked_at = $3 from users
                 where sessions.id = $1 and sessions.user_id = $2 and users.id = $2 and users.token_version = sessions.token_version
                   and sessions.revoked_at is null and sessions.expires_at > $3",
                &[/* id */ &self.session.0, /* user_id */ &self.user.0, /* revoked_at */ &self.source.at],
            )
            .await?;
        if revoked == 1 {
            audit::record(tx, "sessions.revoked_one", Outcome::Success, self.source.attempt(Some(self.user))).await?;
        }
        Ok(revoked == 1)
    }
}

/// Ends every session of an account but one.
pub struct RevokeOthers {
    /// Whose.
    pub user: UserId,
    /// What lives on.
    pub spared: Spared,
    /// Where it came from.
    pub source: Source,
}

impl TxOperation for RevokeOthers {
    /// For the new cookie.
    type Output = Kept;

    const NAME: &'static str = "session.revoke_others";

    /// 401 when this session was ended at this very moment: so its wish does not count any more.
    async fn run(&self, tx: &Tx<'_>) -> Result<Kept> {
        let Some(kept) = sessions::end_others(tx, self.user, self.spared).await? else {
            return Err(Fault::unauthorized().into());
        };
        audit::record(tx, REVOKED_OTHERS, Outcome::Success, self.source.attempt(Some(self.user))).await?;
        Ok(kept)
    }
}
