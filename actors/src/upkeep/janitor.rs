//! Sweeps away what has expired. One process at a time does a sweep: whoever holds the lease of its job.

use super::sweep::{self, Kept, Sweep};
use crate::runtime::{Observable, Reply, Runtime, Wake};
use domain::shared::SharedClock;
use jiff::SignedDuration;
use ractor::{Actor, ActorProcessingErr, ActorRef};
use serde::Serialize;
use serde_json::{Value, json};
use std::{collections::BTreeMap, time::Duration};
use storage::{
    Connection, Store,
    blobs::Blobs,
    queue::{self, JANITOR, Lease, NewJob, Outcome},
};

/// How often it looks for a sweep that is due.
const LOOK: Duration = Duration::from_mins(1);
/// How often each sweep is due.
const EVERY: SignedDuration = SignedDuration::from_hours(1);
/// When a sweep that failed is due again.
const RETRY: SignedDuration = SignedDuration::from_mins(5);
/// How long a lease holds; it is extended after each batch, which is much shorter.
const LEASE: Duration = Duration::from_mins(2);

/// The actor.
pub(crate) struct Janitor;

/// What it is started with.
#[derive(Clone)]
pub(crate) struct Params {
    pub(crate) runtime: Runtime,
    pub(crate) store: Store,
    pub(crate) clock: SharedClock,
    pub(crate) kept: Kept,
    pub(crate) blobs: Option<Blobs>,
}

/// What it is told.
pub(crate) enum Message {
    /// Look, and look again in a while.
    Tick,
    /// Look now.
    Woken(Wake),
    /// What are you doing?
    Observe(Reply<Value>),
}

impl Observable for Message {
    fn observe(reply: Reply<Value>) -> Self {
        Self::Observe(reply)
    }
}

/// What it knows.
pub(crate) struct State {
    params: Params,
    /// Whether the sweeps' jobs are known to be there.
    planted: bool,
    observed: Observed,
}

/// What it shows, since it started.
#[derive(Default, Serialize)]
struct Observed {
    /// Sweeps done, by name.
    sweeps: BTreeMap<&'static str, u64>,
    /// Rows and objects removed, by sweep.
    removed: BTreeMap<&'static str, u64>,
    /// Looks and sweeps that failed.
    failures: u64,
}

impl Actor for Janitor {
    type Msg = Message;
    type State = State;
    type Arguments = Params;

    async fn pre_start(&self, myself: ActorRef<Message>, params: Params) -> Result<State, ActorProcessingErr> {
        myself.send_message(Message::Tick)?;
        Ok(State { params, planted: false, observed: Observed::default() })
    }

    async fn handle(&self, myself: ActorRef<Message>, message: Message, state: &mut State) -> Result<(), ActorProcessingErr> {
        match message {
            Message::Tick => {
                state.look().await;
                state.params.runtime.tick(&myself, LOOK, || Message::Tick);
            }
            Message::Woken(wake) => {
                drop(wake);
                state.look().await;
            }
            Message::Observe(reply) => reply.state(&state.observed),
        }
        Ok(())
    }
}

impl State {
    async fn look(&mut self) {
        if let Err(error) = self.sweep_all_due().await {
            self.observed.failures += 1;
            tracing::warn!(%error, "sweeps are put off");
        }
    }

    async fn sweep_all_due(&mut self) -> storage::Result<()> {
        let mut connection = self.params.store.connection("janitor.sweep").await?;
        if !self.planted {
            plant(&mut connection, &self.params).await?;
            self.planted = true;
        }
        while !self.params.runtime.is_draining() {
            let due = queue::claim(&connection, JANITOR, 1, LEASE, self.params.clock.now()).await?;
            let Some(lease) = due.into_iter().next() else { break };
            self.sweep(&connection, lease).await?;
        }
        Ok(())
    }

    /// Does one sweep, and makes its job due again.
    async fn sweep(&mut self, connection: &Connection, lease: Lease) -> storage::Result<()> {
        let now = self.params.clock.now();
        let Some(sweep) = Sweep::of(&lease.job().key) else {
            // Planted by a newer version of us that runs beside this one; that one will do it.
            let _written = lease.again(connection, now + EVERY, Some("unknownSweep")).await?;
            return Ok(());
        };
        match self.remove_all_due(connection, sweep, &lease).await {
            Ok(Outcome::Lost) => Ok(()),
            Ok(Outcome::Written) => {
                // Cut short by a stop, the rest of it is for whoever comes next.
                let next = if self.params.runtime.is_draining() { now } else { now + EVERY };
                *self.observed.sweeps.entry(sweep.name()).or_default() += 1;
                lease.again(connection, next, None).await.map(drop)
            }
            Err(error) => {
                let put_off = lease.again(connection, now + RETRY, Some("failed")).await;
                tracing::warn!(sweep = sweep.name(), put_off = put_off.is_ok(), "sweep failed");
                Err(error)
            }
        }
    }

    /// Batch after batch, until nothing is due, the lease is lost or the process is stopping.
    async fn remove_all_due(&mut self, connection: &Connection, sweep: Sweep, lease: &Lease) -> storage::Result<Outcome> {
        let mut place = None;
        loop {
            let (blobs, kept) = (self.params.blobs.as_ref(), self.params.kept);
            let batch = match sweep {
                Sweep::Objects => sweep::objects(connection, blobs, &mut place, self.params.clock.now()).await?,
                _ => sweep.batch(connection, kept, self.params.clock.now()).await?,
            };
            *self.observed.removed.entry(sweep.name()).or_default() += batch.removed;
            if !batch.more || self.params.runtime.is_draining() {
                return Ok(Outcome::Written);
            }
            if lease.extend(connection, LEASE).await? == Outcome::Lost {
                return Ok(Outcome::Lost);
            }
        }
    }
}

/// Sees to it that each sweep has its job.
async fn plant(connection: &mut Connection, params: &Params) -> storage::Result<()> {
    let at = params.clock.now();
    let tx = connection.begin();
    for sweep in Sweep::ALL {
        let job = NewJob { queue: JANITOR, key: sweep.name().to_owned(), payload: json!({}), due_at: at, at };
        queue::add_once(&tx, &job).await?;
    }
    tx.commit().await
}
