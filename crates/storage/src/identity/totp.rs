//! Authenticator apps: `totp`. An account has at most one, and beside it one that was not confirmed yet.

use crate::{Connection, Executor, Result, Tx, row};
use domain::shared::UserId;
use jiff::Timestamp;

/// What an account has.
#[derive(Debug, Clone, Default)]
pub struct Totp {
    /// The sealed secret of its app.
    pub secret: Option<Vec<u8>>,
    /// The sealed secret of the one that waits for its first code.
    pub pending: Option<Vec<u8>>,
}

/// The secrets of an account; a pending one that has expired is left out.
pub async fn find(executor: &impl Executor, user: UserId, now: Timestamp) -> Result<Totp> {
    let found = executor
        .row_opt(
            "select secret, case when pending_until > $2 then pending end as pending from totp where user_id = $1",
            &[/* user_id */ &user, /* now */ &now],
        )
        .await?;
    let Some(found) = found else { return Ok(Totp::default()) };
    Ok(Totp { secret: row::get(&found, "secret")?, pending: row::get(&found, "pending")? })
}

/// Stores a new pending secret in place of an earlier pending one; a confirmed app stays in use. `false`
/// without such an account: it was deleted at this moment.
pub async fn start(connection: &Connection, user: UserId, sealed: &[u8], until: Timestamp) -> Result<bool> {
    let started = connection
        .execute(
            "insert into totp (user_id, pending, pending_until)
             select id, $2::bytea, $3::timestamptz from users where id = $1 for key share
             on conflict (user_id) do update set pending = excluded.pending, pending_until = excluded.pending_until",
            &[/* user_id */ &user, /* pending */ &sealed, /* pending_until */ &until],
        )
        .await?;
    Ok(started == 1)
}

/// Puts the secret that waits into use, in place of `replaced`, the one that was in use when the code was
/// compared. `false` when either is another one by now: the secret that waits was confirmed already, or
/// replaced; or another app is in use.
///
/// The step of that code is not used up: who signs in right afterwards has no other one to show.
pub async fn confirm(tx: &Tx<'_>, user: UserId, sealed: &[u8], replaced: Option<&[u8]>, now: Timestamp) -> Result<bool> {
    let confirmed = tx
        .execute(
            "update totp set secret = pending, enabled_at = $3, last_step = null, pending = null, pending_until = null
             where user_id = $1 and pending = $2 and pending_until > $3 and secret is not distinct from $4",
            &[/* user_id */ &user, /* pending */ &sealed, /* now */ &now, /* secret */ &replaced],
        )
        .await?;
    Ok(confirmed == 1)
}

/// Uses up the step of a code, and every earlier one with it. That is no row of [`super::one_time`]: a step
/// is no secret that was given out and is waited for, but a number that only grows, so that one column says
/// of all of them whether they were used; and the same statement looks whether the secret is still the one in
/// use. It is one conditional update like those there. `false` when it, or a later one, was used before, or
/// the secret is not the one any more that the code was compared with.
pub async fn use_step(tx: &Tx<'_>, user: UserId, sealed: &[u8], step: i64) -> Result<bool> {
    let touched = tx
        .execute(
            "update totp set last_step = $3 where user_id = $1 and secret = $2 and (last_step is null or last_step < $3)",
            &[/* user_id */ &user, /* secret */ &sealed, /* last_step */ &step],
        )
        .await?;
    Ok(touched == 1)
}

/// Takes the app away, and what waits with it. `false` when there was none.
pub async fn remove(tx: &Tx<'_>, user: UserId) -> Result<bool> {
    let removed = tx.execute("delete from totp where user_id = $1 and secret is not null", &[/* user_id */ &user]).await?;
    Ok(removed == 1)
}
