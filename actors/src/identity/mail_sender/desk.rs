//! What the carriers of a process share: how many they are, how the mail server is, and the conversation that is kept.

use super::{Metrics, Settings};
use crate::runtime::{Runtime, WakeSender};
use domain::{
    identity::mailing::{Pace, Trouble},
    shared::SharedClock,
};
use egress::mail::{Conversation, Failure};
use serde::Serialize;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use storage::{Store, identity::mails};
use tokio::{
    sync::watch,
    time::{Instant, timeout},
};

/// How long carriers that were told to stop have to give back what they have.
const GIVE_BACK: Duration = Duration::from_secs(2);

/// Shared by all carriers of an actor.
pub(super) struct Desk {
    pub(super) runtime: Runtime,
    pub(super) store: Store,
    pub(super) clock: SharedClock,
    pub(super) settings: Settings,
    pub(super) metrics: Metrics,
    pub(super) bell: WakeSender,
    state: Mutex<State>,
    /// Carriers at work. It changes only under the lock of the state.
    carriers: watch::Sender<usize>,
    stopping: watch::Sender<bool>,
}

#[derive(Default)]
struct State {
    /// Carriers whose mail takes long.
    slow: usize,
    /// Whether somebody rang while carriers were at work: one of them looks once more before it leaves.
    rang: bool,
    pace: Pace,
    paused_until: Option<Instant>,
    shelf: Option<(Box<dyn Conversation>, Instant)>,
    observed: Observed,
}

/// What it shows, since it started.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Observed {
    /// Carriers at work.
    carriers: usize,
    /// Whether a conversation is kept open.
    connected: bool,
    /// Whether nobody asks the mail server for a while.
    paused: bool,
    /// Conversations opened.
    pub(super) conversations: u64,
    pub(super) sent: u64,
    pub(super) deferred: u64,
    pub(super) dead: u64,
    /// Outcomes of leases that somebody else had meanwhile.
    pub(super) lost: u64,
    /// Looks at the database that failed.
    pub(super) failures: u64,
}

impl Desk {
    pub(super) fn new(
        runtime: Runtime,
        store: Store,
        clock: SharedClock,
        settings: Settings,
        metrics: Metrics,
        bell: WakeSender,
    ) -> Self {
        Self {
            runtime,
            store,
            clock,
            settings,
            metrics,
            bell,
            state: Mutex::default(),
            carriers: watch::Sender::new(0),
            stopping: watch::Sender::new(false),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts something.
    pub(super) fn count(&self, what: impl FnOnce(&mut Observed)) {
        what(&mut self.state().observed);
    }

    pub(super) fn observed(&self) -> Observed {
        let state = self.state();
        let paused = state.paused_until.is_some_and(|paused_until| paused_until > Instant::now());
        Observed { carriers: *self.carriers.borrow(), connected: state.shelf.is_some(), paused, ..state.observed.clone() }
    }

    /// Whether one more carrier would help: none is at work, or all those are slow. Otherwise one of those at work looks once more.
    pub(super) fn wants_carrier(&self, most: usize) -> bool {
        let mut state = self.state();
        let carriers = *self.carriers.borrow();
        let wanted = carriers < most && carriers <= state.slow;
        state.rang |= !wanted;
        wanted
    }

    /// Until when nobody asks the mail server.
    pub(super) fn paused_until(&self) -> Option<Instant> {
        self.state().paused_until
    }

    /// Whether a carrier is to go on.
    pub(super) fn may_go_on(&self) -> bool {
        !self.runtime.is_draining() && !*self.stopping.borrow() && self.paused_until().is_none_or(|p| p <= Instant::now())
    }

    /// Ends when carriers have to give back what they have.
    pub(super) async fn stopped(&self) {
        // The sender lives in `self`, so the wait cannot fail.
        let _ = self.stopping.subscribe().wait_for(|s| *s).await;
    }

    /// The mail server took something.
    pub(super) fn went_well(&self) {
        let mut state = self.state();
        state.pace.went_well();
        state.paused_until = None;
    }

    /// The mail server did not take something. Says so once, when it becomes unwell.
    pub(super) fn went_wrong(&self, failure: &Failure) {
        let roll = self.runtime.jitter_seed();
        let mut state = self.state();
        let was_well = state.pace.is_well();
        let Some(pause) = state.pace.went_wrong(failure.trouble, roll) else { return };
        state.paused_until = Some(Instant::now() + pause);
        drop(state);
        self.bell.wake();
        // What a server says of a recipient may name the person.
        let shown = if failure.trouble == Trouble::Away { failure.to_string() } else { format!("{:?}", failure.stage) };
        if was_well {
            tracing::warn!(failure = shown, "the mail server takes no mail; it is asked again, less and less often");
        } else {
            tracing::debug!(failure = shown, pause.seconds = pause.as_secs(), "the mail server still takes no mail");
        }
    }

    /// The conversation that is kept, for one carrier.
    pub(super) fn take(&self) -> Option<Box<dyn Conversation>> {
        self.state().shelf.take().map(|(shelf, _)| shelf)
    }

    /// Keeps a conversation; gives back one that is not to be kept.
    pub(super) fn keep(&self, open: Box<dyn Conversation>) -> Option<Box<dyn Conversation>> {
        let mut state = self.state();
        if !open.is_usable() || state.shelf.is_some() || *self.stopping.borrow() {
            return Some(open);
        }
        state.shelf = Some((open, Instant::now()));
        None
    }

    /// Ends the conversation that is kept when nobody has used it for so long.
    pub(super) fn put_away_if_idle(&self, after: Duration) {
        let mut state = self.state();
        if state.shelf.as_ref().is_some_and(|(_, since)| since.elapsed() >= after)
            && let Some((open, _)) = state.shelf.take()
        {
            self.runtime.tasks().spawn("mail.goodbye", open.close());
        }
    }

    /// Counts what waits.
    pub(super) async fn measure(self: Arc<Self>) {
        let counted = async { mails::backlog(&self.store.connection("mail.backlog").await?).await };
        match counted.await {
            Ok(backlog) => self.metrics.waiting(&backlog, self.clock.now()),
            Err(error) => {
                self.count(|value| value.failures += 1);
                tracing::warn!(%error, "waiting mails cannot be counted");
            }
        }
    }

    /// Waits for the carriers, tells them to stop, and ends the conversation that is kept.
    pub(super) async fn stop(&self, patience: Duration) {
        let mut carriers = self.carriers.subscribe();
        if timeout(patience, carriers.wait_for(|carrier| *carrier == 0)).await.is_err() {
            self.stopping.send_replace(true);
            // Whoever does not even give back is cut off, and its lease runs out.
            let _ = timeout(GIVE_BACK, carriers.wait_for(|carrier| *carrier == 0)).await;
        }
        self.stopping.send_replace(true);
        if let Some(open) = self.take() {
            open.close().await;
        }
    }
}

/// A carrier in the count, for as long as it is at work, also when it panics.
pub(super) struct Present {
    pub(super) desk: Arc<Desk>,
    is_slow: bool,
    has_left: bool,
}

impl Present {
    pub(super) fn new(desk: Arc<Desk>) -> Self {
        {
            let _state = desk.state();
            desk.carriers.send_modify(|carrier| *carrier += 1);
        }
        Self { desk, is_slow: false, has_left: false }
    }

    /// Its mail takes long: somebody else should look after the others. Or no longer.
    pub(super) fn is_slow(&mut self, is_slow: bool) {
        if self.is_slow == is_slow {
            return;
        }
        self.is_slow = is_slow;
        let mut state = self.desk.state();
        state.slow = if is_slow { state.slow + 1 } else { state.slow.saturating_sub(1) };
        drop(state);
        if is_slow {
            self.desk.bell.wake();
        }
    }

    /// Leaves, because there is nothing to carry; unless somebody rang since it looked.
    pub(super) fn leave(&mut self) -> bool {
        let mut state = self.desk.state();
        if std::mem::take(&mut state.rang) {
            return false;
        }
        self.has_left = true;
        self.desk.carriers.send_modify(|carrier| *carrier = carrier.saturating_sub(1));
        true
    }
}

impl Drop for Present {
    fn drop(&mut self) {
        self.is_slow(false);
        if !self.has_left {
            let _state = self.desk.state();
            self.desk.carriers.send_modify(|carrier| *carrier = carrier.saturating_sub(1));
        }
    }
}
