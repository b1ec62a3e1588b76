//! `/api/admin/users…`: accounts.

pub(super) mod access;
pub(super) mod roles;

use crate::{
    identity::{BODY_LIMIT, Identity, export},
    web::{ApiRequest, ApiResponse, SignedIn},
};
use domain::{
    identity::{
        Account, ProfileRequest,
        admin::{NewUserRequest, UserChangeRequest, UserQuery},
    },
    shared::{Fault, UserId, json, timestamp},
};
use jiff::Timestamp;
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use services::identity::admin::{
    user_details::{export_user, list_users},
    users::{create_user, delete_user, update_user},
};
use storage::identity::accounts;

/// An account as administrators see it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "the members of the contract")]
struct AdminUser {
    id: UserId,
    email: String,
    first_name: String,
    last_name: Option<String>,
    display_name: String,
    locale: String,
    is_admin: bool,
    email_verified: bool,
    #[serde(serialize_with = "timestamp::option::serialize")]
    suspended_at: Option<Timestamp>,
    legacy_sub: Option<String>,
    has_password: bool,
    passkey_count: u32,
    totp_enabled: bool,
    #[serde(serialize_with = "timestamp::serialize")]
    created_at: Timestamp,
    #[serde(serialize_with = "timestamp::serialize")]
    updated_at: Timestamp,
    #[serde(serialize_with = "timestamp::option::serialize")]
    last_login_at: Option<Timestamp>,
}

/// An account as it is; 404.
async fn find(identity: &Identity, id: UserId) -> Result<AdminUser, Fault> {
    let connection = identity.ctx.store.connection("account.find").await?;
    Ok(accounts::find(&connection, id).await?.ok_or_else(Fault::not_found)?.into())
}

impl From<Account> for AdminUser {
    fn from(account: Account) -> Self {
        Self {
            id: account.id,
            email: account.email.as_str().to_owned(),
            display_name: account.display_name(),
            first_name: account.first_name,
            last_name: account.last_name,
            locale: account.locale,
            is_admin: account.is_admin,
            email_verified: account.email_verified,
            suspended_at: account.suspended_at,
            legacy_sub: account.legacy_sub,
            has_password: account.has_password,
            passkey_count: account.passkeys,
            totp_enabled: account.has_totp,
            created_at: account.created_at,
            updated_at: account.updated_at,
            last_login_at: account.last_login_at,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ListedUserView {
    users: Vec<AdminUser>,
    page: u32,
    per_page: u32,
    total: i64,
    total_pages: i64,
    total_is_exact: bool,
}

/// 200 with the page; 400 for a parameter that cannot be read.
pub(in crate::identity::admin) async fn list(identity: Identity, _: SignedIn, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let query = UserQuery::read(&request.query()?)?;
    let found = list_users(&identity.ctx, &query).await?;
    ApiResponse::ok(&ListedUserView {
        users: found.accounts.into_iter().map(AdminUser::from).collect(),
        page: query.page.page,
        per_page: query.page.per_page,
        total: found.total,
        total_pages: query.page.pages_of(found.total),
        total_is_exact: found.is_total_exact,
    })
}

/// 200 with the account.
pub(in crate::identity::admin) async fn read(
    identity: Identity,
    _: SignedIn,
    id: UserId,
    _: ApiRequest,
) -> Result<ApiResponse, Fault> {
    ApiResponse::ok(&find(&identity, id).await?)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct NewUserBody {
    email: Option<String>,
    first_name: Option<String>,
    last_name: Option<String>,
    locale: Option<String>,
    is_admin: Option<bool>,
    password_mode: Option<String>,
    password: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Created {
    user: AdminUser,
    #[serde(skip_serializing_if = "Option::is_none")]
    invite_link: Option<String>,
}

/// 201 with the account, and with the link of its invitation if it has one.
pub(in crate::identity::admin) async fn create(
    identity: Identity,
    signed_in: SignedIn,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let sent = request.strict_json::<NewUserBody>(BODY_LIMIT).await?;
    // `false` and `null` ask for what is so anyway.
    if sent.sent("isAdmin").is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false))) {
        identity.sessions.check_proved(&signed_in).await?;
    }
    let body = sent.read()?;
    let NewUserBody { email, first_name, last_name, locale, is_admin, password_mode, password } = body;
    let password = password.map(Into::into);
    let new = NewUserRequest { email, first_name, last_name, locale, is_admin, password_mode, password };
    let created = create_user(identity.acting(&identity.request_context(&request), signed_in.claims()), new).await?;
    let invite_link = created.invite_link.map(|link| link.expose_secret().to_owned());
    ApiResponse::created(&Created { user: created.account.into(), invite_link })
}

/// Changes of an account. The address is not among them: only its owner can prove another one.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct UserBody {
    #[serde(default, deserialize_with = "json::present")]
    first_name: Option<Option<String>>,
    #[serde(default, deserialize_with = "json::present")]
    last_name: Option<Option<String>>,
    #[serde(default, deserialize_with = "json::present")]
    display_name: Option<Option<String>>,
    #[serde(default, deserialize_with = "json::present")]
    locale: Option<Option<String>>,
    email_verified: Option<bool>,
    is_admin: Option<bool>,
}

/// The members that give or take a right: a change of one needs a recent proof.
const RIGHTS: [&str; 2] = ["isAdmin", "emailVerified"];

/// 200 with the account as it is then.
pub(in crate::identity::admin) async fn update(
    identity: Identity,
    signed_in: SignedIn,
    id: UserId,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let sent = request.strict_json::<UserBody>(BODY_LIMIT).await?;
    let before = find(&identity, id).await?;
    if sent.would_change(&RIGHTS, &before)? {
        identity.sessions.check_proved(&signed_in).await?;
    }
    let body = sent.read_beside(&before)?;
    let profile = ProfileRequest {
        first_name: body.first_name,
        last_name: body.last_name,
        display_name: body.display_name,
        locale: body.locale,
    };
    let changes = UserChangeRequest { profile, email_verified: body.email_verified, is_admin: body.is_admin };
    let account = update_user(identity.acting(&identity.request_context(&request), signed_in.claims()), id, changes).await?;
    ApiResponse::ok(&AdminUser::from(account))
}

#[derive(Serialize)]
struct Deleted {
    deleted: bool,
}

/// 200 when the account is gone.
pub(in crate::identity::admin) async fn delete(
    identity: Identity,
    signed_in: SignedIn,
    id: UserId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    delete_user(identity.acting(&identity.request_context(&request), signed_in.claims()), id).await?;
    ApiResponse::ok(&Deleted { deleted: true })
}

/// 200 with the document that `/api/me/export` answers, to be saved as a file.
pub(in crate::identity::admin) async fn export(
    identity: Identity,
    signed_in: SignedIn,
    id: UserId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let exported = export_user(identity.acting(&identity.request_context(&request), signed_in.claims()), id).await?;
    export::respond(exported, &identity.ctx.settings.locales)
}
