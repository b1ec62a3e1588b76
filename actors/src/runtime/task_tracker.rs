//! Tracked tasks: work beside the actors that a drain waits for. The one home of `tokio::spawn`.

use futures_util::future::{BoxFuture, FutureExt};
use std::{future::Future, panic::AssertUnwindSafe, sync::Arc};
use tokio::{sync::watch, task::AbortHandle};
use tracing::Instrument;

/// The tasks of one actor system. Cheap to clone.
#[derive(Clone)]
pub struct TaskTracker {
    running: Arc<watch::Sender<usize>>,
}

impl Default for TaskTracker {
    fn default() -> Self {
        Self { running: Arc::new(watch::Sender::new(0)) }
    }
}

impl TaskTracker {
    /// Runs a task to its end. A panic in it is logged and ends it alone.
    pub fn spawn(&self, name: &'static str, work: impl Future<Output = ()> + Send + 'static) {
        self.start(name, work.boxed());
    }

    /// Runs a task until it ends or the returned guard is dropped.
    pub fn spawn_owned(&self, name: &'static str, work: impl Future<Output = ()> + Send + 'static) -> AbortOnDrop {
        AbortOnDrop(self.start(name, work.boxed()))
    }

    /// How many tasks are running.
    pub fn running(&self) -> usize {
        *self.running.borrow()
    }

    /// Waits until no task is running.
    pub async fn wait_idle(&self) {
        // The sender lives in `self`, so the wait cannot fail.
        let _ = self.running.subscribe().wait_for(|running| *running == 0).await;
    }

    /// The work is boxed, so that what tokio makes of a task is compiled once.
    fn start(&self, name: &'static str, work: BoxFuture<'static, ()>) -> AbortHandle {
        let counted = Counted::new(self.running.clone());
        let work = async move {
            let _counted = counted;
            if AssertUnwindSafe(work).catch_unwind().await.is_err() {
                tracing::error!(task = name, "task panicked");
            }
        };
        #[expect(clippy::disallowed_methods, reason = "the one home of spawned work")]
        let task = tokio::spawn(work.instrument(tracing::debug_span!("task", otel.name = name)));
        task.abort_handle()
    }
}

/// Aborts its task when it is dropped.
#[must_use = "the task ends when this is dropped"]
pub struct AbortOnDrop(AbortHandle);

impl AbortOnDrop {
    /// Whether the task has not ended yet.
    pub fn is_running(&self) -> bool {
        !self.0.is_finished()
    }
}

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Counts one task for as long as it exists, also when it is aborted or panics.
struct Counted(Arc<watch::Sender<usize>>);

impl Counted {
    fn new(running: Arc<watch::Sender<usize>>) -> Self {
        running.send_modify(|running| *running += 1);
        Self(running)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.send_modify(|value| *value -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::TaskTracker;
    use tokio::sync::oneshot;

    #[tokio::test]
    async fn wait_idle_waits_for_the_last_task() {
        let tasks = TaskTracker::default();
        let (go, gone) = oneshot::channel::<()>();
        tasks.spawn("test.wait", async { gone.await.unwrap() });
        assert_eq!(tasks.running(), 1);
        go.send(()).unwrap();
        tasks.wait_idle().await;
        assert_eq!(tasks.running(), 0);
    }

    #[tokio::test]
    async fn a_panic_ends_one_task_and_is_counted_out() {
        let tasks = TaskTracker::default();
        tasks.spawn("test.panic", async { panic!("wanted by the test") });
        tasks.wait_idle().await;
    }

    #[tokio::test]
    async fn an_owned_task_ends_with_its_owner() {
        let tasks = TaskTracker::default();
        let owned = tasks.spawn_owned("test.forever", std::future::pending());
        assert_eq!(tasks.running(), 1);
        drop(owned);
        tasks.wait_idle().await;
    }
}
