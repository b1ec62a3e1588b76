//! The threads that sign tokens.
//!
//! An RSA signature takes a core for a millisecond, in which a thread that serves requests would answer a
//! hundred others. So there is one thread for each core, and a bounded queue in front: a caller that finds it
//! full is refused (503), so that the others do not wait longer still. A caller that goes away leaves the
//! queue.
//!
//! Under load, handing a token over and back costs more than an elliptic curve: two changes of thread. So a
//! thread takes several such jobs at once, and answers when all of them are done.

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

/// How many elliptic curves a thread takes at once: about a fifth of a millisecond's work.
const BATCH: usize = 8;

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
    jobs: VecDeque<SigningJob>,
    is_closed: bool,
}

enum SigningJob {
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
        self.owner.0.push(SigningJob::Sign { key, input, answer })?;
        answered.await.map_err(|_| gone())?
    }

    /// Generates a key pair. 503 when too many wait already.
    pub async fn generate(&self, algorithm: SigningAlgorithm) -> Result<KeyPair, Fault> {
        let (answer, answered) = oneshot::channel();
        self.owner.0.push(SigningJob::Generate { algorithm, answer })?;
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
    fn push(&self, job: SigningJob) -> Result<(), Fault> {
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
            while state.jobs.is_empty() {
                if state.is_closed {
                    return;
                }
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            let batch = state.take();
            drop(state);
            // A panic must not end the thread: only the caller of this job gets no answer.
            let done: Vec<SigningReply> =
                batch.into_iter().filter_map(|job| catch_unwind(AssertUnwindSafe(|| job.run())).ok().flatten()).collect();
            done.into_iter().for_each(SigningReply::answer);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The next job, with those behind it as long as all of them are quick.
    fn take(&mut self) -> Vec<SigningJob> {
        let quick = self.jobs.iter().take(BATCH).take_while(|job| job.is_quick()).count();
        self.jobs.drain(..quick.max(1).min(self.jobs.len())).collect()
    }
}

impl SigningJob {
    fn is_quick(&self) -> bool {
        matches!(self, Self::Sign { key, .. } if key.is_quick())
    }

    /// Does it; nothing when the caller went away.
    fn run(self) -> Option<SigningReply> {
        match self {
            Self::Sign { answer, .. } if answer.is_closed() => None,
            Self::Generate { answer, .. } if answer.is_closed() => None,
            Self::Sign { key, input, answer } => {
                let token = key.sign(input.as_bytes()).map(|signature| jws::complete(input, &signature));
                Some(SigningReply::Token(token, answer))
            }
            Self::Generate { algorithm, answer } => Some(SigningReply::Key(Box::new(KeyPair::generate(algorithm)), answer)),
        }
    }
}

/// What a job came to, and who waits for it.
enum SigningReply {
    Token(Result<String, Fault>, oneshot::Sender<Result<String, Fault>>),
    Key(Box<Result<KeyPair, Fault>>, oneshot::Sender<Result<KeyPair, Fault>>),
}

impl SigningReply {
    /// Tells the caller, unless it went away.
    fn answer(self) {
        match self {
            Self::Token(token, answer) => drop(answer.send(token)),
            Self::Key(key, answer) => drop(answer.send(*key)),
        }
    }
}

fn gone() -> Fault {
    Fault::internal("a signing thread is gone")
}

#[cfg(test)]
mod tests {
    use super::{Condvar, KeyPair, Mutex, Owner, Queue, SigningAlgorithm, SigningJob, SigningPool, SigningSettings, State};
    use domain::shared::{Fault, Kind};
    use std::sync::Arc;
    use tokio::sync::oneshot;

    fn job() -> (SigningJob, oneshot::Receiver<Result<KeyPair, Fault>>) {
        let (answer, answered) = oneshot::channel();
        (SigningJob::Generate { algorithm: SigningAlgorithm::EdDsa, answer }, answered)
    }

    #[test]
    fn a_full_queue_refuses_and_goes_on_when_there_is_room() {
        let queue = Arc::new(Queue { state: Mutex::default(), changed: Condvar::new(), limit: 2 });
        let waiting: Vec<_> = (0..2).map(|_| job()).map(|(job, answered)| queue.push(job).map(|()| answered).unwrap()).collect();
        let fault = queue.push(job().0).unwrap_err();
        assert_eq!((fault.kind(), fault.retry_after.is_some()), (Kind::Unavailable, true));

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

    #[test]
    fn a_thread_takes_several_quick_jobs_at_once_and_a_slow_one_alone() {
        let sign = |algorithm| {
            let key = Arc::new(KeyPair::generate(algorithm).unwrap());
            move || SigningJob::Sign { key: Arc::clone(&key), input: String::new(), answer: oneshot::channel().0 }
        };
        let (quick, slow) = (sign(SigningAlgorithm::EdDsa), sign(SigningAlgorithm::Rs256));
        let mut state = State::default();
        state.jobs.extend((0..10).map(|_| quick()));
        state.jobs.extend([slow(), slow(), quick(), slow()]);
        let taken: Vec<usize> = std::iter::repeat_with(|| state.take().len()).take_while(|taken| *taken > 0).collect();
        assert_eq!(taken, [8, 2, 1, 1, 1, 1]);
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
