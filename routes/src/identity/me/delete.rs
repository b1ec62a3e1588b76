//! `DELETE /api/me`: the account and everything that hangs on it goes. Its entries in the audit trail stay.

use crate::{
    identity::{BODY_LIMIT, Identity, proving, respond},
    web::{Answer, Call, Endpoint, call::call},
};
use domain::shared::{Detail, Fault};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use storage::identity::{accounts, leaving::Leave};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me")
        .and(warp::delete())
        .and(call())
        .then(move |call: Call| respond(call.arrival, delete(identity.clone(), call)))
        .boxed()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Body {
    #[serde(default, deserialize_with = "super::super::auth::password")]
    password: Option<SecretString>,
}

#[derive(Serialize)]
struct Deleted {
    message: &'static str,
}

async fn delete(identity: Identity, mut call: Call) -> Result<Answer, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&call).await?;
    let body: Body = call.json(BODY_LIMIT).await?;
    let Some(password) = body.password else {
        let detail = Detail { field: "password".to_owned(), code: "blank", message: "is required".to_owned() };
        return Err(Fault::bad_request("passwordRequired", "Send the password of the account").about(vec![detail]));
    };
    let connection = identity.store.read("account.find").await?;
    let stored = accounts::find_with_password(&connection, signed_in.user).await?.ok_or_else(Fault::unauthorized)?;
    drop(connection);
    proving::password_again(&identity, &call, signed_in, &stored, password, "account.deleted").await?;
    let work = Leave { user: signed_in.user, token_version: signed_in.token_version, source: identity.source(&call) };
    if !identity.store.run(&work).await? {
        return Err(Fault::unauthorized());
    }
    Ok(identity.sessions.forget(Answer::ok(&Deleted { message: "The account is deleted" })?))
}
