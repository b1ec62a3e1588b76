//! The one place where sessions end, for whatever reason: signing out, ending one or all others, a changed,
//! removed or reset password, another address, the deletion of the account, and an administrator who suspends
//! or logs out. In the same transaction the grants that a session gave are revoked, unless they are to
//! outlive it (`offline_access`), and each client that the session signed in to gets a logout token (OpenID
//! Connect Back-Channel Logout 1.0): the delivery is a row, so a client is told however the process ends.

use domain::{
    identity::oidc::{
        LogoutNotice,
        client_notice::{AccountDeleted, Deleter, USER_DELETED},
    },
    shared::{Fault, SessionId, UserId},
};
use jiff::Timestamp;
use serde::Serialize;
use storage::{
    Result as StoreResult, Tx,
    identity::{
        accounts, known_devices,
        oidc::{
            client_receivers::{self, AccountRange, LogoutTarget},
            grants,
        },
        sessions::{self, KeepSession, SessionTimes},
    },
    shared::{
        deliveries::{self, NewDelivery},
        sessions::SessionClaims,
    },
};

/// The event of a delivery that becomes a logout token.
const LOGOUT: &str = "logout";

/// Ends a session, and answers its account; `None` when it had ended before.
pub(super) async fn end_session(tx: &Tx<'_>, session: SessionId, at: Timestamp) -> StoreResult<Option<UserId>> {
    let Some(user) = sessions::revoke(tx, session, at).await? else { return Ok(None) };
    session_ended(tx, session, at).await?;
    Ok(Some(user))
}

/// Ends an active session of an account; `false` when the account has no such session.
pub(super) async fn end_session_of(tx: &Tx<'_>, user: UserId, session: SessionId, at: Timestamp) -> StoreResult<bool> {
    let has_ended = sessions::revoke_of(tx, user, session, at).await?;
    if has_ended {
        session_ended(tx, session, at).await?;
    }
    Ok(has_ended)
}

async fn session_ended(tx: &Tx<'_>, session: SessionId, at: Timestamp) -> StoreResult<()> {
    grants::revoke_of_session(tx, session, at).await?;
    let targets = client_receivers::list_for_session(tx, session).await?;
    notify_clients(tx, &targets, at).await
}

/// Ends every session of an account but one; see [`sessions::end_others`].
pub(super) async fn end_others(tx: &Tx<'_>, user: UserId, keep: KeepSession, at: Timestamp) -> StoreResult<Option<SessionTimes>> {
    grants::revoke_of_sessions(tx, user, Some(keep.session), at).await?;
    log_out_others(tx, user, keep, at).await
}

/// The same on the demand of an administrator: what was granted in the sessions stays.
pub(super) async fn log_out_others(
    tx: &Tx<'_>,
    user: UserId,
    keep: KeepSession,
    at: Timestamp,
) -> StoreResult<Option<SessionTimes>> {
    let targets = client_receivers::list_for_others(tx, user, keep.session, at).await?;
    notify_clients(tx, &targets, at).await?;
    sessions::end_others(tx, user, keep).await
}

/// Ends every session of an account, and forgets every browser.
pub(super) async fn end_all(tx: &Tx<'_>, user: UserId, at: Timestamp) -> StoreResult<()> {
    grants::revoke_of_sessions(tx, user, None, at).await?;
    log_out(tx, user, at).await
}

/// The same on the demand of an administrator: what was granted in the sessions stays.
pub(super) async fn log_out(tx: &Tx<'_>, user: UserId, at: Timestamp) -> StoreResult<()> {
    tell_of_all(tx, user, at).await?;
    accounts::raise_token_version(tx, user).await?;
    known_devices::forget_others(tx, user, None).await
}

/// How many accounts are read together while everybody is logged out.
const TOGETHER: i64 = 5000;

/// Ends every session of everybody, or of everybody but the administrators; what was granted in them stays,
/// and browsers stay known, because no single session is suspected. The session that is kept needs a new
/// cookie. Answers the number of accounts.
pub(super) async fn log_out_everybody(
    tx: &Tx<'_>,
    asking: SessionClaims,
    is_kept: bool,
    with_administrators: bool,
    at: Timestamp,
) -> StoreResult<u64> {
    if client_receivers::exist_for_logout(tx).await? {
        let mut range = None;
        while let Some(next) = AccountRange::after(tx, range, TOGETHER).await? {
            let targets = client_receivers::list_for_range(tx, next, asking.user, with_administrators, at).await?;
            notify_clients(tx, &targets, at).await?;
            range = Some(next);
        }
        if with_administrators && is_kept {
            notify_clients(tx, &client_receivers::list_for_others(tx, asking.user, asking.session, at).await?, at).await?;
        } else if with_administrators {
            tell_of_all(tx, asking.user, at).await?;
        }
    }
    sessions::end_everywhere(tx, with_administrators).await
}

/// Deletes an account with its sessions. Besides, every client with a `webhookUrl` is told of it, whether the
/// person ever signed in there or not.
pub(super) async fn delete_account(tx: &Tx<'_>, user: UserId, by: Deleter, at: Timestamp) -> StoreResult<()> {
    tell_of_all(tx, user, at).await?;
    let targets = client_receivers::list_for_accounts(tx).await?;
    let legacy_sub = accounts::legacy_sub(tx, user).await?;
    let all = targets.iter().map(|target| {
        let body = AccountDeleted::new((user, legacy_sub.as_deref()), by, &target.client_id, target.delivery, at);
        Ok(NewDelivery {
            id: target.delivery,
            receiver: target.receiver,
            event: USER_DELETED,
            key: user.to_string(),
            content_type: "application/json",
            body: bytes(&body)?,
            origin_seq: None,
            happened_at: at,
        })
    });
    add(tx, &all.collect::<StoreResult<Vec<_>>>()?, at).await?;
    accounts::delete(tx, user).await
}

async fn tell_of_all(tx: &Tx<'_>, user: UserId, at: Timestamp) -> StoreResult<()> {
    let targets = client_receivers::list_for_all(tx, user, at).await?;
    notify_clients(tx, &targets, at).await
}

async fn notify_clients(tx: &Tx<'_>, targets: &[LogoutTarget], at: Timestamp) -> StoreResult<()> {
    let all = targets.iter().map(|target| {
        Ok(NewDelivery {
            id: target.delivery,
            receiver: target.receiver,
            event: LOGOUT,
            key: key(&target.notice),
            content_type: "application/json",
            body: bytes(&target.notice)?,
            origin_seq: None,
            happened_at: at,
        })
    });
    add(tx, &all.collect::<StoreResult<Vec<_>>>()?, at).await
}

/// A logout that cannot be delivered holds up none of another session.
fn key(notice: &LogoutNotice) -> String {
    notice.session.map_or_else(|| notice.user.to_string(), |session| session.to_string())
}

async fn add(tx: &Tx<'_>, all: &[NewDelivery], at: Timestamp) -> StoreResult<()> {
    if !all.is_empty() {
        deliveries::add(tx, all, at).await?;
    }
    Ok(())
}

fn bytes(body: &impl Serialize) -> StoreResult<Vec<u8>> {
    serde_json::to_vec(body).map_err(|error| Fault::internal(format!("body of a delivery: {error}")).into())
}
