//! Sends mails: one actor in each process, which sees to it that there is a carrier when there is something to carry.
//!
//! ```text
//! storage::identity::mails::add(tx, ..)   the causing transaction; NOTIFY wakes
//!   MailSender   starts carriers, and none while the mail server is unwell
//!     Carrier    a task: claims a mail, sends it, writes down what became of it, and so on until nothing is due
//!     Shelf      the one conversation with the mail server that is kept open between two carriers
//! ```
//!
//! Usually there is one carrier. A mail that the server is slow to take holds up only its own: another one begins, up to four.
//!
//! A mail is sent at least once. What the server took and we did not write down, because one of us was killed in between, is sent again
//! with the same Message-ID and the same bytes.

mod carrier;
mod desk;
mod metrics;

pub(crate) use metrics::Metrics;

use crate::runtime::{Handle, PeriodicTask, Reply, Runtime, WakeSender, WakeToken};
use crypto::{keys::Keys, seal::Seal};
use desk::Desk;
use domain::{
    identity::letter::{Sender, Stationery},
    shared::SharedClock,
};
use egress::mail::Relay;
use ractor::{Actor, ActorProcessingErr, ActorRef};
use serde_json::Value;
use std::{sync::Arc, time::Duration};
use storage::Store;
use tokio::{task::AbortHandle, time::Instant};

/// How often it looks although nobody woke it.
const POLL: Duration = Duration::from_secs(5);
/// How often what waits is counted.
const COUNT: Duration = Duration::from_secs(15);
/// How many mails may be under way at a time.
const CARRIERS: usize = 4;
/// How long a conversation is kept without use. Servers hang up after a minute or more.
const KEEP: Duration = Duration::from_secs(30);
/// How long mails that are under way may take when the process stops; then they are left to the next one.
const STOP: Duration = Duration::from_secs(8);

/// What mails are made and sent with.
#[derive(Clone)]
pub struct Settings {
    /// The way out.
    pub relay: Arc<dyn Relay>,
    /// The words.
    pub stationery: Arc<Stationery>,
    /// From whom mails come.
    pub from: Sender,
    /// Where this server is found.
    pub base_url: String,
    /// What letters are sealed with.
    pub seal: Seal,
    /// After so long a mail is a slow one, and the next begins beside it.
    pub slow_after: Duration,
}

impl Settings {
    /// With a way out, the house's keys, and the usual patience.
    pub fn new(relay: Arc<dyn Relay>, stationery: Stationery, from: Sender, base_url: &str, keys: &Keys) -> Self {
        Self {
            relay,
            stationery: Arc::new(stationery),
            from,
            base_url: base_url.to_owned(),
            seal: Seal::new(keys.derive(services::identity::mail_queue::MAIL_SEAL)),
            slow_after: Duration::from_secs(1),
        }
    }
}

/// The actor.
pub(crate) struct MailSender;

/// What it is started with.
#[derive(Clone)]
pub(crate) struct Params {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    /// Without them mail is off, and what may lie in the outbox stays there.
    pub(crate) settings: Option<Settings>,
    pub(crate) metrics: Metrics,
    pub(crate) handle: Handle<Message>,
}

/// What it is told.
pub(crate) enum Message {
    /// Look by itself.
    Tick,
    /// There may be something to send, or a carrier has changed.
    Woken(WakeToken),
    /// What are you doing?
    Observe(Reply<Value>),
}

/// What it knows.
pub(crate) struct State {
    runtime: Runtime,
    desk: Option<Arc<Desk>>,
    /// Counting what waits.
    count: PeriodicTask,
    timer: Option<AbortHandle>,
}

impl Actor for MailSender {
    type Msg = Message;
    type State = State;
    type Arguments = Params;

    async fn pre_start(&self, myself: ActorRef<Message>, params: Params) -> Result<State, ActorProcessingErr> {
        myself.send_message(Message::Tick)?;
        let Params { runtime, store, clock, settings, metrics, handle } = params;
        let bell = WakeSender::new(handle, Message::Woken);
        let desk = settings.map(|settings| Arc::new(Desk::new(runtime.clone(), store, clock, settings, metrics, bell)));
        Ok(State { runtime, desk, count: PeriodicTask::new(COUNT), timer: None })
    }

    async fn handle(&self, myself: ActorRef<Message>, message: Message, state: &mut State) -> Result<(), ActorProcessingErr> {
        match message {
            Message::Tick => state.look(&myself),
            Message::Woken(wake) => {
                drop(wake);
                state.look(&myself);
            }
            Message::Observe(reply) => match &state.desk {
                Some(desk) => reply.state(&desk.observed()),
                None => reply.send(serde_json::json!({ "off": true })),
            },
        }
        Ok(())
    }

    /// No new mails; those under way are waited for a while, and then given back.
    async fn post_stop(&self, _: ActorRef<Message>, state: &mut State) -> Result<(), ActorProcessingErr> {
        if let Some(desk) = &state.desk {
            desk.stop(STOP).await;
        }
        Ok(())
    }
}

impl State {
    /// Starts a carrier, if one is wanted. Whether there is something to carry is for the carrier to find out.
    fn look(&mut self, myself: &ActorRef<Message>) {
        let Some(desk) = &self.desk else { return };
        if self.runtime.is_draining() {
            return;
        }
        desk.put_away_if_idle(KEEP);
        self.count.start(self.runtime.tasks(), "mail.count", || desk.clone().measure());
        let now = Instant::now();
        let wait = match desk.paused_until() {
            Some(until) if until > now => (until - now).min(POLL),
            _ => {
                if desk.wants_carrier(CARRIERS) {
                    carrier::start(desk.clone());
                }
                POLL
            }
        };
        if let Some(timer) = self.timer.take() {
            timer.abort();
        }
        self.timer = Some(myself.send_after(wait, || Message::Tick).abort_handle());
    }
}
