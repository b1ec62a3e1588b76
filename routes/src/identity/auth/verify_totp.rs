//! `POST /api/auth/verify-totp`: finishes a login with a code of the authenticator app, or with a backup code.

use super::second_factor::{self, CodeBody};
use crate::{
    identity::{BODY_LIMIT, Identity, respond},
    web::{Answer, Call, Endpoint, call::call},
};
use domain::{identity::second_factor::Method, shared::Fault};
use storage::identity::second_factor::RightCode;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "auth" / "verify-totp")
        .and(warp::post())
        .and(call())
        .then(move |call: Call| respond(call.arrival, verify(identity.clone(), call)))
        .boxed()
}

async fn verify(identity: Identity, mut call: Call) -> Result<Answer, Fault> {
    identity.limits.login_from(call.arrival.ip)?;
    identity.sessions.check_csrf(&call).await?;
    let (code, login_token) = call.form::<CodeBody>(BODY_LIMIT).await?.read()?;
    let found = second_factor::find(&identity, &call, login_token.as_deref(), Method::Totp).await?;
    let guessed = second_factor::guess(&identity, &call, found).await?;

    let code = guessed.look(&identity, identity.typed(guessed.found.user, &code)).await?;
    let method = if matches!(code, Some(RightCode::Backup(_))) { "backup_code" } else { "totp" };
    match code {
        Some(code) => guessed.right(&identity, &call, code, method).await,
        None => guessed.wrong(&identity, &call, method).await,
    }
}
