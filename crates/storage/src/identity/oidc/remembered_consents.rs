//! What people let an app have again without a page, on one browser: the table `oidc_remembered_consents`. A
//! browser is known by its device cookie.

use crate::{Executor, Result, Tx, expiry::Expiring, identity::one_time::Hash};
use domain::{identity::oidc::Scope, shared::UserId};
use jiff::{SignedDuration, Timestamp};

/// For how long.
pub const REMEMBERED_FOR: SignedDuration = SignedDuration::from_hours(90 * 24);

/// Remembers scopes for a client, in the place of those of before. Nothing is remembered for a browser that
/// the account does not know.
pub async fn remember(tx: &Tx<'_>, user: UserId, device: &Hash, client_id: &str, scope: &Scope, at: Timestamp) -> Result<()> {
    let expires_at = at.checked_add(REMEMBERED_FOR).unwrap_or(Timestamp::MAX);
    tx.execute(
        "insert into oidc_remembered_consents (device_id, client_id, scope, expires_at)
         select id, $3, $4, $5 from known_devices where user_id = $1 and hash = $2
         on conflict (device_id, client_id) do update set scope = excluded.scope, expires_at = excluded.expires_at",
        &[
            /* user_id */ &user,
            /* hash */ &device.as_slice(),
            /* client_id */ &client_id,
            /* scope */ &scope.names(),
            /* expires_at */ &expires_at,
        ],
    )
    .await
    .map(|_| ())
}

/// Forgets what an account lets a client have, on every browser.
pub async fn forget(tx: &Tx<'_>, user: UserId, client_id: &str) -> Result<()> {
    tx.execute(
        "delete from oidc_remembered_consents where client_id = $2 and device_id in (select id from known_devices where user_id = $1)",
        &[/* user_id */ &user, /* client_id */ &client_id],
    )
    .await
    .map(|_| ())
}

/// Deletes those that expired before a time, at most `limit`.
pub async fn remove_expired(executor: &impl Executor, until: Timestamp, limit: i64) -> Result<u64> {
    Expiring { table: "oidc_remembered_consents", key: "id", at: "expires_at" }.delete_batch(executor, until, limit).await
}
