//! `POST /api/auth/logout`: ends the session, in the database and in the browser. Without a session there is nothing to end: 200 as well.

use crate::{
    identity::{Identity, respond, success},
    web::{ApiRequest, ApiResponse, Endpoint, Message, request::api_request},
};
use domain::shared::{Fault, Kind};
use services::identity::sessions;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "auth" / "logout")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, logout(identity.clone(), request)))
        .boxed()
}

async fn logout(identity: Identity, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let response = ApiResponse::ok(&success(&request, Message::SignedOut));
    match identity.sessions.signed_in_with_csrf(&request).await {
        Ok(signed_in) => sessions::sign_out(&identity.ctx, &identity.request_context(&request), signed_in.claimed()).await?,
        // A request from another site comes without our cookies (SameSite), so whether the browser has a session is unknown: its cookies stay.
        Err(fault) if fault.kind == Kind::Unauthorized && !identity.sessions.has_cookie(&request) => return response,
        Err(fault) if fault.kind == Kind::Unauthorized => {}
        Err(fault) => return Err(fault),
    }
    Ok(identity.sessions.clear_cookies(response?))
}
