//! Living sessions: `sessions` beside its account. Making and ending them is the identity wing's.

use crate::{Query, Result, row};
use domain::shared::{SessionId, UserId};
use jiff::Timestamp;

/// What a session cookie claims.
#[derive(Debug, Clone, Copy)]
pub struct Claimed {
    /// Which session.
    pub session: SessionId,
    /// Whose.
    pub user: UserId,
    /// The account's `token_version` when the cookie was signed.
    pub token_version: i32,
}

/// What is true of the account now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Living {
    /// Whether the address was proved.
    pub email_verified: bool,
    /// Whether the account may administer.
    pub is_admin: bool,
}

/// The account behind a claim, if the session still lives: not revoked, not expired, its account neither suspended nor moved to
/// another `token_version`.
pub async fn find_living(query: &impl Query, claimed: Claimed, now: Timestamp) -> Result<Option<Living>> {
    let found = query
        .row_opt(
            "select users.email_verified, users.is_admin
             from sessions join users on users.id = sessions.user_id
             where sessions.id = $1 and sessions.user_id = $2 and sessions.token_version = $3
               and users.token_version = sessions.token_version and users.suspended_at is null
               and sessions.revoked_at is null and sessions.expires_at > $4",
            &[
                /* id */ &claimed.session.0,
                /* user_id */ &claimed.user.0,
                /* token_version */ &claimed.token_version,
                /* now */ &now,
            ],
        )
        .await?;
    let Some(found) = found else { return Ok(None) };
    Ok(Some(Living { email_verified: row::get(&found, "email_verified")?, is_admin: row::get(&found, "is_admin")? }))
}
