//! What a person does with the code of a device: learns who asks for what, and allows or denies it.

use super::{DeviceRequest, user_hash};
use crate::identity::{
    RequestContext,
    oidc::{
        OidcContext,
        authorize::{Browser, find_person},
        interaction::Decided,
    },
    secrets::AttemptTarget,
};
use domain::{
    identity::oidc::{ClaimsRequest, Client, UserCode, device_code::Decision, lifetimes, roles, scope::OFFLINE_ACCESS},
    shared::{Code, Fault, UserId},
};
use futures_util::try_join;
use serde_json::json;
use std::sync::Arc;
use storage::{
    identity::{
        audit, lockout,
        lockout::Conclusion,
        oidc::{
            authorization::SignedInPerson,
            consents, device_codes,
            grants::{self, Grant},
        },
        sessions,
    },
    shared::sessions::SessionClaims,
    transact,
};

/// The request of a device as its page shows it.
#[derive(Debug)]
pub struct DeviceView {
    /// The code that the device shows.
    pub code: UserCode,
    pub client: Arc<Client>,
    /// Who is signed in.
    pub person: SignedInPerson,
    /// What is asked for.
    pub request: DeviceRequest,
}

impl DeviceView {
    /// Whether the person has one of the roles that the client demands, if it demands any.
    pub fn may_sign_in(&self) -> bool {
        roles::may_sign_in(&self.client, &self.person.facts.roles)
    }
}

/// The same for a code that is no code, has expired, was decided about, or never existed.
fn invalid_code() -> Fault {
    Fault::of(Code::InvalidUserCode)
}

/// Finds the request of a code that a signed-in person typed. 400 `invalidUserCode`; 429 for a person who
/// typed too many codes that are none (RFC 8628, section 5.1); 401 when the session has ended.
pub async fn find(ctx: &OidcContext, request: &RequestContext, session: SessionClaims, typed: &str) -> Result<DeviceView, Fault> {
    // Not a guess: no code has this form.
    let code = UserCode::parse(typed).ok_or_else(invalid_code)?;
    let request_of_device = find_counted(ctx, request, session.user, &code).await?;
    let client = ctx.clients.find(&request_of_device.client_id).cloned().ok_or_else(invalid_code)?;
    let browser = Browser { session: Some(session), interaction_cookie: None };
    let (person, _) = find_person(ctx, browser, &client, request).await?.ok_or_else(Fault::unauthorized)?;
    Ok(DeviceView { code, client, person, request: request_of_device })
}

/// Finds the request of a code; a code that is none counts as a failure of the person.
async fn find_counted(ctx: &OidcContext, request: &RequestContext, user: UserId, code: &UserCode) -> Result<DeviceRequest, Fault> {
    let identity = &ctx.identity;
    let connection = identity.store.connection("oidc.find_user_code").await?;
    let attempt = identity.register_attempt(&connection, AttemptTarget::DeviceCode(user), None).await?;
    let found = device_codes::find_undecided(&connection, &user_hash(ctx, code), request.at()).await;
    // A right code clears no failures: a guesser could have one at hand.
    match (&found, attempt) {
        (Ok(None), attempt) => lockout::conclude(&connection, attempt.map(Conclusion::Failed)).await?,
        (_, Some(attempt)) => lockout::refund(&connection, &attempt).await?,
        (_, None) => {}
    }
    found?.ok_or_else(invalid_code)
}

/// Writes what the person has decided about a device. With [`Decision::Allowed`] the device gets what it
/// asked for. Faults of [`find`] as well: another request may have decided meanwhile.
pub async fn decide(
    ctx: &OidcContext,
    request: &RequestContext,
    session: SessionClaims,
    typed: &str,
    decision: Decision,
) -> Result<Decided, Fault> {
    let view = &find(ctx, request, session, typed).await?;
    let grant = match decision {
        Decision::Denied => None,
        Decision::Allowed if !view.may_sign_in() => return Ok(Decided::RoleRequired(Arc::clone(&view.client))),
        Decision::Allowed => Some(grant_of(ctx, request, session, view)?),
    };
    let grant = grant.as_ref();
    let is_first = transact!(ctx.identity, "oidc.decide_device", async |tx| {
        let (user, at) = (session.user, request.source.at);
        sessions::lock_signed_in(tx, session, at).await?;
        if !device_codes::decide(tx, view.request.id, decision, at).await? {
            return Ok(false);
        }
        let (client_id, scope) = (&view.request.client_id, &view.request.scope);
        let details = json!({ "clientId": client_id, "scope": scope.to_string(), "device": true });
        let attempt = request.source.attempt(Some(user)).client(client_id);
        let Some(grant) = grant else {
            audit::record_with(tx, audit::Event::OidcConsentDenied, &details, attempt).await?;
            return Ok(true);
        };
        try_join!(
            grants::insert(tx, grant),
            grants::note_session_client(tx, session.session, client_id, at),
            consents::add(tx, user, client_id, scope, at),
            audit::record_with(tx, audit::Event::OidcConsentGranted, &details, attempt)
        )
        .map(|_| true)
    })
    .await?;
    if is_first { Ok(Decided::Written) } else { Err(invalid_code()) }
}

fn grant_of(ctx: &OidcContext, request: &RequestContext, session: SessionClaims, view: &DeviceView) -> Result<Grant, Fault> {
    let (at, facts) = (request.at(), &view.person.facts);
    let is_offline = view.request.scope.has(OFFLINE_ACCESS);
    let until_used = lifetimes::DEVICE_CODE + ctx.settings.access_token_ttl(&view.client);
    let lives_for = if is_offline { lifetimes::REFRESH_FAMILY } else { until_used };
    Ok(Grant {
        id: view.request.id,
        client_id: view.client.id.clone(),
        user: facts.user,
        session: Some(session.session),
        scope: view.request.scope.clone(),
        resources: view.request.resources.clone(),
        claims: ClaimsRequest::default(),
        nonce: None,
        auth_at: facts.auth_at,
        methods: facts.methods.clone(),
        is_offline,
        created_at: at,
        expires_at: at.checked_add(lives_for).map_err(|error| Fault::internal(format!("grant expiry: {error}")))?,
    })
}
