//! `/api/me` and `/api/me/export`: the account as a whole.

use crate::{
    identity::{BODY_LIMIT, Identity, export, profile::Profile, reauth_body::ReauthBody, success},
    web::{ApiRequest, ApiResponse, Message, SignedIn},
};
use domain::{
    identity::ProfileRequest,
    shared::{Fault, json},
};
use serde::Deserialize;
use services::identity::account::{delete_account, export_account, update_profile};
use storage::identity::accounts;

/// 200 with the profile.
pub(super) async fn read(identity: Identity, signed_in: SignedIn, _: ApiRequest) -> Result<ApiResponse, Fault> {
    ApiResponse::ok(&profile(&identity, signed_in).await?)
}

/// The profile as it is; 401 when the account was deleted since its session was found.
async fn profile(identity: &Identity, signed_in: SignedIn) -> Result<Profile, Fault> {
    let connection = identity.ctx.store.connection("account.find").await?;
    let account = accounts::find(&connection, signed_in.user).await?.ok_or_else(Fault::unauthorized)?;
    Ok(Profile::of(account, &identity.ctx.settings.locales))
}

/// Changes of the profile.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct ProfileBody {
    #[serde(default, deserialize_with = "json::present")]
    first_name: Option<Option<String>>,
    #[serde(default, deserialize_with = "json::present")]
    last_name: Option<Option<String>>,
    #[serde(default, deserialize_with = "json::present")]
    display_name: Option<Option<String>>,
    #[serde(default, deserialize_with = "json::present")]
    locale: Option<Option<String>>,
}

/// Changes names and language: 200 with the profile.
pub(super) async fn update(identity: Identity, signed_in: SignedIn, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let body = request.strict_json::<ProfileBody>(BODY_LIMIT).await?.read_beside(&profile(&identity, signed_in).await?)?;
    let changes = ProfileRequest {
        first_name: body.first_name,
        last_name: body.last_name,
        display_name: body.display_name,
        locale: body.locale,
    };
    let account = update_profile(&identity.ctx, &identity.request_context(&request), signed_in.user, changes).await?;
    ApiResponse::ok(&Profile::of(account, &identity.ctx.settings.locales))
}

/// Deletes the account. Its owner re-authenticates with the password if there is one, and otherwise with a
/// passkey.
pub(super) async fn delete(identity: Identity, signed_in: SignedIn, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let body = request.strict_json::<ReauthBody>(BODY_LIMIT).await?.read()?;
    let credential = |has_password| body.required(has_password);
    delete_account(&identity.ctx, &identity.request_context(&request), signed_in.claims(), credential).await?;
    Ok(identity.sessions.clear_cookies(ApiResponse::ok(&success(&request, Message::AccountDeleted))?))
}

/// 200 with the document, to be saved as a file.
pub(crate) async fn export(identity: Identity, SignedIn { user, .. }: SignedIn, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let exported = export_account(&identity.ctx, &identity.request_context(&request), user).await?;
    export::respond(exported, &identity.ctx.settings.locales)
}
