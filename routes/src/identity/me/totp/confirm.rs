//! `POST /api/me/totp/confirm`: puts the app into use whose first code is shown, and answers its backup codes.

use super::{change, code_of, invalid_code, new_backup_codes};
use crate::{
    identity::{Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use domain::{identity::TypedCode, shared::Fault};
use storage::identity::{second_factor::Change, totp};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "totp" / "confirm")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, confirm(identity.clone(), request)))
        .boxed()
}

async fn confirm(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&request).await?;
    let user = signed_in.user;
    let code = code_of(&mut request).await?;
    let connection = identity.ctx.store.connection("totp.find").await?;
    let pending = totp::find(&connection, user, identity.ctx.clock.now()).await?.pending;
    drop(connection);
    let Some(sealed) = pending else {
        return Err(Fault::bad_request("noPendingTotp", "Start an authenticator app first"));
    };
    let admitted = identity.admit_code(&request, user).await?;
    let step = async {
        match TypedCode::parse(&code) {
            Some(TypedCode::Digits(code)) => identity.step_of(user, &sealed, &code),
            _ => Ok(None),
        }
    };
    let step = identity.or_take_back(admitted.key, step).await?;
    if step.is_none() {
        return Err(invalid_code());
    }
    let (shown, backup_codes) = new_backup_codes(&identity, user);
    change(&identity, &request, signed_in, Change::Confirm { sealed, backup_codes }, admitted.key).await?;
    ApiResponse::ok(&shown)
}
