//! Which web pages may read what the provider answers to their scripts (Fetch, "CORS protocol"). Cookies play no part in these requests.

use crate::{
    identity::Identity,
    web::{ApiRequest, ErrorFormat, problem},
};
use domain::{
    identity::oidc::Client,
    shared::{Fault, Parameters},
};
use http::{HeaderValue, header};
use warp::reply::Response;

/// The response to a request that may come from a page of a client: readable there when the client has a redirect URI in the origin of the page. An error is
/// readable as well: the page has to know what is wrong.
pub(super) fn respond<T: Into<Response>>(request: &Requested, client: Option<&Client>, outcome: Result<T, Fault>) -> Response {
    let mut response: Response = match outcome {
        Ok(response) => response.into(),
        Err(fault) => problem::error_response(&fault, ErrorFormat::OAuth, request.request_id).into(),
    };
    let Some(origin) = &request.origin else { return response };
    let headers = response.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
    let is_of_client = |client: &Client| origin.to_str().is_ok_and(|origin| client.allows_origin(origin));
    if client.is_some_and(is_of_client) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        headers
            .insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("WWW-Authenticate, DPoP-Nonce, X-Request-Id"));
    }
    response
}

/// The public client that a form names: its pages send such forms by scripts. The pages of a confidential client do not, because they hold no secret.
pub(super) fn public_client<'a>(identity: &'a Identity, form: &Parameters) -> Option<&'a Client> {
    let client = form.text("client_id").and_then(|id| identity.oidc.clients.find(id))?;
    client.is_public().then_some(client.as_ref())
}

/// What [`respond`] has to know of a request.
pub(super) struct Requested {
    origin: Option<HeaderValue>,
    request_id: uuid::Uuid,
}

impl Requested {
    /// Of this request.
    pub(super) fn of(request: &ApiRequest) -> Self {
        Self { origin: request.headers.get(header::ORIGIN).cloned(), request_id: request.meta.request_id }
    }
}
