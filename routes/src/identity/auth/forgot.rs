//! `POST /api/auth/password/forgot`: a link to set a new password. The answer is always the same, whether there is such an account or not.

use crate::{
    identity::{Identity, respond, success},
    web::{ApiRequest, ApiResponse, Endpoint, Message, request::api_request},
};
use domain::shared::Fault;
use services::identity::link_requests::request_password_reset;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "auth" / "password" / "forgot")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, forgot(identity.clone(), request)))
        .boxed()
}

async fn forgot(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let email = super::read_mail_request(&identity, &mut request).await?;
    request_password_reset(&identity.ctx, &identity.request_context(&request), &email).await?;
    ApiResponse::ok(&success(&request, Message::ResetLinkSentIfKnown))
}
