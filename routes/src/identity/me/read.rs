//! `GET /api/me`: the profile of who is signed in.

use crate::{
    identity::{Identity, profile::Profile, respond},
    web::{Answer, Call, Endpoint, call::call},
};
use domain::shared::Fault;
use storage::identity::accounts;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me")
        .and(warp::get())
        .and(call())
        .then(move |call: Call| respond(call.arrival, me(identity.clone(), call)))
        .boxed()
}

async fn me(identity: Identity, call: Call) -> Result<Answer, Fault> {
    let signed_in = identity.sessions.signed_in(&call).await?;
    let session = identity.store.read("account.find").await?;
    let account = accounts::find(&session, signed_in.user).await?.ok_or_else(Fault::unauthorized)?;
    Answer::ok(&Profile::of(account, &identity.settings.locales))
}
