//! `GET /api/auth/verify-email?token=…`: proves an address. The link of a mail leads here, so it changes something although it is a GET; and
//! it leads to the login page, whatever else its query says.

use crate::{
    identity::{Identity, respond},
    web::{Answer, Call, Endpoint, call::call},
};
use domain::shared::Fault;
use http::header;
use storage::identity::links::{Verified, VerifyEmail};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "auth" / "verify-email")
        .and(warp::get())
        .and(call())
        .then(move |call: Call| respond(call.arrival, verify_email(identity.clone(), call)))
        .boxed()
}

async fn verify_email(identity: Identity, call: Call) -> Result<Answer, Fault> {
    call.refuse_head()?;
    let token = call.query()?.get("token").unwrap_or_default().to_owned();
    let verified = match crypto::link::hash(&token) {
        Some(hash) => identity.store.run(&VerifyEmail { hash, source: identity.source(&call) }).await?,
        None => Verified::Not,
    };
    if verified != Verified::Not {
        return Ok(Answer::found("/login?verified=1"));
    }
    identity.limits.link_from(call.arrival.ip)?;
    if is_browser(&call) { Ok(Answer::found("/login?verified=0&reason=invalid")) } else { Err(super::invalid_token()) }
}

/// Whether a person is there to read a page.
fn is_browser(call: &Call) -> bool {
    call.header(header::ACCEPT).is_some_and(|it| it.contains("text/html"))
}
