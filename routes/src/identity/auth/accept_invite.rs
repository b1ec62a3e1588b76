//! `POST /api/auth/accept-invite`: the first password of an account that an administrator made; the address is proved by it, and a session
//! opened. A password that is refused does not use the invitation up.

use super::LinkBody;
use crate::{
    identity::{BODY_LIMIT, Identity, respond, session_cookies},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::{
    identity::{Account, invite, one_time::Kind, password},
    shared::Fault,
};
use jiff::Timestamp;
use services::identity::invites;
use storage::identity::{accounts, one_time, one_time::Hash};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "auth" / "accept-invite")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, accept(identity.clone(), request)))
        .boxed()
}

async fn accept(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    identity.sessions.check_csrf(&request).await?;
    let body: LinkBody = request.json_fields(BODY_LIMIT).await?;
    let hash = super::token(body.token.as_deref())?;
    let Some(Invited { hash, account, .. }) = invited(&identity, hash).await? else {
        identity.ctx.limits.link_from(request.meta.ip)?;
        return Err(invite::invalid_token());
    };
    let rules = &identity.ctx.settings.password_rules;
    let new = password::check_new(rules, "newPassword", body.new_password, &account.personal_words())?;
    let new_hash = identity.ctx.passwords.hash(new).await?;
    let started = invites::accept(&identity.ctx, &identity.request_context(&request), hash, &account, new_hash).await?;
    session_cookies::respond(&identity, started)
}

/// An invitation that can be accepted.
pub(super) struct Invited {
    hash: Hash,
    /// Whose.
    pub(super) account: Account,
    /// Until when.
    pub(super) expires_at: Timestamp,
}

/// The invitation of a link, or why it cannot be accepted. `None` for one that is none.
pub(super) async fn invited(identity: &Identity, hash: Option<Hash>) -> Result<Option<Invited>, Fault> {
    let Some(hash) = hash else { return Ok(None) };
    let connection = identity.ctx.store.connection("link.find").await?;
    let Some(seen) = one_time::find(&connection, Kind::Invite, &hash).await? else { return Ok(None) };
    let Some(user) = seen.token.user else { return Ok(None) };
    let Some(account) = accounts::find(&connection, user).await? else { return Ok(None) };
    match invite::check_acceptable(seen.state(identity.ctx.clock.now()), &account) {
        Ok(()) => Ok(Some(Invited { hash, account, expires_at: seen.token.expires_at })),
        Err(fault) if fault.code == invite::invalid_token().code => Ok(None),
        Err(fault) => Err(fault),
    }
}
