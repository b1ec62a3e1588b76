//! What a polling actor leaves out because it failed, so that it holds up nothing else: kept from poll to
//! poll, because a poll may end when its time is up and not at the end of the work.

use std::time::Duration;
use tokio::time::Instant;

/// For how long something is left out at most, when there is always other work.
const LASTS: Duration = Duration::from_secs(30);

/// A collection of what is left out; `T` is the collection.
#[derive(Debug, Default)]
pub struct Postponed<T> {
    items: T,
    since: Option<Instant>,
}

impl<T: Default> Postponed<T> {
    /// What is left out now.
    pub fn items(&mut self) -> &T {
        if self.since.is_some_and(|since| since.elapsed() >= LASTS) {
            self.clear();
        }
        &self.items
    }

    /// Leaves something out from now on.
    pub fn add(&mut self, add: impl FnOnce(&mut T)) {
        self.since.get_or_insert_with(Instant::now);
        add(&mut self.items);
    }

    /// Leaves nothing out any more: everything else is done.
    pub fn clear(&mut self) {
        *self = Self { items: T::default(), since: None };
    }
}

#[cfg(test)]
mod tests {
    use super::{LASTS, Postponed};

    #[tokio::test(start_paused = true)]
    async fn what_is_left_out_comes_back_after_a_while_or_at_the_end() {
        let mut postponed = Postponed::<Vec<u8>>::default();
        postponed.add(|items| items.push(1));
        tokio::time::advance(LASTS / 2).await;
        postponed.add(|items| items.push(2));
        assert_eq!(postponed.items(), &[1, 2]);
        tokio::time::advance(LASTS / 2).await;
        assert!(postponed.items().is_empty());
        postponed.add(|items| items.push(3));
        assert_eq!(postponed.items(), &[3]);
        postponed.clear();
        assert!(postponed.items().is_empty());
    }
}
