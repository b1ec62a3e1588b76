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
pub use transaction::PreparedSession;
pub(super) use transaction::record_suspicion;

/// How long a session lives when the person asked to be remembered.
pub const REMEMBERED: Duration = Duration::from_hours(14 * 24);
/// How long it lives otherwise; the browser forgets it earlier, when it is closed.
const NOT_REMEMBERED: Duration = Duration::from_hours(24);

/// A sign-in whose owner has authenticated, by whatever method. It becomes a session, or waits for its second
/// factor.
pub struct LoginAttempt {
    pub user: UserId,
    /// The account's `token_version` when its owner authenticated. What ends sessions from then on refuses
    /// this sign-in as well.
    pub token_version: i32,
    /// How the owner has authenticated.
    pub method: AuthMethod,
    /// Whether the browser keeps the session when it is closed.
    pub remember: bool,
    /// The hash that the password was compared with and one to replace it, when the costs of hashing have
    /// changed.
    pub rehashed: Option<(String, String)>,
    /// What the account knows of the browser, if that was read before.
    pub recognition: Option<Recognition>,
    /// Why the sign-in is suspicious, if it is and that is still to be recorded.
    pub reasons: Vec<SuspicionReason>,
    /// When the owner is written to.
    pub notice: Notice,
    /// The attempt at a password or code that succeeded.
    pub pending_attempt: Option<PendingAttempt>,
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

/// A session that was started: what its browser is told, and what its cookies are made of.
#[derive(Debug)]
pub struct StartedSession {
    /// The account as it is now.
    pub account: Account,
    pub session: SessionId,
    /// What the session's cookie claims, and for how long the browser keeps it.
    pub times: SessionTimes,
    /// The token of the browser's device cookie.
    pub device_token: String,
}

impl LoginAttempt {
    /// A sign-in without a password, in a browser that keeps the session.
    pub fn new(user: UserId, token_version: i32, method: AuthMethod) -> Self {
        let (recognition, reasons, notice) = (None, Vec::new(), Notice::IfSuspicious);
        Self { user, token_version, method, remember: true, rehashed: None, recognition, reasons, notice, pending_attempt: None }
    }

    /// Starts the session. `None` when the account changed since its owner authenticated: it has another
    /// password or second factor, or it is suspended.
    pub async fn start(self, ctx: &IdentityContext, request: &RequestContext) -> Result<Option<StartedSession>, Fault> {
        let prepared = self.prepare(ctx, request).await?;
        let account = prepared.run(&ctx.store).await?;
        Ok(account.map(|account| prepared.started(account)))
    }

    /// Prepares the session. Its id is a new one, whatever the browser sent.
    pub async fn prepare(mut self, ctx: &IdentityContext, request: &RequestContext) -> Result<PreparedSession, Fault> {
        let lives_for = if self.remember { REMEMBERED } else { NOT_REMEMBERED };
        let expires_at =
            request.at().checked_add(lives_for).map_err(|error| Fault::internal(format!("session expiry: {error}")))?;
        let recognition = if let Some(recognition) = self.recognition {
            recognition
        } else {
            let connection = ctx.store.connection("known_devices.recognise").await?;
            let recognition = request.recognised_by(&connection, self.user).await?;
            self.reasons = recognition.reasons(false);
            recognition
        };
        let is_new_device = recognition.is_new_device();
        let occasion = match self.notice {
            Notice::IfSuspicious => (is_new_device || !self.reasons.is_empty()).then_some(NoticeKind::SignIn),
            Notice::Of(occasion) => Some(occasion),
            Notice::Never => None,
        };
        let mail = match occasion {
            Some(occasion) => notices::compose_for(ctx, request, self.user, occasion).await?,
            None => None,
        };
        // A device token that this account did not give to the browser is replaced: an attacker may have
        // planted it.
        let known = request.device_token.clone().zip(request.known_browser(recognition).copied());
        let (device_token, device_hash) = known.unwrap_or_else(|| {
            let (token, hash) = crypto::opaque_token::generate(ctx.entropy.as_ref());
            (token.expose_secret().to_owned(), hash)
        });
        Ok(PreparedSession {
            attempt: self,
            session: SessionId(ctx.entropy.uuid()),
            expires_at,
            device_token,
            device_hash,
            device: request.device.clone(),
            is_new_device,
            mail,
            former_session: request.former_session,
            source: request.source.clone(),
        })
    }
}
