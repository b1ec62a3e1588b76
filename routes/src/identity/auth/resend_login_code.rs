//! `POST /api/auth/resend-login-code`: mails another code for the same login. The one before holds no more; the guesses stay as few.

use super::second_factor;
use crate::{
    identity::{BODY_LIMIT, Identity, browser::Browser, respond},
    web::{ApiRequest, ApiResponse, Endpoint, Message, request::api_request},
};
use domain::{
    identity::{
        Recipient,
        second_factor::{Method, RESEND_AFTER, challenge_expired},
    },
    shared::Fault,
};
use http::header;
use serde::{Deserialize, Serialize};
use storage::identity::{accounts, second_factor::Resend};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "auth" / "resend-login-code")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, resend(identity.clone(), request)))
        .boxed()
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Body {
    login_token: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Resent {
    message: &'static str,
    resend_after: u64,
}

async fn resend(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    identity.ctx.limits.login_from(request.meta.ip)?;
    identity.sessions.check_csrf(&request).await?;
    let body: Body = request.json_fields_or_default(BODY_LIMIT).await?;
    let found = second_factor::find(&identity, &request, body.login_token.as_deref(), Method::Email).await?;

    let at = identity.ctx.clock.now();
    let (hash, letter) = second_factor::new_code(&identity, found.row.id);
    let pending = found.pending.resent(hash, at)?;
    let browser = Browser::of(&identity, &request);
    let recognition = browser.recognised_by(&identity, found.user).await?;
    identity.ctx.limits.login_code_to(found.user, browser.hash_if(recognition))?;
    let connection = identity.ctx.store.connection("account.find").await?;
    let account = accounts::find(&connection, found.user).await?.ok_or_else(challenge_expired)?;
    drop(connection);
    let letter = identity.ctx.mail_queue.compose(&Recipient::from(&account), letter)?;
    let payload = second_factor::payload(&pending)?;
    // Its time begins anew, and so the browser's.
    let cookie = second_factor::cookie(&identity, &found.token)?;
    if !identity.ctx.store.transact(&Resend { pending: found.row, payload, letter, at }).await? {
        // Another one was mailed at the same moment, or the login is over.
        return Err(Fault::too_many(RESEND_AFTER));
    }
    let resent = Resent { message: request.meta.language.text(Message::CodeSent), resend_after: RESEND_AFTER.as_secs() };
    Ok(ApiResponse::ok(&resent)?.with(header::SET_COOKIE, cookie))
}
