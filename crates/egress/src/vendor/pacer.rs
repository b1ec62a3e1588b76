//! The pace in real time: callers wait in line for their turns.

use super::{
    Error,
    pace::{Pace, Turn},
};
use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};
use tokio::time::{Instant, sleep_until};

/// One line before one source.
pub(super) struct Pacer {
    began: Instant,
    pace: Mutex<Pace>,
    line: tokio::sync::Mutex<()>,
}

impl Default for Pacer {
    fn default() -> Self {
        Self { began: Instant::now(), pace: Mutex::default(), line: tokio::sync::Mutex::default() }
    }
}

impl Pacer {
    /// Waits for a turn: first come, first served.
    pub(super) async fn turn(&self) -> Turn {
        let _first = self.line.lock().await;
        loop {
            let asked = self.with(Pace::ask);
            match asked {
                Ok(turn) => return turn,
                Err(until) => sleep_until(self.began + until).await,
            }
        }
    }

    /// What came of a turn. A request that got no answer says nothing about the limit.
    pub(super) fn done<T>(&self, turn: Turn, outcome: &Result<T, Error>) {
        self.with(|pace, now| match outcome {
            Err(Error::Throttled { retry_after }) => pace.refused(turn, now, *retry_after),
            Err(Error::Unreachable | Error::Timeout | Error::Server(_)) => {}
            _ => pace.admitted(now),
        });
    }

    /// Requests a second, once that is known.
    pub(super) fn rate(&self) -> Option<f64> {
        self.with(|pace, _| pace.rate())
    }

    fn with<T>(&self, act: impl FnOnce(&mut Pace, Duration) -> T) -> T {
        // Its numbers are whole after each step, so a panic elsewhere has not spoilt them.
        let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
        act(&mut pace, self.began.elapsed())
    }
}
