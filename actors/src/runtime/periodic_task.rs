//! A task beside an actor that runs at intervals and never twice at the same time: counting a backlog, for
//! example. However long it takes, the actor goes on.

use super::task_tracker::{AbortOnDrop, TaskTracker};
use std::{future::Future, time::Duration};
use tokio::time::Instant;

/// One such task. It is aborted when this is dropped.
pub struct PeriodicTask {
    interval: Duration,
    began_at: Option<Instant>,
    running: Option<AbortOnDrop>,
}

impl PeriodicTask {
    /// A task that starts once an `interval` at most.
    pub fn new(interval: Duration) -> Self {
        Self { interval, began_at: None, running: None }
    }

    /// Starts the task if the interval has passed and the last one has ended.
    pub fn start<W>(&mut self, tasks: &TaskTracker, name: &'static str, work: impl FnOnce() -> W)
    where
        W: Future<Output = ()> + Send + 'static,
    {
        let is_due = self.began_at.is_none_or(|at| at.elapsed() >= self.interval);
        if is_due && !self.running.as_ref().is_some_and(AbortOnDrop::is_running) {
            self.began_at = Some(Instant::now());
            self.running = Some(tasks.spawn_owned(name, work()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PeriodicTask;
    use crate::runtime::TaskTracker;
    use std::time::Duration;
    use tokio::{
        sync::mpsc,
        time::{advance, sleep},
    };

    const INTERVAL: Duration = Duration::from_secs(15);

    #[tokio::test(start_paused = true)]
    async fn it_is_done_every_so_often_and_once_at_a_time() {
        let (tasks, (ended, mut log)) = (TaskTracker::default(), mpsc::unbounded_channel());
        let mut task = PeriodicTask::new(INTERVAL);
        let mut start = |lasts: Duration| {
            let ended = ended.clone();
            task.start(&tasks, "test.periodic_task", || async move {
                sleep(lasts).await;
                ended.send(lasts).unwrap();
            });
        };
        start(INTERVAL * 2);
        start(Duration::ZERO);
        advance(INTERVAL).await;
        start(Duration::ZERO);
        assert_eq!(log.recv().await, Some(INTERVAL * 2));
        tasks.wait_idle().await;
        start(INTERVAL / 3);
        start(Duration::ZERO);
        assert_eq!(log.recv().await, Some(INTERVAL / 3));
        tasks.wait_idle().await;
        assert!(log.try_recv().is_err(), "nothing else was begun");
    }

    #[tokio::test]
    async fn it_ends_with_its_owner() {
        let tasks = TaskTracker::default();
        let mut task = PeriodicTask::new(INTERVAL);
        task.start(&tasks, "test.periodic_task", std::future::pending);
        assert_eq!(tasks.running(), 1);
        drop(task);
        tasks.wait_idle().await;
    }
}
