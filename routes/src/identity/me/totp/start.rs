//! `POST /api/me/totp/start`: a new secret, in place of one that waits for its first code. The app that is in use stays.

use crate::{
    identity::{Identity, respond},
    web::{ApiRequest, ApiResponse, Endpoint, request::api_request},
};
use crypto::totp::{Authenticator, new_secret};
use domain::shared::Fault;
use jiff::SignedDuration;
use secrecy::ExposeSecret;
use serde::Serialize;
use storage::identity::{accounts, totp};
use warp::Filter;

/// How long a secret waits for its first code.
const PENDING_FOR: SignedDuration = SignedDuration::from_hours(1);

pub(super) fn route(identity: &Identity) -> Endpoint {
    let identity = identity.clone();
    warp::path!("api" / "me" / "totp" / "start")
        .and(warp::post())
        .and(api_request())
        .then(move |request: ApiRequest| respond(request.meta, start(identity.clone(), request)))
        .boxed()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Started<'a> {
    secret: &'a str,
    otpauth_uri: &'a str,
}

async fn start(identity: Identity, request: ApiRequest) -> Result<ApiResponse, Fault> {
    let user = identity.sessions.signed_in_with_csrf(&request).await?.user;
    let connection = identity.ctx.store.connection("account.find").await?;
    let account = accounts::find(&connection, user).await?.ok_or_else(Fault::unauthorized)?;
    let secret = new_secret(identity.ctx.entropy.as_ref());
    let sealed = identity.ctx.secrets.seal(user, secret.expose_secret(), &identity.ctx.entropy)?;
    let until =
        identity.ctx.clock.now().checked_add(PENDING_FOR).map_err(|error| Fault::internal(format!("pending secret: {error}")))?;
    if !totp::start(&connection, user, &sealed, until).await? {
        return Err(Fault::unauthorized());
    }

    let authenticator = Authenticator::new(&secret)?;
    let (secret, uri) = (authenticator.secret(), authenticator.uri(&identity.ctx.settings.name, account.email.as_str()));
    ApiResponse::ok(&Started { secret: secret.expose_secret(), otpauth_uri: uri.expose_secret() })
}
