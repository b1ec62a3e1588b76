//! A clock that stands still, timers that do, and deterministic randomness.

use crate::{Database, PATIENCE};
use domain::shared::{Clock, Entropy};
use jiff::{SignedDuration, Timestamp};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, mpsc},
};

/// A clock that only moves by `advance`.
pub struct TestClock {
    now: Mutex<Timestamp>,
    /// The clocks of the databases that go by this one.
    followers: Mutex<Vec<PathBuf>>,
}

/// A clock at noon of a day in March.
pub fn clock() -> Arc<TestClock> {
    let noon = "2026-03-01T12:00:00Z".parse().unwrap();
    Arc::new(TestClock { now: Mutex::new(noon), followers: Mutex::default() })
}

impl TestClock {
    /// Moves the clock.
    pub fn advance(&self, by: SignedDuration) {
        let mut now = self.now.lock().unwrap();
        *now = now.checked_add(by).unwrap();
        for file in &*self.followers.lock().unwrap() {
            set(file, *now);
        }
    }

    /// From now on the clock of the database is this one, as on a machine that runs both.
    pub fn drives(&self, database: &Database) {
        let file = database.clock_file();
        set(&file, *self.now.lock().unwrap());
        self.followers.lock().unwrap().push(file);
    }

    /// The clock of the database is its own from now on, and stands still.
    pub fn drives_no_longer(&self) {
        self.followers.lock().unwrap().clear();
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        *self.now.lock().unwrap()
    }
}

/// Sets the clock of a database. PostgreSQL never reads half a file.
fn set(file: &Path, now: Timestamp) {
    let unfinished = file.with_extension("new");
    std::fs::write(&unfinished, now.to_string()).unwrap();
    std::fs::rename(&unfinished, file).unwrap();
}

/// While it lives, no timer of this test and its server passes.
///
/// Limits that a test waits for are short, and what has to arrive within them may not: the machine does other
/// things as well.
pub struct StoppedTimers(#[expect(dead_code, reason = "its end is what is waited for")] mpsc::Sender<()>);

impl StoppedTimers {
    /// Stops them. The runtime of the test has one thread.
    #[expect(clippy::disallowed_methods, reason = "it ends with this value")]
    pub fn now() -> Self {
        tokio::time::pause();
        let (ends, end) = mpsc::channel();
        // Else time would go on to the next timer whenever everything waits for the network. Tokio promises
        // that it does not while something blocks. What never comes fails the test all the same: by then.
        tokio::task::spawn_blocking(move || end.recv_timeout(PATIENCE));
        Self(ends)
    }
}

impl Drop for StoppedTimers {
    fn drop(&mut self) {
        tokio::time::resume();
    }
}

/// A pseudo-random sequence that is the same in every run (`SplitMix64`).
struct SeededEntropy(Mutex<u64>);

/// The sequence of this seed.
pub fn entropy(seed: u64) -> Arc<dyn Entropy> {
    Arc::new(SeededEntropy(Mutex::new(seed)))
}

impl Entropy for SeededEntropy {
    fn fill(&self, buffer: &mut [u8]) {
        let mut state = self.0.lock().unwrap();
        for chunk in buffer.chunks_mut(8) {
            *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut word = *state;
            word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            word ^= word >> 31;
            chunk.copy_from_slice(&word.to_le_bytes()[..chunk.len()]);
        }
    }
}
