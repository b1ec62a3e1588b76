//! Waiting between two looks at something that has to come.

use std::time::Duration;

/// Ten milliseconds of the machine's own time, which pass while timers stand still, too. It leaves the
/// machine to others.
#[expect(clippy::disallowed_methods, reason = "no timer of Tokio passes while they stand still")]
pub async fn short_wait() {
    tokio::task::spawn_blocking(|| std::thread::sleep(Duration::from_millis(10))).await.unwrap();
}
