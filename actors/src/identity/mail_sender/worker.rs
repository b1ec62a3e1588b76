//! A worker sends one mail after another, until none is due or the mail server is unhealthy.

use super::{
    metrics::Outcome as Attempt,
    pool::{WorkerGuard, WorkerPool},
};
use domain::{
    identity::{
        mail::StoredMail,
        mail_retry::{self, NextStep, SendError, SendHistory},
    },
    shared::{Fault, MailId},
};
use egress::mail::{Failure, MailConnection, Message};
use secrecy::ExposeSecret;
use services::identity::mail_outcome::{DeferMail, MarkMailDead, MarkMailSent};
use std::{sync::Arc, time::Duration};
use storage::{
    Error, TxOperation,
    identity::mails::{self, Mail},
    queue::{self, Fence, MAIL, Outcome},
};
use tokio::time::{Instant, sleep};

/// The duration of a lease. It is extended while the mail is being sent.
const LEASE: Duration = Duration::from_secs(30);
/// How often the lease is extended.
const EXTEND_INTERVAL: Duration = Duration::from_secs(10);
/// For how long recording an outcome is retried.
const RECORD_TIMEOUT: Duration = Duration::from_mins(1);
/// The pause between two tries to record an outcome.
const RECORD_RETRY: Duration = Duration::from_millis(250);
/// When a mail becomes due again whose row this version cannot read; a newer one that runs beside it may.
const UNREADABLE_DELAY: Duration = Duration::from_mins(5);

/// Starts a worker.
pub(super) fn start(pool: Arc<WorkerPool>) {
    let tasks = pool.runtime.tasks().clone();
    // Counted before the task runs, because the actor may poll again first.
    let worker = MailWorker { guard: WorkerGuard::new(pool.clone()), pool, connection: None };
    tasks.spawn("mail.worker", worker.run());
}

struct MailWorker {
    guard: WorkerGuard,
    pool: Arc<WorkerPool>,
    connection: Option<Box<dyn MailConnection>>,
}

/// A claimed mail.
struct Claimed {
    fence: Fence,
    attempts: u32,
    mail: Mail,
}

/// How an attempt to send a mail ended.
enum Attempted {
    /// The server accepted the mail, or did not.
    Finished(Result<(), Failure>),
    /// The attempt was cancelled because the process stops.
    Stopped,
    /// The attempt was cancelled because the lease has passed to another worker.
    LeaseLost,
}

impl MailWorker {
    async fn run(mut self) {
        while self.pool.may_continue() {
            match self.claim().await {
                Ok(Some(claimed)) => self.process(claimed).await,
                Ok(None) => {
                    // Before the worker leaves, so that the next one finds the connection.
                    self.release_connection().await;
                    if self.guard.try_leave() {
                        return;
                    }
                }
                Err(error) => {
                    self.pool.count(|observed| observed.failures += 1);
                    tracing::warn!(%error, "mails cannot be claimed");
                    break;
                }
            }
        }
        self.release_connection().await;
    }

    /// Leaves the connection to the next worker, or closes it.
    async fn release_connection(&mut self) {
        if let Some(connection) = self.connection.take()
            && let Some(connection) = self.pool.keep_connection(connection)
        {
            connection.close().await;
        }
    }

    /// Claims the next mail that is due. A job whose mail is gone is finished.
    async fn claim(&self) -> storage::Result<Option<Claimed>> {
        let connection = self.pool.store.connection("mail.claim").await?;
        loop {
            let leased = queue::claim(&connection, MAIL, 1, LEASE).await?;
            let Some(lease) = leased.into_iter().next() else { return Ok(None) };
            let found = match lease.job().key.parse::<MailId>() {
                Ok(id) => mails::find(&connection, id).await,
                Err(_) => Ok(None),
            };
            match found {
                Ok(Some(mail)) => {
                    let attempts = u32::try_from(lease.job().attempt).unwrap_or(u32::MAX);
                    return Ok(Some(Claimed { fence: lease.fence(), attempts, mail }));
                }
                // The mail was deleted with its account. If the lease was lost, its new holder finds the same.
                Ok(None) => {
                    let _outcome = lease.finish(&connection, self.pool.clock.now()).await?;
                }
                Err(Error::Internal(what)) => {
                    tracing::error!(what, job.id = %lease.job().id, "a mail cannot be read");
                    let _outcome = lease.reschedule(&connection, UNREADABLE_DELAY, Some("unreadable")).await?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Sends a mail and records the outcome.
    async fn process(&mut self, claimed: Claimed) {
        let pool = self.pool.clone();
        let Mail { id, template, created_at, .. } = claimed.mail;
        if !mail_retry::is_useful(template, created_at, pool.clock.now()) {
            return self.give_up(&claimed, "expired", None).await;
        }
        let message = match self.message(&claimed.mail) {
            Ok(message) => message,
            Err(fault) => {
                tracing::error!(mail.id = %id, cause = fault.cause.as_deref(), "a mail cannot be opened");
                return self.give_up(&claimed, "unreadable", None).await;
            }
        };
        let attempted = self.send(&claimed, &message).await;
        self.guard.set_slow(false);
        match attempted {
            Attempted::Finished(Ok(())) => {
                pool.on_success();
                pool.metrics.count_attempt(template, Attempt::Sent);
                pool.count(|observed| observed.sent += 1);
                self.record(&MarkMailSent { fence: claimed.fence, mail: id, at: pool.clock.now() }).await;
            }
            Attempted::Finished(Err(failure)) => {
                pool.on_failure(&failure);
                self.after_failure(&claimed, failure).await;
            }
            Attempted::Stopped => self.defer(&claimed, Duration::ZERO, "stopped", None).await,
            Attempted::LeaseLost => pool.count(|observed| observed.lost += 1),
        }
    }

    /// Opens and renders a mail.
    fn message(&self, mail: &Mail) -> Result<Message, Fault> {
        let settings = &self.pool.settings;
        let opened = settings.seal.open(&StoredMail::seal_context(mail.id), &mail.sealed)?;
        let stored = StoredMail::from_bytes(opened.expose_secret())?;
        let rendered = settings.templates.render(&stored, &mail.locale, &settings.base_url);
        Ok(Message {
            id: mail.id,
            from: settings.from.clone(),
            to: stored.to,
            subject: rendered.subject,
            text: rendered.text,
            html: rendered.html,
            at: mail.created_at,
        })
    }

    /// Sends a mail and extends its lease meanwhile.
    async fn send(&mut self, claimed: &Claimed, message: &Message) -> Attempted {
        let pool = self.pool.clone();
        let mut sending = Box::pin(deliver(&pool, &mut self.connection, message));
        let began = Instant::now();
        let mut extend_at = began + EXTEND_INTERVAL;
        let mut is_slow = false;
        let attempted = loop {
            tokio::select! {
                sent = &mut sending => break Attempted::Finished(sent),
                () = pool.stopped() => break Attempted::Stopped,
                () = tokio::time::sleep_until(began + pool.settings.slow_after), if !is_slow => {
                    is_slow = true;
                    self.guard.set_slow(true);
                }
                () = tokio::time::sleep_until(extend_at) => {
                    extend_at += EXTEND_INTERVAL;
                    if extend_lease(&pool, claimed.fence).await == Some(Outcome::Lost) {
                        break Attempted::LeaseLost;
                    }
                }
            }
        };
        drop(sending);
        if !matches!(attempted, Attempted::Finished(_)) {
            // The cancelled exchange leaves the state of the connection unknown.
            self.connection = None;
        }
        attempted
    }

    /// Records a failure: the mail is tried again, or given up.
    async fn after_failure(&self, claimed: &Claimed, failure: Failure) {
        let Claimed { mail, attempts, .. } = claimed;
        let history = SendHistory {
            template: mail.template,
            written_at: mail.created_at,
            attempts: *attempts,
            deferrals: u32::try_from(mail.deferrals).unwrap_or_default(),
        };
        match mail_retry::next_step(failure.error, history, self.pool.runtime.jitter_seed(), self.pool.clock.now()) {
            NextStep::RetryAfter(delay) => {
                let reason = if failure.error == SendError::Unavailable { "away" } else { "deferred" };
                self.defer(claimed, delay, reason, Some(&failure)).await;
            }
            NextStep::GiveUp(reason) => self.give_up(claimed, reason, Some(&failure)).await,
        }
    }

    async fn defer(&self, claimed: &Claimed, due_after: Duration, reason: &'static str, failure: Option<&Failure>) {
        self.pool.metrics.count_attempt(claimed.mail.template, Attempt::Deferred);
        self.pool.count(|observed| observed.deferred += 1);
        let deferral = DeferMail {
            fence: claimed.fence,
            mail: claimed.mail.id,
            due_after,
            reason,
            attempts: claimed.attempts,
            deferrals: failure.map_or(0, |failure| failure.error.deferrals()),
            answer: failure.map(ToString::to_string),
        };
        self.record(&deferral).await;
    }

    async fn give_up(&self, claimed: &Claimed, reason: &'static str, failure: Option<&Failure>) {
        let mail = &claimed.mail;
        self.pool.metrics.count_attempt(mail.template, Attempt::Dead);
        self.pool.count(|observed| observed.dead += 1);
        tracing::warn!(mail.id = %mail.id, mail.template = mail.template.name(), reason, "a mail is given up");
        let at = self.pool.clock.now();
        let dead = MarkMailDead {
            fence: claimed.fence,
            mail: mail.id,
            user: mail.user,
            template: mail.template,
            reason,
            attempts: claimed.attempts,
            is_useful: mail_retry::is_useful(mail.template, mail.created_at, at),
            answer: failure.map(ToString::to_string),
            code: failure.and_then(|failure| failure.reply.as_ref()).map(|reply| reply.code),
            at,
        };
        self.record(&dead).await;
    }

    /// Records an outcome, and retries for [`RECORD_TIMEOUT`]: a mail whose outcome is not recorded is sent again.
    async fn record(&self, operation: &impl TxOperation<Output = Outcome>) {
        let until = Instant::now() + RECORD_TIMEOUT;
        loop {
            match self.pool.store.transact(operation).await {
                Ok(Outcome::Written) => return,
                Ok(Outcome::Lost) => return self.pool.count(|observed| observed.lost += 1),
                Err(error) if Instant::now() < until => {
                    self.pool.count(|observed| observed.failures += 1);
                    tracing::warn!(%error, "the outcome of a mail cannot be recorded yet");
                }
                Err(error) => return tracing::error!(%error, "the outcome of a mail was not recorded; it is sent again"),
            }
            tokio::select! {
                () = sleep(RECORD_RETRY) => {}
                () = self.pool.stopped() => return,
            }
        }
    }
}

/// Sends a mail over the worker's connection, and keeps that one if it can be used again.
async fn deliver(pool: &WorkerPool, kept: &mut Option<Box<dyn MailConnection>>, message: &Message) -> Result<(), Failure> {
    let mut connection = if let Some(connection) = kept.take() { connection } else { connect(pool).await? };
    let sent = connection.send(message).await;
    if connection.is_usable() {
        *kept = Some(connection);
    }
    sent
}

/// The pool's idle connection if the server still answers on it, or else a new one.
async fn connect(pool: &WorkerPool) -> Result<Box<dyn MailConnection>, Failure> {
    if let Some(mut idle) = pool.take_idle_connection()
        && idle.is_alive().await
    {
        return Ok(idle);
    }
    let connection = pool.settings.transport.connect().await?;
    pool.count(|observed| observed.connections += 1);
    Ok(connection)
}

async fn extend_lease(pool: &WorkerPool, fence: Fence) -> Option<Outcome> {
    let extended = async { fence.extend(&pool.store.connection("mail.extend_lease").await?, LEASE).await };
    match extended.await {
        Ok(outcome) => Some(outcome),
        Err(error) => {
            tracing::warn!(%error, "a mail's lease cannot be extended");
            None
        }
    }
}
