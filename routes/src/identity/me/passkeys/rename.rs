//! `PATCH /api/me/passkeys/{id}`: renames a passkey.

use super::PasskeyView;
use crate::{
    identity::{BODY_LIMIT, Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, path::segment, request::api_request},
};
use domain::{
    identity::passkey,
    shared::{Fault, PasskeyId},
};
use serde::Deserialize;
use services::identity::passkeys;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "passkeys" / ..)
        .and(segment::<PasskeyId>())
        .and(warp::path::end())
        .and(warp::patch())
        .and(api_request())
        .then(move |id: PasskeyId, request: ApiRequest| respond(request.meta, rename(identity.clone(), id, request)))
        .boxed()
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Body {
    name: Option<String>,
}

async fn rename(identity: Identity, id: PasskeyId, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&request).await?;
    let body: Body = request.json_fields(BODY_LIMIT).await?;
    let name = passkey::name(body.name.as_deref())?.ok_or_else(|| Fault::required("name", "Send a name"))?;
    let renamed = passkeys::rename(&identity.ctx, &identity.request_context(&request), signed_in.user, id, name).await?;
    ApiResponse::ok(&PasskeyView::from(renamed))
}
