//! `/api/me/totp…`: the authenticator app of who is signed in, and its backup codes.
//!
//! A second app can be started while one is in use: that one stays until the new one was confirmed. Wrong codes are counted with those at login.

mod backup_codes;
mod confirm;
mod remove;
mod start;
mod state;

use crate::{
    identity::{BODY_LIMIT, Identity, signing_in},
    web::{ApiRequest, Endpoint, SignedIn},
};
use crypto::codes;
use domain::{
    identity::{TypedCode, mail::NoticeKind, one_time::Kind as OneTime},
    shared::{Fault, UserId},
};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use storage::identity::{
    guesses,
    one_time::NewOneTime,
    second_factor::{Change, ChangeTotp, RightCode},
};

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

/// New backup codes, as they are shown and as they are stored.
fn new_backup_codes(identity: &Identity, user: UserId) -> (BackupCodes, Vec<NewOneTime>) {
    let shown = codes::backup_codes(identity.ctx.entropy.as_ref());
    let at = identity.ctx.clock.now();
    let canonical = shown.iter().filter_map(|s| match TypedCode::parse(s.expose_secret()) {
        Some(TypedCode::Backup(code)) => Some(code),
        _ => None,
    });
    let stored = canonical
        .map(|code| NewOneTime::of(OneTime::BackupCode, user, identity.backup_hash(user, &code), identity.ctx.entropy.uuid(), at));
    let stored = stored.collect();
    (BackupCodes { backup_codes: shown.iter().map(|s: &SecretString| s.expose_secret().to_owned()).collect() }, stored)
}

/// What is answered, once.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BackupCodes {
    backup_codes: Vec<String>,
}

/// Makes a change that a right code allows. 400 when the code was used before, or meanwhile is one of another app.
async fn change(
    identity: &Identity,
    request: &ApiRequest,
    signed_in: SignedIn,
    change: Change,
    forgiven: Option<guesses::Key>,
) -> Result<(), Fault> {
    let changed = async {
        let letter = match &change {
            Change::Remove { code: RightCode::Backup(_) } => {
                signing_in::notice_to(identity, request, signed_in.user, NoticeKind::BackupCode).await?
            }
            _ => None,
        };
        let (owner, source) = (signed_in.claimed(), identity.source(request));
        Ok(identity.ctx.store.transact(&ChangeTotp { owner, change, letter, forgiven, source }).await?)
    };
    let changed = identity.or_take_back(forgiven, changed).await?;
    if changed { Ok(()) } else { Err(invalid_code()) }
}

fn invalid_code() -> Fault {
    Fault::bad_request("invalidCode", "The code is wrong, or was used before")
}

fn not_enabled() -> Fault {
    Fault::bad_request("totpNotEnabled", "There is no authenticator app")
}
