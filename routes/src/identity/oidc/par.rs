//! `POST /oidc/par` (RFC 9126).

use super::{client_credentials, client_form, dpop};
use crate::{
    identity::Identity,
    web::{Anonymous, ApiRequest, ApiResponse, body::FORM_LIMIT},
};
use domain::shared::{Fault, Parameters};
use secrecy::ExposeSecret;
use serde::Serialize;
use services::identity::oidc::{client_auth, pushed};
use warp::reply::Response;

#[derive(Serialize)]
struct PushedRequestBody<'a> {
    request_uri: &'a str,
    expires_in: u64,
}

/// 201 with a reference to the request; 400 or 401 with what is wrong with it. Scripts of a public client may
/// read either.
pub(super) async fn push(identity: Identity, _: Anonymous, request: ApiRequest) -> Result<Response, Fault> {
    Ok(client_form::answer(&identity, request, FORM_LIMIT, |identity, request, form| Box::pin(store(identity, request, form)))
        .await)
}

async fn store(identity: &Identity, request: &ApiRequest, form: &Parameters) -> Result<ApiResponse, Fault> {
    let credentials = client_credentials::read(request, form)?;
    let context = identity.request_context(request);
    let client = client_auth::authenticate_to_store(&identity.oidc, &context, &credentials).await?;
    let pushed = pushed::push(&identity.oidc, &client, form, dpop::verify(identity, request, None).await?, context.at()).await?;
    ApiResponse::created(&PushedRequestBody {
        request_uri: pushed.request_uri.expose_secret(),
        expires_in: pushed.expires_in.as_secs(),
    })
}
