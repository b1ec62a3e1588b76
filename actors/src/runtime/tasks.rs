//! Tracked tasks: work beside the actors that a drain waits for. The one home of `tokio::spawn`.

use futures_util::FutureExt;
use std::{future::Future, panic::AssertUnwindSafe, sync::Arc};
use tokio::{sync::watch, task::AbortHandle};
use tracing::Instrument;

/// The tasks of one tree. Cheap to clone.
#[derive(Clone)]
pub struct Tasks {
    running: Arc<watch::Sender<usize>>,
}

impl Default for Tasks {
    fn default() -> Self {
        Self { running: Arc::new(watch::Sender::new(0)) }
    }
}

impl Tasks {
    /// Runs a task to its end. A panic in it is logged and ends it alone.
    pub fn spawn(&self, name: &'static str, work: impl Future<Output = ()> + Send + 'static) {
        self.start(name, work);
    }

    /// Runs a task for as long as its owner keeps the answer.
    pub fn spawn_owned(&self, name: &'static str, work: impl Future<Output = ()> + Send + 'static) -> Owned {
        Owned(self.start(name, work))
    }

    /// How many are running.
    pub fn running(&self) -> usize {
        *self.running.borrow()
    }

    /// Waits until none is running.
    pub async fn settled(&self) {
        // The sender lives in `self`, so the wait cannot fail.
        let _ = self.running.subscribe().wait_for(|running| *running == 0).await;
    }

    fn start(&self, name: &'static str, work: impl Future<Output = ()> + Send + 'static) -> AbortHandle {
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

/// A task that ends with its owner.
#[must_use = "the task ends when this is dropped"]
pub struct Owned(AbortHandle);

impl Owned {
    /// Whether it has not ended yet.
    pub fn is_running(&self) -> bool {
        !self.0.is_finished()
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// One task in the count, also when it is aborted or panics.
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
    use super::Tasks;
    use tokio::sync::oneshot;

    #[tokio::test]
    async fn settled_waits_for_the_last_task() {
        let tasks = Tasks::default();
        let (go, gone) = oneshot::channel::<()>();
        tasks.spawn("test.wait", async { gone.await.unwrap() });
        assert_eq!(tasks.running(), 1);
        go.send(()).unwrap();
        tasks.settled().await;
        assert_eq!(tasks.running(), 0);
    }

    #[tokio::test]
    async fn a_panic_ends_one_task_and_is_counted_out() {
        let tasks = Tasks::default();
        tasks.spawn("test.panic", async { panic!("wanted by the test") });
        tasks.settled().await;
    }

    #[tokio::test]
    async fn an_owned_task_ends_with_its_owner() {
        let tasks = Tasks::default();
        let owned = tasks.spawn_owned("test.forever", std::future::pending());
        assert_eq!(tasks.running(), 1);
        drop(owned);
        tasks.settled().await;
    }
}
