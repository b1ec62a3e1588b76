//! `POST /api/auth/verify-totp`: finishes a login with a code of the authenticator app, or with a backup code.

use super::second_factor::{self, CodeBody};
use crate::{
    identity::{BODY_LIMIT, Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::{identity::second_factor::Method, shared::Fault};
use storage::identity::second_factor::RightCode;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "auth" / "verify-totp")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, verify(identity.clone(), request)))
        .boxed()
}

async fn verify(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    identity.ctx.limits.login_from(request.meta.ip)?;
    identity.sessions.check_csrf(&request).await?;
    let (code, login_token) = request.json_fields::<CodeBody>(BODY_LIMIT).await?.read()?;
    let found = second_factor::find(&identity, &request, login_token.as_deref(), Method::Totp).await?;
    let guessed = second_factor::guess(&identity, &request, found).await?;

    let code = guessed.look(&identity, identity.typed(guessed.found.user, &code)).await?;
    let method = if matches!(code, Some(RightCode::Backup(_))) { "backup_code" } else { "totp" };
    match code {
        Some(code) => guessed.right(&identity, &request, code, method).await,
        None => guessed.wrong(&identity, &request, method).await,
    }
}
