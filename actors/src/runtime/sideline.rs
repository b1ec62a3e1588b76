//! TxOperation beside an actor that is done every so often, and never twice at the same time: counting what waits, for one. However long it takes,
//! the actor goes on.

use super::tasks::{Owned, Tasks};
use std::{future::Future, time::Duration};
use tokio::time::Instant;

/// Keeps one such work. It ends with its owner.
pub struct Sideline {
    every: Duration,
    began: Option<Instant>,
    running: Option<Owned>,
}

impl Sideline {
    /// For work that is done so often.
    pub fn new(every: Duration) -> Self {
        Self { every, began: None, running: None }
    }

    /// Starts it, if its time has come and the last one has ended.
    pub fn start<W>(&mut self, tasks: &Tasks, name: &'static str, work: impl FnOnce() -> W)
    where
        W: Future<Output = ()> + Send + 'static,
    {
        let is_due = self.began.is_none_or(|began| began.elapsed() >= self.every);
        if is_due && !self.running.as_ref().is_some_and(Owned::is_running) {
            self.began = Some(Instant::now());
            self.running = Some(tasks.spawn_owned(name, work()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Sideline;
    use crate::runtime::Tasks;
    use std::time::Duration;
    use tokio::{
        sync::mpsc,
        time::{advance, sleep},
    };

    const EVERY: Duration = Duration::from_secs(15);

    #[tokio::test(start_paused = true)]
    async fn it_is_done_every_so_often_and_once_at_a_time() {
        let (tasks, (ended, mut log)) = (Tasks::default(), mpsc::unbounded_channel());
        let mut sideline = Sideline::new(EVERY);
        let mut start = |lasts: Duration| {
            let ended = ended.clone();
            sideline.start(&tasks, "test.sideline", || async move {
                sleep(lasts).await;
                ended.send(lasts).unwrap();
            });
        };
        start(EVERY * 2);
        start(Duration::ZERO);
        advance(EVERY).await;
        start(Duration::ZERO);
        assert_eq!(log.recv().await, Some(EVERY * 2));
        tasks.settled().await;
        start(EVERY / 3);
        start(Duration::ZERO);
        assert_eq!(log.recv().await, Some(EVERY / 3));
        tasks.settled().await;
        assert!(log.try_recv().is_err(), "nothing else was begun");
    }

    #[tokio::test]
    async fn it_ends_with_its_owner() {
        let tasks = Tasks::default();
        let mut sideline = Sideline::new(EVERY);
        sideline.start(&tasks, "test.sideline", std::future::pending);
        assert_eq!(tasks.running(), 1);
        drop(sideline);
        tasks.settled().await;
    }
}
