//! `DELETE /api/me/password`: from now on only a passkey signs in. Every other session of the account ends.

use crate::{
    identity::{BODY_LIMIT, Identity, reauth_body::ReauthBody, respond, session_cookies, success},
    web::{ApiRequest, ApiResponse, Endpoint, Message, request::api_request},
};
use domain::shared::Fault;
use services::identity::password;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "password")
        .and(warp::delete())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, remove(identity.clone(), request)))
        .boxed()
}

async fn remove(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&request).await?;
    let body: ReauthBody = request.json_fields(BODY_LIMIT).await?;
    let context = identity.request_context(&request);
    let times = password::remove(&identity.ctx, &context, signed_in.claimed(), body.one()).await?;
    session_cookies::reissue(&identity, signed_in, times, ApiResponse::ok(&success(&request, Message::PasswordRemoved))?)
}
