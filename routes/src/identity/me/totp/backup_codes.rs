//! `POST /api/me/totp/backup-codes`: a new set for a code of the app. The old set holds no more.

use super::{change, code_of, invalid_code, new_backup_codes, not_enabled};
use crate::{
    identity::{Identity, respond},
    web::{Answer, Call, Endpoint, call::call},
};
use domain::shared::Fault;
use storage::identity::second_factor::{Change, RightCode};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "totp" / "backup-codes")
        .and(warp::post())
        .and(call())
        .then(move |call: Call| respond(call.arrival, renew(identity.clone(), call)))
        .boxed()
}

async fn renew(identity: Identity, mut call: Call) -> Result<Answer, Fault> {
    let signed_in = identity.sessions.signed_in_with_csrf(&call).await?;
    let user = signed_in.user;
    let code = code_of(&mut call).await?;
    if !identity.has_totp(user).await? {
        return Err(not_enabled());
    }
    let admitted = identity.admit_code(&call, user).await?;
    let code = identity.or_take_back(admitted.key, identity.typed(user, &code)).await?;
    let code = code.filter(|it| matches!(it, RightCode::Totp { .. })).ok_or_else(invalid_code)?;
    let (shown, backup_codes) = new_backup_codes(&identity, user);
    change(&identity, &call, signed_in, Change::Renew { code, backup_codes }, admitted.key).await?;
    Answer::ok(&shown)
}
