//! Whose turn it is to make an answer that nobody has kept.
//!
//! ```text
//! page: a line for all of them                     -> a turn, and only then a connection
//! map:  a line for each space -> a line for all     -> a turn, and only then a connection
//! ```
//!
//! More at a time than there are cores to work on them would make none faster and most slower: in a line each waits as long as the others. A
//! whole map of links is large, and is made beside the pages; whoever asks for many maps of one space holds up nobody but that space.

use domain::shared::{Fault, SpaceId};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};
use tokio::{
    sync::{AcquireError, OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

/// How many maps are made at a time.
const MAPS: usize = 1;
/// How long a page waits for its turn before its caller is told that we are busy; as long as for a connection.
const PATIENCE: Duration = Duration::from_secs(2);
/// The same for a map: one of 100,000 stories takes a second.
const PATIENCE_FOR_MAP: Duration = Duration::from_secs(10);

/// How much work an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::content::delivery) enum Size {
    /// Bounded by the most that a page may have.
    Page,
    /// As large as the space.
    Map,
}

/// The lines.
pub(in crate::content::delivery) struct Turns {
    pages: Arc<Semaphore>,
    maps: Arc<Semaphore>,
    maps_of_space: Mutex<HashMap<SpaceId, Weak<Semaphore>>>,
}

/// Held while the answer is made.
pub(in crate::content::delivery) struct Turn {
    _permit: OwnedSemaphorePermit,
    _of_space: Option<OwnedSemaphorePermit>,
}

impl Turns {
    /// For so many pages at a time.
    pub(super) fn new(pages: usize) -> Self {
        Self { pages: Arc::new(Semaphore::new(pages)), maps: Arc::new(Semaphore::new(MAPS)), maps_of_space: Mutex::default() }
    }

    /// Waits in line. 503 for who has waited too long.
    pub(in crate::content::delivery) async fn take(&self, size: Size, space: SpaceId) -> Result<Turn, Fault> {
        let (patience, of_space, line) = match size {
            Size::Page => (PATIENCE, None, &self.pages),
            Size::Map => (PATIENCE_FOR_MAP, Some(self.line_of(space)), &self.maps),
        };
        let turn = async {
            let of_space = match of_space {
                Some(line) => Some(line.acquire_owned().await?),
                None => None,
            };
            Ok(Turn { _permit: line.clone().acquire_owned().await?, _of_space: of_space })
        };
        match timeout(patience, turn).await {
            Ok(turn) => turn.map_err(|closed: AcquireError| Fault::unavailable(closed.to_string())),
            Err(_) => Err(Fault::unavailable("too many answers are being made")),
        }
    }

    fn line_of(&self, space: SpaceId) -> Arc<Semaphore> {
        let mut lines = self.maps_of_space.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(line) = lines.get(&space).and_then(Weak::upgrade) {
            return line;
        }
        // Lines in which nobody stands.
        lines.retain(|_, line| line.strong_count() > 0);
        let line = Arc::new(Semaphore::new(1));
        lines.insert(space, Arc::downgrade(&line));
        line
    }
}

#[cfg(test)]
mod tests {
    use super::{PATIENCE, PATIENCE_FOR_MAP, Size, Turns};
    use domain::shared::{Kind, SpaceId};
    use futures_util::FutureExt;

    const ONE: SpaceId = SpaceId(1);
    const OTHER: SpaceId = SpaceId(2);

    #[tokio::test(start_paused = true)]
    async fn so_many_pages_at_a_time_and_the_next_in_the_order_they_came() {
        let turns = Turns::new(2);
        let first = turns.take(Size::Page, ONE).await.unwrap();
        let _second = turns.take(Size::Page, ONE).await.unwrap();
        let (mut third, mut fourth) = (Box::pin(turns.take(Size::Page, ONE)), Box::pin(turns.take(Size::Page, OTHER)));
        assert!((&mut third).now_or_never().is_none() && (&mut fourth).now_or_never().is_none());
        drop(first);
        assert!((&mut fourth).now_or_never().is_none());
        assert!(third.now_or_never().unwrap().is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn maps_of_a_space_wait_for_one_another_and_nobody_else_for_their_line() {
        let turns = Turns::new(1);
        let first = turns.take(Size::Map, ONE).await.unwrap();
        let mut same: Vec<_> = (0..9).map(|_| Box::pin(turns.take(Size::Map, ONE))).collect();
        assert!(same.iter_mut().all(|s| s.now_or_never().is_none()));
        let mut other = Box::pin(turns.take(Size::Map, OTHER));
        assert!((&mut other).now_or_never().is_none());
        assert!(turns.take(Size::Page, ONE).now_or_never().unwrap().is_ok());
        drop(first);
        assert!(other.now_or_never().unwrap().is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn who_waits_too_long_is_told_to_come_again() {
        let turns = Turns::new(1);
        for (size, patience) in [(Size::Page, PATIENCE), (Size::Map, PATIENCE_FOR_MAP)] {
            let _held = turns.take(size, ONE).await.unwrap();
            let began = tokio::time::Instant::now();
            let fault = turns.take(size, ONE).await.err().unwrap();
            assert_eq!((fault.kind, began.elapsed()), (Kind::Unavailable, patience));
            assert!(fault.retry_after.is_some());
        }
    }

    #[tokio::test]
    async fn a_line_ends_with_who_stands_in_it() {
        let turns = Turns::new(1);
        for space in 0..100 {
            drop(turns.take(Size::Map, SpaceId(space)).await.unwrap());
        }
        assert_eq!(turns.maps_of_space.lock().unwrap().len(), 1);
    }
}
