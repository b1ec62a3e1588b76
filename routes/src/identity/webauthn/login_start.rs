//! `POST /api/webauthn/login/start`: what a browser needs to sign in with a passkey. Nobody says who they are: the authenticator knows. An address that
//! is sent changes nothing, so nobody learns whether it has an account. The answer is good in the browser that asked, and in no other.

use crate::{
    identity::{Identity, ceremony::Asked, respond},
    web::{Answer, Call, Endpoint, call::call},
};
use domain::{identity::one_time::Kind as OneTime, shared::Fault};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "webauthn" / "login" / "start")
        .and(warp::post())
        .and(call())
        .then(move |call: Call| respond(call.arrival, start(identity.clone(), call)))
        .boxed()
}

async fn start(identity: Identity, call: Call) -> Result<Answer, Fault> {
    identity.limits.passkey_from(call.arrival.ip)?;
    let browser = identity.sessions.check_csrf(&call).await?;
    let started = identity.passkeys.start_authentication(&[])?;
    identity.ask(OneTime::PasskeyLogin, Asked::Browser(&browser), started, None).await
}
