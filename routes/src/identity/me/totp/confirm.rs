//! `POST /api/me/totp/confirm`: puts the app into use whose first code is shown, and answers its backup codes.

use super::{change, code_of, invalid_code, new_backup_codes};
use crate::{
    identity::{Identity, respond},
    web::{Answer, Call, Endpoint, call::call},
};
use domain::{identity::TypedCode, shared::Fault};
use storage::identity::{second_factor::Change, totp};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "totp" / "confirm")
        .and(warp::post())
        .and(call())
        .then(move |call: Call| respond(call.arrival, confirm(identity.clone(), call)))
        .boxed()
}

async fn confirm(identity: Identity, mut call: Call) -> Result<Answer, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&call).await?;
    let user = signed_in.user;
    let code = code_of(&mut call).await?;
    let connection = identity.store.read("totp.find").await?;
    let pending = totp::find(&connection, user, identity.clock.now()).await?.pending;
    drop(connection);
    let Some(sealed) = pending else {
        return Err(Fault::bad_request("noPendingTotp", "Start an authenticator app first"));
    };
    let admitted = identity.admit_code(&call, user).await?;
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
    change(&identity, &call, signed_in, Change::Confirm { sealed, backup_codes }, admitted.key).await?;
    Answer::ok(&shown)
}
