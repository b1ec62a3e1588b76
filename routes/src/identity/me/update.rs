//! `PATCH /api/me`: names and language.

use crate::{
    identity::{BODY_LIMIT, Identity, profile::Profile, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::{identity::ProfileRequest, shared::Fault};
use serde::{Deserialize, Deserializer, de::IgnoredAny};
use storage::identity::profile::ChangeProfile;
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me")
        .and(warp::patch())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, update(identity.clone(), request)))
        .boxed()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Body {
    #[serde(default, deserialize_with = "said")]
    first_name: Option<Option<String>>,
    #[serde(default, deserialize_with = "said")]
    last_name: Option<Option<String>>,
    #[serde(default, deserialize_with = "said")]
    display_name: Option<Option<String>>,
    #[serde(default, deserialize_with = "said")]
    locale: Option<Option<String>>,
    #[serde(default, deserialize_with = "said")]
    email: Option<Option<IgnoredAny>>,
    #[serde(default, deserialize_with = "said")]
    is_admin: Option<Option<IgnoredAny>>,
    #[serde(default, deserialize_with = "said")]
    email_verified: Option<Option<IgnoredAny>>,
}

/// Tells `null` from a member that is absent.
fn said<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(from).map(Some)
}

async fn update(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&request).await?;
    let body: Body = request.json_fields(BODY_LIMIT).await?;
    let read_only =
        [("email", body.email.is_some()), ("isAdmin", body.is_admin.is_some()), ("emailVerified", body.email_verified.is_some())];
    let changes = ProfileRequest {
        first_name: body.first_name,
        last_name: body.last_name,
        display_name: body.display_name,
        locale: body.locale,
        read_only: read_only.into_iter().filter(|(_, is_sent)| *is_sent).map(|(field, _)| field).collect(),
    };
    let change = changes.validate(&identity.ctx.settings.locales)?;
    let work = ChangeProfile { user: signed_in.user, change, source: identity.source(&request) };
    let account = identity.ctx.store.transact(&work).await?.ok_or_else(Fault::unauthorized)?;
    ApiResponse::ok(&Profile::of(account, &identity.ctx.settings.locales))
}
