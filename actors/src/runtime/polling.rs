//! The one actor that polls: it looks for work when its time has come or when it is woken, and answers what
//! it is doing.
//!
//! ```text
//! Poll     its own timer: armed again at the end of each poll, so polls never pile up behind slow work
//! Wake     another process or a request left work: see [`WakeSender`]
//! Finished something that this actor started has ended
//! Observe  its state, for tests, `/api/admin/actors` and the watchdog
//! ```
//!
//! A wake-up is a hint that may be lost; the timer is what makes sure that all work is found.

use super::{Child, Handle, Reply, Restart, Runtime, WakeSender, WakeToken, handle::DEADLINE};
use futures_util::future::BoxFuture;
use ractor::{Actor, ActorCell, ActorId, ActorProcessingErr, ActorRef, SupervisionEvent};
use serde::Serialize;
use serde_json::Value;
use std::{future::Future, time::Duration};
use tokio::task::AbortHandle;
use tracing::Instrument;

/// How long a poll works at most before it returns, in order to be polled again at once: in between the actor
/// answers `Observe`, and so the watchdog can tell one that has much to do from one that hangs.
pub const MAX_POLL: Duration = Duration::from_secs(5);

/// Why an actor polls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The time that the last poll asked for has passed, or the actor has just started.
    Timer,
    /// There may be new work.
    Woken,
    /// A task or an actor that this one started has ended.
    Finished,
}

/// What a polling actor does: the state of the actor and the work.
pub trait Poller: Send + Sync + 'static {
    /// Looks for work and does it, until [`MAX_POLL`] is over and what it is at is done. Returns after which
    /// time to poll again, unless the actor is woken before.
    fn poll(&mut self, cause: Cause, myself: &ActorCell) -> impl Future<Output = Duration> + Send;

    /// What the actor answers to `Observe`.
    fn observe(&mut self) -> impl Serialize;

    /// An actor that was spawned below this one has ended, with an error if it failed. The poll for
    /// [`Cause::Finished`] follows.
    fn child_ended(&mut self, _child: ActorId, _error: Option<&str>) {}

    /// The actor is stopping: no poll follows.
    fn stop(&mut self) -> impl Future<Output = ()> + Send {
        std::future::ready(())
    }
}

/// A [`Poller`] of any kind: the actor around it is the same type for all of them, so that it is compiled
/// once.
trait AnyPoller: Send + Sync {
    fn poll<'a>(&'a mut self, cause: Cause, myself: &'a ActorCell) -> BoxFuture<'a, Duration>;
    fn observe(&mut self, reply: Reply<Value>);
    fn child_ended(&mut self, child: ActorId, error: Option<&str>);
    fn stop(&mut self) -> BoxFuture<'_, ()>;
}

impl<P: Poller> AnyPoller for P {
    fn poll<'a>(&'a mut self, cause: Cause, myself: &'a ActorCell) -> BoxFuture<'a, Duration> {
        Box::pin(Poller::poll(self, cause, myself))
    }

    fn observe(&mut self, reply: Reply<Value>) {
        reply.state(&Poller::observe(self));
    }

    fn child_ended(&mut self, child: ActorId, error: Option<&str>) {
        Poller::child_ended(self, child, error);
    }

    fn stop(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(Poller::stop(self))
    }
}

/// The actor around a [`Poller`].
struct PollingActor {
    kind: &'static str,
}

/// What a polling actor is sent.
pub enum Message {
    /// The timer has run out.
    Poll,
    /// There may be new work.
    Wake(WakeToken),
    /// Something that this actor started has ended.
    Finished(WakeToken),
    /// Answer what you are doing.
    Observe(Reply<Value>),
}

/// A poller and its timer.
struct State {
    poller: Box<dyn AnyPoller>,
    timer: Option<AbortHandle>,
}

impl Handle<Message> {
    /// The handle of a polling actor.
    pub fn polling(runtime: &Runtime, kind: &'static str, permits: usize) -> Self {
        Self::new(runtime, kind, permits, DEADLINE, Message::Observe)
    }

    /// Wakes the actor because there may be new work.
    pub fn wake_sender(&self) -> WakeSender {
        WakeSender::new(self.clone(), Message::Wake)
    }

    /// Wakes the actor because something that it started has ended.
    pub fn finished_sender(&self) -> WakeSender {
        WakeSender::new(self.clone(), Message::Finished)
    }
}

impl Child {
    /// A polling actor, named like its kind. `make` builds its state anew for each start.
    pub fn polling<P: Poller>(restart: Restart, handle: &Handle<Message>, make: impl Fn() -> P + Send + Sync + 'static) -> Self {
        let kind = handle.kind();
        Self::new(kind, restart, handle, move || (PollingActor { kind }, Box::new(make())))
    }
}

impl Actor for PollingActor {
    type Msg = Message;
    type State = State;
    type Arguments = Box<dyn AnyPoller>;

    async fn pre_start(&self, myself: ActorRef<Message>, poller: Box<dyn AnyPoller>) -> Result<State, ActorProcessingErr> {
        myself.send_message(Message::Poll)?;
        Ok(State { poller, timer: None })
    }

    async fn handle(&self, myself: ActorRef<Message>, message: Message, state: &mut State) -> Result<(), ActorProcessingErr> {
        match message {
            Message::Poll => self.poll(state, Cause::Timer, &myself).await,
            Message::Wake(token) => {
                drop(token);
                self.poll(state, Cause::Woken, &myself).await;
            }
            Message::Finished(token) => {
                drop(token);
                self.poll(state, Cause::Finished, &myself).await;
            }
            Message::Observe(reply) => state.poller.observe(reply),
        }
        Ok(())
    }

    async fn handle_supervisor_evt(
        &self,
        myself: ActorRef<Message>,
        event: SupervisionEvent,
        state: &mut State,
    ) -> Result<(), ActorProcessingErr> {
        match event {
            SupervisionEvent::ActorFailed(child, error) => state.poller.child_ended(child.get_id(), Some(&error.to_string())),
            SupervisionEvent::ActorTerminated(child, ..) => state.poller.child_ended(child.get_id(), None),
            _ => return Ok(()),
        }
        self.poll(state, Cause::Finished, &myself).await;
        Ok(())
    }

    async fn post_stop(&self, _: ActorRef<Message>, state: &mut State) -> Result<(), ActorProcessingErr> {
        state.poller.stop().await;
        Ok(())
    }
}

impl PollingActor {
    async fn poll(&self, state: &mut State, cause: Cause, myself: &ActorRef<Message>) {
        let span = tracing::debug_span!("poll", otel.name = self.kind);
        let wait = state.poller.poll(cause, &myself.get_cell()).instrument(span).await;
        if let Some(timer) = state.timer.take() {
            timer.abort();
        }
        state.timer = Some(myself.send_after(wait, || Message::Poll).abort_handle());
    }
}
