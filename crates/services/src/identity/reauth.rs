//! Re-authentication: a signed-in person authenticates once more before an act that a stranger at an open
//! browser must not be able to do.

use super::{
    IdentityContext, RequestContext,
    passkeys::{PasskeyChallenge, Subject, check, consume_challenge, create_challenge, known},
    secrets::AttemptTarget,
};
use crypto::{
    passkeys::{Assertion, ResponseRefusal},
    passwords::Verdict,
};
use domain::{
    identity::{one_time::Kind as OneTime, password},
    shared::{Code, Fault, UserId},
};
use secrecy::SecretString;
use serde_json::Value;
use storage::{
    identity::{
        AuditOutcome,
        accounts::WithPassword,
        audit,
        lockout::{self, Conclusion},
        passkeys::{self, COUNT_WENT_BACK, COUNTER_REGRESSION, PasskeyUse, RecordedUse, StaleUse},
        sessions,
    },
    shared::sessions::SessionClaims,
    transact,
};

/// What a person authenticates with.
#[derive(Debug)]
pub enum Credential {
    /// The password of the account.
    Password(SecretString),
    /// A passkey of the account.
    Passkey {
        /// The challenge, if it is named beside the answer.
        challenge: Option<String>,
        /// The answer of the browser, as JSON.
        credential: Value,
    },
}

/// Makes a challenge for the passkeys that may re-authenticate, see
/// [`domain::identity::Passkey::may_reauthenticate`]. 400 `noPasskeys` when there is none.
pub async fn start(ctx: &IdentityContext, request: &RequestContext, owner: SessionClaims) -> Result<PasskeyChallenge, Fault> {
    ctx.limits.passkey_from(&ctx.store, request.ip).await?;
    let connection = ctx.store.connection("passkey.list").await?;
    let mut stored = passkeys::list_stored(&connection, owner.user).await?;
    let auth_at = sessions::auth_at(&connection, owner.session).await?.ok_or_else(Fault::unauthorized)?;
    drop(connection);
    if stored.is_empty() {
        return Err(Fault::new(Code::NoPasskeys, "This account has no passkey"));
    }
    stored.retain(|stored| stored.passkey.may_reauthenticate(auth_at));
    if stored.is_empty() {
        return Err(Fault::new(
            Code::NoPasskeys,
            "The passkeys of this account are newer than this session; sign in with one first",
        ));
    }
    let started = ctx.passkeys.start_authentication(&known(&stored))?;
    create_challenge(ctx, OneTime::PasskeyProof, Subject::SignedIn(owner), started, None).await
}

/// Authenticates a signed-in person once more. `event` is the audit event under which a refusal is recorded.
/// Returns the use of a passkey, which the caller records in its own transaction, see [`unless_stale`].
pub async fn reauthenticate(
    ctx: &IdentityContext,
    request: &RequestContext,
    owner: SessionClaims,
    stored: &WithPassword,
    credential: Credential,
    event: audit::Event,
) -> Result<Option<PasskeyUse>, Fault> {
    match credential {
        Credential::Password(password) => {
            check_password(ctx, request, owner.user, stored, password, event).await?;
            Ok(None)
        }
        Credential::Passkey { challenge, credential } => {
            match verify_passkey(ctx, request, owner, challenge.as_deref(), &credential).await? {
                Ok(used) => Ok(Some(used)),
                Err(reason) => {
                    let event = if reason == COUNT_WENT_BACK { COUNTER_REGRESSION } else { event };
                    refuse_passkey(ctx, request, owner.user, event, reason).await?;
                    Err(invalid_assertion())
                }
            }
        }
    }
}

/// The output of the act. 403 `invalidAssertion` when the passkey changed since it was checked; that its
/// count went back was recorded by the transaction.
pub async fn unless_stale<T>(
    ctx: &IdentityContext,
    request: &RequestContext,
    user: UserId,
    recorded: RecordedUse<T>,
    event: audit::Event,
) -> Result<T, Fault> {
    match recorded {
        Ok(output) => return Ok(output),
        Err(StaleUse::Gone) => refuse_passkey(ctx, request, user, event, "unknownPasskey").await?,
        Err(StaleUse::CountWentBack) => {}
    }
    Err(invalid_assertion())
}

/// 403 `invalidPassword` unless it is the account's password. Not 401: the session is as good as before.
pub(super) async fn check_password(
    ctx: &IdentityContext,
    request: &RequestContext,
    user: UserId,
    stored: &WithPassword,
    password: SecretString,
    event: audit::Event,
) -> Result<(), Fault> {
    if compare_password(ctx, request, user, stored, password, event).await? { Ok(()) } else { Err(wrong_password()) }
}

/// 403 for a password that is not the account's.
pub fn wrong_password() -> Fault {
    Fault::of(Code::InvalidPassword)
}

/// Whether it is the account's password. Failures are counted as those at login are, and recorded; 429 after
/// too many.
pub(super) async fn compare_password(
    ctx: &IdentityContext,
    request: &RequestContext,
    user: UserId,
    stored: &WithPassword,
    password: SecretString,
    event: audit::Event,
) -> Result<bool, Fault> {
    let attempt = ctx.register_attempt_of(request, user, AttemptTarget::Reauth(user)).await?;
    let comparable = stored.password_hash.as_deref().filter(|_| !password::is_too_long(&password));
    let verdict = ctx.refund_on_error(attempt, ctx.passwords.verify(password, comparable)).await?;
    if let Verdict::Right { .. } = verdict {
        ctx.conclude(attempt.map(Conclusion::Succeeded)).await?;
        return Ok(true);
    }
    transact!(ctx, "account.refuse_password", async |tx| {
        lockout::conclude(tx, attempt.map(Conclusion::Failed)).await?;
        audit::record(tx, event, AuditOutcome::Failure("invalidPassword"), request.source.attempt(Some(user))).await
    })
    .await?;
    Ok(false)
}

/// The use of the passkey, if it is one of the account that may re-authenticate and the answer is right; else
/// the reason why not.
async fn verify_passkey(
    ctx: &IdentityContext,
    request: &RequestContext,
    owner: SessionClaims,
    challenge: Option<&str>,
    credential: &Value,
) -> Result<Result<PasskeyUse, &'static str>, Fault> {
    ctx.limits.passkey_from(&ctx.store, request.ip).await?;
    let challenge = consume_challenge(ctx, OneTime::PasskeyProof, Subject::SignedIn(owner), credential, challenge).await?;
    let Some(assertion) = Assertion::read(credential) else { return Ok(Err("invalidAssertion")) };
    let Some(challenge) = challenge else { return Ok(Err("challengeExpired")) };
    let connection = ctx.store.connection("passkey.find").await?;
    let stored = passkeys::find(&connection, assertion.credential_id()).await?;
    let auth_at = sessions::auth_at(&connection, owner.session).await?.ok_or_else(Fault::unauthorized)?;
    drop(connection);
    let own = stored.filter(|stored| stored.user == owner.user && assertion.is_of(stored.user_handle.as_deref()) != Some(false));
    let Some(stored) = own else { return Ok(Err("unknownPasskey")) };
    if !stored.passkey.may_reauthenticate(auth_at) {
        return Ok(Err("newPasskey"));
    }
    Ok(check(ctx, &challenge, &assertion, &stored).map_err(|refused| match refused {
        ResponseRefusal::CountWentBack => COUNT_WENT_BACK,
        ResponseRefusal::Wrong(why) => {
            tracing::debug!(why, "passkey refused");
            "invalidAssertion"
        }
    }))
}

/// Records that a passkey was refused for an act; or, for any passkey, that its count went back.
pub(super) async fn refuse_passkey(
    ctx: &IdentityContext,
    request: &RequestContext,
    user: UserId,
    event: audit::Event,
    reason: &'static str,
) -> Result<(), Fault> {
    transact!(ctx, "passkey.refuse", async |tx| {
        audit::record(tx, event, AuditOutcome::Failure(reason), request.source.attempt(Some(user))).await
    })
    .await
}

fn invalid_assertion() -> Fault {
    Fault::of(Code::InvalidAssertion)
}
