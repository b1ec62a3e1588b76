//! The actor of one running import.

use super::worker::{Next, Worker};
use crate::runtime::Runtime;
use domain::shared::{Backoff, Kind};
use ractor::{Actor, ActorProcessingErr, ActorRef};
use std::time::Duration;
use tracing::Instrument;

/// The wait before a failed step is repeated from the row. It is shorter than a lease, so that a lease extended at the start of a slow step that
/// failed is still held.
const BACKOFF: Backoff = Backoff { first: Duration::from_millis(500), cap: Duration::from_secs(5), jitter: 20 };
/// After this many failures in a row the job is released, so that another process can claim it.
const MAX_FAILURES: u32 = 6;

/// The actor.
pub(super) struct ImportJob;

pub(super) enum Message {
    /// Write the next page.
    Step,
}

pub(super) struct Params {
    pub(super) runtime: Runtime,
    pub(super) worker: Worker,
}

pub(super) struct State {
    runtime: Runtime,
    worker: Worker,
    failures: u32,
    /// Whether the job may have caused the failures, so that this attempt counts towards its limit.
    counts_as_attempt: bool,
}

impl Actor for ImportJob {
    type Msg = Message;
    type State = State;
    type Arguments = Params;

    async fn pre_start(&self, myself: ActorRef<Message>, params: Params) -> Result<State, ActorProcessingErr> {
        myself.send_message(Message::Step)?;
        Ok(State { runtime: params.runtime, worker: params.worker, failures: 0, counts_as_attempt: false })
    }

    async fn handle(&self, myself: ActorRef<Message>, message: Message, state: &mut State) -> Result<(), ActorProcessingErr> {
        match message {
            Message::Step if state.runtime.is_draining() => myself.stop(None),
            Message::Step => match state.worker.step().instrument(tracing::debug_span!("step", otel.name = "import.step")).await {
                Ok(Next::Step { after: Duration::ZERO }) => {
                    state.failures = 0;
                    // This fails while the actor is being drained, which ends it after this message.
                    let _ = myself.send_message(Message::Step);
                }
                Ok(Next::Step { after }) => {
                    state.failures = 0;
                    let _timer = myself.send_after(after, || Message::Step);
                }
                Ok(Next::Stop) => myself.stop(None),
                Err(fault) => {
                    state.failures += 1;
                    tracing::warn!(error = %fault, cause = fault.cause.as_deref(), failures = state.failures, "a step of an import failed");
                    if state.failures >= MAX_FAILURES {
                        state.counts_as_attempt = fault.kind() != Kind::Unavailable;
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
        state.worker.release(state.counts_as_attempt).await;
        Ok(())
    }
}
