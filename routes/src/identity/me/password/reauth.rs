//! `POST /api/me/password-reauth`: what a browser needs so that who is signed in is proved again by a passkey: to give the password up, or, without
//! one, to change the address or delete the account. Only those are asked for that did not come late in the session, see [`domain::identity::Passkey::proves_again`].

use crate::{
    identity::{
        Identity,
        ceremony::{self, Asked},
        respond,
    },
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::{identity::one_time::Kind as OneTime, shared::Fault};
use storage::identity::{passkeys, sessions};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "password-reauth")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, start(identity.clone(), request)))
        .boxed()
}

async fn start(identity: Identity, request: ApiRequest) -> Result<ApiResponse, Fault> {
    identity.ctx.limits.passkey_from(request.meta.ip)?;
    let signed_in = identity.sessions.signed_in_with_csrf(&request).await?;
    let connection = identity.ctx.store.connection("passkey.list").await?;
    let mut stored = passkeys::list_stored(&connection, signed_in.user).await?;
    let auth_at = sessions::auth_at(&connection, signed_in.session).await?.ok_or_else(Fault::unauthorized)?;
    drop(connection);
    if stored.is_empty() {
        return Err(Fault::bad_request("noPasskeys", "This account has no passkey"));
    }
    stored.retain(|stored| stored.passkey.proves_again(auth_at));
    if stored.is_empty() {
        return Err(Fault::bad_request(
            "noPasskeys",
            "The passkeys of this account are newer than this session; sign in with one first",
        ));
    }
    let started = identity.ctx.passkeys.start_authentication(&ceremony::known(&stored))?;
    identity.ask(OneTime::PasskeyProof, Asked::SignedIn(signed_in), started, None).await
}
