//! `POST /api/webauthn/register/finish`: adds the passkey that a browser has made.

use crate::{
    identity::{BODY_LIMIT, Identity, ceremony, me::PasskeyView, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use crypto::passkeys::{Refused, Registration};
use domain::{
    identity::{one_time::Kind as OneTime, passkey},
    shared::{Fault, PasskeyId},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use storage::identity::passkeys::{AddPasskey, NewPasskey};
use warp::Filter;

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "webauthn" / "register" / "finish")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, finish(identity.clone(), request)))
        .boxed()
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Body {
    challenge: Option<String>,
    credential: Option<Value>,
    name: Option<String>,
}

#[derive(Serialize)]
struct Registered {
    verified: bool,
    passkey: PasskeyView,
}

async fn finish(identity: Identity, mut request: ApiRequest) -> Result<ApiResponse, Fault> {
    identity.ctx.limits.passkey_from(request.meta.ip)?;
    let signed_in = identity.sessions.signed_in_with_csrf(&request).await?;
    let Body { challenge, credential, name } = request.json_fields(BODY_LIMIT).await?;
    let name = passkey::name(name.as_deref())?;
    let credential = ceremony::credential(credential)?;
    let who = ceremony::Asked::SignedIn(signed_in);
    let question = identity.answered(OneTime::PasskeyRegistration, who, &credential, challenge.as_deref()).await?;
    let answer = Registration::read(&credential).ok_or_else(invalid)?;
    let question = question.ok_or_else(|| {
        Fault::bad_request("challengeExpired", "This registration has expired or was finished before; start it again")
    })?;
    let key = identity.ctx.passkeys.finish_registration(&answer, &question.state).map_err(|refused| {
        let why = match refused {
            Refused::Wrong(why) => why,
            Refused::CountWentBack => "the count went back".to_owned(),
        };
        tracing::debug!(why, "passkey not registered");
        invalid()
    })?;
    let new = NewPasskey {
        id: PasskeyId(identity.ctx.entropy.uuid()),
        name: name.or(question.name),
        credential_id: key.credential_id,
        credential: key.credential,
        sign_count: key.sign_count,
        is_synced: key.is_synced,
        is_backed_up: key.is_backed_up,
        transports: passkey::transports(answer.transports()),
        aaguid: key.aaguid,
    };
    let work = AddPasskey { owner: signed_in.claimed(), new, source: identity.source(&request) };
    let added = identity.ctx.store.transact(&work).await?;
    ApiResponse::ok(&Registered { verified: true, passkey: added.into() })
}

fn invalid() -> Fault {
    Fault::bad_request("invalidAttestation", "The browser's answer is not right; try again")
}
