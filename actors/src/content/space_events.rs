//! Events that tell the caches of this process that a space has changed, by a command of this process or of
//! another one.

use domain::shared::SpaceId;
use std::sync::{Arc, PoisonError, RwLock};
use storage::content::commit_log::SpaceVersion;

/// What a subscriber is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpaceEvent {
    /// A command of the space is committed. Events of one space may come twice, and in any order: the larger
    /// revision is the newer one.
    Committed {
        /// The space that has changed.
        space: SpaceId,
        /// Its version after the commit.
        version: SpaceVersion,
    },
    /// Commits of other processes may have been missed. What is cached of any space must be dropped.
    Resync,
}

type Subscriber = Box<dyn Fn(SpaceEvent) + Send + Sync>;

/// The subscribers of the events of all spaces. Cheap to clone.
#[derive(Clone, Default)]
pub struct SpaceEvents {
    subscribers: Arc<RwLock<Vec<Subscriber>>>,
}

impl SpaceEvents {
    /// Calls the subscriber with all events from now on. It is called between a commit and its reply, so it
    /// must be quick.
    pub fn subscribe(&self, subscriber: impl Fn(SpaceEvent) + Send + Sync + 'static) {
        self.subscribers.write().unwrap_or_else(PoisonError::into_inner).push(Box::new(subscriber));
    }

    /// Calls all subscribers.
    pub(crate) fn publish(&self, event: SpaceEvent) {
        for subscriber in self.subscribers.read().unwrap_or_else(PoisonError::into_inner).iter() {
            subscriber(event);
        }
    }
}
