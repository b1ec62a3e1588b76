//! Telling the rest of the process that a space has changed, whoever changed it: an actor of ours, or another process.

use domain::shared::SpaceId;
use std::sync::{Arc, PoisonError, RwLock};
use storage::content::ledger::Mark;

/// What there is to tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum News {
    /// A write of the space is committed. News of one space may come twice, and in any order: the larger revision is the newer.
    Moved {
        /// Which space.
        space: SpaceId,
        /// Where it stands now.
        mark: Mark,
    },
    /// News from other processes may have been missed. What is remembered about any space is to be forgotten.
    Gap,
}

type Listener = Box<dyn Fn(News) + Send + Sync>;

/// Who wants to know. Cheap to clone.
#[derive(Clone, Default)]
pub struct SpaceNews {
    listeners: Arc<RwLock<Vec<Listener>>>,
}

impl SpaceNews {
    /// Calls the listener with all news from now on. It is called between a commit and its answer, so it must be quick.
    pub fn subscribe(&self, listener: impl Fn(News) + Send + Sync + 'static) {
        self.listeners.write().unwrap_or_else(PoisonError::into_inner).push(Box::new(listener));
    }

    /// Tells everybody.
    pub(crate) fn tell(&self, news: News) {
        for listener in self.listeners.read().unwrap_or_else(PoisonError::into_inner).iter() {
            listener(news);
        }
    }
}
