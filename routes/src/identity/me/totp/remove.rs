//! `DELETE /api/me/totp`: removes the app, for one of its codes or a backup code.

use super::code_of;
use crate::{
    identity::{Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::shared::Fault;
use serde::Serialize;
use services::identity::totp;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "totp")
        .and(warp::delete())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, remove(identity.clone(), request)))
        .boxed()
}

#[derive(Serialize)]
struct State {
    enabled: bool,
}

async fn remove(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&request).await?;
    let code = code_of(&mut request).await?;
    totp::remove(&identity.ctx, &identity.request_context(&request), signed_in.claimed(), &code).await?;
    ApiResponse::ok(&State { enabled: false })
}
