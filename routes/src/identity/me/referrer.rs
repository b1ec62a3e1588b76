//! `GET /api/me/referrer?referrer=…&referrer_uri=…`: the way back to the site that sent somebody here, if it is one of our clients; else `{}`.

use crate::{
    identity::{Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::{identity::referrer, shared::Fault};
use serde::Serialize;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "referrer")
        .and(warp::get())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, back(identity.clone(), request)))
        .boxed()
}

#[derive(Default, Serialize)]
struct WayBack<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
}

async fn back(identity: Identity, request: ApiRequest) -> Result<ApiResponse, Fault> {
    identity.sessions.signed_in(&request).await?;
    let query = request.query()?;
    let (client, uri) = (query.get("referrer").unwrap_or_default(), query.get("referrer_uri").unwrap_or_default());
    let label = referrer::site_name(&identity.ctx.settings.clients, client, uri);
    ApiResponse::ok(&label.map_or_else(WayBack::default, |label| WayBack { uri: Some(uri), label: Some(label) }))
}
