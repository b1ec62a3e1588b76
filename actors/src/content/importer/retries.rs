//! Decides when something that failed at a source is tried again: one actor for each running import.
//!
//! ```text
//! a task that reads:  one try ──Failed──▶ Retries: counts, decides ──▶ give up
//!                        ▲                   │ send_after(wait)
//!                        └──────────Due──────┘
//! ```
//!
//! A task makes one try, and another one when this actor says so: failures are counted here, and waits are
//! timers of this actor. So it is known at any time what an import waits for, and until when; the importer
//! shows it. A task that is dropped, for example because its import was cancelled, is forgotten with its
//! failures. Nothing is lost with the actor: the import is opened again from its row.

#[cfg(test)]
mod tests;

use crate::runtime::Runtime;
use domain::shared::{Backoff, SharedClock};
use egress::vendor::{self, retry};
use jiff::Timestamp;
use ractor::{Actor, ActorCell, ActorProcessingErr, ActorRef, SpawnErr};
use serde::Serialize;
use std::{
    collections::HashMap,
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::sync::{oneshot, watch};

/// How often a file is requested that may be available later.
pub(super) const FILE_TRIES: u32 = 4;
/// The waits in between.
const FILE_BACKOFF: Backoff = Backoff { first: Duration::from_millis(500), cap: Duration::from_secs(8), jitter: 25 };

/// Why a try failed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Failure {
    /// A request to Storyblok.
    Request(vendor::Error),
    /// A file that may be available, or for which there may be room, later.
    File,
}

impl Failure {
    /// How long to wait after a number of failures in a row, the last for this reason; `None` to give up.
    fn wait(self, failures: u32, jitter_seed: u32) -> Option<Duration> {
        match self {
            Self::Request(error) => retry::wait(failures, error, jitter_seed),
            Self::File => (failures < FILE_TRIES).then(|| FILE_BACKOFF.after(failures, jitter_seed)),
        }
    }

    fn code(self) -> &'static str {
        match self {
            Self::Request(error) => error.code(),
            Self::File => "file",
        }
    }
}

/// What an import waits for, as the importer shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Waiting {
    /// How many requests wait.
    requests: usize,
    /// When the first of them is tried again, and why its last try failed.
    until: Timestamp,
    reason: &'static str,
    /// How often that one has failed.
    failures: u32,
}

/// The actor.
struct Retries;

enum Message {
    /// A try of a request has failed.
    Failed { request: u64, failure: Failure, decision: oneshot::Sender<Option<NextTry>> },
    /// The wait after this many failures of a request is over.
    Due { request: u64, failures: u32 },
    /// A request that failed is not tried any more.
    Over { request: u64 },
}

struct Params {
    runtime: Runtime,
    clock: SharedClock,
    shown: watch::Sender<Option<Waiting>>,
}

struct State {
    params: Params,
    /// The requests that have failed and are not over.
    requests: HashMap<u64, Request>,
}

/// A request that has failed.
#[derive(Default)]
struct Request {
    failures: u32,
    wait: Option<Wait>,
}

struct Wait {
    until: Timestamp,
    reason: &'static str,
    due: oneshot::Sender<()>,
}

impl Actor for Retries {
    type Msg = Message;
    type State = State;
    type Arguments = Params;

    async fn pre_start(&self, _: ActorRef<Message>, params: Params) -> Result<State, ActorProcessingErr> {
        Ok(State { params, requests: HashMap::new() })
    }

    async fn handle(&self, myself: ActorRef<Message>, message: Message, state: &mut State) -> Result<(), ActorProcessingErr> {
        match message {
            Message::Failed { request, failure, decision } => {
                // It fails when the task has ended, which the next message says.
                let _ = decision.send(state.decide(&myself, request, failure));
            }
            Message::Due { request, failures } => state.due(request, failures),
            Message::Over { request } => {
                state.requests.remove(&request);
            }
        }
        state.show();
        Ok(())
    }
}

impl State {
    fn decide(&mut self, myself: &ActorRef<Message>, number: u64, failure: Failure) -> Option<NextTry> {
        let request = self.requests.entry(number).or_default();
        request.failures += 1;
        let failures = request.failures;
        let wait = failure.wait(failures, self.params.runtime.jitter_seed())?;
        let (due, is_due) = oneshot::channel();
        let now = self.params.clock.now();
        let until = now.checked_add(wait).unwrap_or(now);
        request.wait = Some(Wait { until, reason: failure.code(), due });
        tracing::debug!(reason = failure.code(), failures, wait.ms = wait.as_millis(), "the source of an import is asked again");
        let _timer = myself.send_after(wait, move || Message::Due { request: number, failures });
        Some(NextTry { failures, is_due })
    }

    fn due(&mut self, request: u64, failures: u32) {
        let request = self.requests.get_mut(&request).filter(|request| request.failures == failures);
        if let Some(wait) = request.and_then(|request| request.wait.take()) {
            // As above.
            let _ = wait.due.send(());
        }
    }

    fn show(&self) {
        let waits = || self.requests.values().filter_map(|request| Some((request.failures, request.wait.as_ref()?)));
        let first = waits().min_by_key(|(_, wait)| wait.until);
        let waiting =
            first.map(|(failures, wait)| Waiting { requests: waits().count(), until: wait.until, reason: wait.reason, failures });
        self.params.shown.send_if_modified(|shown| {
            let is_other = *shown != waiting;
            *shown = waiting;
            is_other
        });
    }
}

/// The way to the actor. Cheap to clone.
#[derive(Clone)]
pub(super) struct RetryHandle {
    actor: ActorRef<Message>,
    next: Arc<AtomicU64>,
}

impl RetryHandle {
    /// Starts the actor below that of an import. What the import waits for is shown in `shown`.
    pub(super) async fn start(
        runtime: Runtime,
        clock: SharedClock,
        shown: watch::Sender<Option<Waiting>>,
        import: ActorCell,
    ) -> Result<Self, SpawnErr> {
        let (actor, _) = Retries::spawn_linked(None, Retries, Params { runtime, clock, shown }, import).await?;
        Ok(Self { actor, next: Arc::default() })
    }

    /// The tries of one request, which has not failed yet.
    pub(super) fn tries(&self) -> Tries {
        Tries { actor: self.actor.clone(), request: self.next.fetch_add(1, Relaxed), has_failed: false }
    }

    /// Waits until the actor has ended. What waits for its decisions then waits for ever, and is dropped.
    pub(super) async fn ended(&self) {
        let _ = self.actor.wait(None).await;
    }
}

/// The tries of one request.
pub(super) struct Tries {
    actor: ActorRef<Message>,
    request: u64,
    has_failed: bool,
}

impl Tries {
    /// Reports that a try has failed. Returns `None` if the request is given up.
    pub(super) async fn failed(&mut self, failure: Failure) -> Option<NextTry> {
        self.has_failed = true;
        let (decision, decided) = oneshot::channel();
        let is_sent = self.actor.send_message(Message::Failed { request: self.request, failure, decision });
        match (is_sent, decided.await) {
            (Ok(()), Ok(decision)) => decision,
            // Without the actor nothing is decided: see `RetryHandle::ended`.
            _ => pending().await,
        }
    }
}

impl Drop for Tries {
    fn drop(&mut self) {
        if self.has_failed {
            // It fails when the actor has ended, and then nothing is left to forget.
            let _ = self.actor.send_message(Message::Over { request: self.request });
        }
    }
}

/// A further try of a request, which begins when it is due.
pub(super) struct NextTry {
    /// How often the request has failed.
    pub(super) failures: u32,
    is_due: oneshot::Receiver<()>,
}

impl NextTry {
    /// Resolves when it is due.
    pub(super) async fn due(self) {
        if self.is_due.await.is_err() {
            // Without the actor nothing is due any more.
            pending::<()>().await;
        }
    }
}
