//! `DELETE /api/me/sessions/{id}`: ends one session of the account; the current one as a sign-out does.

use crate::{
    identity::{Identity, respond, success},
    web::{ApiRequest, ApiResponse, Endpoint, Message, path::segment, request::api_request},
};
use domain::shared::{Fault, SessionId};
use services::identity::sessions;
use warp::Filter;

pub(in crate::identity::me) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "sessions" / ..)
        .and(segment::<SessionId>())
        .and(warp::path::end())
        .and(warp::delete())
        .and(api_request())
        .then(move |session: SessionId, request: ApiRequest| respond(request.meta, revoke(identity.clone(), session, request)))
        .boxed()
}

async fn revoke(identity: Identity, session: SessionId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&request).await?;
    sessions::revoke(&identity.ctx, &identity.request_context(&request), signed_in.user, session).await?;
    let answer = ApiResponse::ok(&success(&request, Message::SessionEnded))?;
    Ok(if session == signed_in.session { identity.sessions.clear_cookies(answer) } else { answer })
}
