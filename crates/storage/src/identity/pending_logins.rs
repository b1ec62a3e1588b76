//! Logins that wait for their second factor: a kind of [`super::one_time`], read with all that the check of a
//! code needs.
//!
//! Of the logins of an account that wait for a mailed code only the newest can be finished: see
//! [`expire_mailed_codes`].

use super::{
    known_devices::{Device, failed_after, read_recognition, recognition, seen_after},
    one_time::{self, Hash, StoredToken},
};
use crate::{Executor, Result, Tx, row};
use domain::{
    identity::{device::Recognition, one_time::Kind},
    shared::UserId,
};
use jiff::Timestamp;
use uuid::Uuid;

/// A pending login with what is known of its account.
#[derive(Debug)]
pub struct PendingLoginRow {
    /// The row of the login.
    pub stored: StoredToken,
    /// What the account knows of the browser that now sends a code.
    pub recognition: Recognition,
    /// The sealed secret of the account's authenticator app.
    pub totp_secret: Option<Vec<u8>>,
}

/// The pending login of a token's hash. One statement, because the login, the browser and the app are all
/// needed before a code can be checked.
pub async fn find(executor: &impl Executor, hash: &Hash, device: &Device, now: Timestamp) -> Result<Option<PendingLoginRow>> {
    let found = executor
        .row_opt(
            concat!(
                "select one_time.id, one_time.user_id, one_time.session_id, one_time.payload, one_time.attempts_left, one_time.created_at,
                        one_time.expires_at, one_time.used_at, totp.secret, coalesce(recognition.is_first, false) as is_first,
                        coalesce(recognition.by_cookie, false) as by_cookie,
                        coalesce(recognition.by_browser_and_network, false) as by_browser_and_network,
                        coalesce(recognition.by_network, false) as by_network, coalesce(recognition.failures, 0) as failures
                 from one_time
                 left join totp on totp.user_id = one_time.user_id
                 left join lateral (",
                recognition!("one_time.user_id"),
                ") as recognition on true
                 where one_time.kind = $1 and one_time.hash = $7"
            ),
            &[
                /* kind */ &Kind::PendingLogin.into_str(),
                /* device hash */ &device.hash.as_ref().map(<[u8; 32]>::as_slice),
                /* browser */ &device.browser,
                /* network */ &device.network,
                /* seen_after */ &seen_after(now),
                /* failed_after */ &failed_after(now),
                /* hash */ &hash.as_slice(),
            ],
        )
        .await?;
    let Some(found) = found else { return Ok(None) };
    Ok(Some(PendingLoginRow {
        stored: one_time::read_stored(&found)?,
        recognition: read_recognition(&found)?,
        totp_secret: row::get(&found, "secret")?,
    }))
}

/// Ends the logins of an account that wait for a mailed code, but for one: its own row may be added by an
/// earlier statement or by a later one.
pub async fn expire_mailed_codes(tx: &Tx<'_>, user: UserId, except: Option<Uuid>, at: Timestamp) -> Result<u64> {
    tx.execute(
        "update one_time set expires_at = $3
         where user_id = $2 and kind = $1 and id is distinct from $4 and used_at is null and expires_at > $3
           and jsonb_typeof(payload -> 'mailed') = 'object'",
        &[
            /* kind */ &Kind::PendingLogin.into_str(),
            /* user_id */ &user,
            /* expires_at */ &at,
            /* except */ &except,
        ],
    )
    .await
}
