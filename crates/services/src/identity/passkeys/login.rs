//! Signing in with a passkey. It is two factors in one (the device, and the finger or the PIN that it asks
//! for), so no other factor is required.

use super::{PasskeyChallenge, Subject, check, consume_challenge, create_challenge, offer::consume_offer};
use crate::identity::{
    IdentityContext, RequestContext,
    counters::LoginResult,
    reauth::refuse_passkey,
    session_start::{LoginAttempt, StartedSession},
    sign_in,
};
use crypto::passkeys::{Assertion, ResponseRefusal};
use domain::{
    identity::{AuthMethod, SignInBar, one_time::Kind as OneTime, second_factor::challenge_expired},
    shared::{Code, Fault, UserId},
};
use serde_json::Value;
use storage::{
    End,
    identity::{
        accounts,
        passkeys::{self, COUNT_WENT_BACK, COUNTER_REGRESSION, StaleUse},
    },
    transact_if,
};

/// What a browser sends to finish a login with a passkey.
#[derive(Debug)]
pub struct PasskeyLogin {
    /// The challenge, if it is named beside the answer.
    pub challenge: Option<String>,
    /// The answer of the browser, as JSON.
    pub credential: Value,
    /// What the page brought with its challenge, if that is the one that is answered; see
    /// [`super::offer_login`].
    pub offer: Option<String>,
    /// Whether the browser keeps the session when it is closed.
    pub remember: bool,
}

/// Makes a challenge for a browser; only the same browser may answer it. No account is named: the passkey
/// identifies it.
pub async fn start_login(ctx: &IdentityContext, request: &RequestContext, browser: &str) -> Result<PasskeyChallenge, Fault> {
    ctx.limits.passkey_from(&ctx.store, request.ip).await?;
    let started = ctx.passkeys.start_authentication(&[])?;
    create_challenge(ctx, OneTime::PasskeyLogin, Subject::Browser(browser), started, None).await
}

/// Signs in, unless the account may not. 401 `challengeExpired` or `invalidCredential`.
pub async fn finish_login(
    ctx: &IdentityContext,
    request: &RequestContext,
    browser: &str,
    login: PasskeyLogin,
) -> Result<Result<StartedSession, SignInBar>, Fault> {
    ctx.limits.passkey_from(&ctx.store, request.ip).await?;
    let PasskeyLogin { challenge, credential, offer, remember } = login;
    let challenge = if let Some(offer) = &offer {
        consume_offer(ctx, browser, offer, &credential, request.at()).await?
    } else {
        let subject = Subject::Browser(browser);
        consume_challenge(ctx, OneTime::PasskeyLogin, subject, &credential, challenge.as_deref()).await?
    };
    let Some(assertion) = Assertion::read(&credential) else { return Err(refuse(ctx, request, None, "unreadable").await?) };
    let Some(challenge) = challenge else {
        refuse(ctx, request, None, "challengeExpired").await?;
        return Err(challenge_expired());
    };

    let connection = ctx.store.connection("passkey.find").await?;
    let stored = passkeys::find(&connection, assertion.credential_id()).await?;
    // The authenticator must name the account, because the request does not.
    let Some(stored) = stored.filter(|stored| assertion.is_of(stored.user_handle.as_deref()) == Some(true)) else {
        drop(connection);
        return Err(refuse(ctx, request, None, "unknownPasskey").await?);
    };
    let account = accounts::find(&connection, stored.user).await?;
    drop(connection);
    let used = match check(ctx, &challenge, &assertion, &stored) {
        Ok(used) => used,
        Err(ResponseRefusal::CountWentBack) => {
            refuse_passkey(ctx, request, stored.user, COUNTER_REGRESSION, COUNT_WENT_BACK).await?;
            return Err(refuse(ctx, request, Some(stored.user), COUNT_WENT_BACK).await?);
        }
        Err(ResponseRefusal::Wrong(why)) => {
            tracing::debug!(why, "passkey refused");
            return Err(refuse(ctx, request, Some(stored.user), "invalidCredential").await?);
        }
    };
    let account = account.ok_or_else(invalid_credential)?;
    if let Some(bar) = account.sign_in_bar(ctx.mail_queue.is_on()) {
        ctx.counters.login("passkey", LoginResult::Refused);
        sign_in::refuse(ctx, request, Some(account.id), bar.code().name(), None).await?;
        return Ok(Err(bar));
    }
    let method = AuthMethod::Passkey { synced: stored.passkey.is_synced };
    let attempt = LoginAttempt { remember, ..LoginAttempt::new(account.id, account.token_version, method) };
    let prepared = attempt.prepare(ctx, request).await?;
    let session = &prepared;
    let signed_in = transact_if!(ctx, "passkey.sign_in", async |tx| {
        accounts::lock_row(tx, used.user).await?;
        if let Err(stale) = used.record(tx, request.source.attempt(Some(used.user))).await? {
            // That the count went back is recorded.
            return Ok(End::Commit(Err(stale)));
        }
        Ok(match session.write(tx).await? {
            Some(account) => End::Commit(Ok(account)),
            None => End::RollBack(Err(StaleUse::Gone)),
        })
    });
    let reason = match signed_in.await? {
        Ok(account) => {
            ctx.counters.login("passkey", LoginResult::Success);
            return Ok(Ok(prepared.started(account)));
        }
        Err(StaleUse::Gone) => "changedMeanwhile",
        Err(StaleUse::CountWentBack) => COUNT_WENT_BACK,
    };
    Err(refuse(ctx, request, Some(stored.user), reason).await?)
}

/// Records a refused sign-in, and answers what the caller is told.
async fn refuse(
    ctx: &IdentityContext,
    request: &RequestContext,
    user: Option<UserId>,
    reason: &'static str,
) -> Result<Fault, Fault> {
    ctx.counters.login("passkey", LoginResult::Failure);
    sign_in::refuse(ctx, request, user, reason, None).await?;
    Ok(invalid_credential())
}

fn invalid_credential() -> Fault {
    Fault::of(Code::InvalidCredential)
}
