//! `POST /api/auth/logout`: ends the session, in the database and in the browser. Without a session there is nothing to end: 200 as well.

use crate::{
    identity::{Identity, respond, success},
    web::{ApiRequest, ApiResponse, Endpoint, Message, request::api_request},
};
use domain::shared::{Fault, Kind};
use storage::identity::sign_in::SignOut;
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
    let answer = ApiResponse::ok(&success(&request, Message::SignedOut));
    match identity.sessions.signed_in_with_csrf(&request).await {
        Ok(signed_in) => {
            let work = SignOut { user: signed_in.user, session: signed_in.session, source: identity.source(&request) };
            identity.ctx.store.transact(&work).await?;
        }
        // From another site a browser sends no cookies of ours, so nothing tells whether it has a session: it keeps what it has.
        Err(fault) if fault.kind == Kind::Unauthorized && !identity.sessions.has_cookie(&request) => return answer,
        Err(fault) if fault.kind == Kind::Unauthorized => {}
        Err(fault) => return Err(fault),
    }
    Ok(identity.sessions.clear_cookies(answer?))
}
