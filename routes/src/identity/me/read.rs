//! `GET /api/me`: the profile of who is signed in.

use crate::{
    identity::{Identity, profile::Profile, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::shared::Fault;
use storage::identity::accounts;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me")
        .and(warp::get())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, me(identity.clone(), request)))
        .boxed()
}

async fn me(identity: Identity, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let signed_in = identity.sessions.signed_in(&request).await?;
    let session = identity.ctx.store.connection("account.find").await?;
    let account = accounts::find(&session, signed_in.user).await?.ok_or_else(Fault::unauthorized)?;
    ApiResponse::ok(&Profile::of(account, &identity.ctx.settings.locales))
}
