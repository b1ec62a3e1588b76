//! The actor of one running import. Its worker reports how a step ended; when the next one comes is decided
//! here. A step does not end because a request to the source failed: when that is made again is decided by an
//! actor below this one ([`retries`](super::retries)), while this one waits for the page.

use super::{
    retries::{RetryHandle, Waiting},
    worker::{ClaimedImport, Next, StepFailure, Worker},
};
use crate::runtime::Runtime;
use domain::shared::{Backoff, Kind};
use ractor::{Actor, ActorProcessingErr, ActorRef};
use std::time::Duration;
use tokio::sync::watch;
use tracing::Instrument;

/// The wait before a failed step is repeated. It is shorter than a lease, so that a lease extended at the
/// start of a slow step that failed is still held.
const BACKOFF: Backoff = Backoff { first: Duration::from_millis(500), cap: Duration::from_secs(5), jitter: 20 };
/// After this many failures in a row, which take longer than a lease, the job is released, so that another
/// process can claim it.
const MAX_FAILURES: u32 = 8;

/// What follows a failed step.
#[derive(Debug, PartialEq, Eq)]
enum AfterFailure {
    /// After this wait, what was read is written again.
    WriteAgain(Duration),
    /// After this wait, the import is opened from its row.
    ReadAgain(Duration),
    /// The job is released. If it may have caused the failures, this attempt counts towards its limit.
    Release { counts_as_attempt: bool },
}

/// What follows a failed step, after so many `failures` in a row.
fn after_failure(failure: &StepFailure, failures: u32, jitter_seed: u32) -> AfterFailure {
    let wait = BACKOFF.after(failures, jitter_seed);
    if wait < failure.lease_left {
        AfterFailure::WriteAgain(wait)
    } else if failures < MAX_FAILURES {
        AfterFailure::ReadAgain(wait)
    } else {
        AfterFailure::Release { counts_as_attempt: failure.fault.kind() != Kind::Unavailable }
    }
}

/// The actor.
pub(super) struct ImportJob;

pub(super) enum Message {
    /// Open the import, or read and write its next page.
    Step,
}

pub(super) struct Params {
    pub(super) import: ClaimedImport,
    /// What the import waits for, while it does.
    pub(super) waiting: watch::Sender<Option<Waiting>>,
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
        let Params { import, waiting } = params;
        let (runtime, clock) = (import.deps.runtime.clone(), import.deps.clock.clone());
        let retries = RetryHandle::start(runtime.clone(), clock, waiting, myself.get_cell()).await?;
        myself.send_message(Message::Step)?;
        Ok(State { runtime, worker: Worker::new(import, retries), failures: 0, counts_as_attempt: false })
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
                Err(failure) => {
                    state.failures += 1;
                    let (fault, failures) = (&failure.fault, state.failures);
                    tracing::warn!(error = %fault, cause = fault.cause.as_deref(), failures, "a step of an import failed");
                    let wait = match after_failure(&failure, failures, state.runtime.jitter_seed()) {
                        AfterFailure::WriteAgain(wait) => wait,
                        AfterFailure::ReadAgain(wait) => {
                            state.worker.forget();
                            wait
                        }
                        AfterFailure::Release { counts_as_attempt } => {
                            state.counts_as_attempt = counts_as_attempt;
                            myself.stop(None);
                            return Ok(());
                        }
                    };
                    let _timer = myself.send_after(wait, || Message::Step);
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

#[cfg(test)]
mod tests {
    use super::{AfterFailure, MAX_FAILURES, StepFailure, after_failure};
    use domain::shared::Fault;
    use std::time::Duration;

    #[test]
    fn what_was_read_is_written_again_while_the_lease_holds_and_then_read_again() {
        let unavailable = || Fault::unavailable("the database is away");
        let after = |fault, lease_left, failures| {
            after_failure(&StepFailure { fault, lease_left: Duration::from_millis(lease_left) }, failures, u32::MAX)
        };
        let wait = Duration::from_millis;
        assert_eq!(after(unavailable(), 601, 1), AfterFailure::WriteAgain(wait(600)));
        assert_eq!(after(unavailable(), 600, 1), AfterFailure::ReadAgain(wait(600)));
        assert_eq!(after(unavailable(), 2_000, 2), AfterFailure::WriteAgain(wait(1_200)), "waits grow");
        assert_eq!(after(unavailable(), 2_000, 3), AfterFailure::ReadAgain(wait(2_400)));
        assert_eq!(after(Fault::internal("x"), 0, 1), AfterFailure::ReadAgain(wait(600)));
        assert_eq!(after(unavailable(), 7_000, MAX_FAILURES), AfterFailure::WriteAgain(wait(6_000)), "the lease is held");
        assert_eq!(after(unavailable(), 0, MAX_FAILURES), AfterFailure::Release { counts_as_attempt: false });
        assert_eq!(after(Fault::internal("x"), 0, MAX_FAILURES), AfterFailure::Release { counts_as_attempt: true });
    }
}
