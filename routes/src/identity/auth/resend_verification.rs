//! `POST /api/auth/resend-verification`: another verification link; those of before are void. The answer is always the same.

use crate::{
    identity::{Identity, respond, success},
    web::{ApiRequest, ApiResponse, Endpoint, Message, request::api_request},
};
use domain::shared::Fault;
use services::identity::link_requests::request_verification;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "auth" / "resend-verification")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, resend(identity.clone(), request)))
        .boxed()
}

async fn resend(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let email = super::read_mail_request(&identity, &mut request).await?;
    request_verification(&identity.ctx, &identity.request_context(&request), &email).await?;
    ApiResponse::ok(&success(&request, Message::VerificationLinkSentIfUnverified))
}
