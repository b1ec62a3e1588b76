//! What the actor knows of the mail server: whether it is well, until when it is left alone, and a connection
//! that is open for the next mail.

use domain::identity::mail_retry::{SendError, ServerHealth};
use egress::mail::{Failure, MailConnection};
use std::time::Duration;
use tokio::time::Instant;

/// How long an idle connection is kept. Servers close one after a minute or more.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// See the module.
#[derive(Default)]
pub(super) struct MailServer {
    health: ServerHealth,
    paused_until: Option<Instant>,
    idle: Option<IdleConnection>,
}

struct IdleConnection {
    connection: Box<dyn MailConnection>,
    since: Instant,
}

impl MailServer {
    /// How well it is.
    pub(super) fn health(&self) -> ServerHealth {
        self.health
    }

    /// For how long it is still left alone.
    pub(super) fn pause(&self) -> Option<Duration> {
        let left = self.paused_until?.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some(left)
    }

    /// It has accepted a mail.
    pub(super) fn on_success(&mut self) {
        self.health.on_success();
        self.paused_until = None;
    }

    /// Sending failed. If the failure is the server's, it is left alone for a while. Only the first of a
    /// series is logged as a warning.
    pub(super) fn on_failure(&mut self, failure: &Failure, jitter_seed: u32) {
        let was_healthy = self.health.is_healthy();
        let Some(pause) = self.health.on_failure(failure.error, jitter_seed) else { return };
        self.paused_until = Some(Instant::now() + pause);
        // The text of a reply about a recipient may name the person, so only the stage of such a failure is
        // logged.
        let shown = if failure.error == SendError::Unavailable { failure.to_string() } else { format!("{:?}", failure.stage) };
        if was_healthy {
            tracing::warn!(failure = shown, "the mail server takes no mail; it is asked again, less and less often");
        } else {
            tracing::debug!(failure = shown, pause.seconds = pause.as_secs(), "the mail server still takes no mail");
        }
    }

    /// Whether a connection is open that no mail is being sent over.
    pub(super) fn is_connected(&self) -> bool {
        self.idle.is_some()
    }

    /// The idle connection.
    pub(super) fn take_connection(&mut self) -> Option<Box<dyn MailConnection>> {
        self.idle.take().map(|idle| idle.connection)
    }

    /// Keeps a connection for the next mail. Returns one that is to be closed, because there is one already.
    pub(super) fn keep_connection(&mut self, connection: Box<dyn MailConnection>) -> Option<Box<dyn MailConnection>> {
        let replaced = self.idle.replace(IdleConnection { connection, since: Instant::now() });
        replaced.map(|idle| idle.connection)
    }

    /// The idle connection, if it was not used for long, to be closed.
    pub(super) fn take_expired(&mut self) -> Option<Box<dyn MailConnection>> {
        self.idle.take_if(|idle| idle.since.elapsed() >= IDLE_TIMEOUT).map(|idle| idle.connection)
    }
}
