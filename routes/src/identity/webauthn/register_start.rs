//! `POST /api/webauthn/register/start`: what a browser needs to make a passkey for who is signed in.

use crate::{
    identity::{BODY_LIMIT, Identity, ceremony, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use crypto::passkeys::Owner;
use domain::{
    identity::{
        one_time::Kind as OneTime,
        passkey::{self, Handle},
    },
    shared::Fault,
};
use serde::Deserialize;
use storage::identity::{
    accounts,
    passkeys::{self, GiveHandle},
};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "webauthn" / "register" / "start")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, start(identity.clone(), request)))
        .boxed()
}

#[derive(Default, Deserialize)]
#[serde(expecting = "an object")]
struct Body {
    name: Option<String>,
}

async fn start(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    identity.ctx.limits.passkey_from(request.meta.ip)?;
    let signed_in = identity.sessions.signed_in_with_csrf(&request).await?;
    let body: Body = request.json_fields_or_default(BODY_LIMIT).await?;
    let name = passkey::name(body.name.as_deref())?;

    let connection = identity.ctx.store.connection("passkey.list").await?;
    let account = accounts::find(&connection, signed_in.user).await?.ok_or_else(Fault::unauthorized)?;
    let stored = passkeys::list_stored(&connection, signed_in.user).await?;
    drop(connection);
    if stored.len() >= passkey::MOST {
        return Err(passkey::too_many());
    }
    let display_name = account.display_name();
    let mut new = Handle::default();
    identity.ctx.entropy.fill(&mut new);
    let handle = identity.ctx.store.transact(&GiveHandle { user: account.id, new }).await?.ok_or_else(Fault::unauthorized)?;
    let owner = Owner { handle: &handle, name: account.email.as_str(), display_name: &display_name };
    let started = identity.ctx.passkeys.start_registration(owner, &ceremony::known(&stored))?;
    identity.ask(OneTime::PasskeyRegistration, ceremony::Asked::SignedIn(signed_in), started, name).await
}
