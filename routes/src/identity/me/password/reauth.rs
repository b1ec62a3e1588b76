//! `POST /api/me/password-reauth`: what a browser needs so that who is signed in is proved again by a passkey: to give the password up, or, without
//! one, to change the address or delete the account. Only those are asked for that did not come late in the session, see [`domain::identity::Passkey::proves_again`].

use crate::{
    identity::{
        Identity,
        ceremony::{self, Asked},
        respond,
    },
    web::{Answer, Call, Endpoint, call::call},
};
use domain::{identity::one_time::Kind as OneTime, shared::Fault};
use storage::identity::{passkeys, sessions};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "password-reauth")
        .and(warp::post())
        .and(call())
        .then(move |call: Call| respond(call.arrival, start(identity.clone(), call)))
        .boxed()
}

async fn start(identity: Identity, call: Call) -> Result<Answer, Fault> {
    identity.limits.passkey_from(call.arrival.ip)?;
    let signed_in = identity.sessions.signed_in_with_csrf(&call).await?;
    let connection = identity.store.read("passkey.list").await?;
    let mut stored = passkeys::list_stored(&connection, signed_in.user).await?;
    let auth_at = sessions::auth_at(&connection, signed_in.session).await?.ok_or_else(Fault::unauthorized)?;
    drop(connection);
    if stored.is_empty() {
        return Err(Fault::bad_request("noPasskeys", "This account has no passkey"));
    }
    stored.retain(|it| it.passkey.proves_again(auth_at));
    if stored.is_empty() {
        return Err(Fault::bad_request(
            "noPasskeys",
            "The passkeys of this account are newer than this session; sign in with one first",
        ));
    }
    let started = identity.passkeys.start_authentication(&ceremony::known(&stored))?;
    identity.ask(OneTime::PasskeyProof, Asked::SignedIn(signed_in), started, None).await
}
