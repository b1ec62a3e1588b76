//! `POST /api/me/totp/backup-codes`: a new set for a code of the app. The old set holds no more.

use super::{change, code_of, invalid_code, new_backup_codes, not_enabled};
use crate::{
    identity::{Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::shared::Fault;
use storage::identity::second_factor::{Change, RightCode};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "totp" / "backup-codes")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, renew(identity.clone(), request)))
        .boxed()
}

async fn renew(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&request).await?;
    let user = signed_in.user;
    let code = code_of(&mut request).await?;
    if !identity.has_totp(user).await? {
        return Err(not_enabled());
    }
    let admitted = identity.admit_code(&request, user).await?;
    let code = identity.or_take_back(admitted.key, identity.typed(user, &code)).await?;
    let code = code.filter(|code| matches!(code, RightCode::Totp { .. })).ok_or_else(invalid_code)?;
    let (shown, backup_codes) = new_backup_codes(&identity, user);
    change(&identity, &request, signed_in, Change::Renew { code, backup_codes }, admitted.key).await?;
    ApiResponse::ok(&shown)
}
