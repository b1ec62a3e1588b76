//! `DELETE /api/me/passkeys/{id}`: takes a passkey away, unless it is the last way in.

use crate::{
    identity::{Identity, respond, sentence},
    web::{Answer, Call, Endpoint, call::call, path::segment},
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
        .and(call())
        .then(move |id: PasskeyId, call: Call| respond(call.arrival, remove(identity.clone(), id, call)))
        .boxed()
}

async fn remove(identity: Identity, id: PasskeyId, call: Call) -> Result<Answer, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&call).await?;
    let work = RemovePasskey { owner: signed_in.claimed(), id, source: identity.source(&call) };
    if !identity.store.run(&work).await? {
        return Err(Fault::not_found());
    }
    Answer::ok(&sentence(&call, "The passkey is removed"))
}
