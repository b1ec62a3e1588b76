//! News from other processes, and wakes for whoever claims jobs.
//!
//! They are hints: whoever sleeps on them also looks by itself from time to time, and whoever remembers something because of them
//! must look into the database while [`Notifications::is_up`] says no.

mod ear;

pub(crate) use ear::{Ear, Message, Params};

use crate::{
    content::{SpaceEvent, SpaceEvents},
    runtime::Bell,
};
use domain::shared::SpaceId;
use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};
use storage::{
    content::commit_log::{self, SpaceVersion},
    listen::Heard,
    queue,
    queue::Queue,
};
use tokio::sync::watch;

/// The channels we listen to.
const CHANNELS: [&str; 2] = [commit_log::CHANNEL, queue::CHANNEL];

/// What is heard from the database. Cheap to clone.
#[derive(Clone)]
pub struct Notifications {
    up: Arc<watch::Sender<Up>>,
    events: SpaceEvents,
    bells: Arc<RwLock<HashMap<&'static str, Bell>>>,
}

/// Which connection listens, counted, and whether it still does.
#[derive(Default)]
struct Up {
    connection: u64,
    is_up: bool,
}

impl Notifications {
    /// That pass news on.
    pub(crate) fn new(events: SpaceEvents) -> Self {
        Self { up: Arc::default(), events, bells: Arc::default() }
    }

    /// Whether announcements are heard just now. No actor is asked, so the read path can.
    pub fn is_up(&self) -> bool {
        self.up.borrow().is_up
    }

    /// Waits until that is so.
    pub async fn until(&self, is_up: bool) {
        // The sender lives in `self`, so the wait cannot fail.
        let _ = self.up.subscribe().wait_for(|s| s.is_up == is_up).await;
    }

    /// Calls the listener with the news of all spaces, from this process and from others. After a connection was lost and found, and
    /// before [`Notifications::is_up`] says yes again, it gets a [`SpaceEvent::Resync`].
    pub fn subscribe_spaces(&self, listener: impl Fn(SpaceEvent) + Send + Sync + 'static) {
        self.events.subscribe(listener);
    }

    /// Rings the bell when a job is added to the queue.
    pub(crate) fn wake_on(&self, queue: Queue, bell: Bell) {
        self.bells.write().unwrap_or_else(PoisonError::into_inner).insert(queue.0, bell);
    }

    /// Rings all bells: there may be work in any queue.
    pub fn wake_all(&self) {
        for bell in self.bells.read().unwrap_or_else(PoisonError::into_inner).values() {
            bell.ring();
        }
    }

    /// A connection listens from now on. What was announced before is lost. Answers the connection's number.
    fn found(&self) -> u64 {
        self.events.publish(SpaceEvent::Resync);
        let mut number = 0;
        self.up.send_modify(|up| {
            number = up.connection + 1;
            *up = Up { connection: number, is_up: true };
        });
        self.wake_all();
        number
    }

    /// A connection no longer listens. The word of one that was followed by another is not news.
    fn lost(&self, connection: u64) {
        self.up.send_if_modified(|up| {
            let current = up.connection == connection;
            up.is_up &= !current;
            current
        });
    }

    /// Passes on what was heard.
    fn heard(&self, heard: &Heard) {
        match heard.channel.as_str() {
            commit_log::CHANNEL => {
                if let Some(event) = committed(&heard.payload) {
                    self.events.publish(event);
                }
            }
            queue::CHANNEL => {
                if let Some(bell) = self.bells.read().unwrap_or_else(PoisonError::into_inner).get(heard.payload.as_str()) {
                    bell.ring();
                }
            }
            _ => {}
        }
    }
}

/// Reads `<space id>:<cv>:<revision>`.
fn committed(payload: &str) -> Option<SpaceEvent> {
    let (space, rest) = payload.split_once(':')?;
    let (cv, revision) = rest.split_once(':')?;
    let version = SpaceVersion { cv: cv.parse().ok()?, revision: revision.parse().ok()? };
    Some(SpaceEvent::Committed { space: SpaceId(space.parse().ok()?), version })
}

#[cfg(test)]
mod tests {
    use super::{SpaceEvent, SpaceId, SpaceVersion, committed};

    #[test]
    fn announcements_of_spaces_are_read_strictly() {
        let version = SpaceVersion { cv: 1_700_000_000, revision: 5 };
        assert_eq!(committed("7:1700000000:5"), Some(SpaceEvent::Committed { space: SpaceId(7), version }));
        for payload in ["", "7", "7:1", "7:1:", ":7:1", "7:1:2:3", "7:x:1", "7: 1:1", "99999999999999999999:1:1"] {
            assert_eq!(committed(payload), None, "{payload:?}");
        }
    }
}
