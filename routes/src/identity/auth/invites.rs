//! Invitations: `/api/auth/invite`, `/api/auth/accept-invite`.

use super::LinkBody;
use crate::{
    identity::{BODY_LIMIT, Identity, session_cookies},
    web::{Anonymous, ApiRequest, ApiResponse, csrf::Binding},
};
use domain::{
    identity::{Account, invite, one_time::Kind, password},
    shared::{self, Fault, timestamp},
};
use jiff::Timestamp;
use serde::Serialize;
use services::identity::invites;
use storage::identity::{accounts, one_time, one_time::Hash};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InviteView {
    email: String,
    first_name: String,
    #[serde(serialize_with = "timestamp::serialize")]
    expires_at: Timestamp,
}

/// For whom an invitation is, for the page that accepts it. Only who has the link is told.
pub(super) async fn read(identity: Identity, _: Anonymous, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let hash = super::token(query.get("token"))?;
    let found = match find_invited(&identity, hash).await {
        // Why it cannot be accepted is told to who tries.
        Err(fault) if matches!(fault.kind, shared::Kind::BadRequest | shared::Kind::Forbidden) => None,
        found => found?,
    };
    let Some(found) = found else {
        identity.ctx.limits.link_from(request.meta.ip)?;
        return Err(invite::invalid_token());
    };
    let (email, first_name) = (found.account.email.as_str().to_owned(), found.account.first_name);
    ApiResponse::ok(&InviteView { email, first_name, expires_at: found.expires_at })
}

/// Sets the first password of an account that an administrator made; the address is proved by it, and a session started. A password that is
/// refused does not use the invitation up.
pub(super) async fn accept(identity: Identity, _: Binding, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let body: LinkBody = request.json_fields(BODY_LIMIT).await?;
    let hash = super::token(body.token.as_deref())?;
    let Some(Invited { hash, account, .. }) = find_invited(&identity, hash).await? else {
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
struct Invited {
    hash: Hash,
    account: Account,
    expires_at: Timestamp,
}

/// The invitation of a link, or why it cannot be accepted. `None` for one that is none.
async fn find_invited(identity: &Identity, hash: Option<Hash>) -> Result<Option<Invited>, Fault> {
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
