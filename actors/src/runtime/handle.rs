//! The way to an actor from outside: a reference that survives its restarts, and an admission limit.
//!
//! ractor's mailboxes are unbounded, so the limit stands before them: a permit travels inside the message (in its [`Reply`]) and comes
//! back when the message is answered or dropped, whoever drops it. A caller never hangs: it gets an answer, or 503 when the actor is full,
//! away, ended before it answered, or slower than the deadline.

use super::Runtime;
use domain::shared::Fault;
use prometheus::IntGauge;
use ractor::{ActorRef, Message, MessagingErr};
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
    permits: Arc<Semaphore>,
    in_use: IntGauge,
    actor: watch::Sender<Option<ActorRef<M>>>,
}

impl<M> Clone for Handle<M> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone() }
    }
}

impl<M: Message> Handle<M> {
    /// A handle that no actor stands behind yet; [`super::Child`] puts one there, and another one after each restart.
    pub fn new(runtime: &Runtime, kind: &'static str, permits: usize, deadline: Duration) -> Self {
        // Shown from the first moment: what appears with its first restart looks as if there had been none.
        runtime.metrics().restarts(kind);
        let inner = Inner {
            kind,
            deadline,
            permits: Arc::new(Semaphore::new(permits)),
            in_use: runtime.metrics().permits(kind),
            actor: watch::Sender::new(None),
        };
        Self { inner: Arc::new(inner) }
    }

    /// The kind of the actor, for metrics and logs.
    pub fn kind(&self) -> &'static str {
        self.inner.kind
    }

    /// Asks and waits for the answer, at most until the deadline.
    ///
    /// An actor that is too slow still finishes what it began; the caller knows only that it was not told.
    pub async fn ask<R>(&self, make: impl FnOnce(Reply<R>) -> M) -> Result<R, Fault> {
        let (reply, answer) = self.reply()?;
        self.send(make(reply)).map_err(|_| self.away())?;
        answer.wait().await
    }

    /// Whether both lead to the same actor.
    pub fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }

    /// How many more messages would be admitted now.
    pub fn free_permits(&self) -> usize {
        self.inner.permits.available_permits()
    }

    /// Waits until an actor stands behind the handle that is another one than at the call (or any, when there was none).
    pub fn replaced(&self) -> impl Future<Output = ()> + use<M> {
        let mut actor = self.inner.actor.subscribe();
        let before = actor.borrow_and_update().as_ref().map(|b| b.get_id());
        async move {
            // It fails when every handle is gone, and then nobody cares.
            let _ = actor.wait_for(|now| now.as_ref().is_some_and(|now| Some(now.get_id()) != before)).await;
        }
    }

    /// Has the actor work off what it was given and end, and waits for that.
    pub(crate) async fn ended(&self) {
        let actor = self.inner.actor.borrow().clone();
        if let Some(actor) = actor {
            // It fails when the actor has ended by itself, and then the wait returns at once.
            let _ = actor.drain();
            let _ = actor.wait(None).await;
        }
    }

    /// A reply with a permit, and where its answer will come; 503 when no permit is left.
    pub(crate) fn reply<R>(&self) -> Result<(Reply<R>, Answer<R>), Fault> {
        let inner = &self.inner;
        let Ok(permit) = inner.permits.clone().try_acquire_owned() else {
            return Err(Fault::unavailable(format!("{} is full", inner.kind)));
        };
        let (sender, receiver) = oneshot::channel();
        inner.in_use.inc();
        let permit = Permit { _permit: permit, in_use: inner.in_use.clone() };
        Ok((Reply { sender, _permit: permit }, Answer { receiver, kind: inner.kind, deadline: inner.deadline }))
    }

    /// Puts a message into the actor's mailbox; gives it back when there is no actor to take it.
    pub(crate) fn send(&self, message: M) -> Result<(), M> {
        // Not held across the send: the send takes locks of ractor's own.
        let actor = self.inner.actor.borrow().clone();
        match actor {
            None => Err(message),
            Some(actor) => match actor.send_message(message) {
                Err(MessagingErr::SendErr(message)) => Err(message),
                // The other errors cannot be: the type is checked by the compiler, and a closed mailbox gives the message back.
                _ => Ok(()),
            },
        }
    }

    /// Puts an actor behind the handle.
    pub(crate) fn set(&self, actor: ActorRef<M>) {
        self.inner.actor.send_replace(Some(actor));
    }

    /// What a caller is told when nobody is there.
    pub(crate) fn away(&self) -> Fault {
        Fault::unavailable(format!("{} is away", self.inner.kind))
    }
}

/// Where an answer goes; the message's permit travels in it.
pub struct Reply<R> {
    sender: oneshot::Sender<R>,
    _permit: Permit,
}

impl<R> Reply<R> {
    /// Answers. Nobody may be listening any more, which is no failure.
    pub fn send(self, answer: R) {
        let _ = self.sender.send(answer);
    }

    /// Whether the caller is still waiting. What nobody waits for need not be begun.
    pub fn is_wanted(&self) -> bool {
        !self.sender.is_closed()
    }
}

/// Where an answer comes from.
pub(crate) struct Answer<R> {
    receiver: oneshot::Receiver<R>,
    kind: &'static str,
    deadline: Duration,
}

impl<R> Answer<R> {
    /// Waits for it, at most until the deadline.
    pub(crate) async fn wait(self) -> Result<R, Fault> {
        match tokio::time::timeout(self.deadline, self.receiver).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(_)) => Err(Fault::unavailable(format!("{} ended before it answered", self.kind))),
            Err(_) => Err(Fault::unavailable(format!("{} did not answer in time", self.kind))),
        }
    }
}

/// A place in front of an actor, and in its gauge.
struct Permit {
    _permit: OwnedSemaphorePermit,
    in_use: IntGauge,
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.in_use.dec();
    }
}
