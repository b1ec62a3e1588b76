//! `DELETE /api/me/passkeys/{id}`: removes a passkey, unless nobody could sign in without it.

use crate::{
    identity::{Identity, respond, success},
    web::{ApiRequest, ApiResponse, Endpoint, Message, path::segment, request::api_request},
};
use domain::shared::{Fault, PasskeyId};
use services::identity::passkeys;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "passkeys" / ..)
        .and(segment::<PasskeyId>())
        .and(warp::path::end())
        .and(warp::delete())
        .and(api_request())
        .then(move |id: PasskeyId, request: ApiRequest| respond(request.meta, remove(identity.clone(), id, request)))
        .boxed()
}

async fn remove(identity: Identity, id: PasskeyId, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&request).await?;
    passkeys::remove(&identity.ctx, &identity.request_context(&request), signed_in.claimed(), id).await?;
    ApiResponse::ok(&success(&request, Message::PasskeyRemoved))
}
