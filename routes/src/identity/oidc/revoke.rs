//! `POST /oidc/revoke` (RFC 7009).

use super::{client_credentials, client_form};
use crate::{
    identity::Identity,
    web::{Anonymous, ApiRequest, ApiResponse, body::FORM_LIMIT},
};
use bytes::Bytes;
use domain::{
    identity::oidc::error::invalid_request,
    shared::{Fault, Parameters},
};
use http::{HeaderMap, StatusCode};
use services::identity::oidc::{client_auth, revoke};
use warp::reply::Response;

/// 200 without a body, also for a token that is unknown. `token_type_hint` is not needed: a token is found
/// whatever it is. Scripts of a public client may read the response.
pub(super) async fn revoke(identity: Identity, _: Anonymous, request: ApiRequest) -> Result<Response, Fault> {
    Ok(client_form::answer(&identity, request, FORM_LIMIT, |identity, request, form| Box::pin(end(identity, request, form))).await)
}

async fn end(identity: &Identity, request: &ApiRequest, form: &Parameters) -> Result<ApiResponse, Fault> {
    let credentials = client_credentials::read(request, form)?;
    let context = identity.request_context(request);
    let client = client_auth::authenticate(&identity.oidc, &context, &credentials).await?;
    let token = form.once("token")?.ok_or_else(|| invalid_request("token is missing"))?;
    revoke::revoke(&identity.oidc, &client, token, context.at()).await?;
    Ok(ApiResponse::from_parts(StatusCode::OK, HeaderMap::new(), Bytes::new()))
}
