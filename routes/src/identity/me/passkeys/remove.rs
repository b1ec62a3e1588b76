//! `DELETE /api/me/passkeys/{id}`: takes a passkey away, unless it is the last way in.

use crate::{
    identity::{Identity, respond, success},
    web::{ApiRequest, ApiResponse, Endpoint, Message, path::segment, request::api_request},
};
use domain::shared::{Fault, PasskeyId};
use storage::identity::passkeys::RemovePasskey;
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
    let work = RemovePasskey { owner: signed_in.claimed(), id, source: identity.source(&request) };
    if !identity.ctx.store.transact(&work).await? {
        return Err(Fault::not_found());
    }
    ApiResponse::ok(&success(&request, Message::PasskeyRemoved))
}
