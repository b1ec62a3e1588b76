//! `POST /oidc/introspect` (RFC 7662), and signed answers (RFC 9701).

use super::{client_credentials, client_form};
use crate::{
    identity::Identity,
    web::{Anonymous, ApiRequest, ApiResponse, body::FORM_LIMIT},
};
use domain::{
    identity::oidc::error::invalid_request,
    shared::{Fault, Parameters},
};
use http::{StatusCode, header};
use services::identity::oidc::{client_auth, introspect};
use warp::reply::Response;

/// The media type of a signed answer.
const SIGNED: &str = "application/token-introspection+jwt";

/// 200 with what the token is good for, or `{"active":false}`; as a JWT where `Accept` asks for one.
/// `token_type_hint` is not needed: a token is found whatever it is. 401 `invalid_client` for a request that
/// authenticates no confidential client.
pub(super) async fn introspect(identity: Identity, _: Anonymous, request: ApiRequest) -> Result<Response, Fault> {
    Ok(client_form::answer(&identity, request, FORM_LIMIT, |identity, request, form| Box::pin(look(identity, request, form))).await)
}

async fn look(identity: &Identity, request: &ApiRequest, form: &Parameters) -> Result<ApiResponse, Fault> {
    if !client_credentials::are_sent(request, form) {
        return Err(client_auth::unauthenticated(&identity.oidc));
    }
    let credentials = client_credentials::read(request, form)?;
    let context = identity.request_context(request);
    let client = client_auth::authenticate(&identity.oidc, &context, &credentials).await?;
    let token = form.once("token")?.ok_or_else(|| invalid_request("token is missing"))?;
    let introspection = introspect::introspect(&identity.oidc, &client, token, context.at()).await?;
    if !wants_signature(request) {
        return ApiResponse::ok(&introspection);
    }
    let token = introspect::signed(&identity.oidc, &client, &introspection, context.at()).await?;
    Ok(ApiResponse::bytes(StatusCode::OK, SIGNED, token))
}

/// Whether `Accept` names the media type of signed answers (RFC 9701, section 4).
fn wants_signature(request: &ApiRequest) -> bool {
    let accepted = request.headers.get_all(header::ACCEPT).iter().filter_map(|line| line.to_str().ok());
    let mut types = accepted.flat_map(|line| line.split(',')).filter_map(|range| range.split(';').next());
    types.any(|kind| kind.trim().eq_ignore_ascii_case(SIGNED))
}
