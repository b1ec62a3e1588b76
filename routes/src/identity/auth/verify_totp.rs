//! `POST /api/auth/verify-totp`: finishes a login with a code of the authenticator app, or with a backup code.

use super::second_factor::{self, CodeBody};
use crate::{
    identity::{BODY_LIMIT, Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::shared::Fault;
use services::identity::second_factor::verify_totp;
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
    let login_token = second_factor::login_token(&identity, &request, login_token);
    let verified = verify_totp(&identity.ctx, &identity.request_context(&request), &login_token, &code).await?;
    second_factor::respond(&identity, verified)
}
