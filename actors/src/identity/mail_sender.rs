//! Sends queued mails: one actor in each process, which starts workers when there may be mails to send.
//!
//! ```text
//! storage::identity::mails::add(tx, ..)   the transaction that causes the mail; its NOTIFY wakes
//!   MailSender     starts workers, and none while the mail server is unhealthy
//!     MailWorker   a task: claims a mail, sends it, records the outcome, and repeats until nothing is due
//!     WorkerPool   what the workers share; it keeps one idle SMTP connection open for the next worker
//! ```
//!
//! Usually one worker is enough. A mail that the server is slow to accept delays only its own worker: another one is started, up to
//! `MAX_WORKERS`.
//!
//! A mail is sent at least once. If the process is killed after the server accepted a mail and before that was recorded, the mail is sent again
//! with the same Message-ID and the same bytes.

mod metrics;
mod pool;
mod worker;

pub(crate) use metrics::Metrics;

use crate::runtime::{Cause, Handle, PeriodicTask, Poller, Runtime, polling::Message};
use crypto::{keys::Keys, seal::Seal};
use domain::{
    identity::mail::{MailTemplates, Sender, StoredMail},
    shared::SharedClock,
};
use egress::mail::MailTransport;
use pool::WorkerPool;
use ractor::ActorCell;
use serde::Serialize;
use std::{sync::Arc, time::Duration};
use storage::Store;
use tokio::time::Instant;

/// How often the actor polls without being woken.
const POLL_INTERVAL: Duration = Duration::from_secs(5);
/// How often the backlog is measured.
const MEASURE_INTERVAL: Duration = Duration::from_secs(15);
/// The most mails that are being sent at a time.
const MAX_WORKERS: usize = 4;
/// How long an idle connection is kept. Servers close one after a minute or more.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);
/// How long mails that are being sent may take when the process stops; then they are released for another process.
const STOP_TIMEOUT: Duration = Duration::from_secs(8);

/// The configuration of sending.
#[derive(Clone)]
pub struct Settings {
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
    /// When sending a mail takes longer than this, another worker is started beside it.
    pub slow_after: Duration,
}

impl Settings {
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
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    /// `None` while mail is off; mails that are queued then stay in the queue.
    pub(crate) settings: Option<Settings>,
    pub(crate) metrics: Metrics,
    pub(crate) handle: Handle<Message>,
}

/// The state of the actor.
pub(crate) struct MailSender {
    runtime: Runtime,
    pool: Option<Arc<WorkerPool>>,
    measure: PeriodicTask,
}

/// What the actor reports.
#[derive(Serialize)]
#[serde(untagged)]
enum Report {
    On(pool::Observed),
    Off { off: bool },
}

impl MailSender {
    pub(crate) fn new(params: Params) -> Self {
        let Params { runtime, store, clock, settings, metrics, handle } = params;
        let actor = handle.finished_sender();
        let pool = settings.map(|settings| Arc::new(WorkerPool::new(runtime.clone(), store, clock, settings, metrics, actor)));
        Self { runtime, pool, measure: PeriodicTask::new(MEASURE_INTERVAL) }
    }
}

impl Poller for MailSender {
    /// Starts a worker if one is wanted. The worker finds out whether a mail is due.
    async fn poll(&mut self, _: Cause, _: &ActorCell) -> Duration {
        let Some(pool) = &self.pool else { return POLL_INTERVAL };
        if self.runtime.is_draining() {
            return POLL_INTERVAL;
        }
        pool.close_idle_connection(IDLE_TIMEOUT);
        self.measure.start(self.runtime.tasks(), "mail.measure", || pool.clone().measure_backlog());
        let now = Instant::now();
        match pool.paused_until() {
            Some(until) if until > now => (until - now).min(POLL_INTERVAL),
            _ => {
                if pool.wants_worker(MAX_WORKERS) {
                    worker::start(pool.clone());
                }
                POLL_INTERVAL
            }
        }
    }

    fn observe(&mut self) -> impl Serialize {
        self.pool.as_ref().map_or(Report::Off { off: true }, |pool| Report::On(pool.observed()))
    }

    /// Waits a while for the mails that are being sent, and then releases them.
    async fn stop(&mut self) {
        if let Some(pool) = &self.pool {
            pool.stop(STOP_TIMEOUT).await;
        }
    }
}
