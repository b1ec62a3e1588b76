//! Passwords, hashed with argon2id on threads of their own; and compared there with the hashes of other systems (`stored`).
//!
//! One hash keeps a core busy for tens of milliseconds and 19 MiB occupied. So there are as many workers as cores, each with memory that it
//! keeps between hashes, and a bounded queue in front: who would wait too long is
//! told to come back (503) instead of making everybody wait. A caller that goes away leaves the queue.

mod argon2id;
mod cost;
mod password;
mod stored;
mod worker;

pub use stored::{Algorithm, BadHash, import};

use argon2id::Memory;
use cost::Cost;
use domain::shared::{Fault, SharedEntropy};
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
use worker::{Job, Task};

/// What a hash costs and how many may be computed at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PasswordSettings {
    /// `APP_ARGON2_MEMORY_KIB`.
    pub memory_kib: u32,
    /// `APP_ARGON2_ITERATIONS`.
    pub iterations: u32,
    /// `APP_ARGON2_PARALLELISM`.
    pub parallelism: u32,
    /// Threads: one for each core by default.
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
    /// Whether argon2 takes these costs, and we do. The error is a sentence for the operator.
    pub fn check(&self) -> Result<(), String> {
        self.cost().map(drop)
    }

    fn cost(&self) -> Result<Cost, String> {
        Cost::new(self.memory_kib, self.iterations, self.parallelism)
    }
}

/// What a verification found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Not this password, or no password to compare with.
    Wrong,
    /// This password.
    Right {
        /// The stored hash is of another system, or made with other costs than today's: hash again.
        outdated: bool,
    },
}

/// The pool. Cheap to clone; its threads end with the last clone.
#[derive(Clone)]
pub struct Passwords {
    pool: Arc<Pool>,
}

/// A place in the queue. Dropped, it is somebody else's.
pub struct Place {
    _permit: OwnedSemaphorePermit,
}

struct Pool {
    jobs: mpsc::Sender<Job>,
    /// Everybody who waits or is served.
    places: Arc<Semaphore>,
    /// Everybody who is served.
    workers: Arc<Semaphore>,
    wait: Duration,
    entropy: SharedEntropy,
    /// How many may be there, and how many of them are served.
    bounds: (usize, usize),
    watch: OnceLock<Watch>,
}

/// Is told how long each hash took.
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
            let memory = Memory::new(cost.blocks()).map_err(|error| format!("no memory for password hashing: {error}"))?;
            std::thread::Builder::new()
                .name(format!("password-{number}"))
                .spawn(move || worker::run(&waiting, cost, memory))
                .map_err(|error| format!("no thread for password hashing: {error}"))?;
        }
        let bounds = (count.saturating_add(settings.queue), count);
        let (places, workers) = (Arc::new(Semaphore::new(bounds.0)), Arc::new(Semaphore::new(bounds.1)));
        let watch = OnceLock::new();
        Ok(Self { pool: Arc::new(Pool { jobs, places, workers, wait: settings.wait, entropy, bounds, watch }) })
    }

    /// Has it told from now on how long each hash takes. Only the first who asks for it is told.
    pub fn watch(&self, watch: impl Fn(Duration) + Send + Sync + 'static) {
        let _ = self.pool.watch.set(Box::new(watch));
    }

    /// How many wait for a worker.
    pub fn waiting(&self) -> usize {
        let Pool { places, workers, bounds, .. } = &*self.pool;
        let there = bounds.0.saturating_sub(places.available_permits());
        there.saturating_sub(bounds.1.saturating_sub(workers.available_permits()))
    }

    /// Hashes a new password into a PHC string. 503 when too many wait already.
    pub async fn hash(&self, password: SecretString) -> Result<String, Fault> {
        let mut salt = [0; stored::SALT];
        self.pool.entropy.fill(&mut salt);
        let (answer, answered) = oneshot::channel();
        self.ask(self.place()?, Task::Hash { password: Password::of(password), salt, answer }, answered).await?
    }

    /// A place in the queue, for who has other things to do before the comparison that would be in vain without one. 503 when too many wait already.
    pub fn place(&self) -> Result<Place, Fault> {
        let place = Arc::clone(&self.pool.places).try_acquire_owned().map_err(|_| busy("the password queue is full"))?;
        Ok(Place { _permit: place })
    }

    /// Compares a password with a stored hash; `None` costs the same and is never right, so that an unknown account answers no
    /// faster than a known one. 503 when too many wait already.
    pub async fn verify(&self, password: SecretString, stored: Option<&str>) -> Result<Verdict, Fault> {
        self.verify_in(self.place()?, password, stored).await
    }

    /// The same in a place that was taken before.
    pub async fn verify_in(&self, place: Place, password: SecretString, stored: Option<&str>) -> Result<Verdict, Fault> {
        let readable = match stored.map(Stored::parse).transpose() {
            Ok(readable) => readable,
            Err(why) => {
                // Told to us, not to the caller: an answer of its own would say that the account exists.
                tracing::error!(%why, "a stored password hash cannot be read");
                None
            }
        };
        let (answer, answered) = oneshot::channel();
        self.ask(place, Task::Verify { password: Password::of(password), stored: readable, answer }, answered).await?
    }

    async fn ask<T>(&self, _place: Place, task: Task, answered: oneshot::Receiver<T>) -> Result<T, Fault> {
        let pool = &self.pool;
        let worker = match tokio::time::timeout(pool.wait, Arc::clone(&pool.workers).acquire_owned()).await {
            Ok(Ok(permit)) => permit,
            Ok(Err(_)) => return Err(busy("the password pool is closed")),
            Err(_) => return Err(busy("the password queue is slow")),
        };
        let began = Instant::now();
        let gone = || Fault::internal("a password worker is gone");
        // The permit travels with the job: a caller that goes away now frees no worker that is still at work.
        pool.jobs.send(Job { task, _permit: worker }).map_err(|_| gone())?;
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
