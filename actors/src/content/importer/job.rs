//! The actor of one running import.

use super::worker::{Next, Worker};
use crate::runtime::Runtime;
use domain::shared::{Backoff, Kind};
use ractor::{Actor, ActorProcessingErr, ActorRef};
use std::time::Duration;

/// How long it waits before it begins again with its row.
/// Not longer than a lease lasts that was held at the beginning of a step which failed slowly.
const BACKOFF: Backoff = Backoff { first: Duration::from_millis(500), cap: Duration::from_secs(5), jitter: 20 };
/// After so many failures in a row it puts the job down, for whoever has more luck.
const FAILURES: u32 = 6;

/// The actor.
pub(super) struct ImportJob;

/// What it is told.
pub(super) enum Message {
    /// Do the next page.
    Step,
}

/// What it is started with.
pub(super) struct Params {
    pub(super) runtime: Runtime,
    pub(super) worker: Worker,
}

/// What it knows.
pub(super) struct State {
    runtime: Runtime,
    worker: Worker,
    failures: u32,
    /// Whether it was given up for something that may lie in the job itself.
    is_to_blame: bool,
}

impl Actor for ImportJob {
    type Msg = Message;
    type State = State;
    type Arguments = Params;

    async fn pre_start(&self, myself: ActorRef<Message>, params: Params) -> Result<State, ActorProcessingErr> {
        myself.send_message(Message::Step)?;
        Ok(State { runtime: params.runtime, worker: params.worker, failures: 0, is_to_blame: false })
    }

    async fn handle(&self, myself: ActorRef<Message>, message: Message, state: &mut State) -> Result<(), ActorProcessingErr> {
        match message {
            Message::Step if state.runtime.is_draining() => myself.stop(None),
            Message::Step => match state.worker.step().await {
                Ok(Next::Step { after: Duration::ZERO }) => {
                    state.failures = 0;
                    // It fails while the actor is being drained, and then it ends after this.
                    let _ = myself.send_message(Message::Step);
                }
                Ok(Next::Step { after }) => {
                    state.failures = 0;
                    let _timer = myself.send_after(after, || Message::Step);
                }
                Ok(Next::Nothing) => myself.stop(None),
                Err(fault) => {
                    state.failures += 1;
                    tracing::warn!(error = %fault, cause = fault.cause, failures = state.failures, "an import begins again with its row");
                    if state.failures >= FAILURES {
                        state.is_to_blame = fault.kind != Kind::Unavailable;
                        myself.stop(None);
                    } else {
                        let wait = BACKOFF.after(state.failures, state.runtime.jitter_seed());
                        let _timer = myself.send_after(wait, || Message::Step);
                    }
                }
            },
        }
        Ok(())
    }

    async fn post_stop(&self, _: ActorRef<Message>, state: &mut State) -> Result<(), ActorProcessingErr> {
        state.worker.put_down(state.is_to_blame).await;
        Ok(())
    }
}
