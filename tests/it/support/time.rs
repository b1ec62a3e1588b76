//! A clock that stands still, and deterministic randomness.

use domain::shared::{Clock, Entropy};
use jiff::{SignedDuration, Timestamp};
use std::sync::{Arc, Mutex};

/// A clock that only moves by `advance`.
pub struct TestClock(Mutex<Timestamp>);

/// A clock at noon of a day in March.
pub fn clock() -> Arc<TestClock> {
    Arc::new(TestClock(Mutex::new("2026-03-01T12:00:00Z".parse().unwrap())))
}

impl TestClock {
    /// Moves the clock forward.
    pub fn advance(&self, by: SignedDuration) {
        let mut now = self.0.lock().unwrap();
        *now = now.checked_add(by).unwrap();
    }
}

impl Clock for TestClock {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
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
