//! Starting a session for a person who has authenticated, by whatever method.

mod transaction;

use super::{IdentityContext, RequestContext, notices};
use domain::{
    identity::{
        Account, AuthMethod,
        device::{Recognition, SuspicionReason},
        mail::NoticeKind,
    },
    shared::{Fault, SessionId, UserId},
};
use secrecy::ExposeSecret;
use std::time::Duration;
use storage::identity::{lockout::PendingAttempt, sessions::SessionTimes};
pub(super) use transaction::record_suspicion;
pub use transaction::{SignInNotices, StartSession};

/// How long a session lives when the person asked to be remembered.
pub const REMEMBERED: Duration = Duration::from_hours(14 * 24);
/// How long it lives otherwise; the browser forgets it earlier, when it is closed.
pub const NOT_REMEMBERED: Duration = Duration::from_hours(24);

/// An account whose owner has authenticated.
pub struct Authenticated {
    pub user: UserId,
    /// Its `token_version` at that moment. What ends sessions from then on refuses this sign-in as well.
    pub token_version: i32,
    /// How the owner has authenticated.
    pub method: AuthMethod,
    /// The hash that the password was compared with and one to replace it, when the costs of hashing have changed.
    pub rehashed: Option<(String, String)>,
    /// Whether the browser keeps the session when it is closed.
    pub remember: bool,
    /// What the account knows of the browser, if that was read before, and why the sign-in is suspicious, if that is still to be recorded.
    pub recognition: Option<(Recognition, Vec<SuspicionReason>)>,
    /// When the owner is written to.
    pub notice: Notice,
    /// The attempt at a password or code that succeeded.
    pub pending_attempt: Option<PendingAttempt>,
}

impl Authenticated {
    /// An account whose owner has authenticated without a password, in a browser that keeps the session.
    pub fn new(user: UserId, token_version: i32, method: AuthMethod) -> Self {
        let notice = Notice::IfSuspicious;
        Self { user, token_version, method, rehashed: None, remember: true, recognition: None, notice, pending_attempt: None }
    }
}

/// When the owner of an account is written to about a sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice {
    /// When the browser is a new one, or the sign-in is suspicious otherwise.
    IfSuspicious,
    /// Always, and of this occasion.
    Of(NoticeKind),
    /// Never: the owner was written to before.
    Never,
}

/// A session that is not written yet. Its operation runs alone, or within the transaction of another operation.
pub struct PreparedSession {
    pub operation: StartSession,
    remember: bool,
    device_token: String,
}

/// A session that was started: what its browser is told, and what its cookies are made of.
#[derive(Debug)]
pub struct StartedSession {
    /// The account as it is now.
    pub account: Account,
    pub session: SessionId,
    /// What the session's cookie claims.
    pub times: SessionTimes,
    /// Whether the browser keeps the session when it is closed.
    pub remember: bool,
    /// The token of the browser's device cookie.
    pub device_token: String,
}

/// Starts a session. `None` when the account changed since its owner authenticated: it has another password or second factor, or it is suspended.
pub async fn start(
    ctx: &IdentityContext,
    request: &RequestContext,
    authenticated: Authenticated,
) -> Result<Option<StartedSession>, Fault> {
    let prepared = PreparedSession::new(ctx, request, authenticated).await?;
    let account = prepared.operation.run(&ctx.store).await?;
    Ok(account.map(|account| prepared.started(account)))
}

impl PreparedSession {
    /// Prepares a session. Its id is a new one, whatever the browser sent.
    pub async fn new(ctx: &IdentityContext, request: &RequestContext, authenticated: Authenticated) -> Result<Self, Fault> {
        let at = request.at();
        let lives_for = if authenticated.remember { REMEMBERED } else { NOT_REMEMBERED };
        let expires_at = at.checked_add(lives_for).map_err(|error| Fault::internal(format!("session expiry: {error}")))?;
        let (recognition, reasons) = if let Some(recognition) = authenticated.recognition {
            recognition
        } else {
            let connection = ctx.store.connection("known_devices.recognise").await?;
            let recognition = request.recognised_by(&connection, authenticated.user).await?;
            (recognition, recognition.reasons(false))
        };
        let is_new_device = recognition.is_new_device();
        let occasion = match authenticated.notice {
            Notice::IfSuspicious => (is_new_device || !reasons.is_empty()).then_some(NoticeKind::SignIn),
            Notice::Of(occasion) => Some(occasion),
            Notice::Never => None,
        };
        let mail = match occasion {
            Some(occasion) => notices::compose_for(ctx, request, authenticated.user, occasion).await?,
            None => None,
        };
        // A device token that this account did not give to the browser is replaced: an attacker may have planted it.
        let known = request.device_token.clone().zip(request.known_browser(recognition).copied());
        let (device_token, device_hash) = known.unwrap_or_else(|| {
            let (token, hash) = crypto::opaque_token::generate(ctx.entropy.as_ref());
            (token.expose_secret().to_owned(), hash)
        });
        let operation = StartSession {
            user: authenticated.user,
            token_version: authenticated.token_version,
            method: authenticated.method,
            rehashed: authenticated.rehashed,
            session: SessionId(ctx.entropy.uuid()),
            expires_at,
            device_hash,
            device: request.device.clone(),
            notices: SignInNotices { reasons, is_new_device, mail },
            pending_attempt: authenticated.pending_attempt,
            former_session: request.former_session,
            source: request.source.clone(),
        };
        Ok(Self { operation, remember: authenticated.remember, device_token })
    }

    /// The session, once its operation was committed and answered the account.
    pub fn started(self, account: Account) -> StartedSession {
        let StartSession { session, token_version, expires_at, source, .. } = self.operation;
        let times = SessionTimes { token_version, auth_at: source.at, created_at: source.at, expires_at };
        StartedSession { account, session, times, remember: self.remember, device_token: self.device_token }
    }
}
