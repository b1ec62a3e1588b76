//! Notifications of PostgreSQL from all processes: they announce changes of spaces, and wake the actors that
//! claim jobs.
//!
//! They are hints. An actor that is woken by them polls from time to time as well, and a cache that is
//! invalidated by them must ask the database while [`Notifications::is_complete`] says no.

mod listener;

pub(crate) use listener::{Message, NotificationListener, Params};

use crate::{
    content::{SpaceEvent, SpaceEvents},
    runtime::WakeSender,
};
use domain::shared::SpaceId;
use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};
use storage::{
    content::commit_log::{self, SpaceVersion},
    listen::Notification,
    queue,
    queue::Queue,
};
use tokio::sync::watch;

/// The channels that the connection listens on.
const CHANNELS: [&str; 2] = [commit_log::CHANNEL, queue::CHANNEL];

/// Passes notifications on. Cheap to clone.
#[derive(Clone)]
pub struct Notifications {
    state: Arc<watch::Sender<ConnectionState>>,
    events: SpaceEvents,
    wake_senders: Arc<RwLock<HashMap<&'static str, WakeSender>>>,
}

/// The newest connection that listened, and whether it still does.
#[derive(Default, Clone, Copy)]
struct ConnectionState {
    /// Counted from 1; 0 before the first one.
    connection: u64,
    is_up: bool,
    /// Whether the database is known not to run.
    is_database_stopped: bool,
}

impl Notifications {
    /// Changes of spaces are published as `events`.
    pub(crate) fn new(events: SpaceEvents) -> Self {
        Self { state: Arc::default(), events, wake_senders: Arc::default() }
    }

    /// Whether notifications arrive just now. No actor is asked, so the read path can call it.
    pub fn is_up(&self) -> bool {
        self.state.borrow().is_up
    }

    /// Whether no change of a space is missed just now: notifications arrive, or the database does not run,
    /// so that nothing can change.
    pub fn is_complete(&self) -> bool {
        let state = self.state.borrow();
        state.is_up || state.is_database_stopped
    }

    /// The database, which nothing but this process runs, has ended or runs again.
    pub fn set_database_stopped(&self, is_stopped: bool) {
        self.state.send_modify(|state| state.is_database_stopped = is_stopped);
    }

    /// Waits until notifications arrive, or until they do not.
    pub async fn until(&self, is_up: bool) {
        // The sender lives in `self`, so the wait cannot fail.
        let _ = self.state.subscribe().wait_for(|state| state.is_up == is_up).await;
    }

    /// Calls the listener with the changes of all spaces, made by this process and by others. After a
    /// connection was lost and replaced, and before [`Notifications::is_up`] says yes again, it is called
    /// with [`SpaceEvent::Resync`].
    pub fn subscribe_spaces(&self, listener: impl Fn(SpaceEvent) + Send + Sync + 'static) {
        self.events.subscribe(listener);
    }

    /// Wakes an actor when a job is added to the queue.
    pub(crate) fn wake_on<P>(&self, queue: Queue<P>, actor: WakeSender) {
        self.wake_senders.write().unwrap_or_else(PoisonError::into_inner).insert(queue.name(), actor);
    }

    /// Wakes all actors: there may be work in any queue.
    pub fn wake_all(&self) {
        for actor in self.wake_senders.read().unwrap_or_else(PoisonError::into_inner).values() {
            actor.wake();
        }
    }

    /// A connection listens from now on; notifications before that are lost. Returns the connection's number.
    fn connected(&self) -> u64 {
        // First the event and then the state: a cache that sees `is_up` must have forgotten what it held.
        self.events.publish(SpaceEvent::Resync);
        let mut number = 0;
        self.state.send_modify(|state| {
            number = state.connection + 1;
            *state = ConnectionState { connection: number, is_up: true, ..*state };
        });
        self.wake_all();
        number
    }

    /// A connection no longer listens. The end of one that was already replaced changes nothing.
    fn disconnected(&self, connection: u64) {
        self.state.send_if_modified(|state| {
            let is_current = state.connection == connection;
            state.is_up &= !is_current;
            is_current
        });
    }

    /// Passes a notification on.
    fn received(&self, notification: &Notification) {
        let payload = notification.payload.as_str();
        match notification.channel.as_str() {
            commit_log::CHANNEL => {
                if let Some(event) = parse_space_change(payload) {
                    self.events.publish(event);
                }
            }
            queue::CHANNEL => {
                if let Some(actor) = self.wake_senders.read().unwrap_or_else(PoisonError::into_inner).get(payload) {
                    actor.wake();
                }
            }
            _ => {}
        }
    }
}

/// Reads `<space id>:<cv>:<revision>`.
fn parse_space_change(payload: &str) -> Option<SpaceEvent> {
    let (space, rest) = payload.split_once(':')?;
    let (cv, revision) = rest.split_once(':')?;
    let version = SpaceVersion { cv: cv.parse().ok()?, revision: revision.parse().ok()? };
    Some(SpaceEvent::Committed { space: SpaceId(space.parse().ok()?), version })
}

#[cfg(test)]
mod tests {
    use super::{SpaceEvent, SpaceId, SpaceVersion, parse_space_change};

    #[test]
    fn notifications_of_spaces_are_parsed_strictly() {
        let version = SpaceVersion { cv: 1_700_000_000, revision: 5 };
        assert_eq!(parse_space_change("7:1700000000:5"), Some(SpaceEvent::Committed { space: SpaceId(7), version }));
        for payload in ["", "7", "7:1", "7:1:", ":7:1", "7:1:2:3", "7:x:1", "7: 1:1", "99999999999999999999:1:1"] {
            assert_eq!(parse_space_change(payload), None, "{payload:?}");
        }
    }
}
