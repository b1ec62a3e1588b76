//! Registering a passkey, renaming and removing it.

use super::{PasskeyChallenge, Subject, consume_challenge, create_challenge, known};
use crate::identity::{IdentityContext, RequestContext, notices};
use crypto::passkeys::{PasskeyOwner, Registration, ResponseRefusal};
use domain::{
    identity::{
        Passkey,
        mail::NoticeKind,
        one_time::Kind as OneTime,
        passkey::{self as rules, Handle},
    },
    shared::{Code, Fault, PasskeyId, UserId},
};
use serde_json::Value;
use storage::{
    Error,
    identity::{
        AuditOutcome, accounts, audit, mails,
        passkeys::{self, KEEPS_A_FACTOR, NewPasskey},
        sessions,
    },
    shared::sessions::SessionClaims,
    transact,
};

/// What a browser sends to finish the registration of a passkey.
#[derive(Debug)]
pub struct PasskeyRegistration {
    /// The challenge, if it is named beside the answer.
    pub challenge: Option<String>,
    /// The answer of the browser, as JSON.
    pub credential: Value,
    /// What the passkey is to be called, instead of the name given at the start.
    pub name: Option<String>,
    /// What it is called when neither its owner nor its provider names it; its number without this. Pages say
    /// the browser and the system.
    pub device: Option<String>,
}

/// Makes a challenge for a new passkey. 409 when the account has as many as it may.
pub async fn start_registration(
    ctx: &IdentityContext,
    request: &RequestContext,
    owner: SessionClaims,
    name: Option<String>,
) -> Result<PasskeyChallenge, Fault> {
    ctx.limits.passkey_from(&ctx.store, request.ip).await?;
    let connection = ctx.store.connection("passkey.list").await?;
    let account = accounts::find(&connection, owner.user).await?.ok_or_else(Fault::unauthorized)?;
    let stored = passkeys::list_stored(&connection, owner.user).await?;
    drop(connection);
    if stored.len() >= rules::MOST {
        return Err(rules::too_many());
    }
    let display_name = account.display_name();
    let mut new = Handle::default();
    ctx.entropy.fill(&mut new);
    let handle = transact!(ctx, "passkey.ensure_handle", async |tx| { passkeys::ensure_handle(tx, account.id, &new).await })
        .await?
        .ok_or_else(Fault::unauthorized)?;
    let person = PasskeyOwner { handle: &handle, name: account.email.as_str(), display_name: &display_name };
    let started = ctx.passkeys.start_registration(person, &known(&stored))?;
    create_challenge(ctx, OneTime::PasskeyRegistration, Subject::SignedIn(owner), started, name).await
}

/// Adds the passkey that a browser has made. 400 `challengeExpired` or `invalidAttestation`, 409
/// `credentialExists`.
pub async fn finish_registration(
    ctx: &IdentityContext,
    request: &RequestContext,
    owner: SessionClaims,
    registration: PasskeyRegistration,
) -> Result<Passkey, Fault> {
    ctx.limits.passkey_from(&ctx.store, request.ip).await?;
    let PasskeyRegistration { challenge, credential, name, device } = registration;
    let device = device.as_deref();
    let subject = Subject::SignedIn(owner);
    let challenge = consume_challenge(ctx, OneTime::PasskeyRegistration, subject, &credential, challenge.as_deref()).await?;
    let answer = Registration::read(&credential).ok_or_else(invalid)?;
    let challenge = challenge.ok_or_else(|| Fault::of(Code::RegistrationExpired))?;
    let key = ctx.passkeys.finish_registration(&answer, &challenge.state).map_err(|refused| {
        let why = match refused {
            ResponseRefusal::Wrong(why) => why,
            ResponseRefusal::CountWentBack => "the count went back".to_owned(),
        };
        tracing::debug!(why, "passkey not registered");
        invalid()
    })?;
    let new = &NewPasskey {
        id: PasskeyId(ctx.entropy.uuid()),
        name: name.or(challenge.name),
        credential_id: key.credential_id,
        credential: key.credential,
        sign_count: key.sign_count,
        is_synced: key.is_synced,
        is_backed_up: key.is_backed_up,
        transports: rules::transports(answer.transports()),
        aaguid: key.aaguid,
    };
    let mail = &notices::compose_for(ctx, request, owner.user, NoticeKind::PasskeyAdded).await?;
    transact!(ctx, "passkey.add", async |tx| {
        sessions::lock_signed_in(tx, owner, request.source.at).await?;
        // Counted under the lock: other requests may have added some before.
        let others = passkeys::list(tx, owner.user).await?;
        if others.len() >= rules::MOST {
            return Err(rules::too_many().into());
        }
        let name = new
            .name
            .clone()
            .unwrap_or_else(|| rules::usual_name(new.aaguid, device, others.iter().map(|other| other.name.as_str())));
        let Some(added) = passkeys::insert(tx, owner.user, new, &name, request.source.at).await? else {
            return Err(rules::known_already().into());
        };
        audit::record(tx, audit::Event::AuthPasskeyAdded, AuditOutcome::Success, request.source.attempt(Some(owner.user))).await?;
        mails::add_if(tx, mail.as_ref()).await?;
        Ok(added)
    })
    .await
}

fn invalid() -> Fault {
    Fault::of(Code::InvalidAttestation)
}

/// Renames a passkey. 404 when the account has no such passkey.
pub async fn rename(
    ctx: &IdentityContext,
    request: &RequestContext,
    user: UserId,
    id: PasskeyId,
    name: &str,
) -> Result<Passkey, Fault> {
    transact!(ctx, "passkey.rename", async |tx| {
        let renamed = passkeys::rename(tx, user, id, name).await?;
        if renamed.is_some() {
            audit::record(tx, audit::Event::AuthPasskeyRenamed, AuditOutcome::Success, request.source.attempt(Some(user))).await?;
        }
        Ok(renamed)
    })
    .await?
    .ok_or_else(Fault::not_found)
}

/// Removes a passkey. 404 when the account has no such passkey, 403 `lastFactor` when the account would have
/// no other way to sign in.
pub async fn remove(ctx: &IdentityContext, request: &RequestContext, owner: SessionClaims, id: PasskeyId) -> Result<(), Fault> {
    let mail = &notices::compose_for(ctx, request, owner.user, NoticeKind::PasskeyRemoved).await?;
    let is_removed = transact!(ctx, "passkey.remove", async |tx| {
        sessions::lock_signed_in(tx, owner, request.source.at).await?;
        let is_removed = passkeys::delete(tx, owner.user, id).await.map_err(|error| match error.constraint() {
            Some(KEEPS_A_FACTOR) => Error::from(rules::last_factor()),
            _ => error,
        })?;
        if is_removed {
            audit::record(tx, audit::Event::AuthPasskeyRemoved, AuditOutcome::Success, request.source.attempt(Some(owner.user)))
                .await?;
            mails::add_if(tx, mail.as_ref()).await?;
        }
        Ok(is_removed)
    })
    .await?;
    if is_removed { Ok(()) } else { Err(Fault::not_found()) }
}
