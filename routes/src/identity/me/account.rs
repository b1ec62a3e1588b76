//! `/api/me`: the account of the signed-in person: its profile, and its deletion.

use crate::{
    identity::{BODY_LIMIT, Identity, present, profile::Profile, reauth_body::ReauthBody, success},
    web::{ApiRequest, ApiResponse, Message, SignedIn},
};
use domain::{identity::ProfileRequest, shared::Fault};
use serde::{Deserialize, de::IgnoredAny};
use services::identity::{delete_account::delete_account, profile::update_profile};
use storage::identity::accounts;

/// 200 with the profile.
pub(super) async fn read(identity: Identity, signed_in: SignedIn, _: ApiRequest) -> Result<ApiResponse, Fault> {
    let connection = identity.ctx.store.connection("account.find").await?;
    let account = accounts::find(&connection, signed_in.user).await?.ok_or_else(Fault::unauthorized)?;
    ApiResponse::ok(&Profile::of(account, &identity.ctx.settings.locales))
}

/// Changes of the profile. Members that are only read are named, so that a change of one of them is refused and not ignored.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct ProfileBody {
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

/// Changes names and language: 200 with the profile.
pub(super) async fn update(identity: Identity, signed_in: SignedIn, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let body: ProfileBody = request.json_fields(BODY_LIMIT).await?;
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

/// Deletes the account. Its owner re-authenticates with the password if there is one, and otherwise with a passkey.
pub(super) async fn delete(identity: Identity, signed_in: SignedIn, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let body: ReauthBody = request.json_fields(BODY_LIMIT).await?;
    let credential = |has_password| body.required(has_password);
    delete_account(&identity.ctx, &identity.request_context(&request), signed_in.claims(), credential).await?;
    Ok(identity.sessions.clear_cookies(ApiResponse::ok(&success(&request, Message::AccountDeleted))?))
}
