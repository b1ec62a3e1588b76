//! A forgotten password: `/api/auth/password/forgot`, `/api/auth/password/reset`.

use super::{LinkBody, invalid_token, read_mail_request};
use crate::{
    identity::{BODY_LIMIT, Identity, success},
    web::{ApiRequest, ApiResponse, Message, csrf::Binding},
};
use domain::{
    identity::{
        one_time::{Kind, State},
        password,
    },
    shared::Fault,
};
use services::identity::{link_requests::request_password_reset, password as password_use_cases, secrets::Target};
use storage::identity::{accounts, accounts::WithPassword, links::ResetPassword, one_time, one_time::Hash};

/// Mails a link to set a new password. The answer is always the same, whether there is such an account or not.
pub(super) async fn forgot(identity: Identity, _: Binding, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let email = read_mail_request(&mut request).await?;
    request_password_reset(&identity.ctx, &identity.request_context(&request), &email).await?;
    ApiResponse::ok(&success(&request, Message::ResetLinkSentIfKnown))
}

/// Sets a new password by the link of a mail. It proves the address, ends every session and every other reset link, and signs nobody
/// in: a second factor is not left out by it.
pub(super) async fn reset(identity: Identity, _: Binding, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let body: LinkBody = request.json_fields(BODY_LIMIT).await?;
    let hash = super::token(body.token.as_deref())?;
    let Some((hash, stored)) = open(&identity, hash).await? else {
        identity.ctx.limits.link_from(request.meta.ip)?;
        return Err(invalid_token());
    };
    stored.account.check_not_suspended()?;
    let rules = &identity.ctx.settings.password_rules;
    let new = password::check_new(rules, "newPassword", body.new_password, &stored.account.personal_words())?;
    let new_hash = password_use_cases::hash_unused(&identity.ctx, &stored, new).await?;
    let guesses = identity.ctx.secrets.lockout_key(Target::Password(&stored.account.email), None);
    if !identity.ctx.store.transact(&ResetPassword { hash, new_hash, guesses, source: identity.source(&request) }).await? {
        return Err(invalid_token());
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
