//! The pending login: a row that waits for its second factor, and what the browser holds of it.

use crate::{
    identity::Identity,
    web::{
        ApiRequest,
        cookie::{self, Keep},
    },
};
use crypto::link;
use domain::{
    identity::{
        one_time::{Kind as OneTime, State},
        second_factor::{Method, Pending, challenge_expired},
    },
    shared::{Fault, Kind, UserId},
};
use http::HeaderValue;
use jiff::Timestamp;
use serde_json::Value;
use storage::identity::one_time::{self, Hash, OneTimeToken, StoredToken};

/// The cookie of a pending login whose time begins now.
pub(in crate::identity::auth) fn cookie(identity: &Identity, token: &str) -> Result<HeaderValue, Fault> {
    let cookies = identity.sessions.cookies();
    cookies.set(cookies.login_pending(), token, Keep::For(OneTime::PendingLogin.lifetime()))
}

/// A pending login as it is stored.
pub(in crate::identity::auth) fn payload(pending: &Pending) -> Result<Value, Fault> {
    serde_json::to_value(pending).map_err(|error| Fault::internal(format!("pending login: {error}")))
}

/// A pending login as it was found.
pub(in crate::identity::auth) struct Found {
    /// Its row.
    pub(in crate::identity::auth) row: OneTimeToken,
    /// Whose.
    pub(in crate::identity::auth) user: UserId,
    /// What it waits for.
    pub(in crate::identity::auth) pending: Pending,
    /// What names it to the browser.
    pub(in crate::identity::auth) token: String,
    pub(super) hash: Hash,
}

/// Finds the pending login of a request that waits for one method: by the token in its body, else by its cookie. 401 when there is none that
/// could still be finished, 429 when it has no guess left.
pub(in crate::identity::auth) async fn find(
    identity: &Identity,
    request: &ApiRequest,
    token: Option<&str>,
    method: Method,
) -> Result<Found, Fault> {
    let token = token.or_else(|| cookie::find(&request.headers, identity.sessions.cookies().login_pending()));
    let token = token.unwrap_or_default().to_owned();
    let hash = link::hash(&token).ok_or_else(challenge_expired)?;
    let connection = identity.ctx.store.connection("one_time.find").await?;
    let seen = one_time::find(&connection, OneTime::PendingLogin, &hash).await?;
    let row = still_open(seen, identity.ctx.clock.now())?;
    let pending = read(&row)?;
    match row.user {
        Some(user) if pending.method == method => Ok(Found { row, user, pending, token, hash }),
        _ => Err(challenge_expired()),
    }
}

pub(super) fn read(row: &OneTimeToken) -> Result<Pending, Fault> {
    serde_json::from_value(row.payload.clone()).map_err(|error| Fault::internal(format!("pending login: {error}")))
}

pub(super) fn still_open(seen: Option<StoredToken>, now: Timestamp) -> Result<OneTimeToken, Fault> {
    let Some(seen) = seen else { return Err(challenge_expired()) };
    if seen.state(now) == State::Usable {
        return Ok(seen.token);
    }
    if seen.used_at.is_none() && seen.token.attempts_left == Some(0) && seen.token.expires_at > now {
        let left = seen.token.expires_at.duration_since(now).unsigned_abs();
        return Err(Fault::new(Kind::TooMany, "rateLimited", "No guess is left; sign in again").retry(left));
    }
    Err(challenge_expired())
}
