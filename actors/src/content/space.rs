//! The actor of one active space: it executes the commands of the space in order of arrival, one transaction
//! each.
//!
//! The actor is an optimisation of order, never the guard of truth: several processes may each have one for
//! the same space, and the database keeps their transactions apart. All that it knows is a cache, so a
//! restarted actor begins with nothing.

use super::queued_command::{CommandDeps, QueuedCommand};
use crate::runtime::{Reply, Runtime};
use domain::shared::SpaceId;
use ractor::{Actor, ActorProcessingErr, ActorRef};
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;
use tokio::time::Instant;

/// The actor of a space.
pub(super) struct Space;

/// Stops the actor of a space.
pub(super) type Retire = Box<dyn Fn(&ActorRef<Message>) + Send + Sync>;

/// Its arguments.
pub(super) struct Params {
    pub(super) space: SpaceId,
    pub(super) runtime: Runtime,
    pub(super) deps: CommandDeps,
    pub(super) idle_after: Duration,
    /// Stops the actor, so that the next command of the space starts another one.
    pub(super) retire: Retire,
}

/// Its messages.
pub(super) enum Message {
    Execute(Box<QueuedCommand>),
    /// Stop, if no command came for a while.
    StopIfIdle,
    Observe(Reply<Value>),
}

/// Its state.
pub(super) struct State {
    params: Params,
    observed: Observed,
    last_command: Instant,
}

/// The state that it reports.
#[derive(Serialize)]
struct Observed {
    space: SpaceId,
    /// The `cv` of the last commit; null before the first one.
    cv: Option<i64>,
    /// How many commands were committed since the actor started.
    committed: u64,
}

impl Actor for Space {
    type Msg = Message;
    type State = State;
    type Arguments = Params;

    async fn pre_start(&self, myself: ActorRef<Message>, params: Params) -> Result<State, ActorProcessingErr> {
        params.runtime.tick(&myself, params.idle_after, || Message::StopIfIdle);
        let observed = Observed { space: params.space, cv: None, committed: 0 };
        Ok(State { params, observed, last_command: Instant::now() })
    }

    async fn handle(&self, myself: ActorRef<Message>, message: Message, state: &mut State) -> Result<(), ActorProcessingErr> {
        let params = &state.params;
        match message {
            Message::Execute(command) => {
                if let Some(cv) = command.execute(&params.deps).await {
                    state.observed.cv = Some(cv);
                    state.observed.committed += 1;
                }
                state.last_command = Instant::now();
            }
            Message::StopIfIdle => {
                if state.last_command.elapsed() >= params.idle_after / 2 {
                    (params.retire)(&myself);
                } else {
                    params.runtime.tick(&myself, params.idle_after, || Message::StopIfIdle);
                }
            }
            Message::Observe(reply) => reply.state(&state.observed),
        }
        Ok(())
    }
}
