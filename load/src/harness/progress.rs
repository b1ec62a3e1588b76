//! The progress bar, on the standard error where that is a terminal.

use super::result::Point;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// The bar of one stage after the other.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// A bar that shows nothing yet, and never anything with `is_quiet`.
    pub(crate) fn new(is_quiet: bool) -> Self {
        Self(if is_quiet { ProgressBar::hidden() } else { ProgressBar::new(0) })
    }

    /// Says what is prepared.
    pub(crate) fn prepare(&self, what: &'static str) {
        self.0.set_style(style("{spinner} {msg}"));
        self.0.set_message(what);
        self.0.tick();
    }

    /// Begins a stage of this length.
    pub(crate) fn begin(&self, name: &'static str, length: Duration) {
        self.0.set_style(style("{prefix:>9} [{bar:30}] {pos}/{len} s  {msg}"));
        self.0.set_prefix(name);
        self.0.set_message("");
        self.0.set_length(length.as_secs());
        self.0.set_position(0);
    }

    /// Shows the last second.
    pub(crate) fn show(&self, at: Duration, point: &Point) {
        let counts = format!("{}/s  {} refused  {} failed", point.succeeded, point.refused, point.failed);
        self.0.set_message(format!("{counts}  p50 {:.1} ms  p99 {:.1} ms", point.p50_ms, point.p99_ms));
        self.0.set_position(at.as_secs());
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
