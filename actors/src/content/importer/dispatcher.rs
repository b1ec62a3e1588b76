//! Gives imports that are waiting a slot and an actor.

use super::{
    commands::CancelImport,
    job::{self, ImportJob},
    worker::{Tools, Worker},
};
use crate::runtime::{Reply, WakeToken};
use domain::shared::{Actor as DomainActor, Origin};
use ractor::{Actor, ActorId, ActorProcessingErr, ActorRef, SupervisionEvent};
use serde::Serialize;
use serde_json::Value;
use std::{collections::HashSet, time::Duration};
use storage::{
    Connection,
    content::imports::jobs,
    queue::{self, Bound},
};

/// How often it looks for a job by itself: one whose process has gone, or whose wake was not heard.
const LOOK: Duration = Duration::from_secs(10);

/// Why a job is given up that names no import.
const UNREADABLE: &str = "unreadable";

/// The actor.
pub(crate) struct Importer;

/// What it is started with.
pub(crate) struct Params {
    pub(crate) tools: Tools,
}

/// What it is told.
pub(crate) enum Message {
    /// Look, and look again in a while.
    Tick,
    /// Look now.
    Woken(WakeToken),
    /// What are you doing?
    Observe(Reply<Value>),
}

/// What it knows.
pub(crate) struct State {
    tools: Tools,
    running: HashSet<ActorId>,
    observed: Observed,
}

/// What it shows, since it started.
#[derive(Default, Serialize)]
struct Observed {
    /// Imports that it is at.
    running: usize,
    /// Imports that it took up.
    taken_up: u64,
    /// Looks that failed.
    failures: u64,
}

impl Actor for Importer {
    type Msg = Message;
    type State = State;
    type Arguments = Params;

    async fn pre_start(&self, myself: ActorRef<Message>, params: Params) -> Result<State, ActorProcessingErr> {
        params.tools.metrics.running().set(0);
        myself.send_message(Message::Tick)?;
        Ok(State { tools: params.tools, running: HashSet::new(), observed: Observed::default() })
    }

    async fn handle(&self, myself: ActorRef<Message>, message: Message, state: &mut State) -> Result<(), ActorProcessingErr> {
        match message {
            Message::Tick => {
                state.look(&myself).await;
                state.tools.runtime.tick(&myself, LOOK, || Message::Tick);
            }
            Message::Woken(wake) => {
                drop(wake);
                state.look(&myself).await;
            }
            Message::Observe(reply) => {
                state.observed.running = state.running.len();
                reply.state(&state.observed);
            }
        }
        Ok(())
    }

    async fn handle_supervisor_evt(
        &self,
        myself: ActorRef<Message>,
        event: SupervisionEvent,
        state: &mut State,
    ) -> Result<(), ActorProcessingErr> {
        let ended = match event {
            SupervisionEvent::ActorFailed(actor, error) => {
                // Its lease runs out, and then the job is claimed again.
                tracing::error!(%error, "an import's actor failed");
                actor.get_id()
            }
            SupervisionEvent::ActorTerminated(actor, ..) => actor.get_id(),
            _ => return Ok(()),
        };
        state.running.remove(&ended);
        state.tools.metrics.running().set(i64::try_from(state.running.len()).unwrap_or(i64::MAX));
        state.look(&myself).await;
        Ok(())
    }
}

impl State {
    async fn look(&mut self, myself: &ActorRef<Message>) {
        if let Err(error) = self.take_up(myself).await {
            self.observed.failures += 1;
            tracing::warn!(%error, "imports are put off");
        }
    }

    async fn take_up(&mut self, myself: &ActorRef<Message>) -> Result<(), ActorProcessingErr> {
        if self.tools.runtime.is_draining() || self.tools.settings.place.is_none() {
            return Ok(());
        }
        let settings = &self.tools.settings;
        let key = match &settings.only {
            None => None,
            Some(only) => match only.get() {
                Some(space) => Some(space.to_string()),
                None => return Ok(()),
            },
        };
        let mut connection = self.tools.store.connection("import.claim").await?;
        let now = self.tools.clock.now();
        let mut leases = Vec::new();
        for queue in &settings.queues {
            let limit = settings.slots.saturating_sub(self.running.len() + leases.len());
            let bound = Bound { queues: &settings.queues, most: settings.slots, limit };
            leases.extend(queue::claim_within(&mut connection, (*queue, key.as_deref()), bound, settings.lease, now).await?);
        }
        for lease in leases {
            let Some(import) = Worker::named(lease.job()) else {
                tracing::error!(job.id = %lease.job().id, "a job names no import: it is marked dead");
                let _outcome = lease.mark_dead(&connection, now, UNREADABLE).await?;
                continue;
            };
            let worker = Worker::new(self.tools.clone(), import, lease);
            let params = job::Params { runtime: self.tools.runtime.clone(), worker };
            let (actor, _) = ImportJob::spawn_linked(None, ImportJob, params, myself.get_cell()).await?;
            self.running.insert(actor.get_id());
            self.observed.taken_up += 1;
        }
        self.tools.metrics.running().set(i64::try_from(self.running.len()).unwrap_or(i64::MAX));
        if key.is_none() {
            self.end_abandoned(&connection).await?;
        }
        Ok(())
    }

    /// Ends imports that somebody wants to stop and nobody is at any more. Those from folders may not be claimed here, and need not be for that.
    async fn end_abandoned(&self, connection: &Connection) -> Result<(), ActorProcessingErr> {
        for (space, import) in jobs::abandoned(connection).await? {
            let ended =
                self.tools.spaces.execute(space, DomainActor::system("import"), Origin::default(), CancelImport(import)).await;
            if let Err(fault) = ended {
                tracing::warn!(%import, error = %fault, cause = fault.cause, "an import that nobody is at cannot be stopped yet");
            }
        }
        Ok(())
    }
}
