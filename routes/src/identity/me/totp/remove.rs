//! `DELETE /api/me/totp`: takes the app away, for one of its codes or a backup code.

use super::{change, code_of, invalid_code, not_enabled};
use crate::{
    identity::{Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::shared::Fault;
use serde::Serialize;
use storage::identity::second_factor::Change;
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
    let user = signed_in.user;
    let code = code_of(&mut request).await?;
    if !identity.has_totp(user).await? {
        return Err(not_enabled());
    }
    let admitted = identity.admit_code(&request, user).await?;
    let code = identity.or_take_back(admitted.key, identity.typed(user, &code)).await?.ok_or_else(invalid_code)?;
    change(&identity, &request, signed_in, Change::Remove { code }, admitted.key).await?;
    ApiResponse::ok(&State { enabled: false })
}
