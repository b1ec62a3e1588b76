//! Sends queued mails: one actor in each process, which decides when a mail is sent, and what becomes of it.
//!
//! ```text
//! storage::identity::mails::add(tx, ..)   the transaction that causes the mail; its NOTIFY wakes
//!   MailSender    claims a mail, has it sent, decides by its report, and records that; it knows how well the server is
//!     worker      a task: sends one mail and reports
//!     InFlight    the mails under way, with the reports; it outlives the actor
//! ```
//!
//! Usually one mail is sent at a time. One that the server is slow to accept holds up no other: further ones
//! are sent beside it, up to `MAX_WORKERS`. While the server is unhealthy nothing is sent.
//!
//! A mail is sent at least once. If the process is killed after the server accepted a mail and before that
//! was recorded, the mail is sent again with the same Message-ID and the same bytes.

mod backlog;
mod decision;
mod in_flight;
mod mail_server;
mod metrics;
mod worker;

pub(crate) use metrics::Metrics;

use crate::runtime::{
    Cause, Handle, PeriodicTask, Poller, Runtime, WakeSender,
    polling::{MAX_POLL, Message},
};
use crypto::{keys::Keys, seal::Seal};
use domain::{
    identity::{
        mail::{MailTemplates, Sender, StoredMail},
        mail_retry::{self, ServerHealth},
    },
    shared::{MailId, SharedClock},
};
use egress::mail::MailTransport;
use in_flight::{Claimed, InFlight};
use mail_server::MailServer;
use ractor::ActorCell;
use serde::Serialize;
use std::{sync::Arc, time::Duration};
use storage::{
    Error, Store,
    identity::mails,
    queue::{self, MAIL},
};
use tokio::time::{Instant, timeout_at};

/// How often the actor polls without being woken.
const POLL_INTERVAL: Duration = Duration::from_secs(5);
/// How often the backlog is measured.
const MEASURE_INTERVAL: Duration = Duration::from_secs(15);
/// The most mails that are being sent at a time.
const MAX_WORKERS: usize = 4;
/// How soon the actor polls again when the database did not do what it was asked for.
const RETRY_INTERVAL: Duration = Duration::from_millis(250);
/// The duration of a lease. It is extended while the mail is under way.
const LEASE: Duration = Duration::from_secs(30);
/// How often a lease is extended.
const EXTEND_INTERVAL: Duration = Duration::from_secs(10);
/// When a mail becomes due again whose row this version cannot read; a newer one that runs beside it may.
const UNREADABLE_DELAY: Duration = Duration::from_mins(5);
/// How long mails that are being sent may take when the process stops; then they are released for another
/// process.
const STOP_TIMEOUT: Duration = Duration::from_secs(8);
/// How long releasing them may take.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(2);

/// The configuration of sending.
#[derive(Clone)]
pub struct MailSenderSettings {
    /// Opens connections to the mail server.
    pub transport: Arc<dyn MailTransport>,
    /// The texts of the mails.
    pub templates: Arc<MailTemplates>,
    /// The `From` of every mail.
    pub from: Sender,
    /// The URL that this server is reached at.
    pub base_url: String,
    /// Opens the sealed mails.
    pub seal: Seal,
    /// When sending a mail takes longer than this, another one is sent beside it.
    pub slow_after: Duration,
}

impl MailSenderSettings {
    /// With the usual `slow_after`, and the seal that is derived from the server's keys.
    pub fn new(transport: Arc<dyn MailTransport>, templates: MailTemplates, from: Sender, base_url: &str, keys: &Keys) -> Self {
        Self {
            transport,
            templates: Arc::new(templates),
            from,
            base_url: base_url.to_owned(),
            seal: Seal::new(keys.derive(StoredMail::KEY_LABEL)),
            slow_after: Duration::from_secs(1),
        }
    }
}

/// The arguments of the actor.
#[derive(Clone)]
pub(crate) struct Params {
    runtime: Runtime,
    store: Store,
    clock: SharedClock,
    /// `None` while mail is off; mails that are queued then stay in the queue.
    settings: Option<MailSenderSettings>,
    metrics: Metrics,
    /// Every actor goes on with what the one before it had under way.
    in_flight: Arc<InFlight>,
    actor: WakeSender,
}

impl Params {
    pub(crate) fn new(
        runtime: Runtime,
        store: Store,
        clock: SharedClock,
        settings: Option<MailSenderSettings>,
        metrics: Metrics,
        handle: &Handle<Message>,
    ) -> Self {
        let actor = handle.finished_sender();
        Self { runtime, store, clock, settings, metrics, in_flight: Arc::new(InFlight::new(actor.clone())), actor }
    }
}

/// The state of the actor.
pub(crate) struct MailSender {
    params: Params,
    server: MailServer,
    measure: PeriodicTask,
    observed: Observed,
}

/// What the actor reports. The counters start at zero with the actor.
#[derive(Default, Serialize)]
struct Observed {
    /// Mails that are being sent.
    workers: usize,
    /// Outcomes that are not recorded yet.
    unwritten: usize,
    /// Whether an idle connection is open.
    connected: bool,
    /// Whether the server is left alone at the moment.
    paused: bool,
    /// What its last replies say of the server.
    health: ServerHealth,
    connections: u64,
    /// Mails that the server accepted.
    sent: u64,
    /// Attempts after which the mail is tried again.
    deferred: u64,
    dead: u64,
    /// Outcomes that could not be recorded because the lease had passed to another process.
    lost: u64,
    /// Database operations that failed.
    failures: u64,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Shown<'a> {
    On(&'a Observed),
    Off { off: bool },
}

impl MailSender {
    pub(crate) fn new(params: Params) -> Self {
        let measure = PeriodicTask::new(MEASURE_INTERVAL);
        Self { params, server: MailServer::default(), measure, observed: Observed::default() }
    }

    /// Decides and records what has ended, keeps the leases of the rest, and has further mails sent. Returns
    /// when to go on.
    async fn round(&mut self, settings: &MailSenderSettings) -> storage::Result<Duration> {
        let began = Instant::now();
        loop {
            self.decide_reported();
            let recorded = self.record_decided().await;
            self.extend_leases().await?;
            recorded?;
            if let Some(pause) = self.server.pause() {
                return Ok(pause.min(POLL_INTERVAL));
            }
            if let Some(wait) = self.wait_for_place(settings.slow_after) {
                return Ok(wait);
            }
            let Some(claimed) = self.claim().await? else { return Ok(POLL_INTERVAL) };
            self.begin(claimed, settings);
            if began.elapsed() >= MAX_POLL {
                return Ok(Duration::ZERO);
            }
        }
    }

    /// How long to wait before another mail may be begun; `None` when one may be begun now: when nothing is
    /// being sent, or everything takes long.
    fn wait_for_place(&self, slow_after: Duration) -> Option<Duration> {
        let sending = self.params.in_flight.sending();
        if self.params.in_flight.len() >= MAX_WORKERS {
            return Some(POLL_INTERVAL);
        }
        let quickest = sending.into_iter().min()?;
        slow_after.checked_sub(quickest).filter(|left| !left.is_zero()).map(|left| left.min(POLL_INTERVAL))
    }

    /// Has a mail sent, unless it is of no use any more.
    fn begin(&mut self, claimed: Claimed, settings: &MailSenderSettings) {
        let mail = &claimed.mail;
        if !mail_retry::is_useful(mail.template, mail.created_at, self.params.clock.now()) {
            let outcome = self.give_up(&claimed, "expired", None);
            return self.params.in_flight.decide(claimed, outcome);
        }
        let claimed = Arc::new(claimed);
        let started = self.params.in_flight.start(Arc::clone(&claimed));
        let idle = self.server.take_connection();
        self.params.runtime.tasks().spawn("mail.worker", worker::send(settings.clone(), claimed, idle, started));
    }

    /// Claims the next mail that is due. A job whose mail is gone is finished.
    async fn claim(&self) -> storage::Result<Option<Claimed>> {
        let connection = self.params.store.connection("mail.claim").await?;
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
                // The mail was deleted with its account. If the lease was lost, its new holder finds the
                // same.
                Ok(None) => {
                    let _outcome = lease.finish(&connection, self.params.clock.now()).await?;
                }
                Err(Error::Internal(what)) => {
                    tracing::error!(what, job.id = %lease.job().id, "a mail cannot be read");
                    let _outcome = lease.reschedule(&connection, UNREADABLE_DELAY, Some("unreadable")).await?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    async fn extend_leases(&mut self) -> storage::Result<()> {
        let old = self.params.in_flight.leases_older_than(EXTEND_INTERVAL);
        if old.is_empty() {
            return Ok(());
        }
        let connection = self.params.store.connection("mail.extend_lease").await?;
        for (number, fence) in old {
            if fence.extend(&connection, LEASE).await? == queue::JobOutcome::Lost {
                self.observed.lost += 1;
                self.params.in_flight.abandon(number);
            } else {
                self.params.in_flight.extended(number);
            }
        }
        Ok(())
    }

    /// Records what workers report until none is left, or the time is over.
    async fn finish(&mut self, within: Duration) {
        let until = Instant::now() + within;
        loop {
            self.decide_reported();
            if let Err(error) = self.record_decided().await {
                return tracing::warn!(%error, "outcomes of mails are not recorded; these mails are sent again");
            }
            let is_over = self.params.in_flight.len() == 0;
            if is_over || timeout_at(until, self.params.in_flight.reported()).await.is_err() {
                return;
            }
        }
    }
}

impl Poller for MailSender {
    async fn poll(&mut self, _: Cause, _: &ActorCell) -> Duration {
        let Some(settings) = self.params.settings.clone() else { return POLL_INTERVAL };
        if self.params.runtime.is_draining() {
            return POLL_INTERVAL;
        }
        if let Some(connection) = self.server.take_expired() {
            self.params.runtime.tasks().spawn("mail.close", connection.close());
        }
        let Params { runtime, store, clock, metrics, actor, .. } = &self.params;
        let measure = || backlog::measure(store.clone(), clock.clone(), metrics.clone(), actor.clone());
        self.measure.start(runtime.tasks(), "mail.measure", measure);
        self.round(&settings).await.unwrap_or_else(|error| {
            self.observed.failures += 1;
            tracing::warn!(%error, "mails are put off");
            RETRY_INTERVAL
        })
    }

    fn observe(&mut self) -> impl Serialize {
        if self.params.settings.is_none() {
            return Shown::Off { off: true };
        }
        let workers = self.params.in_flight.sending().len();
        self.observed.workers = workers;
        self.observed.unwritten = self.params.in_flight.len().saturating_sub(workers);
        self.observed.connected = self.server.is_connected();
        self.observed.paused = self.server.pause().is_some();
        self.observed.health = self.server.health();
        Shown::On(&self.observed)
    }

    /// Waits a while for the mails that are being sent, and then releases them. The mail of a worker that
    /// does not end in time becomes due again when its lease expires.
    async fn stop(&mut self) {
        self.finish(STOP_TIMEOUT).await;
        self.params.in_flight.stop_all();
        self.finish(RELEASE_TIMEOUT).await;
        if let Some(connection) = self.server.take_connection() {
            connection.close().await;
        }
    }
}
