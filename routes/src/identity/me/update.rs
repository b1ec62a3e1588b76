//! `PATCH /api/me`: names and language.

use crate::{
    identity::{BODY_LIMIT, Identity, profile::Profile, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::{identity::ProfileRequest, shared::Fault};
use serde::{Deserialize, Deserializer, de::IgnoredAny};
use services::identity::profile::update_profile;
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
    #[serde(default, deserialize_with = "present")]
    first_name: Option<Option<String>>,
    #[serde(default, deserialize_with = "present")]
    last_name: Option<Option<String>>,
    #[serde(default, deserialize_with = "present")]
    display_name: Option<Option<String>>,
    #[serde(default, deserialize_with = "present")]
    locale: Option<Option<String>>,
    #[serde(default, deserialize_with = "present")]
    email: Option<Option<IgnoredAny>>,
    #[serde(default, deserialize_with = "present")]
    is_admin: Option<Option<IgnoredAny>>,
    #[serde(default, deserialize_with = "present")]
    email_verified: Option<Option<IgnoredAny>>,
}

/// Distinguishes `null` from an absent field.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(value: D) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(value).map(Some)
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
    let account = update_profile(&identity.ctx, &identity.request_context(&request), signed_in.user, changes).await?;
    ApiResponse::ok(&Profile::of(account, &identity.ctx.settings.locales))
}
