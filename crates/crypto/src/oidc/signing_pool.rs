//! The threads that sign tokens.
//!
//! An RSA signature takes a core for a millisecond, in which a thread that serves requests would answer a hundred others. So there is one thread for
//! each core, and a bounded queue in front: a caller that finds it full is refused (503), so that the others do not wait longer still. A caller that goes
//! away leaves the queue.

use super::{KeyPair, jws};
use domain::{identity::oidc::SigningAlgorithm, shared::Fault};
use std::{
    collections::VecDeque,
    num::NonZeroUsize,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::sync::oneshot;

/// How many threads sign, and how many callers may wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SigningSettings {
    /// Threads; one for each core by default.
    pub workers: usize,
    /// Tokens that may wait for a thread; by default what RSA keys sign in about a second.
    pub queue: usize,
}

impl Default for SigningSettings {
    fn default() -> Self {
        let workers = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self { workers, queue: workers * 512 }
    }
}

/// The threads and their queue. Cheap to clone; the threads end with the last clone.
#[derive(Clone)]
pub struct SigningPool {
    owner: Arc<Owner>,
}

/// Ends the threads when it is dropped.
struct Owner(Arc<Queue>);

struct Queue {
    state: Mutex<State>,
    /// Notified once for each job, and for the end.
    changed: Condvar,
    limit: usize,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    is_closed: bool,
}

enum Job {
    Sign { key: Arc<KeyPair>, input: String, answer: oneshot::Sender<Result<String, Fault>> },
    Generate { algorithm: SigningAlgorithm, answer: oneshot::Sender<Result<KeyPair, Fault>> },
}

impl SigningPool {
    /// Starts the threads. The error is a sentence for the operator.
    pub fn start(settings: SigningSettings) -> Result<Self, String> {
        let queue = Arc::new(Queue { state: Mutex::default(), changed: Condvar::new(), limit: settings.queue });
        let owner = Arc::new(Owner(Arc::clone(&queue)));
        for number in 0..settings.workers.max(1) {
            let queue = Arc::clone(&queue);
            std::thread::Builder::new()
                .name(format!("signing-{number}"))
                .spawn(move || queue.work())
                .map_err(|error| format!("no thread for signing: {error}"))?;
        }
        Ok(Self { owner })
    }

    /// Signs what [`jws::signing_input`] made, and returns the token. 503 when too many wait already.
    pub async fn sign(&self, key: Arc<KeyPair>, input: String) -> Result<String, Fault> {
        let (answer, answered) = oneshot::channel();
        self.owner.0.push(Job::Sign { key, input, answer })?;
        answered.await.map_err(|_| gone())?
    }

    /// Generates a key pair. 503 when too many wait already.
    pub async fn generate(&self, algorithm: SigningAlgorithm) -> Result<KeyPair, Fault> {
        let (answer, answered) = oneshot::channel();
        self.owner.0.push(Job::Generate { algorithm, answer })?;
        answered.await.map_err(|_| gone())?
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.changed.notify_all();
    }
}

impl Queue {
    fn push(&self, job: Job) -> Result<(), Fault> {
        let mut state = self.lock();
        if state.jobs.len() >= self.limit {
            return Err(Fault::unavailable("the queue of the signing threads is full").retry(Duration::from_secs(1)));
        }
        state.jobs.push_back(job);
        drop(state);
        self.changed.notify_one();
        Ok(())
    }

    /// Runs jobs until the queue is closed.
    fn work(&self) {
        loop {
            let mut state = self.lock();
            let job = loop {
                if let Some(job) = state.jobs.pop_front() {
                    break job;
                }
                if state.is_closed {
                    return;
                }
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            };
            drop(state);
            // A panic must not end the thread: only the caller of this job gets no answer.
            let _ = catch_unwind(AssertUnwindSafe(|| job.run()));
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Job {
    fn run(self) {
        // A send fails when the caller went away.
        match self {
            Self::Sign { answer, .. } if answer.is_closed() => {}
            Self::Generate { answer, .. } if answer.is_closed() => {}
            Self::Sign { key, input, answer } => {
                let token = key.sign(input.as_bytes()).map(|signature| jws::complete(input, &signature));
                let _ = answer.send(token);
            }
            Self::Generate { algorithm, answer } => {
                let _ = answer.send(KeyPair::generate(algorithm));
            }
        }
    }
}

fn gone() -> Fault {
    Fault::internal("a signing thread is gone")
}

#[cfg(test)]
mod tests {
    use super::{Condvar, Job, KeyPair, Mutex, Owner, Queue, SigningAlgorithm, SigningPool, SigningSettings};
    use domain::shared::{Fault, Kind};
    use std::sync::Arc;
    use tokio::sync::oneshot;

    fn job() -> (Job, oneshot::Receiver<Result<KeyPair, Fault>>) {
        let (answer, answered) = oneshot::channel();
        (Job::Generate { algorithm: SigningAlgorithm::EdDsa, answer }, answered)
    }

    #[test]
    fn a_full_queue_refuses_and_goes_on_when_there_is_room() {
        let queue = Arc::new(Queue { state: Mutex::default(), changed: Condvar::new(), limit: 2 });
        let waiting: Vec<_> = (0..2).map(|_| job()).map(|(job, answered)| queue.push(job).map(|()| answered).unwrap()).collect();
        let fault = queue.push(job().0).unwrap_err();
        assert_eq!((fault.kind, fault.retry_after.is_some()), (Kind::Unavailable, true));

        let worker = Arc::clone(&queue);
        let thread = std::thread::spawn(move || worker.work());
        for answered in waiting {
            answered.blocking_recv().unwrap().unwrap();
        }
        let (late, answered) = job();
        queue.push(late).unwrap();
        answered.blocking_recv().unwrap().unwrap();
        drop(Owner(queue));
        thread.join().unwrap();
    }

    #[tokio::test]
    async fn a_token_is_what_was_signed_and_a_signature() {
        let pool = SigningPool::start(SigningSettings { workers: 1, queue: 1 }).unwrap();
        let key = Arc::new(pool.generate(SigningAlgorithm::EdDsa).await.unwrap());
        let token = pool.sign(key, "header.payload".to_owned()).await.unwrap();
        // Ed25519 signatures have 64 bytes.
        assert!(token.starts_with("header.payload.") && token.len() == "header.payload.".len() + 86, "{token}");
    }
}
