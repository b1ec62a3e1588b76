//! `POST /api/me/password`: another password, or the first one. Every other session of the account ends.

use crate::{
    identity::{BODY_LIMIT, Identity, proving, respond, signing_in, success},
    web::{ApiRequest, ApiResponse, Endpoint, Message, request::api_request},
};
use domain::{
    identity::password,
    shared::{Detail, Fault},
};
use secrecy::SecretString;
use serde::Deserialize;
use storage::identity::{accounts, passwords::ChangePassword};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "password")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, change(identity.clone(), request)))
        .boxed()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Body {
    #[serde(default, deserialize_with = "crate::identity::auth::password")]
    current_password: Option<SecretString>,
    #[serde(default, deserialize_with = "crate::identity::auth::password")]
    new_password: Option<SecretString>,
}

async fn change(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&request).await?;
    let body: Body = request.json_fields(BODY_LIMIT).await?;
    let connection = identity.ctx.store.connection("account.find").await?;
    let stored = accounts::find_with_password(&connection, signed_in.user).await?.ok_or_else(Fault::unauthorized)?;
    drop(connection);
    if stored.password_hash.is_some() && body.current_password.is_none() {
        let missing = vec![Detail::required("currentPassword")];
        return Err(Fault::bad_request("currentPasswordRequired", "Send the current password as well").about(missing));
    }
    let rules = &identity.ctx.settings.password_rules;
    let new = password::check_new(rules, "newPassword", body.new_password, &stored.account.personal_words())?;
    if let (Some(_), Some(current)) = (&stored.password_hash, body.current_password) {
        proving::password_again(&identity, &request, signed_in, &stored, current, "auth.password.changed").await?;
    }
    let new_hash = proving::hash_unused(&identity, &stored, new).await?;
    let work = ChangePassword {
        user: signed_in.user,
        token_version: signed_in.token_version,
        new_hash,
        spared: signing_in::spared(&identity, &request, signed_in),
        source: identity.source(&request),
    };
    let kept = identity.ctx.store.transact(&work).await?;
    let done = if stored.password_hash.is_some() { Message::PasswordChanged } else { Message::PasswordSet };
    signing_in::renew(&identity, signed_in, kept, ApiResponse::ok(&success(&request, done))?)
}
