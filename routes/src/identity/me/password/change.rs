//! `POST /api/me/password`: changes the password, or sets the first one. Every other session of the account ends.

use crate::{
    identity::{BODY_LIMIT, Identity, respond, session_cookies, success},
    web::{ApiRequest, ApiResponse, Endpoint, Message, request::api_request},
};
use domain::shared::Fault;
use secrecy::SecretString;
use serde::Deserialize;
use services::identity::password;
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
    let Body { current_password, new_password } = request.json_fields(BODY_LIMIT).await?;
    let context = identity.request_context(&request);
    let changed = password::change(&identity.ctx, &context, signed_in.claimed(), current_password, new_password).await?;
    let message = if changed.had_password { Message::PasswordChanged } else { Message::PasswordSet };
    session_cookies::reissue(&identity, signed_in, changed.session, ApiResponse::ok(&success(&request, message))?)
}
