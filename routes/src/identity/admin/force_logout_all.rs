//! `POST /api/admin/force-logout-all`: ends the sessions of everybody.

use crate::{
    identity::{BODY_LIMIT, Identity, session_cookies},
    web::{ApiRequest, ApiResponse, Message, SignedIn},
};
use domain::shared::{Code, Detail, Fault, FieldCode};
use serde::{Deserialize, Serialize};
use services::identity::admin::user_access::{LogoutScope, force_logout_all as log_out_everybody};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Body {
    scope: Option<String>,
    also_log_out_self: Option<bool>,
}

impl Body {
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
struct LoggedOut {
    affected: u64,
    scope: &'static str,
    message: &'static str,
    #[serde(rename = "self")]
    is_for_self: bool,
}

/// 200 with the number of accounts. The session of the request goes on with a new cookie, unless the administrator wants it to end too.
pub(super) async fn force_logout_all(
    identity: Identity,
    signed_in: SignedIn,
    mut request: ApiRequest,
) -> Result<ApiResponse, Fault> {
    let scope = request.strict_json_or_empty::<Body>(BODY_LIMIT).await?.read()?.scope()?;
    let outcome = log_out_everybody(identity.acting(&identity.request_context(&request), signed_in.claims()), scope).await?;
    let is_for_self = scope == LogoutScope::AllAndSelf;
    let message = match scope {
        LogoutScope::All | LogoutScope::AllAndSelf => Message::EverybodyLoggedOut,
        LogoutScope::NonAdmins => Message::OthersThanAdministratorsLoggedOut,
    };
    let message = message.in_language(request.meta.language);
    let answer = ApiResponse::ok(&LoggedOut { affected: outcome.affected, scope: scope.name(), message, is_for_self })?;
    let answer = if is_for_self { identity.sessions.clear_cookies(answer) } else { answer };
    session_cookies::reissue_if_kept(&identity, signed_in, outcome.kept, answer)
}
