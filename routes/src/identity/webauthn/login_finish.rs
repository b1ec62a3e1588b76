//! `POST /api/webauthn/login/finish`: a new session for who holds a passkey. It is two factors in one (the thing, and the finger or the PIN that it
//! asks for), so no other is asked for.

use crate::{
    identity::{
        BODY_LIMIT, Identity,
        ceremony::{self, Asked},
        respond,
        signing_in::{Opening, Proved},
    },
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use crypto::passkeys::{Assertion, Refused};
use domain::{
    identity::{Proof, one_time::Kind as OneTime, second_factor::challenge_expired},
    shared::{Fault, Kind, UserId},
};
use serde::Deserialize;
use serde_json::Value;
use services::identity::counters::LoginResult;
use storage::identity::{
    accounts,
    passkeys::{self, COUNT_WENT_BACK, COUNTER_REGRESSION, PasskeySignIn, RefusePasskey, Stale},
    sign_in::unless_changed,
};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "webauthn" / "login" / "finish")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, finish(identity.clone(), request)))
        .boxed()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Body {
    challenge: Option<String>,
    credential: Option<Value>,
    remember_me: Option<bool>,
}

async fn finish(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    identity.ctx.limits.passkey_from(request.meta.ip)?;
    let browser = identity.sessions.check_csrf(&request).await?;
    let Body { challenge, credential, remember_me } = request.json_fields(BODY_LIMIT).await?;
    let credential = ceremony::credential(credential)?;
    let question = identity.answered(OneTime::PasskeyLogin, Asked::Browser(&browser), &credential, challenge.as_deref()).await?;
    let Some(answer) = Assertion::read(&credential) else { return refused(&identity, &request, None, "unreadable").await };
    let Some(question) = question else {
        failed(&identity, &request, None, "challengeExpired").await?;
        return Err(challenge_expired());
    };

    let connection = identity.ctx.store.connection("passkey.find").await?;
    let stored = passkeys::find(&connection, answer.credential_id()).await?;
    // The authenticator has to say whose it is: nobody else did.
    let Some(stored) = stored.filter(|stored| answer.is_of(stored.user_handle.as_deref()) == Some(true)) else {
        return refused(&identity, &request, None, "unknownPasskey").await;
    };
    let account = accounts::find(&connection, stored.user).await?;
    drop(connection);
    let used = match identity.check(&question, &answer, &stored) {
        Ok(used) => used,
        Err(Refused::CountWentBack) => return went_back(&identity, &request, stored.user).await,
        Err(Refused::Wrong(why)) => {
            tracing::debug!(why, "passkey refused");
            return refused(&identity, &request, Some(stored.user), "invalidCredential").await;
        }
    };
    let account = account.ok_or_else(invalid_credential)?;
    if let Err(fault) = account.check_may_sign_in(identity.ctx.mail_queue.is_on()) {
        identity.ctx.counters.login("passkey", LoginResult::Refused);
        identity.refuse_sign_in(&request, Some(account.id), fault.code, None).await?;
        return Err(fault);
    }
    let proof = Proof::Passkey { synced: stored.passkey.is_synced };
    let proved = Proved { remember: remember_me != Some(false), ..Proved::of(account.id, account.token_version, proof) };
    let opening = Opening::of(&identity, &request, proved).await?;
    let work = PasskeySignIn { used, sign_in: &opening.work };
    let reason = match unless_changed(identity.ctx.store.transact(&work).await)? {
        Some(Ok(account)) => {
            identity.ctx.counters.login("passkey", LoginResult::Success);
            return opening.done(&identity, account)?.answer(&identity);
        }
        None | Some(Err(Stale::Gone)) => "changedMeanwhile",
        Some(Err(Stale::CountWentBack)) => COUNT_WENT_BACK,
    };
    refused(&identity, &request, Some(stored.user), reason).await
}

/// Two authenticators may have the same key: the owner has to know.
async fn went_back(identity: &Identity, request: &ApiRequest, user: UserId) -> Result<ApiResponse, Fault> {
    let (event, reason) = (COUNTER_REGRESSION, COUNT_WENT_BACK);
    identity.ctx.store.transact(&RefusePasskey { user, event, reason, source: identity.source(request) }).await?;
    refused(identity, request, Some(user), reason).await
}

async fn refused(
    identity: &Identity,
    request: &ApiRequest,
    user: Option<UserId>,
    reason: &'static str,
) -> Result<ApiResponse, Fault> {
    failed(identity, request, user, reason).await?;
    Err(invalid_credential())
}

async fn failed(identity: &Identity, request: &ApiRequest, user: Option<UserId>, reason: &'static str) -> Result<(), Fault> {
    identity.ctx.counters.login("passkey", LoginResult::Failure);
    identity.refuse_sign_in(request, user, reason, None).await
}

fn invalid_credential() -> Fault {
    Fault::new(Kind::Unauthorized, "invalidCredential", "This passkey cannot be used here")
}
