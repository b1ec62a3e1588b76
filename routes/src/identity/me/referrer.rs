//! `GET /api/me/referrer?referrer=…&referrer_uri=…`: the way back to the client that the browser came from;
//! `{}` for what is no client.

use crate::{
    identity::Identity,
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::{identity::referrer::client_name, shared::Fault};
use serde::Serialize;

#[derive(Default, Serialize)]
struct WayBack<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<&'a str>,
}

/// 200 with the address and the name of the client, or with neither.
pub(super) async fn back(identity: Identity, _: SignedIn, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = request.query()?;
    let (client, uri) = (query.get("referrer").unwrap_or_default(), query.get("referrer_uri").unwrap_or_default());
    let label = client_name(&identity.ctx.settings.clients, client, uri);
    ApiResponse::ok(&label.map_or_else(WayBack::default, |label| WayBack { uri: Some(uri), label: Some(label) }))
}
