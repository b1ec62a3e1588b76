//! The threads that work on images.
//!
//! ```text
//! caller with a permit -> a job in the channel -> a thread -> the answer       the permit goes back with the answer
//!                                                    |
//!       no answer in time: the deadline is over, and the work stops at its next look at it
//!       still none a second later (a library does not look): another thread takes the place of this one, which ends with its job
//!       as many such threads as there are places: the permit stays with the job, and there is one place less until it ends
//! ```
//!
//! So what takes long costs the caller its answer and the pool nothing for ever, and there are never more
//! than twice as many threads as places. Who hands out the permits, as many as there are places, decides
//! whose turn it is; the channel holds no more jobs than that.

use super::Deadline;
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
        mpsc,
    },
    thread,
    time::Duration,
};
use tokio::{sync::oneshot, time::timeout};

/// How long work may go on behind its deadline before its thread is given up.
const GRACE: Duration = Duration::from_secs(1);
/// The niceness of the threads: requests that need no pixels go first.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// How many threads there are, and how long each may work on an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolSettings {
    pub workers: usize,
    /// The time for one image.
    pub time: Duration,
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    /// The work took too long.
    #[error("the image took too long")]
    OutOfTime,
    /// The work panicked, or there are no threads.
    #[error("the work on the image broke off")]
    Gone,
}

/// The threads. Cheap to clone; they end with the last clone.
#[derive(Clone)]
pub struct Pool {
    jobs: mpsc::Sender<Job>,
    shared: Arc<Shared>,
    time: Duration,
    grace: Duration,
}

struct Shared {
    waiting: Mutex<mpsc::Receiver<Job>>,
    /// How many threads were given up and still work.
    given_up: AtomicUsize,
    /// How many may be.
    places: usize,
}

struct Job {
    work: Box<dyn FnOnce() + Send>,
    is_given_up: Arc<AtomicBool>,
}

impl Pool {
    /// Starts the threads. The error is a sentence for the operator.
    pub fn start(settings: PoolSettings) -> Result<Self, String> {
        Self::start_with(settings, GRACE)
    }

    fn start_with(settings: PoolSettings, grace: Duration) -> Result<Self, String> {
        let places = settings.workers.max(1);
        let (jobs, waiting) = mpsc::channel();
        let shared = Arc::new(Shared { waiting: Mutex::new(waiting), given_up: AtomicUsize::new(0), places });
        for _ in 0..places {
            add_thread(&shared).map_err(|error| format!("no thread for images: {error}"))?;
        }
        Ok(Self { jobs, shared, time: settings.time, grace })
    }

    /// How many threads work on something that was given up.
    pub fn given_up(&self) -> usize {
        self.shared.given_up.load(SeqCst)
    }

    /// Does work on a thread. The permit is dropped when the place is free again. Work whose caller goes away
    /// stops at its next look at the deadline.
    pub async fn run<T: Send + 'static>(
        &self,
        permit: impl Send + 'static,
        work: impl FnOnce(&Deadline) -> T + Send + 'static,
    ) -> Result<T, PoolError> {
        let over = CancelOnDrop(Deadline::after(self.time));
        let deadline = over.0.clone();
        let permit = Arc::new(Mutex::new(Some(permit)));
        let is_given_up = Arc::new(AtomicBool::new(false));
        let (answer, answered) = oneshot::channel();
        let place = permit.clone();
        let work = move || {
            let done = (!answer.is_closed()).then(|| work(&deadline));
            drop(place.lock().unwrap_or_else(PoisonError::into_inner).take());
            if let Some(done) = done {
                // The caller may have gone away.
                let _ = answer.send(done);
            }
        };
        self.jobs.send(Job { work: Box::new(work), is_given_up: is_given_up.clone() }).map_err(|_| PoolError::Gone)?;
        if let Ok(answered) = timeout(self.time + self.grace, answered).await {
            return answered.map_err(|_| PoolError::Gone);
        }
        if self.shared.give_up(&is_given_up) {
            drop(permit.lock().unwrap_or_else(PoisonError::into_inner).take());
        }
        Err(PoolError::OutOfTime)
    }
}

impl Shared {
    /// Puts a new thread in the place of that of a job, unless too many were given up already.
    fn give_up(self: &Arc<Self>, is_given_up: &AtomicBool) -> bool {
        let one_more = |count: usize| (count < self.places).then_some(count + 1);
        if self.given_up.fetch_update(SeqCst, SeqCst, one_more).is_err() {
            return false;
        }
        // The thread that ends its job now sees this, and ends.
        is_given_up.store(true, SeqCst);
        if let Err(error) = add_thread(self) {
            tracing::error!(%error, "no thread takes the place of one that works on an image for too long");
        }
        true
    }
}

/// Makes the work stop when its caller goes away.
struct CancelOnDrop(Deadline);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

fn add_thread(shared: &Arc<Shared>) -> std::io::Result<()> {
    let shared = shared.clone();
    thread::Builder::new().name("image".to_owned()).spawn(move || run(&shared)).map(drop)
}

/// Does jobs until the last sender is dropped, or until the job of this thread was given up.
fn run(shared: &Shared) {
    lower_priority();
    loop {
        // The lock is held while waiting: its holder gets the next job, and the other threads wait for the
        // lock.
        let next = shared.waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { work, is_given_up }) = next else { return };
        // A panic must not end the thread: only the caller of this job gets no answer.
        let _ = catch_unwind(AssertUnwindSafe(work));
        if is_given_up.load(SeqCst) {
            shared.given_up.fetch_sub(1, SeqCst);
            return;
        }
    }
}

fn lower_priority() {
    // Only on Linux the niceness is that of the thread; elsewhere it is that of the process.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::warn!(%error, "the priority of a thread for images could not be lowered");
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, Pool, PoolError, PoolSettings};
    use std::{
        future::ready,
        pin::pin,
        sync::{Arc, mpsc},
    };
    use tokio::sync::Semaphore;

    fn pool(workers: usize, time: Duration) -> Pool {
        Pool::start_with(PoolSettings { workers, time }, Duration::ZERO).unwrap()
    }

    #[tokio::test]
    async fn work_is_done_and_a_panic_ends_only_itself() {
        let pool = pool(1, Duration::from_secs(30));
        assert_eq!(pool.run((), |_| panic!("a defect")).await, Err::<(), _>(PoolError::Gone));
        assert_eq!(pool.run((), |_| 7).await, Ok(7));
    }

    #[tokio::test(start_paused = true)]
    async fn a_thread_that_does_not_stop_is_replaced_and_the_number_of_these_is_bounded() {
        let pool = pool(1, Duration::from_secs(30));
        let places = Arc::new(Semaphore::new(1));
        let mut ends = Vec::new();
        for given_up in 1..=2 {
            let permit = places.clone().try_acquire_owned().unwrap();
            let (end, ended) = mpsc::channel::<()>();
            let (starts, has_begun) = mpsc::channel::<()>();
            let mut running = pin!(pool.run(permit, move |_| (starts.send(()), ended.recv()).1.is_ok()));
            tokio::select! {
                biased;
                _ = &mut running => panic!("it does not end"),
                () = ready(()) => {}
            }
            // The time stands still until the work has begun: what is given up before that is never done.
            has_begun.recv().unwrap();
            assert_eq!((running.await, pool.given_up()), (Err(PoolError::OutOfTime), 1), "{given_up}");
            ends.push(end);
        }
        assert_eq!(places.available_permits(), 0, "the second one keeps its place");
        drop(ends);
        let permit = places.acquire_owned().await.unwrap();
        // With time enough, the place works again.
        tokio::time::resume();
        assert_eq!(pool.run(permit, |_| 7).await, Ok(7));
    }

    #[tokio::test]
    async fn work_stops_when_its_caller_goes_away() {
        let pool = pool(1, Duration::from_secs(30));
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let (stopped, has_stopped) = tokio::sync::oneshot::channel();
        let work = pool.run((), move |deadline| {
            begun.send(()).unwrap();
            while deadline.check().is_ok() {
                std::thread::yield_now();
            }
            stopped.send(()).unwrap();
        });
        tokio::select! {
            _ = work => panic!("it does not end by itself"),
            begun = has_begun => begun.unwrap(),
        }
        has_stopped.await.unwrap();
    }
}
