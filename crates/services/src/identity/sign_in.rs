//! Signing in with a password.
//!
//! Whatever is wrong, the refusal is the same and costs the same: the password of an unknown account is
//! compared with a dummy hash, what it knows of the browser is looked up as well, and the refusal waits for
//! the next step of time, which hides what is left of the difference. That an account is suspended or
//! unverified is told only to a caller who knows its password.

use super::{
    IdentityContext, RequestContext,
    counters::LoginResult,
    second_factor::{self, Challenge},
    secrets::AttemptTarget,
    session_start::{LoginAttempt, StartedSession},
    timing::pad_failure,
};
use crypto::passwords::Verdict;
use domain::{
    identity::{Account, AuthMethod, Email, SignInBar, device::Recognition, password, second_factor as rules},
    shared::{Code, Fault, Kind, UserId},
};
use futures_util::future;
use secrecy::SecretString;
use storage::{
    identity::{
        AuditOutcome,
        accounts::{self, WithPassword},
        audit, known_devices,
        lockout::{self, Conclusion, PendingAttempt},
    },
    transact,
};
use tokio::time::Instant;
use uuid::Uuid;

/// The id of no account: what an unknown account knows of a browser is looked up with it.
const NO_USER: UserId = UserId(Uuid::nil());

/// The credentials of a login.
#[derive(Debug)]
pub struct PasswordLogin {
    /// The address of the account.
    pub email: Email,
    pub password: SecretString,
    /// Whether the browser keeps the session when it is closed.
    pub remember: bool,
}

/// The outcome of a login with the right password.
#[derive(Debug)]
pub enum SignInOutcome {
    /// A second factor is required before there is a session.
    SecondFactorRequired(Challenge),
    /// A session was started.
    SignedIn(Box<StartedSession>),
    /// The account may not sign in.
    Barred(SignInBar),
}

/// Why a password leads to no sign-in.
enum RowRefusal {
    /// It was right, and the account may not sign in.
    Barred(SignInBar),
    Fault(Fault),
}

impl From<Fault> for RowRefusal {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

/// Signs in. 401 `invalidCredentials` for an unknown account and a wrong password alike, 429 while too many
/// attempts have failed.
pub async fn sign_in(ctx: &IdentityContext, request: &RequestContext, login: PasswordLogin) -> Result<SignInOutcome, Fault> {
    ctx.limits.peek_login_from(request.ip)?;
    let (account, attempt) = match verify_password(ctx, request, login).await {
        Ok(verified) => verified,
        Err(RowRefusal::Barred(bar)) => return Ok(SignInOutcome::Barred(bar)),
        Err(RowRefusal::Fault(fault)) => return Err(fault),
    };
    ctx.refund_on_error(attempt.pending_attempt, continue_login(ctx, request, account, attempt)).await
}

async fn verify_password(
    ctx: &IdentityContext,
    request: &RequestContext,
    login: PasswordLogin,
) -> Result<(Account, LoginAttempt), RowRefusal> {
    let email = &login.email;
    let began = Instant::now();
    // Reserved before anything is written: when the pool is full, the attempt is refused and not counted.
    let slot = ctx.passwords.reserve()?;
    let connection = ctx.store.connection("account.find").await.map_err(Fault::from)?;
    // All are awaited: a connection with an answer that nothing waits for is not used again.
    let (counted, known_browser, found) = future::join3(
        ctx.limits.login_from(&connection, request.ip),
        async {
            match &request.device.hash {
                Some(hash) => Ok(known_devices::is_known(&connection, email, hash, request.at()).await?.then_some(hash)),
                None => Ok::<_, Fault>(None),
            }
        },
        accounts::find_by_email(&connection, email),
    )
    .await;
    counted?;
    let (known_browser, found) = (known_browser?, found.map_err(Fault::from)?);
    let registered = ctx.register_attempt(&connection, AttemptTarget::Password(email), known_browser).await;
    let attempt = registered.inspect_err(|fault| count_locked(ctx, fault))?;
    // Given back before the hashing, which takes longer than any statement.
    drop(connection);

    let comparing = Instant::now();
    let compared = async {
        let stored = found.as_ref().and_then(|found| found.password_hash.as_deref());
        let comparable = stored.filter(|_| !password::is_too_long(&login.password));
        // Read while the password is hashed.
        let recognised = async {
            let user = found.as_ref().map_or(NO_USER, |found| found.account.id);
            let connection = ctx.store.connection("known_devices.recognise").await?;
            request.recognised_by(&connection, user).await
        };
        future::try_join(ctx.passwords.verify_in(slot, login.password.clone(), comparable), recognised).await
    };
    let (verdict, recognition) = ctx.refund_on_error(attempt, compared).await?;
    let since = began + comparing.elapsed();
    // On the heap, so that the futures of those who ask stay small.
    pad_failure(since, Box::pin(judge(ctx, request, login, found, (verdict, recognition, attempt)))).await
}

/// Refuses a wrong password, and an account that may not sign in.
async fn judge(
    ctx: &IdentityContext,
    request: &RequestContext,
    login: PasswordLogin,
    found: Option<WithPassword>,
    (verdict, recognition, attempt): (Verdict, Recognition, Option<PendingAttempt>),
) -> Result<(Account, LoginAttempt), RowRefusal> {
    let user = found.as_ref().map(|found| found.account.id);
    let (Verdict::Right { outdated }, Some(found)) = (verdict, found) else {
        let counted = ctx.limits.login_failed_from(&ctx.store, request.ip).await;
        ctx.counters.login("password", LoginResult::Failure);
        refuse(ctx, request, user, "invalidCredentials", attempt.map(Conclusion::Failed)).await?;
        counted?;
        return Err(invalid_credentials().into());
    };
    if let Some(bar) = found.account.sign_in_bar(ctx.mail_queue.is_on()) {
        ctx.counters.login("password", LoginResult::Refused);
        let refused = refuse(ctx, request, user, bar.code().name(), attempt.map(Conclusion::Succeeded));
        ctx.refund_on_error(attempt, refused).await?;
        return Err(RowRefusal::Barred(bar));
    }
    let PasswordLogin { password, remember, .. } = login;
    let is_common = password::is_common(&password);
    let rehashed = match found.password_hash {
        // When the pool is full now, the next login replaces the hash.
        Some(old) if outdated => ctx.passwords.hash(password).await.ok().map(|new| (old, new)),
        _ => None,
    };
    let account = found.account;
    let attempt = LoginAttempt {
        remember,
        rehashed,
        recognition: Some(recognition),
        reasons: recognition.reasons(is_common),
        pending_attempt: attempt,
        ..LoginAttempt::new(account.id, account.token_version, AuthMethod::Password)
    };
    Ok((account, attempt))
}

/// What follows on a right password: a second factor, or a session.
async fn continue_login(
    ctx: &IdentityContext,
    request: &RequestContext,
    account: Account,
    attempt: LoginAttempt,
) -> Result<SignInOutcome, Fault> {
    if let Some(method) = rules::required_factor(account.has_totp, ctx.mail_codes(), !attempt.reasons.is_empty()) {
        let challenge = second_factor::challenge(ctx, request, &account, (method, &attempt)).await?;
        return Ok(SignInOutcome::SecondFactorRequired(challenge.ok_or_else(invalid_credentials)?));
    }
    let started = attempt.start(ctx, request).await?.ok_or_else(invalid_credentials)?;
    ctx.counters.login("password", LoginResult::Success);
    Ok(SignInOutcome::SignedIn(Box::new(started)))
}

fn count_locked(ctx: &IdentityContext, fault: &Fault) {
    if fault.kind() == Kind::TooMany {
        ctx.counters.login("password", LoginResult::Locked);
    }
}

fn invalid_credentials() -> Fault {
    Fault::of(Code::InvalidCredentials)
}

/// Records a refused sign-in in the audit trail, and concludes its attempt. `None` for one that is not
/// counted.
pub(super) async fn refuse(
    ctx: &IdentityContext,
    request: &RequestContext,
    user: Option<UserId>,
    reason: &'static str,
    conclusion: Option<Conclusion>,
) -> Result<(), Fault> {
    transact!(ctx, "account.refuse_sign_in", async |tx| {
        lockout::conclude(tx, conclusion).await?;
        audit::record(tx, audit::Event::AuthLoginFailure, AuditOutcome::Failure(reason), request.source.attempt(user)).await
    })
    .await
}
