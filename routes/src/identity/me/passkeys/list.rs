//! `GET /api/me/passkeys`: the passkeys of the account, the oldest first.

use super::PasskeyView;
use crate::{
    identity::{Identity, respond},
    web::{Answer, Call, Endpoint, call::call},
};
use domain::shared::Fault;
use serde::Serialize;
use storage::identity::passkeys;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "passkeys")
        .and(warp::get())
        .and(call())
        .then(move |call: Call| respond(call.arrival, list(identity.clone(), call)))
        .boxed()
}

#[derive(Serialize)]
struct Passkeys {
    passkeys: Vec<PasskeyView>,
}

async fn list(identity: Identity, call: Call) -> Result<Answer, Fault> {
    let signed_in = identity.sessions.signed_in(&call).await?;
    let connection = identity.store.read("passkey.list").await?;
    let passkeys = passkeys::list(&connection, signed_in.user).await?;
    Answer::ok(&Passkeys { passkeys: passkeys.into_iter().map(PasskeyView::from).collect() })
}
