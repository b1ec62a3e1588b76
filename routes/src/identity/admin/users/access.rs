//! What lets people in: suspending an account, ending sessions of one person or of everybody, taking away
//! second factors, and making links.

use crate::{
    identity::{BODY_LIMIT, Identity, session_cookies},
    web::{ApiRequest, ApiResponse, Message, SignedIn},
};
use domain::shared::{Code, Detail, Fault, FieldCode, UserId, timestamp};
use jiff::Timestamp;
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use services::identity::admin::{
    user_access::{self, LinkPurpose, LogoutScope, make_link, reset_two_factor},
    users,
};

#[derive(Serialize)]
struct Suspension {
    suspended: bool,
}

/// 200 when the account cannot be signed in to any more.
pub(in crate::identity::admin) async fn suspend(
    identity: Identity,
    signed_in: SignedIn,
    id: UserId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    users::suspend(identity.acting(&identity.request_context(&request), signed_in.claims()), id).await?;
    ApiResponse::ok(&Suspension { suspended: true })
}

/// 200 when its owner can sign in again.
pub(in crate::identity::admin) async fn unsuspend(
    identity: Identity,
    signed_in: SignedIn,
    id: UserId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    users::unsuspend(identity.acting(&identity.request_context(&request), signed_in.claims()), id).await?;
    ApiResponse::ok(&Suspension { suspended: false })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct AccessBody {
    revoke_tokens: Option<bool>,
}

#[derive(Serialize)]
struct LoggedOut {
    affected: u32,
}

/// 200 when the sessions have ended; with `revokeTokens` the tokens that act for the person too. An
/// administrator who logs out their own account keeps the session of the request, which gets a new cookie.
pub(in crate::identity::admin) async fn force_logout(
    identity: Identity,
    signed_in: SignedIn,
    id: UserId,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let body = request.strict_json_or_empty::<AccessBody>(BODY_LIMIT).await?.read()?;
    let whom = (id, body.revoke_tokens.unwrap_or_default());
    let kept = user_access::force_logout(identity.acting(&identity.request_context(&request), signed_in.claims()), whom).await?;
    session_cookies::reissue_if_kept(&identity, signed_in, kept, ApiResponse::ok(&LoggedOut { affected: 1 })?)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct ScopeBody {
    scope: Option<String>,
    also_log_out_self: Option<bool>,
}

impl ScopeBody {
    fn scope(&self) -> Result<LogoutScope, Fault> {
        let is_for_self = self.also_log_out_self.unwrap_or_default();
        let invalid = |detail| Err(Fault::fields(Code::Validation, vec![detail]));
        match (self.scope.as_deref(), is_for_self) {
            (None | Some("all"), false) => Ok(LogoutScope::All),
            (None | Some("all"), true) => Ok(LogoutScope::AllAndSelf),
            (Some("non_admins"), false) => Ok(LogoutScope::NonAdmins),
            (Some("non_admins"), true) => {
                invalid(Detail::new("alsoLogOutSelf", FieldCode::Invalid, "goes with the scope all only"))
            }
            (Some(_), _) => {
                invalid(Detail::new("scope", FieldCode::Unsupported, "must be one of all, non_admins").bounded("all, non_admins"))
            }
        }
    }
}

#[derive(Serialize)]
struct AllLoggedOut {
    affected: u64,
    scope: &'static str,
    message: &'static str,
    #[serde(rename = "self")]
    is_for_self: bool,
}

/// 200 with the number of accounts. The session of the request goes on with a new cookie, unless the
/// administrator wants it to end too.
pub(in crate::identity::admin) async fn force_logout_all(
    identity: Identity,
    signed_in: SignedIn,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let scope = request.strict_json_or_empty::<ScopeBody>(BODY_LIMIT).await?.read()?.scope()?;
    let outcome =
        user_access::force_logout_all(identity.acting(&identity.request_context(&request), signed_in.claims()), scope).await?;
    let is_for_self = scope == LogoutScope::AllAndSelf;
    let message = match scope {
        LogoutScope::All | LogoutScope::AllAndSelf => Message::EverybodyLoggedOut,
        LogoutScope::NonAdmins => Message::OthersThanAdministratorsLoggedOut,
    };
    let message = message.in_language(request.meta.language);
    let answer = ApiResponse::ok(&AllLoggedOut { affected: outcome.affected, scope: scope.into_str(), message, is_for_self })?;
    let answer = if is_for_self { identity.sessions.clear_cookies(answer) } else { answer };
    session_cookies::reissue_if_kept(&identity, signed_in, outcome.kept, answer)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Cleared {
    cleared_totp: bool,
    cleared_passkeys: u64,
}

/// 200 with what was removed. An administrator who resets their own factors gets a new cookie.
pub(in crate::identity::admin) async fn reset_factors(
    identity: Identity,
    signed_in: SignedIn,
    id: UserId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let cleared = reset_two_factor(identity.acting(&identity.request_context(&request), signed_in.claims()), id).await?;
    let answer = ApiResponse::ok(&Cleared { cleared_totp: cleared.totp, cleared_passkeys: cleared.passkeys })?;
    session_cookies::reissue_if_kept(&identity, signed_in, cleared.kept, answer)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LinkView<'a> {
    /// Whether it was mailed; else the link is here, and the administrator passes it on.
    sent: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    invite_link: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reset_link: Option<&'a str>,
    #[serde(serialize_with = "timestamp::serialize")]
    expires_at: Timestamp,
}

/// Invites again: 200.
pub(in crate::identity::admin) async fn invite_link(
    identity: Identity,
    signed_in: SignedIn,
    id: UserId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    respond(&identity, signed_in, (id, LinkPurpose::Invitation), &request).await
}

/// A link for a new password: 200.
pub(in crate::identity::admin) async fn reset_link(
    identity: Identity,
    signed_in: SignedIn,
    id: UserId,
    request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    respond(&identity, signed_in, (id, LinkPurpose::PasswordReset), &request).await
}

async fn respond(
    identity: &Identity,
    signed_in: SignedIn,
    (id, purpose): (UserId, LinkPurpose),
    request: &ApiRequest,
) -> Result<ApiResponse, Fault> {
    let issued = make_link(identity.acting(&identity.request_context(request), signed_in.claims()), id, purpose).await?;
    let link = issued.link.as_ref().map(ExposeSecret::expose_secret);
    let of = |wanted: LinkPurpose| link.filter(|_| purpose == wanted);
    ApiResponse::ok(&LinkView {
        sent: link.is_none(),
        invite_link: of(LinkPurpose::Invitation),
        reset_link: of(LinkPurpose::PasswordReset),
        expires_at: issued.expires_at,
    })
}
