//! `POST /api/auth/password/reset`: a new password for who followed the link of a mail. It proves the address, ends every session and every
//! other reset link, and signs nobody in: a second factor is not left out by it.

use super::LinkBody;
use crate::{
    identity::{BODY_LIMIT, Identity, respond, success},
    web::{ApiRequest, ApiResponse, Endpoint, Message, request::api_request},
};
use domain::{
    identity::{
        one_time::{Kind, State},
        password,
    },
    shared::Fault,
};
use services::identity::{password as password_use_cases, secrets::Target};
use storage::identity::{accounts, accounts::WithPassword, links::ResetPassword, one_time, one_time::Hash};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "auth" / "password" / "reset")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, reset(identity.clone(), request)))
        .boxed()
}

async fn reset(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    identity.sessions.check_csrf(&request).await?;
    let body: LinkBody = request.json_fields(BODY_LIMIT).await?;
    let hash = super::token(body.token.as_deref())?;
    let Some((hash, stored)) = open(&identity, hash).await? else {
        identity.ctx.limits.link_from(request.meta.ip)?;
        return Err(super::invalid_token());
    };
    stored.account.check_not_suspended()?;
    let rules = &identity.ctx.settings.password_rules;
    let new = password::check_new(rules, "newPassword", body.new_password, &stored.account.personal_words())?;
    let new_hash = password_use_cases::hash_unused(&identity.ctx, &stored, new).await?;
    let guesses = identity.ctx.secrets.lockout_key(Target::Password(&stored.account.email), None);
    if !identity.ctx.store.transact(&ResetPassword { hash, new_hash, guesses, source: identity.source(&request) }).await? {
        return Err(super::invalid_token());
    }
    ApiResponse::ok(&success(&request, Message::PasswordReset))
}

/// The account of a link that can be used. Looked at before the password is: one that is refused does not use the link up.
async fn open(identity: &Identity, hash: Option<Hash>) -> Result<Option<(Hash, WithPassword)>, Fault> {
    let Some(hash) = hash else { return Ok(None) };
    let connection = identity.ctx.store.connection("link.find").await?;
    let Some(seen) = one_time::find(&connection, Kind::PasswordReset, &hash).await? else { return Ok(None) };
    if seen.state(identity.ctx.clock.now()) != State::Usable {
        return Ok(None);
    }
    let Some(user) = seen.token.user else { return Ok(None) };
    Ok(accounts::find_with_password(&connection, user).await?.map(|with_password| (hash, with_password)))
}
