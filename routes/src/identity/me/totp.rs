//! `/api/me/totp…`: the authenticator app of a signed-in person, and its backup codes.

mod backup_codes;
mod confirm;
mod remove;
mod start;
mod state;

use crate::{
    identity::{BODY_LIMIT, Identity},
    web::{ApiRequest, ApiResponse, Endpoint},
};
use domain::shared::Fault;
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use services::identity::totp;

/// The endpoints.
pub(super) fn routes(identity: &Identity) -> [Endpoint; 5] {
    [
        state::route(identity),
        start::route(identity),
        confirm::route(identity),
        backup_codes::route(identity),
        remove::route(identity),
    ]
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Body {
    code: Option<String>,
}

/// The code in the body; 400 without one.
async fn code_of(request: &mut ApiRequest) -> Result<String, Fault> {
    let body: Body = request.json_fields(BODY_LIMIT).await?;
    body.code.ok_or_else(|| Fault::required("code", "Send the code"))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BackupCodes<'a> {
    backup_codes: Vec<&'a str>,
}

/// New backup codes. They are shown this once.
fn respond_codes(codes: &totp::BackupCodes) -> Result<ApiResponse, Fault> {
    ApiResponse::ok(&BackupCodes { backup_codes: codes.0.iter().map(ExposeSecret::expose_secret).collect() })
}
