//! `POST /api/auth/resend-login-code`: mails another code for the same login.

use super::second_factor;
use crate::{
    identity::{BODY_LIMIT, Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, Message, request::api_request},
};
use domain::shared::Fault;
use http::header;
use serde::{Deserialize, Serialize};
use services::identity::second_factor as use_cases;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "auth" / "resend-login-code")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, resend(identity.clone(), request)))
        .boxed()
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Body {
    login_token: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Resent {
    message: &'static str,
    resend_after: u64,
}

async fn resend(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    identity.ctx.limits.login_from(request.meta.ip)?;
    identity.sessions.check_csrf(&request).await?;
    let body: Body = request.json_fields_or_default(BODY_LIMIT).await?;
    let login_token = second_factor::login_token(&identity, &request, body.login_token);
    let after = use_cases::resend(&identity.ctx, &identity.request_context(&request), &login_token).await?;
    let resent = Resent { message: request.meta.language.text(Message::CodeSent), resend_after: after.as_secs() };
    // The time of the pending login began anew, and so does that of its cookie.
    Ok(ApiResponse::ok(&resent)?.with(header::SET_COOKIE, super::login_cookie(&identity, &login_token)?))
}
