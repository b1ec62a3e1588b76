//! The verification of a code: the attempt is paid for, the code is matched, and the login is finished or the
//! attempt rejected.

use super::{
    Unfinished,
    finish::{NotFinished, RightCode, finish},
    mailed_hash,
    pending::{self, PendingLogin},
};
use crate::identity::{
    IdentityContext, RequestContext,
    counters::LoginResult,
    lockout::BUSY,
    secrets::AttemptTarget,
    session_start::{LoginAttempt, Notice, StartedSession},
    sign_in,
};
use crypto::token;
use domain::{
    identity::{
        AuthMethod, TypedCode,
        mail::NoticeKind,
        one_time::Kind as OneTime,
        second_factor::{Method, Pending},
    },
    shared::Fault,
};
use std::future::ready;
use storage::identity::{
    lockout::{Conclusion, PendingAttempt},
    one_time,
};

/// What came of a code that was checked.
#[derive(Debug)]
pub enum VerificationOutcome {
    /// The code was right, and a session was started.
    SignedIn {
        session: Box<StartedSession>,
        /// How many backup codes are left, if one was used.
        backup_codes_left: Option<i64>,
    },
    /// The code is wrong, or was used before.
    WrongCode {
        /// How many attempts the pending login has left.
        attempts_left: i32,
    },
    /// The login cannot be finished any more.
    Over,
}

impl VerificationOutcome {
    fn of(outcome: Result<Self, Unfinished>) -> Result<Self, Fault> {
        match outcome {
            Ok(outcome) => Ok(outcome),
            Err(Unfinished::Over) => Ok(Self::Over),
            Err(Unfinished::Fault(fault)) => Err(fault),
        }
    }
}

/// Finishes a login with a code of the authenticator app, or with a backup code. 429 when too many codes were
/// wrong, from whatever browser they came.
pub async fn verify_totp(
    ctx: &IdentityContext,
    request: &RequestContext,
    login_token: &str,
    code: &str,
) -> Result<VerificationOutcome, Fault> {
    VerificationOutcome::of(match_totp(ctx, request, login_token, code).await)
}

async fn match_totp(
    ctx: &IdentityContext,
    request: &RequestContext,
    login_token: &str,
    code: &str,
) -> Result<VerificationOutcome, Unfinished> {
    let login = pending::find(ctx, request, login_token, Method::Totp).await?;
    let target = pending::target(Method::Totp, login.user);
    let attempt = PaidAttempt::new(ctx, request, login, target).await?;
    let matched = async { ctx.match_code(attempt.login.user, attempt.login.totp_secret.as_deref(), code) };
    let code = ctx.refund_on_error(attempt.pending_attempt, matched).await?;
    let label = if matches!(code, Some(RightCode::Backup(_))) { "backup_code" } else { "totp" };
    match code {
        Some(code) => attempt.succeed(ctx, request, code, label).await,
        None => attempt.reject(ctx, request, label).await,
    }
}

/// Finishes a login with the code that was mailed. Refuses as [`verify_totp`] does.
pub async fn verify_mailed_code(
    ctx: &IdentityContext,
    request: &RequestContext,
    login_token: &str,
    code: &str,
) -> Result<VerificationOutcome, Fault> {
    VerificationOutcome::of(match_mailed_code(ctx, request, login_token, code).await)
}

async fn match_mailed_code(
    ctx: &IdentityContext,
    request: &RequestContext,
    login_token: &str,
    code: &str,
) -> Result<VerificationOutcome, Unfinished> {
    let login = pending::find(ctx, request, login_token, Method::Email).await?;
    let target = pending::target(Method::Email, login.user);
    let attempt = PaidAttempt::new(ctx, request, login, target).await?;
    let is_right = match (&attempt.login.pending.mailed, TypedCode::parse(code)) {
        (Some(mailed), Some(TypedCode::Digits(code))) => {
            let sent = mailed_hash(ctx, attempt.login.row.id, &code);
            token::same(sent.as_bytes(), mailed.hash.as_bytes())
        }
        _ => false,
    };
    if is_right {
        attempt.succeed(ctx, request, RightCode::Mailed, "email_code").await
    } else {
        attempt.reject(ctx, request, "email_code").await
    }
}

/// An attempt that was paid for before its code is looked at: one of the few of its pending login, and one of
/// the account's.
struct PaidAttempt {
    login: PendingLogin,
    attempts_left: i32,
    pending_attempt: Option<PendingAttempt>,
}

impl PaidAttempt {
    async fn new(
        ctx: &IdentityContext,
        request: &RequestContext,
        login: PendingLogin,
        target: AttemptTarget<'_>,
    ) -> Result<Self, Unfinished> {
        let connection = ctx.store.connection("lockout.register").await?;
        let pending_attempt = ctx.register_attempt(&connection, target, request.known_browser(login.recognition)).await?;
        let consumed = async {
            let at = ctx.clock.now();
            let Some(row) = one_time::attempt(&connection, OneTime::PendingLogin, &login.hash, at).await? else {
                // Other attempts came in between. One of them has finished the login, or they are all there
                // are and some are being checked still.
                let stored = one_time::find(&connection, OneTime::PendingLogin, &login.hash).await?;
                let is_exhausted = stored.is_some_and(|stored| pending::is_exhausted(&stored, at));
                return Err(if is_exhausted { Fault::too_many(BUSY).into() } else { Unfinished::Over });
            };
            // Read again: another code may have been mailed in between.
            let pending = pending::read(&row)?;
            Ok((row, pending))
        }
        .await;
        // Returned to the pool first: a refund takes a connection of its own.
        drop(connection);
        let (row, pending) = ctx.refund_on_error(pending_attempt, ready(consumed)).await?;
        let attempts_left = row.attempts_left.unwrap_or_default();
        Ok(Self { login: PendingLogin { row, pending, ..login }, attempts_left, pending_attempt })
    }

    /// The code is wrong, or was used before.
    async fn reject(
        self,
        ctx: &IdentityContext,
        request: &RequestContext,
        label: &'static str,
    ) -> Result<VerificationOutcome, Unfinished> {
        let counted = ctx.limits.login_failed_from(&ctx.store, request.ip).await;
        ctx.counters.login(label, LoginResult::Failure);
        let conclusion = self.pending_attempt.map(Conclusion::Failed);
        sign_in::refuse(ctx, request, Some(self.login.user), "invalidCode", conclusion).await?;
        counted?;
        Ok(VerificationOutcome::WrongCode { attempts_left: self.attempts_left })
    }

    /// Starts a session, if the code was not used before and the account is still the same.
    async fn succeed(
        self,
        ctx: &IdentityContext,
        request: &RequestContext,
        code: RightCode,
        label: &'static str,
    ) -> Result<VerificationOutcome, Unfinished> {
        let Pending { remember, token_version, is_notified, .. } = self.login.pending;
        let (method, notice) = match code {
            RightCode::Mailed => (AuthMethod::PasswordAndMailedCode, Notice::IfSuspicious),
            RightCode::Totp { .. } if is_notified => (AuthMethod::PasswordAndCode, Notice::Never),
            RightCode::Totp { .. } => (AuthMethod::PasswordAndCode, Notice::IfSuspicious),
            RightCode::Backup(_) => (AuthMethod::PasswordAndCode, Notice::Of(NoticeKind::BackupCodeSignIn)),
        };
        let attempt = LoginAttempt {
            remember,
            // That the sign-in is suspicious was recorded when the password was right.
            recognition: Some(self.login.recognition),
            notice,
            pending_attempt: self.pending_attempt,
            ..LoginAttempt::new(self.login.user, token_version, method)
        };
        let finished = async {
            let prepared = attempt.prepare(ctx, request).await?;
            match finish(ctx, self.login.row.id, &code, &prepared).await? {
                Ok(finished) => Ok(Some((finished, prepared))),
                Err(NotFinished::WrongCode) => Ok(None),
                Err(NotFinished::Over) => Err(Unfinished::Over),
            }
        };
        // Boxed, because the future is too large for the stack of the caller.
        let finished = Box::pin(ctx.refund_on_error(self.pending_attempt, finished)).await?;
        let Some(((account, backup_codes_left), prepared)) = finished else { return self.reject(ctx, request, label).await };
        ctx.counters.login(label, LoginResult::Success);
        Ok(VerificationOutcome::SignedIn { session: Box::new(prepared.started(account)), backup_codes_left })
    }
}
