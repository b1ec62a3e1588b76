//! `POST /oidc/token` (RFC 6749, section 3.2).

use super::{client_credentials, client_form, dpop};
use crate::{
    identity::Identity,
    web::{Anonymous, ApiRequest, ApiResponse},
};
use domain::shared::{Fault, Parameters};
use secrecy::ExposeSecret;
use serde::Serialize;
use services::identity::oidc::{client_auth, token};
use warp::reply::Response;

/// The largest form that is read, in bytes.
const FORM_LIMIT: usize = 64 << 10;

#[derive(Serialize)]
struct Body<'a> {
    access_token: &'a str,
    token_type: &'static str,
    expires_in: u64,
    scope: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id_token: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refresh_token: Option<&'a str>,
}

/// 200 with tokens; 400 or 401 in the words of RFC 6749, section 5.2. Scripts of a public client may read either.
pub(super) async fn token(identity: Identity, _: Anonymous, request: ApiRequest) -> Result<Response, Fault> {
    Ok(client_form::answer(&identity, request, FORM_LIMIT, |identity, request, form| Box::pin(issue(identity, request, form)))
        .await)
}

async fn issue(identity: &Identity, request: &ApiRequest, form: &Parameters) -> Result<ApiResponse, Fault> {
    form.refuse_repeated(&["resource"])?;
    let credentials = client_credentials::read(request, form)?;
    let context = identity.request_context(request);
    let client = client_auth::authenticate(&identity.oidc, &context, &credentials).await?;
    let dpop_jkt = dpop::verify(identity, request, None).await?;
    let granted = token::token(&identity.oidc, &context, &client, form, dpop_jkt.as_deref()).await?;
    ApiResponse::ok(&Body {
        access_token: granted.access_token.expose_secret(),
        token_type: granted.token_type,
        expires_in: granted.expires_in.as_secs(),
        scope: granted.scope.to_string(),
        id_token: granted.id_token.as_ref().map(ExposeSecret::expose_secret),
        refresh_token: granted.refresh_token.as_ref().map(ExposeSecret::expose_secret),
    })
}
