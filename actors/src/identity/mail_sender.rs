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
//! [`MAX_WORKERS`].
//!
//! A mail is sent at least once. If the process is killed after the server accepted a mail and before that was recorded, the mail is sent again
//! with the same Message-ID and the same bytes.

mod metrics;
mod pool;
mod worker;

pub(crate) use metrics::Metrics;

use crate::runtime::{Handle, PeriodicTask, Reply, Runtime, WakeSender, WakeToken};
use crypto::{keys::Keys, seal::Seal};
use domain::{
    identity::mail::{MailTemplates, Sender, StoredMail},
    shared::SharedClock,
};
use egress::mail::MailTransport;
use pool::WorkerPool;
use ractor::{Actor, ActorProcessingErr, ActorRef};
use serde_json::Value;
use std::{sync::Arc, time::Duration};
use storage::Store;
use tokio::{task::AbortHandle, time::Instant};

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

/// The actor.
pub(crate) struct MailSender;

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

/// The messages of the actor.
pub(crate) enum Message {
    /// Poll, by the timer.
    Tick,
    /// Poll, because a mail was queued or the state of a worker changed.
    Woken(WakeToken),
    /// Report the state.
    Observe(Reply<Value>),
}

/// The state of the actor.
pub(crate) struct State {
    runtime: Runtime,
    pool: Option<Arc<WorkerPool>>,
    /// Measures the backlog.
    measure: PeriodicTask,
    timer: Option<AbortHandle>,
}

impl Actor for MailSender {
    type Msg = Message;
    type State = State;
    type Arguments = Params;

    async fn pre_start(&self, myself: ActorRef<Message>, params: Params) -> Result<State, ActorProcessingErr> {
        myself.send_message(Message::Tick)?;
        let Params { runtime, store, clock, settings, metrics, handle } = params;
        let actor = WakeSender::new(handle, Message::Woken);
        let pool = settings.map(|settings| Arc::new(WorkerPool::new(runtime.clone(), store, clock, settings, metrics, actor)));
        Ok(State { runtime, pool, measure: PeriodicTask::new(MEASURE_INTERVAL), timer: None })
    }

    async fn handle(&self, myself: ActorRef<Message>, message: Message, state: &mut State) -> Result<(), ActorProcessingErr> {
        match message {
            Message::Tick => state.poll(&myself),
            Message::Woken(wake) => {
                drop(wake);
                state.poll(&myself);
            }
            Message::Observe(reply) => match &state.pool {
                Some(pool) => reply.state(&pool.observed()),
                None => reply.send(serde_json::json!({ "off": true })),
            },
        }
        Ok(())
    }

    /// Waits a while for the mails that are being sent, and then releases them.
    async fn post_stop(&self, _: ActorRef<Message>, state: &mut State) -> Result<(), ActorProcessingErr> {
        if let Some(pool) = &state.pool {
            pool.stop(STOP_TIMEOUT).await;
        }
        Ok(())
    }
}

impl State {
    /// Starts a worker if one is wanted. The worker finds out whether a mail is due.
    fn poll(&mut self, myself: &ActorRef<Message>) {
        let Some(pool) = &self.pool else { return };
        if self.runtime.is_draining() {
            return;
        }
        pool.close_idle_connection(IDLE_TIMEOUT);
        self.measure.start(self.runtime.tasks(), "mail.measure", || pool.clone().measure_backlog());
        let now = Instant::now();
        let wait = match pool.paused_until() {
            Some(until) if until > now => (until - now).min(POLL_INTERVAL),
            _ => {
                if pool.wants_worker(MAX_WORKERS) {
                    worker::start(pool.clone());
                }
                POLL_INTERVAL
            }
        };
        if let Some(timer) = self.timer.take() {
            timer.abort();
        }
        self.timer = Some(myself.send_after(wait, || Message::Tick).abort_handle());
    }
}
