//! How fast a source may be asked, learned from what it refuses.
//!
//! Nothing is known at first and nothing is held back. The first refusal says that a limit was reached: for a second nothing is
//! asked, and what was admitted around that moment is the rate to go on with. From then on the rate creeps up until it is refused
//! again and falls back to what was really admitted, so that it stays close around the limit; the longer nothing is refused, the
//! faster it rises, for a source whose limit was raised. Times are durations since any one moment.

use std::{collections::VecDeque, time::Duration};

/// What is taken for the window of a source: the hosted service counts by the second.
const WINDOW: Duration = Duration::from_secs(1);
/// How far back is looked to see what is really admitted.
const MEMORY: Duration = Duration::from_secs(5);
/// The most moments that are kept.
const MOMENTS: usize = 8192;
/// How much of lost time may be made up for: timers come late, and a busy machine comes later.
const SLACK: Duration = Duration::from_millis(400);
/// How much the rate rises in a second, at first and at most, and the quiet after which that has doubled.
const RISE: f64 = 0.01;
const RISE_MOST: f64 = 0.2;
const RISE_DOUBLES: f64 = 8.0;
/// Never less than this, however much is refused: one request in so many seconds.
const SLOWEST: f64 = 0.1;
/// The longest that a source may tell us to wait.
const LONGEST: Duration = Duration::from_mins(5);

/// The pace of one source.
#[derive(Debug, Default)]
pub struct Pace {
    /// Requests a second; none until something was refused.
    rate: Option<f64>,
    /// Whether the first refusal is being looked at.
    is_learning: bool,
    /// Nothing is asked before this.
    held_until: Duration,
    /// When the next request is due.
    next: Duration,
    /// Whether somebody had to wait for it: only then does the rate mean anything.
    is_waited_for: bool,
    /// Since when requests have come as fast as they may.
    busy_since: Duration,
    /// When the rate fell or was learned.
    fell_at: Duration,
    /// When the rate was last looked at.
    looked_at: Duration,
    /// When requests were admitted, the latest ones.
    admitted: VecDeque<Duration>,
}

/// A request that may be sent: the moment at which it was let go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn(Duration);

impl Pace {
    /// Asks to send one now; otherwise, when to ask again.
    pub fn ask(&mut self, now: Duration) -> Result<Turn, Duration> {
        if now < self.held_until {
            self.is_waited_for = true;
            return Err(self.held_until);
        }
        if self.is_learning {
            self.learn(now);
        }
        let Some(rate) = self.rate else {
            return Ok(Turn(now));
        };
        if now < self.next {
            self.is_waited_for = true;
            return Err(self.next);
        }
        if now > self.next + WINDOW {
            self.busy_since = now;
        }
        let rate = self.risen(rate, now);
        self.rate = Some(rate);
        self.next = self.next.max(now.saturating_sub(SLACK)) + interval(rate);
        self.is_waited_for = false;
        Ok(Turn(now))
    }

    /// The source took it.
    pub fn admitted(&mut self, now: Duration) {
        self.admitted.push_back(now);
        let memory = now.saturating_sub(MEMORY);
        while self.admitted.len() > MOMENTS || self.admitted.front().is_some_and(|f| *f < memory) {
            self.admitted.pop_front();
        }
    }

    /// The source refused it, and perhaps said for how long it will.
    pub fn refused(&mut self, turn: Turn, now: Duration, retry_after: Option<Duration>) {
        if let Some(wait) = retry_after {
            self.hold(now + wait.min(LONGEST));
        }
        match self.rate {
            None if !self.is_learning => {
                self.is_learning = true;
                self.hold(now + WINDOW);
            }
            // What was on its way when the rate fell says nothing new.
            Some(rate) if turn.0 > self.fell_at && now > self.fell_at + WINDOW => {
                self.rate = Some(self.fallen(rate, now));
                self.fell_at = now;
            }
            _ => {}
        }
    }

    /// Requests a second, once that is known.
    pub fn rate(&self) -> Option<f64> {
        self.rate
    }

    fn hold(&mut self, until: Duration) {
        self.held_until = self.held_until.max(until);
        self.busy_since = self.held_until;
    }

    /// What was admitted in the second before the hold and in the hold itself is what a window holds.
    fn learn(&mut self, now: Duration) {
        self.is_learning = false;
        let seconds = WINDOW.as_secs_f64();
        self.rate = Some((f64::from(self.count(now.saturating_sub(WINDOW * 2))) / seconds).max(1.0 / seconds));
        self.next = now;
        self.busy_since = now;
        self.fell_at = now;
        self.looked_at = now;
    }

    /// The rate after the time since it was last looked at.
    fn risen(&mut self, rate: f64, now: Duration) -> f64 {
        let since = now.saturating_sub(self.looked_at).min(WINDOW).as_secs_f64();
        self.looked_at = now;
        if !self.is_waited_for {
            return rate;
        }
        let quiet = now.saturating_sub(self.fell_at).as_secs_f64();
        let rise = (RISE * (quiet / RISE_DOUBLES).exp2()).min(RISE_MOST);
        rate * (1.0 + rise * since)
    }

    /// The rate after a refusal: what was admitted, and a little more, because the next one may have been just too early.
    fn fallen(&self, rate: f64, now: Duration) -> f64 {
        let from = now.saturating_sub(MEMORY).max(self.busy_since);
        let span = now.saturating_sub(from).max(WINDOW / 2).as_secs_f64();
        let admitted = (f64::from(self.count(from)) + 0.5) / span;
        admitted.clamp(rate * 0.5, rate).max(SLOWEST)
    }

    fn count(&self, from: Duration) -> u32 {
        u32::try_from(self.admitted.iter().rev().take_while(|a| **a >= from).count()).unwrap_or(u32::MAX)
    }
}

fn interval(rate: f64) -> Duration {
    Duration::try_from_secs_f64(1.0 / rate).unwrap_or(WINDOW)
}

#[cfg(test)]
mod tests;
