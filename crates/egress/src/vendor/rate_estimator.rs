//! Estimates the rate limit of a source from its refusals (429).
//!
//! Until the first refusal requests are not limited. It shows that the limit was reached: no request is sent
//! for a second, and the number of requests that were admitted around that moment becomes the rate. From then
//! on the rate rises slowly until the next refusal and falls back to what was really admitted, so that it
//! stays close to the limit. The longer nothing is refused, the faster it rises, for a source whose limit was
//! raised. Times are durations since an arbitrary moment.

use std::{collections::VecDeque, time::Duration};

/// The assumed window of a source's limit: Storyblok counts by the second.
const WINDOW: Duration = Duration::from_secs(1);
/// The time span over which admitted requests are counted.
const MEMORY: Duration = Duration::from_secs(5);
/// The number of admitted requests that are remembered.
const MOMENTS: usize = 8192;
/// How much lost time may be made up for: timers fire late, above all on a busy machine.
const SLACK: Duration = Duration::from_millis(400);
/// By which part the rate rises in a second, at first and at most, and the seconds without a refusal after
/// which that doubles.
const RISE: f64 = 0.01;
const RISE_MOST: f64 = 0.2;
const RISE_DOUBLES: f64 = 8.0;
/// The lowest rate: one request in ten seconds.
const SLOWEST: f64 = 0.1;
/// The longest `Retry-After` that is obeyed.
const MAX_RETRY_AFTER: Duration = Duration::from_mins(5);

/// The estimate of one source's limit.
#[derive(Debug, Default)]
pub struct RateEstimator {
    /// Requests a second; none until one was refused.
    rate: Option<f64>,
    /// Whether the first refusal is being evaluated.
    is_learning: bool,
    /// No request is sent before this.
    held_until: Duration,
    /// When the next request is due.
    next: Duration,
    /// Whether a request had to wait for it; only then was the rate the limit.
    is_waited_for: bool,
    /// Since when requests have been sent at the full rate.
    busy_since: Duration,
    /// When the rate fell or was learned.
    fell_at: Duration,
    /// When the rate was last raised.
    raised_at: Duration,
    /// When the latest requests were admitted.
    admitted: VecDeque<Duration>,
}

/// The moment at which a request was allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SendTime(Duration);

impl RateEstimator {
    /// Allows a request now, or returns when to try again.
    pub fn try_acquire(&mut self, now: Duration) -> Result<SendTime, Duration> {
        if now < self.held_until {
            self.is_waited_for = true;
            return Err(self.held_until);
        }
        if self.is_learning {
            self.learn(now);
        }
        let Some(rate) = self.rate else {
            return Ok(SendTime(now));
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
        Ok(SendTime(now))
    }

    /// Records that the source admitted a request.
    pub fn on_admitted(&mut self, now: Duration) {
        self.admitted.push_back(now);
        let memory = now.saturating_sub(MEMORY);
        while self.admitted.len() > MOMENTS || self.admitted.front().is_some_and(|f| *f < memory) {
            self.admitted.pop_front();
        }
    }

    /// Records that the source refused a request, and the value of `Retry-After`.
    pub fn on_refused(&mut self, sent: SendTime, now: Duration, retry_after: Option<Duration>) {
        if let Some(wait) = retry_after {
            self.hold(now + wait.min(MAX_RETRY_AFTER));
        }
        match self.rate {
            None if !self.is_learning => {
                self.is_learning = true;
                self.hold(now + WINDOW);
            }
            // A request that was sent before the rate fell says nothing new.
            Some(rate) if sent.0 > self.fell_at && now > self.fell_at + WINDOW => {
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

    /// A window holds what was admitted in the second before the pause and in the pause.
    fn learn(&mut self, now: Duration) {
        self.is_learning = false;
        let seconds = WINDOW.as_secs_f64();
        self.rate = Some((f64::from(self.count(now.saturating_sub(WINDOW * 2))) / seconds).max(1.0 / seconds));
        self.next = now;
        self.busy_since = now;
        self.fell_at = now;
        self.raised_at = now;
    }

    /// The rate, raised by the time since it was last raised.
    fn risen(&mut self, rate: f64, now: Duration) -> f64 {
        let since = now.saturating_sub(self.raised_at).min(WINDOW).as_secs_f64();
        self.raised_at = now;
        if !self.is_waited_for {
            return rate;
        }
        let quiet = now.saturating_sub(self.fell_at).as_secs_f64();
        let rise = (RISE * (quiet / RISE_DOUBLES).exp2()).min(RISE_MOST);
        rate * (1.0 + rise * since)
    }

    /// The rate after a refusal: what was admitted and half a request more, since the refused one may have
    /// been only a little early.
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
