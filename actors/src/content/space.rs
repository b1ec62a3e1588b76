//! The actor of one active space: its writes run in order of arrival, one transaction each.
//!
//! It is an optimisation of order, never the guard of truth: several processes may each have one for the same space, and the
//! database keeps them apart. What it knows is a cache, so after a failure it starts with nothing.

use super::{
    queued_command::{Bench, Pending},
    space_router::Rooms,
};
use crate::runtime::{Handle, Observable, Reply, Runtime};
use domain::shared::SpaceId;
use ractor::{Actor, ActorProcessingErr, ActorRef};
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;
use tokio::time::Instant;

/// The actor.
pub(super) struct Space;

/// What it is started with.
pub(super) struct Params {
    pub(super) space: SpaceId,
    pub(super) runtime: Runtime,
    pub(super) bench: Bench,
    pub(super) rooms: Rooms,
    pub(super) handle: Handle<Message>,
    pub(super) idle_after: Duration,
}

/// What it is told.
pub(super) enum Message {
    /// Do a write.
    Execute(Box<dyn Pending>),
    /// Leave, if nothing was written for a while.
    Idle,
    /// What are you doing?
    Observe(Reply<Value>),
}

impl Observable for Message {
    fn observe(reply: Reply<Value>) -> Self {
        Self::Observe(reply)
    }
}

/// What it knows.
pub(super) struct State {
    params: Params,
    observed: Observed,
    last_write: Instant,
}

/// What it shows.
#[derive(Serialize)]
struct Observed {
    space: SpaceId,
    /// The `cv` of the last commit; null before the first.
    cv: Option<i64>,
    /// Writes committed since it started.
    committed: u64,
}

impl Actor for Space {
    type Msg = Message;
    type State = State;
    type Arguments = Params;

    async fn pre_start(&self, myself: ActorRef<Message>, params: Params) -> Result<State, ActorProcessingErr> {
        params.runtime.tick(&myself, params.idle_after, || Message::Idle);
        let observed = Observed { space: params.space, cv: None, committed: 0 };
        Ok(State { params, observed, last_write: Instant::now() })
    }

    async fn handle(&self, myself: ActorRef<Message>, message: Message, state: &mut State) -> Result<(), ActorProcessingErr> {
        let params = &state.params;
        match message {
            Message::Execute(write) => {
                if let Some(cv) = write.run(&params.bench).await {
                    state.observed.cv = Some(cv);
                    state.observed.committed += 1;
                }
                state.last_write = Instant::now();
            }
            Message::Idle => {
                if state.last_write.elapsed() >= params.idle_after / 2 {
                    params.rooms.leave(params.space, &params.handle, &myself);
                } else {
                    params.runtime.tick(&myself, params.idle_after, || Message::Idle);
                }
            }
            Message::Observe(reply) => reply.state(&state.observed),
        }
        Ok(())
    }
}
