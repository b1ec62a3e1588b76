//! `DELETE /api/me/sessions/{id}`: ends one session of the account; the current one as a sign-out does.

use crate::{
    identity::{Identity, respond, sentence},
    web::{Answer, Call, Endpoint, call::call, path::segment},
};
use domain::shared::{Fault, SessionId};
use storage::identity::devices::RevokeOne;
use warp::Filter;

pub(in crate::identity::me) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "sessions" / ..)
        .and(segment::<SessionId>())
        .and(warp::path::end())
        .and(warp::delete())
        .and(call())
        .then(move |session: SessionId, call: Call| respond(call.arrival, revoke(identity.clone(), session, call)))
        .boxed()
}

async fn revoke(identity: Identity, session: SessionId, call: Call) -> Result<Answer, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&call).await?;
    let work = RevokeOne { user: signed_in.user, session, source: identity.source(&call) };
    if !identity.store.run(&work).await? {
        return Err(Fault::not_found());
    }
    let answer = Answer::ok(&sentence(&call, "The session is ended"))?;
    Ok(if session == signed_in.session { identity.sessions.forget(answer) } else { answer })
}
