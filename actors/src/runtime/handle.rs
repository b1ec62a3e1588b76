//! The way to an actor from outside: a reference that survives its restarts, and an admission limit.
//!
//! ractor's mailboxes are unbounded, so the limit stands before them: a permit travels inside the message (in
//! its [`Reply`]) and is released when the message is answered or dropped. A caller never hangs: it gets an
//! answer, or 503 when the actor is full, not running, ended before it answered, or slower than the deadline.

use super::Runtime;
use domain::shared::Fault;
use prometheus::{IntCounter, IntGauge};
use ractor::{ActorId, ActorRef, ActorStatus, Message, MessagingErr};
use serde::Serialize;
use serde_json::Value;
use std::{future::Future, sync::Arc, time::Duration};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch};

/// How long a caller waits for an answer, where nothing else is said.
pub const DEADLINE: Duration = Duration::from_secs(5);

/// A swappable reference to an actor, with admission. Cheap to clone.
pub struct Handle<M> {
    inner: Arc<Inner<M>>,
}

struct Inner<M> {
    kind: &'static str,
    deadline: Duration,
    capacity: usize,
    permits: Arc<Semaphore>,
    in_use: IntGauge,
    restarts: IntCounter,
    actor: watch::Sender<Option<ActorRef<M>>>,
    observe: fn(Reply<Value>) -> M,
}

/// Whether an actor runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ActorState {
    Running,
    /// It runs and did not answer in time.
    Unresponsive,
    Stopping,
    /// It has ended, and its supervisor starts another one when the backoff is over.
    Restarting,
}

/// An actor as it was found.
pub(crate) struct Inspected {
    pub(crate) state: ActorState,
    pub(crate) mailbox: usize,
    pub(crate) restarts: u64,
    pub(crate) observed: Value,
}

impl<M> Clone for Handle<M> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone() }
    }
}

impl<M: Message> Handle<M> {
    /// A handle without an actor; [`super::Child`] puts one behind it, and another one after each restart.
    /// `observe` makes the message that asks the actor for its state: every actor answers it.
    pub fn new(runtime: &Runtime, kind: &'static str, permits: usize, deadline: Duration, observe: fn(Reply<Value>) -> M) -> Self {
        // The counter is shown from the first moment: one that appears with the first restart hides that
        // restart from rates.
        let restarts = runtime.metrics().restarts(kind);
        let inner = Inner {
            kind,
            deadline,
            capacity: permits,
            restarts,
            permits: Arc::new(Semaphore::new(permits)),
            in_use: runtime.metrics().permits(kind),
            actor: watch::Sender::new(None),
            observe,
        };
        Self { inner: Arc::new(inner) }
    }

    /// The kind of the actor, for metrics and logs.
    pub fn kind(&self) -> &'static str {
        self.inner.kind
    }

    /// Sends a message and waits for the answer, at most until the deadline.
    ///
    /// An actor that is too slow still finishes what it began; the caller only does not learn how it ended.
    pub async fn ask<R>(&self, make: impl FnOnce(Reply<R>) -> M) -> Result<R, Fault> {
        let (reply, answer) = self.reply()?;
        self.send(make(reply)).map_err(|_| self.unavailable())?;
        answer.wait().await
    }

    /// What the actor is doing. As mailboxes are FIFO, the answer also proves that what this caller sent
    /// before was handled.
    pub async fn observe(&self) -> Result<Value, Fault> {
        self.ask(self.inner.observe).await
    }

    /// Whether both lead to the same actor.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// How many more messages would be admitted now.
    pub fn free_permits(&self) -> usize {
        self.inner.permits.available_permits()
    }

    /// Waits until another actor than the one at the time of the call stands behind the handle (or any, if
    /// there was none).
    pub fn wait_restarted(&self) -> impl Future<Output = ()> + use<M> {
        let mut actor = self.inner.actor.subscribe();
        let before = actor.borrow_and_update().as_ref().map(|actor| actor.get_id());
        async move {
            // It fails when every handle is gone, and then nothing waits for an actor any more.
            let _ = actor.wait_for(|now| now.as_ref().is_some_and(|actor| Some(actor.get_id()) != before)).await;
        }
    }

    /// Lets the actor handle what is in its mailbox and end, and waits for that.
    pub(crate) async fn stop(&self) {
        let actor = self.inner.actor.borrow().clone();
        if let Some(actor) = actor {
            // It fails when the actor has ended by itself, and then the wait returns at once.
            let _ = actor.drain();
            let _ = actor.wait(None).await;
        }
    }

    /// Looks at the actor, past the admission limit, and waits for its answer as long as `within`; `None`
    /// when there was never one behind the handle.
    pub(crate) async fn inspect(&self, within: Duration) -> Option<Inspected> {
        let actor = self.inner.actor.borrow().clone()?;
        let (mailbox, restarts) = (self.inner.capacity.saturating_sub(self.free_permits()), self.inner.restarts.get());
        let (sender, answer) = oneshot::channel();
        let is_sent = actor.send_message((self.inner.observe)(Reply { sender, _permit: None })).is_ok();
        let answer = if is_sent { tokio::time::timeout(within, answer).await.map(Result::ok).ok() } else { None };
        let (state, observed) = match (answer, actor.get_status()) {
            (Some(Some(observed)), _) => (ActorState::Running, observed),
            (_, ActorStatus::Stopped) => (ActorState::Restarting, Value::Null),
            (_, ActorStatus::Stopping | ActorStatus::Draining) => (ActorState::Stopping, Value::Null),
            _ => (ActorState::Unresponsive, Value::Null),
        };
        Some(Inspected { state, mailbox, restarts, observed })
    }

    /// Asks the actor for its state past the admission limit, which a frozen actor may have used up. Returns
    /// the actor if it let the time pass; `None` if it answered, or has ended.
    pub(super) async fn find_frozen(&self, within: Duration) -> Option<ActorId> {
        let actor = self.inner.actor.borrow().clone()?;
        let (sender, answer) = oneshot::channel();
        actor.send_message((self.inner.observe)(Reply { sender, _permit: None })).ok()?;
        tokio::time::timeout(within, answer).await.is_err().then(|| actor.get_id())
    }

    /// A reply with a permit, and where its answer will come; 503 when no permit is left.
    pub(crate) fn reply<R>(&self) -> Result<(Reply<R>, PendingReply<R>), Fault> {
        let inner = &self.inner;
        let Ok(permit) = inner.permits.clone().try_acquire_owned() else {
            return Err(Fault::unavailable(format!("{} is full", inner.kind)));
        };
        let (sender, receiver) = oneshot::channel();
        inner.in_use.inc();
        let permit = Permit { _permit: permit, in_use: inner.in_use.clone() };
        Ok((Reply { sender, _permit: Some(permit) }, PendingReply { receiver, kind: inner.kind, deadline: inner.deadline }))
    }

    /// Puts a message into the actor's mailbox; gives it back when there is no actor to take it.
    pub(crate) fn send(&self, message: M) -> Result<(), M> {
        // Cloned, so that the borrow is not held across the send, which takes locks of ractor's own.
        let actor = self.inner.actor.borrow().clone();
        match actor {
            None => Err(message),
            Some(actor) => match actor.send_message(message) {
                Err(MessagingErr::SendErr(message)) => Err(message),
                // The other errors cannot be: the type is checked by the compiler, and a closed mailbox gives
                // the message back.
                _ => Ok(()),
            },
        }
    }

    /// Puts an actor behind the handle.
    pub(crate) fn set(&self, actor: ActorRef<M>) {
        self.inner.actor.send_replace(Some(actor));
    }

    /// The failure that a caller gets when no actor is running.
    pub(crate) fn unavailable(&self) -> Fault {
        Fault::unavailable(format!("{} is away", self.inner.kind))
    }
}

/// The sender of the answer to a message; it holds the permit of the message.
pub struct Reply<R> {
    sender: oneshot::Sender<R>,
    _permit: Option<Permit>,
}

impl<R> Reply<R> {
    /// Answers. That the caller no longer waits is no failure.
    pub fn send(self, answer: R) {
        let _ = self.sender.send(answer);
    }

    /// Whether the caller is still waiting. What nothing waits for need not be begun.
    pub fn is_wanted(&self) -> bool {
        !self.sender.is_closed()
    }
}

impl Reply<Value> {
    /// Answers `Observe` with a state.
    pub fn state(self, state: &impl Serialize) {
        // States are plain structs with string keys; one that cannot be serialised shows as null.
        self.send(serde_json::to_value(state).unwrap_or_default());
    }
}

/// An answer that is still to come.
pub(crate) struct PendingReply<R> {
    receiver: oneshot::Receiver<R>,
    kind: &'static str,
    deadline: Duration,
}

impl<R> PendingReply<R> {
    /// Waits for it, at most until the deadline.
    pub(crate) async fn wait(self) -> Result<R, Fault> {
        match tokio::time::timeout(self.deadline, self.receiver).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(_)) => Err(Fault::unavailable(format!("{} ended before it answered", self.kind))),
            Err(_) => Err(Fault::unavailable(format!("{} did not answer in time", self.kind))),
        }
    }
}

/// One message in front of an actor, counted in its gauge.
struct Permit {
    _permit: OwnedSemaphorePermit,
    in_use: IntGauge,
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.in_use.dec();
    }
}
