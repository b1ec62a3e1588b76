//! Passwords: hashed with argon2id on worker threads, and compared there with hashes that were imported from
//! other systems (`stored`).
//!
//! One hash takes a core for tens of milliseconds and 19 MiB of memory. So there is one worker for each core,
//! which keeps its memory between hashes, and a bounded queue in front: a caller that would wait for too long
//! is refused (503), so that the others do not wait longer still. A caller that goes away leaves the queue.

mod cost;
mod memory;
mod password;
mod stored;
mod worker;

pub use stored::{Algorithm, BadHash, import};

use cost::Cost;
use domain::shared::{Fault, SharedEntropy};
use memory::HashMemory;
use password::Password;
use secrecy::SecretString;
use std::{
    num::NonZeroUsize,
    sync::{Arc, Mutex, OnceLock, mpsc},
    time::Duration,
};
use stored::Stored;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, oneshot},
    time::Instant,
};
use worker::{HashJob, Task};

/// The cost of a hash, and how many may be computed and wait at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PasswordSettings {
    /// Memory of one hash in KiB (`APP_ARGON2_MEMORY_KIB`).
    pub memory_kib: u32,
    /// Passes over the memory (`APP_ARGON2_ITERATIONS`).
    pub iterations: u32,
    /// Lanes (`APP_ARGON2_PARALLELISM`).
    pub parallelism: u32,
    /// Worker threads; one for each core by default.
    pub workers: usize,
    /// How many callers may wait.
    pub queue: usize,
    /// How long a caller may wait.
    pub wait: Duration,
}

impl Default for PasswordSettings {
    /// The OWASP minimum for argon2id.
    fn default() -> Self {
        Self {
            memory_kib: 19_456,
            iterations: 2,
            parallelism: 1,
            workers: std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
            queue: 64,
            wait: Duration::from_secs(3),
        }
    }
}

impl PasswordSettings {
    /// Checks that the cost is within the bounds of argon2 and ours. The error is a sentence for the
    /// operator.
    pub fn check(&self) -> Result<(), String> {
        self.cost().map(drop)
    }

    fn cost(&self) -> Result<Cost, String> {
        Cost::new(self.memory_kib, self.iterations, self.parallelism)
    }
}

/// The result of a verification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Another password, or no hash to compare with.
    Wrong,
    /// The password of the hash.
    Right {
        /// Whether the stored hash is of another system or of another cost than the settings have, so that
        /// the password should be hashed again.
        outdated: bool,
    },
}

/// The workers and their queue. Cheap to clone; the threads end with the last clone.
#[derive(Clone)]
pub struct Passwords {
    pool: Arc<Pool>,
}

/// A slot in the queue. Dropped, it is free again.
pub struct Slot {
    _permit: OwnedSemaphorePermit,
}

struct Pool {
    jobs: mpsc::Sender<HashJob>,
    /// One permit for each caller that may wait or be served.
    slots: Arc<Semaphore>,
    /// One permit for each caller that may be served.
    workers: Arc<Semaphore>,
    wait: Duration,
    entropy: SharedEntropy,
    /// How many slots and how many workers there are.
    bounds: (usize, usize),
    watch: OnceLock<Watch>,
}

/// Called with the duration of each hash.
type Watch = Box<dyn Fn(Duration) + Send + Sync>;

impl Passwords {
    /// Starts the threads. The error is a sentence for the operator.
    pub fn start(settings: PasswordSettings, entropy: SharedEntropy) -> Result<Self, String> {
        let cost = settings.cost()?;
        let count = settings.workers.max(1);
        let (jobs, waiting) = mpsc::channel();
        let waiting = Arc::new(Mutex::new(waiting));
        for number in 0..count {
            let waiting = Arc::clone(&waiting);
            let memory = HashMemory::new(cost.blocks());
            std::thread::Builder::new()
                .name(format!("password-{number}"))
                .spawn(move || worker::run(&waiting, cost, memory))
                .map_err(|error| format!("no thread for password hashing: {error}"))?;
        }
        let bounds = (count.saturating_add(settings.queue), count);
        let (slots, workers) = (Arc::new(Semaphore::new(bounds.0)), Arc::new(Semaphore::new(bounds.1)));
        let watch = OnceLock::new();
        Ok(Self { pool: Arc::new(Pool { jobs, slots, workers, wait: settings.wait, entropy, bounds, watch }) })
    }

    /// Has a function called with the duration of each hash. Only the first function that is given is called.
    pub fn watch(&self, watch: impl Fn(Duration) + Send + Sync + 'static) {
        let _ = self.pool.watch.set(Box::new(watch));
    }

    /// How many callers wait for a worker.
    pub fn waiting(&self) -> usize {
        let Pool { slots, workers, bounds, .. } = &*self.pool;
        let taken = bounds.0.saturating_sub(slots.available_permits());
        taken.saturating_sub(bounds.1.saturating_sub(workers.available_permits()))
    }

    /// Hashes a new password into a PHC string. 503 when too many wait already.
    pub async fn hash(&self, password: SecretString) -> Result<String, Fault> {
        let mut salt = [0; stored::SALT];
        self.pool.entropy.fill(&mut salt);
        let (answer, answered) = oneshot::channel();
        self.ask(self.reserve()?, Task::Hash { password: Password::of(password), salt, answer }, answered).await?
    }

    /// Takes a slot in the queue, for a caller that has work to do before the comparison which would be
    /// wasted without a slot. 503 when too many wait already.
    pub fn reserve(&self) -> Result<Slot, Fault> {
        let permit = Arc::clone(&self.pool.slots).try_acquire_owned().map_err(|_| busy("the password queue is full"))?;
        Ok(Slot { _permit: permit })
    }

    /// Compares a password with a stored hash. `None` takes as long and is never right, so that the time does
    /// not tell whether an account exists. 503 when too many wait already.
    pub async fn verify(&self, password: SecretString, stored: Option<&str>) -> Result<Verdict, Fault> {
        self.verify_in(self.reserve()?, password, stored).await
    }

    /// The same in a slot that was taken before.
    pub async fn verify_in(&self, slot: Slot, password: SecretString, stored: Option<&str>) -> Result<Verdict, Fault> {
        let parsed = match stored.map(Stored::parse).transpose() {
            Ok(readable) => readable,
            Err(why) => {
                // Logged for the operator and not reported to the caller: another answer would tell that the
                // account exists.
                tracing::error!(%why, "a stored password hash cannot be read");
                None
            }
        };
        let (answer, answered) = oneshot::channel();
        self.ask(slot, Task::Verify { password: Password::of(password), stored: parsed, answer }, answered).await?
    }

    async fn ask<T>(&self, _slot: Slot, task: Task, answered: oneshot::Receiver<T>) -> Result<T, Fault> {
        let pool = &self.pool;
        let worker = match tokio::time::timeout(pool.wait, Arc::clone(&pool.workers).acquire_owned()).await {
            Ok(Ok(permit)) => permit,
            Ok(Err(_)) => return Err(busy("the password pool is closed")),
            Err(_) => return Err(busy("the password queue is slow")),
        };
        let began = Instant::now();
        let gone = || Fault::internal("a password worker is gone");
        // The permit travels with the job: when the caller goes away now, the worker stays taken until it has
        // finished.
        pool.jobs.send(HashJob { task, _permit: worker }).map_err(|_| gone())?;
        let answer = answered.await.map_err(|_| gone())?;
        if let Some(watch) = pool.watch.get() {
            watch(began.elapsed());
        }
        Ok(answer)
    }
}

fn busy(cause: &str) -> Fault {
    Fault::unavailable(cause).retry(Duration::from_secs(3))
}

#[cfg(test)]
mod tests;
