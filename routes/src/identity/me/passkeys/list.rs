//! `GET /api/me/passkeys`: the passkeys of the account, the oldest first.

use super::PasskeyView;
use crate::{
    identity::{Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::shared::Fault;
use serde::Serialize;
use storage::identity::passkeys;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "passkeys")
        .and(warp::get())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, list(identity.clone(), request)))
        .boxed()
}

#[derive(Serialize)]
struct Passkeys {
    passkeys: Vec<PasskeyView>,
}

async fn list(identity: Identity, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let signed_in = identity.sessions.signed_in(&request).await?;
    let connection = identity.ctx.store.connection("passkey.list").await?;
    let passkeys = passkeys::list(&connection, signed_in.user).await?;
    ApiResponse::ok(&Passkeys { passkeys: passkeys.into_iter().map(PasskeyView::from).collect() })
}
