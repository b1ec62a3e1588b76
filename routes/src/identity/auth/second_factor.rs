//! What the endpoints of a login between its password and its second factor share.

use crate::{
    identity::{Identity, session_cookies},
    web::{ApiRequest, ApiResponse, cookie},
};
use domain::shared::{Detail, Fault, Kind};
use serde::{Deserialize, Serialize};
use services::identity::second_factor::VerificationOutcome;

/// What is sent to finish a login.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(super) struct CodeBody {
    code: Option<String>,
    login_token: Option<String>,
}

impl CodeBody {
    /// The code and the token; 400 without a code.
    pub(super) fn read(self) -> Result<(String, Option<String>), Fault> {
        let code = self.code.ok_or_else(|| Fault::required("code", "Send the code"))?;
        Ok((code, self.login_token))
    }
}

/// The token of the pending login: that of the body, else that of the cookie. Empty without one.
pub(super) fn login_token(identity: &Identity, request: &ApiRequest, sent: Option<String>) -> String {
    let from_cookie = || cookie::find(&request.headers, identity.sessions.cookies().login_pending()).map(str::to_owned);
    sent.or_else(from_cookie).unwrap_or_default()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BackupCodesLeft {
    backup_codes_remaining: i64,
}

/// The session; 401 `invalidCode` with the number of attempts that are left when the code is wrong.
pub(super) fn respond(identity: &Identity, verified: VerificationOutcome) -> Result<ApiResponse, Fault> {
    match verified {
        VerificationOutcome::SignedIn { session, backup_codes_left: None } => session_cookies::respond(identity, *session),
        VerificationOutcome::SignedIn { session, backup_codes_left: Some(backup_codes_remaining) } => {
            session_cookies::respond_with(identity, *session, BackupCodesLeft { backup_codes_remaining })
        }
        VerificationOutcome::WrongCode { attempts_left } => {
            let left = Detail::new("code", "attemptsLeft", attempts_left.to_string());
            Err(Fault::new(Kind::Unauthorized, "invalidCode", "The code is wrong, or was used before").about(vec![left]))
        }
    }
}
