//! `POST /oidc/token` (RFC 6749, section 3.2).

use super::{client_credentials, client_form, dpop};
use crate::{
    identity::Identity,
    web::{Anonymous, ApiRequest, ApiResponse},
};
use domain::shared::{Fault, Parameters};
use services::identity::oidc::{
    client_auth,
    token::{self, TokenRequest},
};
use warp::reply::Response;

/// The largest form that is read, in bytes.
const FORM_LIMIT: usize = 64 << 10;

/// 200 with tokens; 400 or 401 in the words of RFC 6749, section 5.2. Scripts of a public client may read
/// either.
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
    let token_request = TokenRequest { context: &context, client: &client, parameters: form, dpop_jkt: dpop_jkt.as_deref() };
    ApiResponse::ok(&token::token(&identity.oidc, token_request).await?)
}
