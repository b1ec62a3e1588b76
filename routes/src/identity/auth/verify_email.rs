//! `GET /api/auth/verify-email?token=…`: proves an address. The link of a mail leads here, so it changes something although it is a GET; and
//! it leads to the login page, whatever else its query says.

use crate::{
    identity::{Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::shared::Fault;
use http::header;
use storage::identity::links::{Verified, VerifyEmail};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "auth" / "verify-email")
        .and(warp::get())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, verify_email(identity.clone(), request)))
        .boxed()
}

async fn verify_email(identity: Identity, request: ApiRequest) -> Result<ApiResponse, Fault> {
    request.refuse_head()?;
    let token = request.query()?.get("token").unwrap_or_default().to_owned();
    let verified = match crypto::opaque_token::hash(&token) {
        Some(hash) => identity.ctx.store.transact(&VerifyEmail { hash, source: identity.source(&request) }).await?,
        None => Verified::Not,
    };
    if verified != Verified::Not {
        return Ok(ApiResponse::found("/login?verified=1"));
    }
    identity.ctx.limits.link_from(request.meta.ip)?;
    if is_browser(&request) { Ok(ApiResponse::found("/login?verified=0&reason=invalid")) } else { Err(super::invalid_token()) }
}

/// Whether a person is there to read a page.
fn is_browser(request: &ApiRequest) -> bool {
    request.header(header::ACCEPT).is_some_and(|h| h.contains("text/html"))
}
