//! `PATCH /api/me/passkeys/{id}`: another name.

use super::PasskeyView;
use crate::{
    identity::{BODY_LIMIT, Identity, respond},
    web::{Answer, Call, Endpoint, call::call, path::segment},
};
use domain::{
    identity::passkey,
    shared::{Fault, PasskeyId},
};
use serde::Deserialize;
use storage::identity::passkeys::RenamePasskey;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "passkeys" / ..)
        .and(segment::<PasskeyId>())
        .and(warp::path::end())
        .and(warp::patch())
        .and(call())
        .then(move |id: PasskeyId, call: Call| respond(call.arrival, rename(identity.clone(), id, call)))
        .boxed()
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Body {
    name: Option<String>,
}

async fn rename(identity: Identity, id: PasskeyId, mut call: Call) -> Result<Answer, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&call).await?;
    let body: Body = call.form(BODY_LIMIT).await?;
    let name = passkey::name(body.name.as_deref())?.ok_or_else(|| Fault::required("name", "Send a name"))?;
    let work = RenamePasskey { user: signed_in.user, id, name, source: identity.source(&call) };
    let renamed = identity.store.run(&work).await?.ok_or_else(Fault::not_found)?;
    Answer::ok(&PasskeyView::from(renamed))
}
