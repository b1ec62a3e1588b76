//! Which web pages may read what the provider answers to their scripts (Fetch, "CORS protocol"). Cookies play
//! no part in these requests.
//!
//! ```text
//! a response that names no client   every page: `*`, which `Endpoints::for_scripts` adds
//! one for a public client           pages in an origin of its redirect URIs
//! one for a confidential client     none: a page holds no secret
//! ```

use super::client_credentials;
use crate::{
    identity::Identity,
    web::{ApiRequest, headers::EXPOSED_BY_PROVIDER, problem::ErrorRenderer},
};
use domain::{
    identity::oidc::Client,
    shared::{Fault, Parameters},
};
use http::{HeaderValue, header};
use warp::reply::Response;

/// The web pages that may read a response.
pub(super) enum Readers<'a> {
    All,
    /// Those of a client.
    PagesOf(&'a Client),
    None,
}

/// The response to a request that may come from a page. An error may be read as a success may: the page has
/// to know what is wrong.
pub(super) fn respond<T: Into<Response>>(request: &Requested, readers: &Readers<'_>, outcome: Result<T, Fault>) -> Response {
    let mut response: Response = match outcome {
        Ok(response) => response.into(),
        Err(fault) => request.errors.response(&fault),
    };
    let allowed = match readers {
        Readers::All => return response,
        Readers::PagesOf(client) => {
            request.origin.as_ref().filter(|origin| origin.to_str().is_ok_and(|origin| client.allows_origin(origin)))
        }
        Readers::None => None,
    };
    let headers = response.headers_mut();
    headers.append(header::VARY, HeaderValue::from_static("Origin"));
    if let Some(origin) = allowed {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED_BY_PROVIDER);
    }
    response
}

/// Who may read the answer to a form, by the client that it names: one that is not configured is none.
pub(super) fn readers<'a>(identity: &'a Identity, request: &ApiRequest, form: &Parameters) -> Readers<'a> {
    if form.text("client_assertion").is_some() {
        return Readers::None;
    }
    let basic = client_credentials::basic(request).ok().flatten();
    let named = basic.as_ref().map(|(id, _)| id.as_str()).or_else(|| form.text("client_id"));
    match named.and_then(|id| identity.oidc.clients.find(id)) {
        None => Readers::All,
        Some(client) if client.is_public() => Readers::PagesOf(client),
        Some(_) => Readers::None,
    }
}

/// What [`respond`] has to know of a request.
pub(super) struct Requested {
    origin: Option<HeaderValue>,
    errors: ErrorRenderer,
}

impl Requested {
    /// Of this request.
    pub(super) fn of(request: &ApiRequest) -> Self {
        Self { origin: request.headers.get(header::ORIGIN).cloned(), errors: request.errors.clone() }
    }
}
