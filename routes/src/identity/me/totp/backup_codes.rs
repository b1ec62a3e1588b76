//! `POST /api/me/totp/backup-codes`: a new set of backup codes for a code of the app. The old set is void.

use super::{code_of, respond_codes};
use crate::{
    identity::{Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::shared::Fault;
use services::identity::totp;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "totp" / "backup-codes")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, renew(identity.clone(), request)))
        .boxed()
}

async fn renew(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&request).await?;
    let code = code_of(&mut request).await?;
    let context = identity.request_context(&request);
    respond_codes(&totp::renew_backup_codes(&identity.ctx, &context, signed_in.claimed(), &code).await?)
}
