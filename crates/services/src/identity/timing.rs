//! Hides small differences in the time that an answer takes.

use std::{future::Future, time::Duration};
use tokio::time::Instant;

/// Longer than queueing a mail takes on a machine that is not overloaded, and too short for a person to notice.
const TIMING_STEP: Duration = Duration::from_millis(50);

/// Completes at the next multiple of [`TIMING_STEP`] after its start, so that a caller cannot tell from small differences in time which branch was
/// taken. The branches must still do the same amount of work: where it takes longer than a step, the number of steps would tell.
pub(super) async fn pad_timing<T>(work: impl Future<Output = T>) -> T {
    let began = Instant::now();
    let output = work.await;
    let steps = began.elapsed().div_duration_f64(TIMING_STEP).ceil();
    tokio::time::sleep_until(began + TIMING_STEP.mul_f64(steps)).await;
    output
}

#[cfg(test)]
mod tests {
    use super::pad_timing;
    use std::time::Duration;
    use tokio::time::{Instant, sleep};

    #[tokio::test(start_paused = true)]
    async fn durations_are_rounded_up_to_steps() {
        for (millis, steps) in [(1, 1), (3, 1), (49, 1), (61, 2)] {
            let began = Instant::now();
            let output: Result<(), ()> = pad_timing(async {
                sleep(Duration::from_millis(millis)).await;
                Err(())
            })
            .await;
            assert_eq!((output, began.elapsed().as_millis()), (Err(()), steps * 50), "{millis} ms");
        }
    }
}
