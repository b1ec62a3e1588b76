//! WebAuthn challenges: made for one subject, and consumed once, whatever the answer.

use crate::identity::IdentityContext;
use crypto::{
    opaque_token,
    passkeys::{self, Assertion, Key, RegisteredPasskey, ResponseRefusal, Started},
    token,
};
use domain::{identity::one_time::Kind as OneTime, shared::Fault};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use storage::{
    identity::{
        one_time::{self, NewOneTime, OneTimeToken},
        passkeys::{PasskeyUse, StoredPasskey},
    },
    shared::sessions::SessionClaims,
    transact,
};

/// Who may answer a challenge.
#[derive(Clone, Copy)]
pub(in crate::identity) enum Subject<'a> {
    /// A signed-in person, in that session.
    SignedIn(SessionClaims),
    /// A browser before sign-in: what its CSRF tokens are bound to.
    Browser(&'a str),
}

/// What is stored between a challenge and its answer.
#[derive(Serialize, Deserialize)]
pub(in crate::identity) struct ChallengeState {
    /// What the check of the answer needs.
    pub(in crate::identity) state: Value,
    /// The name for a new passkey.
    pub(in crate::identity) name: Option<String>,
    /// The browser that may answer a challenge of a login, as a keyed hash.
    browser: Option<String>,
}

impl ChallengeState {
    /// Of a challenge that was not stored, and whose browser is known to be the right one.
    pub(super) fn of_offer(state: Value) -> Self {
        Self { state, name: None, browser: None }
    }
}

/// A challenge, as the browser takes it.
#[derive(Debug)]
pub struct PasskeyChallenge {
    /// The options of `navigator.credentials.create` or `.get`, as JSON.
    pub options: Value,
    /// The challenge, in base64url.
    pub challenge: String,
}

/// Stores a challenge for a subject.
pub(in crate::identity) async fn create_challenge(
    ctx: &IdentityContext,
    kind: OneTime,
    subject: Subject<'_>,
    started: Started,
    name: Option<String>,
) -> Result<PasskeyChallenge, Fault> {
    let Started { options, challenge, state } = started;
    let hash = opaque_token::hash(&challenge).ok_or_else(|| Fault::internal("a challenge of another length"))?;
    let (owner, browser) = stored_subject(ctx, subject);
    let state = ChallengeState { state, name, browser };
    let payload = serde_json::to_value(&state).map_err(|error| Fault::internal(format!("challenge: {error}")))?;
    let (user, session) = owner.map(|owner| (owner.user, owner.session)).unzip();
    let row = NewOneTime::without_account(kind, hash, ctx.entropy.uuid(), payload, ctx.clock.now());
    let row = &NewOneTime { user, session, ..row };
    transact!(ctx, "passkey.create_challenge", async |tx| { one_time::add(tx, row).await }).await?;
    Ok(PasskeyChallenge { options, challenge })
}

/// Consumes the challenge that is answered, before the rest of the answer is read. `None` when its time is
/// over, it was answered before, or it was made for something else or another subject; or when `sent` names
/// another challenge, which is consumed as well.
pub(in crate::identity) async fn consume_challenge(
    ctx: &IdentityContext,
    kind: OneTime,
    subject: Subject<'_>,
    credential: &Value,
    sent: Option<&str>,
) -> Result<Option<ChallengeState>, Fault> {
    let answered = passkeys::challenge_of(credential);
    let consumed = consume(ctx, kind, answered.as_deref()).await?;
    if sent.is_some() && sent != answered.as_deref() {
        consume(ctx, kind, sent).await?;
        return Ok(None);
    }
    let (owner, browser) = stored_subject(ctx, subject);
    let owner = owner.map(|owner| (owner.user, owner.session)).unzip();
    let Some(consumed) = consumed.filter(|consumed| (consumed.user, consumed.session) == owner) else { return Ok(None) };
    let state: ChallengeState =
        serde_json::from_value(consumed.payload).map_err(|error| Fault::internal(format!("challenge: {error}")))?;
    let is_subject = match (&state.browser, &browser) {
        (Some(stored), Some(sent)) => token::same(stored.as_bytes(), sent.as_bytes()),
        (stored, sent) => stored.is_none() && sent.is_none(),
    };
    Ok(Some(state).filter(|_| is_subject))
}

async fn consume(ctx: &IdentityContext, kind: OneTime, challenge: Option<&str>) -> Result<Option<OneTimeToken>, Fault> {
    let Some(hash) = challenge.and_then(opaque_token::hash) else { return Ok(None) };
    let at = ctx.clock.now();
    transact!(ctx, "passkey.consume_challenge", async |tx| { one_time::consume(tx, kind, &hash, at).await }).await
}

/// The subject as it is stored.
fn stored_subject(ctx: &IdentityContext, subject: Subject<'_>) -> (Option<SessionClaims>, Option<String>) {
    match subject {
        Subject::SignedIn(owner) => (Some(owner), None),
        Subject::Browser(binding) => (None, Some(ctx.secrets.browser(binding))),
    }
}

/// Checks an assertion of a stored passkey, and answers the use that is to be recorded.
pub(in crate::identity) fn check(
    ctx: &IdentityContext,
    challenge: &ChallengeState,
    assertion: &Assertion,
    stored: &StoredPasskey,
) -> Result<PasskeyUse, ResponseRefusal> {
    let key = Key { credential: &stored.credential, sign_count: stored.sign_count, is_backed_up: stored.passkey.is_backed_up };
    let seen = ctx.passkeys.finish_authentication(assertion, &challenge.state, key)?;
    Ok(PasskeyUse { id: stored.passkey.id, user: stored.user, sign_count: seen.sign_count, is_backed_up: seen.is_backed_up })
}

/// The passkeys of an account as the options name them.
pub(in crate::identity) fn known(stored: &[StoredPasskey]) -> Vec<RegisteredPasskey<'_>> {
    stored.iter().map(|key| RegisteredPasskey { credential_id: &key.credential_id, transports: &key.passkey.transports }).collect()
}
