//! `POST /api/auth/verify-login-code`: finishes a login with the code that was mailed.

use super::second_factor::{self, CodeBody};
use crate::{
    identity::{BODY_LIMIT, Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use crypto::token;
use domain::{
    identity::{TypedCode, second_factor::Method},
    shared::Fault,
};
use storage::identity::second_factor::RightCode;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "auth" / "verify-login-code")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, verify(identity.clone(), request)))
        .boxed()
}

async fn verify(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    identity.ctx.limits.login_from(request.meta.ip)?;
    identity.sessions.check_csrf(&request).await?;
    let (code, login_token) = request.json_fields::<CodeBody>(BODY_LIMIT).await?.read()?;
    let found = second_factor::find(&identity, &request, login_token.as_deref(), Method::Email).await?;
    let guessed = second_factor::guess(&identity, &request, found).await?;

    let is_right = match (&guessed.found.pending.mailed, TypedCode::parse(&code)) {
        (Some(mailed), Some(TypedCode::Digits(code))) => {
            let shown = second_factor::mailed_hash(&identity, guessed.found.row.id, &code);
            token::same(shown.as_bytes(), mailed.hash.as_bytes())
        }
        _ => false,
    };
    if is_right {
        guessed.right(&identity, &request, RightCode::Mailed, "email_code").await
    } else {
        guessed.wrong(&identity, &request, "email_code").await
    }
}
